"""Calls as a beginner mistypes them, one a line, below the names of the reference's first cell."""

REFUSED = """
# A position as its text, or none at all
game.legal_actions("XX. .O. ...")  → you gave 'XX. .O. ...'. Write game.parse('XX. .O. ...').
game.legal_actions("XX.\\n.O.\\n...")
game.to_move("XX. .O. ...")
game.is_terminal("XX. .O. ...")
game.is_terminal("XXX OO. ...")
game.returns("XXX OO. ...")
game.play("XX. .O. ...", 2)
game.text("XX. .O. ...")
game.text(None)
game.legal_actions(None)
game.legal_actions(5)
game.legal_actions(())
game.legal_actions((1,))
game.legal_actions((1000, 2))
game.legal_actions(["X", "X", "."])
game.legal_actions(game)
game.to_move(None)
game.to_move(())
game.to_move(3.5)
game.is_terminal(None)
game.is_terminal(9)
game.is_terminal((1000, 0))
game.returns(None)
game.returns(state)
game.returns(())
game.returns((1000, 0))
game.text((1,))
game.text("")
game.text(("X", "O"))
game.parse(None)
game.parse(state)
game.parse("XX")
game.parse("XX .O. ....")  → is 'XX', which has 2 cells, not 3: give 3 rows of 3
ConnectFour(4, 5).parse(".... .... .... .... XO..")  → has 4 cells, not 5: give 4 rows of 5
game.parse(["XX.", ".O.", "..."])
# Moves
game.play(2, state)
game.play(state, None)
game.play(state, "2")
game.play(state, 2.5)
game.play(state, (0, 2))
game.play(state, [2])
game.play(state, 99)
game.play(state, -1)
game.play(state, float("nan"))
game.play(None, 2)
game.play((), 2)
game.play("X", 2)
game.play((1000, 0), 2)
game.play(state, {2})
game.play(state, search)
# The other games
four.legal_actions("....... ....... ....... ....... ....... X......")
four.is_terminal("x")
four.is_terminal(None)
four.is_terminal(())
four.is_terminal((0, 0))
four.returns("x")
four.returns(())
four.play("x", 3)
four.play(3, four.initial_state())
four.play((), 3)
four.play((0, 0), 3)
four.play(four.initial_state(), "3")
four.play(four.initial_state(), 7)
four.play(four.initial_state(), -1)
four.text("x")
four.text(())
four.legal_actions(3)
four.to_move(("a", "b", "c"))
nim.legal_actions("3 4 5")
nim.to_move(())
nim.is_terminal("3 4 5")
nim.is_terminal(3)
nim.returns("0 0 0")
nim.returns(())
nim.play("3 4 5", (0, 1))
nim.play((0, 1), (0, 3, 4, 5))
nim.play((0, 3, 4, 5), 1)
nim.play((0, 3, 4, 5), "1 from heap 1")
nim.play((0, 3, 4, 5), (0, 9))
nim.play((0, 3, 4, 5), None)
nim.text("3 4 5")
nim.text(())
nim.text((7, 3, 4, 5))
nim.action_label((0, 3, 4, 5), 1)
nim.action_label((0, 3, 4, 5), "1")
nim.action_label((0, 1), (0, 3, 4, 5))
arms.is_terminal(None)
arms.returns("A 57")
arms.returns(("A", "B"))
arms.returns(("Z", 5))
arms.play((), "Z")  → choose one of A, B, C
arms.play((), 0)
arms.play("A", ())
arms.chance("Z")
arms.chance(0)
arms.chance("AB")
tree.legal_actions(("z",))
tree.legal_actions(("b", "e", "e"))
tree.legal_actions(5)
tree.is_terminal(("z",))
tree.is_terminal(None)
tree.returns("b f")
tree.returns(("a",))
tree.play((), "z")
tree.play("a", ())
tree.to_move(None)
tree.to_move(5)
tree.text(5)
# Games with dice, tiles and ice
pig.legal_actions("0 0 +0 A")
pig.is_terminal("0 0 +0 A")
pig.returns(())
pig.to_move(None)
pig.chances(5)
pig.text("0 0 +0 A")
pig.play("roll", pig.initial_state())
pig.play(pig.initial_state(), "Roll")
tiles.legal_actions("1 . 2 / 4 5 3 (0)")
tiles.is_terminal(None)
tiles.returns(5)
tiles.text(())
tiles.play(1, tiles.initial_state())
tiles.play(tiles.initial_state(), "1")
lake.is_terminal(None)
lake.returns(())
lake.text(())
lake.chances(None)
lake.play("left", lake.initial_state())
lake.play(lake.initial_state(), "west")
# A class or a name in place of an object that has it
MCTS(game).search([0, 0], iterations=5)  → must be a position of Tic-tac-toe
MCTS.search(game, iterations=5)
MCTS.record(game, iterations=5)
Trace.at(film, 5)
Trace.at(5)
Film.to_svg(trace)
Film.to_html(trace)
MCTS.search(iterations=5)
search.root.parent
search.root.move
trace.root
trace.to_svg(5)
trace.played_out("x")
trace.played_out(9999)
Snapshot(search, 5, "select")
walk.best_action
walk.show()
walk.to_html()
film.at(5)
film.play()
film.show()
Player(trace).show()
Player(trace).to_html()
Play(game).move(4)
solve(game, state).best_action
minimax(game, state).best_actions
solver.proof(4)
Watch(search)
Watch(trace)
Watch(game)
# A board
set_board(unrelated, min)
set_board("Unrelated", min)
set_board(type(unrelated), 5)
set_board(type(unrelated))
(set_board(type(unrelated), lambda game: 7), board_of(unrelated))
# Making games
TicTacToe(3, 3)
ConnectFour("6", "7")  → you gave '6'
ConnectFour(3, 3)  → connect must be at most 3, or no line fits
ConnectFour(1, 1)
ConnectFour(1, 1, connect=1)
ConnectFour(True, 4)  → you gave True
ConnectFour(rows=4, cols=5)
Nim(3, 4, 5)
Nim("3 4 5")  → you gave '3 4 5'
Nim([3, 4, "5"])
Bandit(0.3, 0.5)
Bandit([30, 50])  → in whole hundredths from 0 to 1
GameTree([1, 2])  → you gave [1, 2]
GameTree({"a": "win"})  → you gave 'win'
GameTree()
GameTree(deep)
OpenSpielGame()
GymnasiumCopies("CartPole-v1")
GymnasiumTable()
check_game()
check_game(game, "50")
# A search
MCTS()
MCTS(TicTacToe)  → must be made from a class of rules, such as TicTacToe()
MCTS("tic-tac-toe")
MCTS(state)
MCTS(game, "1.41")
MCTS(game, C=1.41)
MCTS(game, c=None)
MCTS(game, iterations=200)
MCTS(game, seed="4")
MCTS(game, seed=-1)
MCTS(game, seed=1.5)
MCTS(game, selection="ucb1")
MCTS(game, selection=min).search(iterations=20)
MCTS(game, playout=random_playout(game, state, 4))
MCTS(game, playout=variants.win_then_block())
MCTS(game, playout=variants.block_then_win())
MCTS(game, playout=variants.win_then_block(game))
MCTS(game, playout=min).search(iterations=20)
MCTS(game, playout=variants.truncated).search(iterations=20)
MCTS(game, playout=variants.truncated())
MCTS(game, playout=variants.truncated(3)).search(iterations=20)
MCTS(game, playout=variants.truncated(3, 0.5)).search(iterations=20)
MCTS(game, playout=variants.truncated(1, len)).search(iterations=20)
MCTS(game, recommendation=min).search(iterations=20).best_action
MCTS(game, recommendation=max).search(iterations=20).best_action
MCTS(game, recommendation=sorted).search(iterations=20).best_action
MCTS(game, recommendation=len).search(iterations=20).best_action
MCTS(game, recommendation=variants.max_child()).search(iterations=20).best_action
MCTS(game, recommendation=variants.robust_max_child())
MCTS(game, recommendation=variants.secure_child).search(iterations=20).best_action
MCTS(game, recommendation=print).search(iterations=20).best_action
MCTS(game, tie_break=max).search(iterations=20)
MCTS(game, tie_break=variants.random_best())
MCTS(game, tie_break=variants.epsilon_greedy).search(iterations=20)
MCTS(game, tie_break=variants.epsilon_greedy())
MCTS(game, tie_break=variants.epsilon_greedy("0.1"))
MCTS(game, expansion=variants.expand_all())
MCTS(game, expansion=max).search(iterations=20)
MCTS(game, expansion=variants.pre_expanded(2)).search(iterations=20)
MCTS(game, expansion=variants.add_all).search(iterations=20)
MCTS(game, reward=variants.rewards_of).search(iterations=20)
MCTS(game, reward=variants.rewards_of(1, 0)).search(iterations=20)
MCTS(game, reward=variants.root_players_view).search(iterations=20)
MCTS(game, reward=variants.root_players_view()).search(iterations=20)
MCTS(game, reward=max).search(iterations=20)
MCTS(game, reward=1.0)
MCTS(game, initial_expansion=variants.pre_expanded).search(iterations=20)
MCTS(game, initial_expansion=2)
MCTS(game, initial_expansion=variants.expand_root_only)
MCTS(game, selection=variants.win_rate())
MCTS(game, selection=variants.smoothed_ucb1).search(iterations=20)
MCTS(game, selection=variants.puct(0.5))
variants.win_then_block()
variants.widening(k=-3)
variants.widening(k=0)
variants.secure_child("1")
variants.following(5)
variants.following()
search.search()
search.search(200)
search.search(state, 200)
search.search(iterations="200")
search.search(iterations=0)  → iterations must be a whole number of at least 1; you gave 0.
search.search(iterations=1e3)
search.search(iteration=200)  → MCTS.search() got an unexpected keyword argument 'iteration'
search.search("XX. .O. ...", iterations=20)  → Write game.parse('XX. .O. ...').
search.search((1, 2, 3), iterations=20)
search.search(seconds="1")
search.search(game, iterations=20)
search.search(iterations=20, hooks=Recorder)
search.search(iterations=20, hooks=[print])
search.record()
search.record(200)
search.run()
search.run(state, iterations=5)
search.start("XX. .O. ...")
search.start(5)
search.start(state, 5)
search.advance(99)  → 99 is no legal move at '...\\n...\\n...': choose one of 0, 1, 2, 3,
search.advance("2")
search.advance()
search.advance([2])
search.but(d=3)
search.but(c="x")
search.best_action  → 'MCTS' object has no attribute 'best_action'
search.result
search.tree
search.best_move
search.visits
search.value
search.trace
search.children
search.select(search.root)
search.expand(search.root)
search.rewards(1)
search.rewards((1.0,))
search.recommend(search.root)
search.add_child(search.root, 99)
result.best_move
result.visits
result.trace
result[0]
result.root[0]
search.root[0]
search.root.child
search.root.value
solver.search(iterations="x")
MCTSSolver()
# Films and moments
trace[120]
trace[5]
trace["120"]
trace[5:10]
list(trace)
trace.at()
trace.at(500)
trace.at("120")
trace.at(5, "selection")
trace.at(5, 1)
trace.at(5.5)
trace.state("2")
trace.state(9999)
trace.path(None)
trace.label("x")
trace.action_of("x")
trace.visits("x")
trace.visits()
trace.visits(-1)
trace.wins("x")
trace.n_legal_moves("x")
trace.fork()
trace.fork(5, ["2"])
trace.fork(5, moves="2")
trace.fork(5, moves=2)
trace.fork(5, moves=["99"])
trace.fork(5, c="2")
trace.fork("5")
trace.search_at("5")
trace.search_at()
trace.save()
trace.save(5)
trace.save("")
Trace.load()
Trace.load("no such file.json")
Trace.load(5)
Trace.load(trace)
Trace.load("x.json", game)
Trace()
trace.play()
trace.show()
trace.to_html()
trace.best_action
moment.children("2")
moment.children()
moment.terms("x")
moment.score(9999)
moment.proof("x")
moment.best_action
Snapshot(trace, 5, "choose")
Snapshot(trace, 9999, "select")
Snapshot()
Film()
Film(search)
Film(search.root)
Film(game)
Film(trace, "40")
Film(trace, iterations=5)
Film(trace, iterations="5")
film.to_svg("5")
film.to_svg(5, "selection")
film.to_svg(5, theme="blue")
film.to_png("x")
film.four_phases("34")
film.four_phases(500)
film.four_phases(0)
film.to_html("film.html")
film.to_dot(5, 5)
film.to_networkx("x")
film.to_text(0)
film.caption("x")
film.nearest("x")
film.nearest(None)
film.frame("x")
film.moment("x")
film[5]
film.save("x.html")
Player()
Player(search)  → source must be a trace, as search.record(iterations=200) returns
Player(game)
Player(result)
Player(trace, "120")
Player(trace, 9999)
Player(trace, phase="selection")
Player(trace, cards="x")
Player(trace, tools="truth")
Player(trace, tools=["truht"])
Player(trace, tools=None)
Player(walk, 5, "expand")
Player(trace, view="trees")
Player(trace, 5, "expand", 40, "tree")
Compare(trace)
Compare()
Compare(search, search)
Compare(trace, game)
Compare(trace, trace, 9999)
Play()
Play(search)
Play(game, "x")
Play(game, 5)
Play(game, search, "200")
Play(game, MCTSAgent)
Play(four, search)
Play(TicTacToe, search)
Play(state, search)
Play("tic-tac-toe", search)
# Exact play and agents
solve()
solve(game)
solve(state)
solve(state, game)
solve(game, "XX. .O. ...")
minimax()
minimax(state)
minimax(game, "XX. .O. ...")
minimax(game, 5)
minimax(TicTacToe, state)
alpha_beta(state)
alpha_beta(game, [1, 2])
record_minimax()
record_minimax(game, minimax)
record_minimax("minimax", game)
record_minimax(minimax, state)
record_minimax(minimax, game, "XX. .O. ...")
walk[5]
walk.at("x")
walk.at(10**9)
walk.at()
walk.fork(5)
walk.save("x")
walk.state("x")
solve(arms, ())
minimax(arms)
ExactAgent(arms)(())
ExactAgent()
ExactAgent(state)
ExactAgent(game)("XX. .O. ...")
ExactAgent(game)()
ExactAgent(game)(5)
RandomAgent()
RandomAgent(TicTacToe)
RandomAgent(game)("x")
RandomAgent(game, "seed")
RandomAgent(game)(game.parse("XXX OO. ..."))
RandomAgent(pig)(pig.play(pig.initial_state(), "roll"))
ExactAgent(pig)(pig.play(pig.initial_state(), "roll"))
MCTSAgent(game)
MCTSAgent()
MCTSAgent(search, 200)
MCTSAgent(game, "200")
MCTSAgent(game, 200, c="x")
MCTSAgent(game, 200, d=1)
MCTSAgent(game, 200, make="MCTS")
MCTSAgent(game, 200, make=TicTacToe)
MCTSAgent(game, 20)("x")
MCTSAgent(game, 20)()
# Functions of the policies, called by hand
random_playout(game, state, 4)
random_playout(game, "XX. .O. ...", Random(1))
# Watch
Watch()
Watch(search.root, game="x")
Watch(search.root, visit="n")
Watch.each(search)
Watch.each(search, search.select).__enter__()
Watch.from_lines(['{"path": ["4"], "result": 1}'], game="TicTacToe")
Watch.from_lines(['{"path": ["4"], "result": 1}'], game=TicTacToe)
Watch.from_lines(['{"path": ["4"], "result": [1, 0, 0]}'], game=game)
watch.look(5)
watch.film
watch.play()
# Games of one's own and the course
Recorder(search)
Recorder().trace()
Recorder().trace(game)
arena()
arena([search, search], game)
arena({"a": search, "b": search}, game, games=2)
arena({"a": RandomAgent(game)}, game, games=2)
arena({"a": RandomAgent(game), "b": RandomAgent(game)}, games=2)
arena({"a": "x", "b": "y"}, game, games=2)
arena({"a": RandomAgent, "b": RandomAgent}, game, games=2)
predict()
predict("Who?", "X")
predict("Who?", choices="X")
predict("Who?").reveal()
show_board()
show_board(game, "XX. .O. ...")
show_board(state)
show_board(state, game)
show_tree(game)
show_tree({"a": 1})
show_tree(tree, {"z": "x"})
show_tree(tree, "x")
show_board(game)
show_board(game, state, names=["a", "b"])
show_source("x")
show_source(5)
plot_scores(search)
plot_scores(trace)
plot_scores(trace, "5")
plot_means(search)
plot_means(trace, moves=2)
plot_means(trace, exact={2: 0.5})
plot_means(trace, exact=5)
regret(arms, 5)
regrets(arms, {"UCB1": {}}, pulls=10, seeds=[])
plot_shares(search)
plot_regrets(5)
plot_arena(5)
plot_learning(5)
plot_positions(state)
plot_positions(game)
position_graph(four)
position_graph("x")
published()
published("lui")
published("liu").search("x")
published("liu").repair("x")
published("uct").with_faults("x")
published("liu").search(seed="x")
pull()
pull(arms)
pull(arms, "A", 5)
pull(arms, 0, 5)
regrets(arms, 5)
regrets(arms)
regrets(game, {"a": {}})
QLearner()
QLearner(game).train("200")
QLearner(game).train()
QLearner(game)("x")
RandomPlay(game).rewards("x")
RandomPlay()
RandomPlay(state)
find_traps(game, "x")
find_traps()
random_and_exact(game, "x")
random_and_exact(game, game.parse("XXX OO. ..."))
random_and_exact(pig, pig.initial_state())
plot_positions(pig)
position_graph(pig)
RandomPlay(pig)
find_traps(pig)
mean_interval(5)
mean_interval([])
mean_interval("abc")
wilson_interval(7, 5)
wilson_interval(0, 0)
guided("x")
guided(5)
puct_with()
TableGuide()
mean_interval([1, "2", 3])
mean_interval([1.0, float("nan")])
mean_interval([[1, 2], [3, 4]])
predict("Who?", choices=[])
predict("Who?", choices=["X", "X"])
predict("Who?", choices=[1, "1"])
predict("How many?", choices=["about 30", "about 43"]).reveal(float("nan"))
published("liu").agent(iterations=0)
class_report(5)
class_report("no such folder")
Network(pig)
Network("x")
Network(nim)
Network(four, seed="x")
Network(four, hidden=0)
train(Network(four), games="5")
train(Network(four), games=0)
train("x", games=3)
luck.points_gained(-5)
near_the_truth.filled_levels(branching=0, iterations=1000)
near_the_truth.filled_levels(branching="7", iterations=1000)
four_phases.times_found(state, budgets=20, seeds=3)
four_phases.times_found(state, budgets=[20], seeds=0)
my_game.finds_a_win(nim, budgets=25)
what_uct_weighs.times_found(cs=0.7, iterations=10)
write_it_yourself.own(min, 1)
write_it_yourself.own((min, max), 1)
write_it_yourself.program("C", 6)
keep_search(min, 1)
OwnAgent(5, game)
# What lessons lend to their notebooks
can_you_beat_it.compare(search, trace)
can_you_beat_it.compare(trace, None)
can_you_beat_it.first_moves(game)
random_games.exact_means(TicTacToe)
random_games.kind_of_cell("4")
random_games.interval_widths(25, seeds=200)
random_games.interval_widths(games=[25], seeds=0)
random_games.interval_widths(games=["25"], seeds=2)
random_games.interval_widths(games=[], seeds=2)
random_games.plot_blocking([1], games=[5], seeds=2)
random_games.plot_blocking(state, games=[5], seeds=10**30)
random_games.favourites(four)
explore_or_exploit.SlotMachines(game)
explore_or_exploit.SlotMachines(arms, pulls="40")
explore_or_exploit.SlotMachines(arms).play("Z")
explore_or_exploit.after_pulls(arms, 5)
explore_or_exploit.one_decision(game)
explore_or_exploit.greedy_ends(arms, players=True)
explore_or_exploit.race(arms, pulls=100, seeds="8")
explore_or_exploit.regret_by_c(arms, pulls=float("nan"), seeds=2)
explore_or_exploit.replay(trace)
pull(game, 40)
four_phases.keep_tree(trace)
four_phases.compare_means(state, iterations=20, seed=1, games=0)
four_phases.times_found(state, budgets=[5], seeds=2, cells=7)
what_uct_weighs.Lines("p")
what_uct_weighs.Lines({"p": 3})
what_uct_weighs.Lines({"p": (3, 0)})
what_uct_weighs.Lines({"p": (1, 2)}).on_top("1.4")
what_uct_weighs.Lines({"p": (1, 2)}).crossing("p", "q")
what_uct_weighs.Lines({"p": (1, 2), "q": (0, 2)}).crossing("p", "q")
what_uct_weighs.most_often(trace)
what_uct_weighs.times_found(cs=[0.7], iterations=5, seeds=2)[99]
what_uct_weighs.strength(cs=[0.7], budgets=200)
which_move.children({"a": (5, 3)})
which_move.StopWhenYouDare(search)
which_move.compare_rules(budgets=[])
which_move.flat_rules(seed=-1)
which_move.by_lead(trace)
which_move.stopping(None)
write_it_yourself.program("A", "6")
write_it_yourself.own((min, max, len, sum), 6, iterations=0)
write_it_yourself.right_moves(positions=-1)
write_it_yourself.tree_of(trace)
keep_search((min, max, len, sum), "1")
perfect_play.positions_to_merge(Nim)
perfect_play.compare_orders(orders="30")
perfect_play.work_by_size([2, 4])
near_the_truth.beside_the_truth(search, 200)
near_the_truth.beside_the_truth(trace, "200")
near_the_truth.proved_step_by_step(game, 1)
near_the_truth.times_right(200)
smarter_playouts.all_moves_as_first(state, move=99, seed=1)
smarter_playouts.holds_the_draw(None)
smarter_playouts.next_to(5, 5)
smarter_playouts.price(times=0)
smarter_playouts.stop_and_guess("240")
bug_clinic.gamblers(seeds=-5)
bug_clinic.look("reward")
bug_clinic.whole_clinic(seeds=None)
watched(trace, state, 5)
pull(arms, "x")
explore_or_exploit.after_pulls(arms, "AB")
explore_or_exploit.after_pulls(arms, "")
explore_or_exploit.race(arms, 999, 2)
explore_or_exploit.race(arms, 1000, 2).less("epsilon", "UCB1")
explore_or_exploit.race(arms, 1000, 2).crossing("epsilon-greedy", "UCB")
explore_or_exploit.race(arms, 1000, 2).crossing("UCB1", "UCB1")
four_phases.times_found(game.parse("XXX OO. ..."), [5], 2)
four_phases.times_found(state, [5], 2, cells=[9])
luck.played(0, 0, 1)
my_game.show_house(10**6, 10**6)
random_games.kind_of_cell(9)
random_games.plot_blocking(game.initial_state(), [5], 2)
smarter_playouts.exact_mean(state, 5)
teach_itself.priors_of(Network(four), state)
teach_itself.targets({"a": 0}, to_move=0, winner=1)
teach_itself.targets({"a": 30}, to_move=2, winner=1)
who_wins.copies_meet(games=2, seed=1, number="16")
who_wins.decided(40, games=40)
who_wins.interval_slider(70)
my_game.finds_a_win(Nim, budgets=[5])
my_game.place_in_words(nim)
my_game.show_house("3", 4)
my_game.who_wins([(3, 4)])
luck.most_visited(search)
luck.outcomes_of(trace, "roll")
luck.outcomes_of(search, "roll")
luck.played("20", 8, 1)
luck.sampled_against_exact(None)
luck.share_of_wins([20])
luck.move_or_luck([])
luck.your_game(pig)
costs.policy(game)
costs.replanned(lake, walks=0)
costs.shares_of_visits(discounts=0.9)
costs.with_eyes_closed(lake, "right")
costs.your_walk(lake)
hints.first_visit("0.1", 1)
hints.first_visit(1.5, 1)
hints.stronger(trace, "a", "b")
hints.waiting_times(seeds="200")
guided(TicTacToe, Thinker(Puzzle24()))
teach_itself.compare(["A", "B"], [state])
teach_itself.played_positions("150", 1)
teach_itself.priors_of(search, state)
teach_itself.right_moves(search, [state])
teach_itself.schooled(games=0, seed=1)
teach_itself.taught("my_loop", seed=1)
teach_itself.targets([30, 10], to_move=0, winner=1)
Network(four, hidden=10**30)
reasoning.better_way({"tree search": {}}, at=0.5)
reasoning.first_steps(search, Thinker(Puzzle24()))
reasoning.good_steps("4 9 10 13")
reasoning.rank_in_words(5)
reasoning.true_share({}, "best")
# The Game of 24
Puzzle24("4 9 10 13")
Puzzle24(4, 9, 10, 13)
Puzzle24(1, 2, 3, 4, 5)
Puzzle24((4, "9", 10, 13))
Puzzle24((4, 9, 10, 13.5))
Puzzle24(24)
Puzzle24(())
Puzzle24((4, 9, 10, 13), gullible=5)
Puzzle24().parse("x")
Puzzle24().parse("1/0")
Puzzle24().parse(24)
Puzzle24().play((4, 9, 10, 13), "4 + 9 = 13")
Thinker(game)
Thinker(Puzzle24(), skill="x")
Thinker(Puzzle24(), error=10)
reasoning.claims(gullible=5)
write_report(5)
predictions(5)
# Each with words that its sentence must have
arena({"a": first, "b": first}, game, games=7)  → games must be even, since
arena({"a": first, "b": first}, game, games=2, opening=-1)  → opening must be a whole number
arena({"a": first, "b": first}, game, games=2, opening=9)  → but Tic-tac-toe is over after 9
arena({"a": first, "b": first}, game, games=2, seed=1.5)  → seed must be a whole number
arena({"a": first}, game, games=2)  → players must be two or more by name, such as
arena({"a": search, "b": first}, game, games=2)  → The player 'a' must be a function that returns
arena({"a": 4, "b": first}, game, games=2)  → The player 'a' must be a function that returns
arena({"a": first, "b": first}, three_players((1, 2)), games=2)  → Nim has 3 players, but
arena({"a": first, "b": first}, nobody_loses(TicTacToe), games=2)  → that sum to 0
QLearner(game, alpha=0)  → alpha must be a number above 0 and at most 1
QLearner(game, epsilon="much")  → epsilon must be a number from 0 to 1
QLearner(game, seed=0.5)  → seed must be a whole number
QLearner(game).train(0)  → episodes must be a whole number of at least 1
QLearner(three_players((1, 2)))  → has 3 players, but Q-learning
QLearner(nobody_loses(TicTacToe)).train(1)  → that sum to 0
QLearner(tree, seed=1)(("a", "c"))  → The game is over in 'a c': take an earlier
plot_learning(QLearner(game))  → must be a QLearner that has been trained
trace.fork(3, moves=[9])  → : choose one of 0, 1, 2
trace.fork(3, moves="4")  → must be a list of moves
trace.fork(3, moves=4)  → must be a list of moves
trace.fork(30, moves=[0, 0])  → choose one of 1, 2
trace.fork(3, iterations=0)  → must be a whole number of at least 1
trace.fork(3, iterations=-1)  → must be a whole number of at least 1
trace.fork(3, iterations=1.5)  → must be a whole number of at least 1
trace.fork(3, iterations="7")  → must be a whole number of at least 1
trace.fork(3, iterations=True)  → must be a whole number of at least 1
trace.fork(3, c=-1)  → must be a number of at least 0, such as
trace.fork(3, c=float("nan"))  → must be a number of at least 0, such as
trace.fork(3, c=float("inf"))  → must be a number of at least 0, such as
trace.fork(3, c="1")  → must be a number of at least 0, such as
trace.fork(3, c=True)  → must be a number of at least 0, such as
MCTS(game).searches(iterations=9)  → 'MCTS' object has no attribute 'searches'
MCTS(game).search()  → The search has no budget: give it iterations=1000 or seconds=1.
MCTS(game).record()  → The search has no budget: give it iterations=1000 or seconds=1.
game.play(state, 0)  → 0 is no legal move at 'XX.\\n.O.\\n...': choose one of 2, 3, 5, 6, 7, 8.
MCTS(game).search(nim.initial_state(), iterations=9)  → must be a position of Tic-tac-toe
game.text(four.play(four.initial_state(), 3))  → must be a position of Tic-tac-toe
trace[3]  → 'Trace' object is not subscriptable
trace.at(-1)  → iteration must be a whole number from 0 to 30; you gave -1
trace.at(31)  → iteration must be a whole number from 0 to 30; you gave 31
trace.at(1.0)  → iteration must be a whole number
trace.at(True)  → iteration must be a whole number
trace.at(10**30)  → iteration must be a whole number
trace.at(3, "")  → phase must be one of select
trace.at(3, None)  → phase must be one of select
trace.state(-1)  → node must be a whole number from 0 to
trace.path(2.0)  → node must be a whole number from 0 to
trace.label(10**30)  → node must be a whole number from 0 to
moment.children(-1)  → node must be a whole number from 0 to
moment.score(None)  → node must be a whole number from 0 to
search.search(iterations=-1)  → iterations must be a whole number
search.search(iterations=2.5)  → iterations must be a whole number
search.search(iterations=True)  → iterations must be a whole number
search.search(iterations=float("nan"))  → iterations must be a whole number
search.search(seconds=0)  → seconds must be a number above 0
search.search(seconds=-1)  → seconds must be a number above 0
search.search(seconds=True)  → seconds must be a number above 0
search.search(seconds=float("nan"))  → seconds must be a number above 0
search.search(seconds=float("inf"))  → seconds must be a number above 0
search.search(seconds=10**400)  → seconds must be a number above 0
MCTS(game, c=-1)  → c must be a number of at least 0
MCTS(game, c=-1e-300)  → c must be a number of at least 0
MCTS(game, c=float("nan"))  → c must be a number of at least 0
MCTS(game, c=float("inf"))  → c must be a number of at least 0
MCTS(game, c="1")  → c must be a number of at least 0
MCTS(game, c=True)  → c must be a number of at least 0
MCTS(game, c=1j)  → c must be a number of at least 0
MCTS(game, c=10**400)  → c must be a number of at least 0
MCTS(game, seed=1.0)  → seed must be a whole number
MCTS(game, seed=True)  → seed must be a whole number
MCTS(game, seed=(1, 2))  → seed must be a whole number
MCTS(game, seed=10**200)  → at most 120 digits
walk.at(-1)  → must be a whole number from 1 to
walk.at(0)  → must be a whole number from 1 to
walk.at(1.5)  → must be a whole number from 1 to
walk.at(True)  → must be a whole number from 1 to
record_minimax(solve, game)  → walk must be minimax or alpha_beta
Film(walk).frame(0)  → must be a whole number from 1 to
Film(walk).frame(1, "select")  → phase is 'select', but in step 1 the event is 'enter'
Film(walk).four_phases()  → four_phases
Film(trace, iterations=range(1, 9)).four_phases(10)  → film shows
film.four_phases(True)  → must be a whole number from 1 to 30; you gave True
film.four_phases(3, theme="sepia")  → theme must be
film.four_phases(3, width=10)  → width must be
clinic("x")  → A patient must be one of
clinic(None)  → A patient must be one of
variants.smoothed_ucb1("x")  → must be a number
predict("Why?", choices=5)  → choices must be a list
trace.fork(0)  → must be a whole number from 1 to 31
trace.fork(32)  → must be a whole number from 1 to 31
trace.fork(-1)  → must be a whole number from 1 to 31
trace.fork(1.0)  → must be a whole number from 1 to 31
trace.fork(True)  → must be a whole number from 1 to 31
trace.fork("3")  → must be a whole number from 1 to 31
trace.fork(None)  → must be a whole number from 1 to 31
Film(trace, iterations=7)  → iterations must be a rising list of at most 5,000
Film(trace, iterations=[])  → you gave []
Film(trace, iterations=range(1, 5002))  → you gave range(1, 5002)
Film(trace, iterations=[1, 1])  → must be a rising list of at most 5,000
Film(trace, iterations=[31])  → of the iterations 1 to 30
Film(trace, iterations=[1, True])  → [1, True]
Film(walk, iterations=[1, 2])  → iterations must be left out in a film of minimax
Film(7)  → source must be a trace, as search.record
Film(trace, 0)  → cards must be a whole number from 1 to 300
film.to_svg(0)  → iteration must be a whole number from 1 to 30; you gave 0
film.to_dot(1, "think")  → phase must be one of select, expand
film.to_svg(theme="pink")  → theme must be 'light' or 'dark'; you gave 'pink'
plot_shares({}, "c")  → must be a dict of
plot_shares({str(number): {0: [0, 1]} for number in range(6)}, "c")  → must be a dict of
mean_interval([1])  → values must be two or more numbers
plot_regrets({})  → curves must be a dict of 1 to 5
plot_regrets(dict.fromkeys("abcdef", int64([[1, 1], [1, 1]])))  → curves must be a dict of 1 to 5
wilson_interval(-1, 5)  → you gave (-1, 5, 1.96)
wilson_interval(6, 5)  → you gave (6, 5, 1.96)
wilson_interval(0, 0)  → you gave (0, 0, 1.96)
matched_gain(0, 0, 0)  → gained and lost from 0 to all
matched_gain(-1, 0, 5)  → gained and lost from 0 to all
matched_gain(3, 3, 5)  → gained and lost from 0 to all
once_more("what_uct_weighs")  → one of four_phases, perfect_play
show_source(len)  → must be a function or a class in Python
show_source(7)  → must be a function or a class in Python
show_source("MCTS.select")  → must be a function or a class in Python
hand_in("99", name="Ada")  → The lesson must be the topic of one
hand_in(3, name="Ada")  → The lesson must be the topic of one
hand_in(None, name="Ada")  → The lesson must be the topic of one
hand_in("phases", name="Ada")  → The lesson must be the topic of one
hand_in("lesson", name="Ada")  → The lesson must be the topic of one
variants.widening(1.0, 2.0)  → alpha
Play(game, first="me")  → first must be 'you' or 'agent'
Play(game, iterations=0)  → iterations must be a whole number
Play(game, seconds=-1)  → seconds must be a number above 0
Play(game, "exact")  → agent must be an MCTS, another agent
Play(game, MCTS(nim))  → must be Tic-tac-toe, as that of the board
Play(game, MCTSAgent(nim, 10))  → The game of the search must be Tic-tac-toe
Play(ConnectFour(4, 4), MCTS(four))  → must be Connect Four, 4 by 4
Play(game, state=game.parse("XXX OO. ..."))  → a position that is still in play
Play(game).play(9)  → ; you gave 9
"""
"""Refused in a sentence of the package, which has the words behind an arrow."""

