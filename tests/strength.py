"""A player against an opponent who tries everything: every reply is followed.

Each of the searcher's moves is a new search from the same seed, so it depends on the position alone
and is searched once a position.
"""


def lost_lines(search, player, iterations):
    """The positions in which ``player``, who searches, has lost; and how many it had to search."""
    game, searched, lost = search.game, set(), []
    waiting = [game.initial_state()]
    while waiting:
        state = waiting.pop()
        if game.is_terminal(state):
            lost += [state] if game.returns(state)[player] < 0 else []
        elif game.to_move(state) != player:
            waiting += [game.play(state, action) for action in game.legal_actions(state)]
        elif state not in searched:
            searched.add(state)
            result = search.search(state, iterations=iterations, progress=False)
            waiting.append(game.play(state, result.best_action))
    return lost, len(searched)