TAKEN = """
Puzzle24([4, 9, 10, 13], gullible=1)
ConnectFour(int64(4), int64(5))
film.four_phases()
film.four_phases(int64(20))
show_tree(tree, {"root": "x", "a": "y"})
show_board(game, state, state, names=["a", "b"])
Player(trace, tools=())
Puzzle24((1, 2))
Puzzle24().parse("−4 10 10/3")
mean_interval([True, False, True])
mean_interval(range(30))
mean_interval((0.5, 1))
wilson_interval(7.5, 10, z=0)
predict("Is it one?", choices=[1, 2]).reveal(1)
published("liu").agent()
variants.widening(k=0.5)
RandomAgent(pig)(pig.initial_state())
teach_itself.targets({"a": 30, "b": 10, "c": 0}, to_move=0, winner=0)
teach_itself.targets({"a": int64(30)}, to_move=int64(1), winner=None)
perfect_play.positions_to_merge(tree, None)
random_games.exact_means(unrelated)
near_the_truth.beside_the_truth(trace, 0)
near_the_truth.beside_the_truth(iteration=int64(5), trace=trace)
four_phases.times_found(state, range(5, 15, 5), seeds=int64(2), cells={2, 7})
what_uct_weighs.Lines({"p": [1, 2], "q": (1, 3)}).figure(Fraction(1, 2))
what_uct_weighs.times_found(iter([0, Fraction(1, 2)]), iterations=5, seeds=2)
who_wins.decided({"a": 20, "b": 0}.values(), 40, z=0)
who_wins.interval_slider(smarter_playouts.exact_mean(state))
explore_or_exploit.SlotMachines(arms).play("")
costs.with_eyes_closed(lake, (move for move in ("right", "down")))
explore_or_exploit.race(arms, 1000, 2)
"""
"""Taken, though the form is not the usual one."""


def calls(text):
    """The calls of a text, without its headings."""
    return [line for line in text.splitlines() if line and not line.startswith("#")]
