"""Watch the searches of public packages, and put down what is read beside what is true.

    python tools/public_searches.py [NAME ...]

Each package is installed by pip into a temporary folder of its own, and searches there in a process
of its own; the table goes to the standard output, for docs/WATCH.md. Names choose some of the rows.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple, TypeAlias

from mcts_watch import Watch

ROOT = Path(__file__).resolve().parents[1]
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
Foreign: TypeAlias = Any
"""An object of the package that is tried; it has no types here."""
ITERATIONS = 600
SEED = 3


# Tic-tac-toe, as each package wants it ------------------------------------------------------------


def winner(board: str) -> str | None:
    """The sign with three in a row."""
    rows = (board[a] for a, b, c in LINES if board[a] == board[b] == board[c] != ".")
    return next(rows, None)


def mover(board: str) -> str:
    """The sign of who moves."""
    return "X" if board.count("X") == board.count("O") else "O"


def moves(board: str) -> list[int]:
    """The free cells, none when the game is over."""
    return [] if winner(board) else [cell for cell in range(9) if board[cell] == "."]


def play(board: str, cell: int) -> str:
    """The board after a move."""
    return board[:cell] + mover(board) + board[cell + 1 :]


def result(board: str) -> int:
    """1 if X has won, -1 if O has, else 0."""
    return {"X": 1, "O": -1, None: 0}[winner(board)]


def playout(board: str) -> str:
    """The end of a random game."""
    while options := moves(board):
        board = play(board, random.choice(options))
    return board


EMPTY = "." * 9


def looked(watch: Watch, iterate: Callable[[], Any], times: int = ITERATIONS) -> Watch:
    """The watch after so many iterations."""
    for _ in range(times):
        iterate()
        watch.look()
    return watch


# The searches -------------------------------------------------------------------------------------


def mctspy() -> Watch:
    import numpy as np
    from mctspy.games.examples.tictactoe import TicTacToeGameState
    from mctspy.tree.nodes import TwoPlayersGameMonteCarloTreeSearchNode
    from mctspy.tree.search import MonteCarloTreeSearch

    np.random.seed(SEED)
    state = TicTacToeGameState(state=np.zeros((3, 3)), next_to_move=1)
    search = MonteCarloTreeSearch(TwoPlayersGameMonteCarloTreeSearchNode(state=state))

    def iterate() -> None:
        leaf = search._tree_policy()
        leaf.backpropagate(leaf.rollout())

    return looked(Watch(search.root), iterate)


def old(board: str) -> SimpleNamespace:
    """A position for mcts 1.0.4, whose rewards are X's."""
    return SimpleNamespace(
        board=board,
        isTerminal=lambda: not moves(board),
        getPossibleActions=lambda: moves(board),
        takeAction=lambda move: old(play(board, move)),
        getReward=lambda: result(board),
        getCurrentPlayer=lambda: 1 if mover(board) == "X" else -1,
    )


def mcts() -> Watch:
    import mcts as package

    search = package.mcts(iterationLimit=ITERATIONS)
    with Watch.each(search, "executeRound") as watch:
        search.search(old(EMPTY))
    return watch


def successor() -> Watch:
    from mcts.base.base import BaseState
    from mcts.searcher.mcts import MCTS

    class State(BaseState):
        def __init__(self, board: str) -> None:
            self.board = board

        def get_current_player(self) -> int:
            return 1 if mover(self.board) == "X" else -1

        def get_possible_actions(self) -> list[int]:
            return moves(self.board)

        def take_action(self, action: int) -> State:
            return State(play(self.board, action))

        def is_terminal(self) -> bool:
            return not moves(self.board)

        def get_reward(self) -> float:
            return result(self.board)

    search = MCTS(iteration_limit=ITERATIONS)
    with Watch.each(search, "execute_round") as watch:
        search.search(State(EMPTY))
    return watch


class Simple:
    """The game for mcts-simple."""

    def __init__(self) -> None:
        self.board = EMPTY

    def get_state(self) -> str:
        return self.board

    def number_of_players(self) -> int:
        return 2

    def current_player(self) -> int:
        return int(mover(self.board) == "O")

    def possible_actions(self) -> list[int]:
        return moves(self.board)

    def take_action(self, action: int) -> None:
        self.board = play(self.board, action)

    def has_outcome(self) -> bool:
        return not moves(self.board)

    def winner(self) -> list[int]:
        return [0, 1] if winner(self.board) is None else [int(winner(self.board) == "O")]


def simple(allow_transpositions: bool) -> Watch:
    from mcts_simple import UCT

    search = UCT(Simple(), allow_transpositions=allow_transpositions, seed=SEED)
    return looked(Watch(search.root), search.step)


def simple_open() -> Watch:
    from mcts_simple import OpenLoopUCT

    search = OpenLoopUCT(Simple(), seed=SEED)
    return looked(Watch(search.root), search.step)


def impara() -> Watch:
    from montecarlo.montecarlo import MonteCarlo
    from montecarlo.node import Node

    def find(node: Foreign, search: Foreign) -> None:
        for move in moves(node.state):
            child = Node(play(node.state, move))
            child.player_number = 1 if mover(child.state) == "X" else 2
            node.add_child(child)

    def value(node: Foreign, search: Foreign) -> int | None:
        return None if moves(node.state) else result(node.state)

    root = Node(EMPTY)
    root.player_number = 1
    search = MonteCarlo(root)
    search.child_finder, search.node_evaluator = find, value
    return looked(Watch(root), search.simulate)


def fastmcts() -> Watch:
    import numpy as np
    from fastmcts.games.tictactoe2 import TicTacToeGameState
    from fastmcts.tree.nodes import TwoPlayersGameMonteCarloTreeSearchNode
    from fastmcts.tree.search import MonteCarloTreeSearch

    state = TicTacToeGameState(state=np.zeros((3, 3)), next_to_move=0)
    search = MonteCarloTreeSearch(TwoPlayersGameMonteCarloTreeSearchNode(state=state))

    def iterate() -> None:
        leaf = search._tree_policy()
        leaf.backpropagate(leaf.rollout())

    return looked(Watch(search.root), iterate)


def pyplai() -> Watch:
    from pyplAI import MCTS

    def apply(state: Any, move: int) -> Any:
        board = play(state.board, move)
        return SimpleNamespace(board=board, jugadorActual=1 if mover(board) == "X" else 2)

    def has_won(state: Any, player: int) -> bool:
        return winner(state.board) == " XO"[player]

    search = MCTS(
        apply,
        lambda state: moves(state.board),
        lambda state: not moves(state.board),
        has_won,
        2,
        1.0,
    )

    def depth(node: Foreign) -> int:
        return 1 + depth(node.padre) if node.padre else 0

    names = {
        "children": "hijos",
        "visits": "n",
        "wins": lambda node: node.q[(depth(node) - 1) % 2],
        "move": "mov",
    }
    with Watch.each(search, "tree_policy", **names) as watch:
        search.ejecuta(SimpleNamespace(board=EMPTY, jugadorActual=1))
    return watch


def treequest() -> Watch:
    from treequest.algos.standard_mcts import StandardMCTS

    search = StandardMCTS(samples_per_action=2)
    held = {"state": search.init_tree()}

    def generate(parent: Foreign) -> tuple[float, float]:
        value = random.random() if parent is None else min(1, max(0, parent + random.gauss(0, 0.2)))
        return value, value

    def iterate() -> None:
        held["state"] = search.step(held["state"], {"guess": generate}, inplace=True)

    state = held["state"]
    watch = Watch(
        state.tree.root,
        visits=lambda node: state.visit_counts.get(node.expand_idx, 0),
        wins=lambda node: state.value_sums.get(node.expand_idx, 0.0),
        priors=lambda node: state.priors.get(node.expand_idx, 1.0),
        children=lambda node: node.children,
    )
    return looked(watch, iterate, 300)


UNSEEN = SimpleNamespace(value=0.0, visits=0)
"""The number that counts for a move without a node."""


def tree_search() -> Watch:
    from _src.mcts import MCTS, Action, ActionSelectionReturn, Node, StepFnReturn

    def select(given: Foreign) -> Any:
        node, board = given.node, given.node.embedding
        if not moves(board):
            return ActionSelectionReturn(Action(0))

        def score(move: int) -> float:
            child = node.child_nodes.get(Action(move), UNSEEN)
            return -child.value + 1.5 * node.visits**0.5 / (1 + child.visits)

        return ActionSelectionReturn(Action(max(moves(board), key=score)))

    def step(given: Foreign) -> Any:
        board = given.embedding
        if not moves(board):
            return StepFnReturn(0.0, 0.0, 0.0, board)
        after = play(board, given.action.action)
        reward = float(winner(after) is not None)
        sign = 1 if mover(after) == "X" else -1
        value = sign * result(playout(after)) if moves(after) else 0.0
        return StepFnReturn(value, -1.0, reward, after)

    root = Node(None, 0, EMPTY)
    watch = Watch(root, children="child_nodes", wins="value")

    def iterate() -> None:
        MCTS.search(4, 9, lambda: root, select, step, 1)

    return looked(watch, iterate)


def pymct() -> Watch:
    from PyMCT.MCT import MCTS, MCTNode, State

    root = MCTNode(State(EMPTY))
    search = MCTS(root, 1.4, 10**6)

    def reward(node: Foreign) -> int:
        return result(playout(node.state.features))

    def discover(node: Foreign) -> list[Any]:
        board = node.state.features
        return [State(play(board, move)) for move in moves(board)]

    def iterate() -> None:
        search._complete, search._max_iter = False, search.iter + 1
        search.iterate(reward, discover)

    return looked(Watch(root, children="children", visits="_visits", wins="_reward"), iterate)


def gymcts() -> Watch:
    import gymnasium
    from gymcts.gymcts_agent import GymctsAgent
    from gymcts.gymcts_deepcopy_wrapper import DeepCopyMCTSGymEnvWrapper

    env = gymnasium.make("FrozenLake-v1", is_slippery=False)
    env.reset(seed=SEED)
    wrapped = DeepCopyMCTSGymEnvWrapper(env, action_mask_fn=lambda _: [1, 1, 1, 1])
    agent = GymctsAgent(env=wrapped)
    agent.vanilla_mcts_search(num_simulations=2)  # it asks for the best child, so there must be one
    watch = Watch(agent.search_root_node)
    return looked(watch, lambda: agent.vanilla_mcts_search(num_simulations=1))


def aima() -> Watch:
    import numpy as np

    sys.modules.setdefault("networkx", SimpleNamespace())  # type: ignore[arg-type]
    from importlib.util import module_from_spec, spec_from_file_location

    folder = next(Path(one) / "aima3" for one in sys.path if (Path(one) / "aima3").is_dir())
    spec = spec_from_file_location("aima3_mcts", folder / "mcts.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    np.random.seed(SEED)
    game = SimpleNamespace(
        result=play,
        terminal_test=lambda board: not moves(board),
        to_move=mover,
        utility=lambda board, player: result(board) * (1 if player == "X" else -1),
        actions=moves,
    )

    def policy(game: Any, board: str) -> Any:
        sign = 1 if mover(board) == "X" else -1
        weights = {move: 1 + move for move in moves(board)}
        priors = [(move, weight / sum(weights.values())) for move, weight in weights.items()]
        return priors, sign * result(playout(board))

    search = module.MCTS(game, policy)
    return looked(Watch(search.root), lambda: search.playout(EMPTY))


def spiel() -> Watch:
    import numpy as np
    import pyspiel
    from open_spiel.python.algorithms import mcts as algorithms

    game, drawn = pyspiel.load_game("tic_tac_toe"), np.random.RandomState(SEED)
    state = game.new_initial_state()
    state.apply_action(0)
    evaluator = algorithms.RandomRolloutEvaluator(1, drawn)
    bot = algorithms.MCTSBot(game, 2, 2_000, evaluator, solve=True, random_state=drawn)
    with Watch.each(bot, "_apply_tree_policy") as watch:
        bot.mcts_search(state)
    return watch


def spiel_cpp() -> Watch:
    import pyspiel

    game = pyspiel.load_game("tic_tac_toe")
    state = game.new_initial_state()
    for action in (0, 4, 8):
        state.apply_action(action)

    def root(simulations: int) -> Any:
        evaluator = pyspiel.RandomRolloutEvaluator(1, SEED)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 10, True, SEED, False)
        return bot.mcts_search(state)

    held = [root(2)]
    watch = Watch(lambda: held[0])
    for simulations in range(3, 400):
        held[0] = root(simulations)
        watch.look()
    return watch


def mctx() -> Watch:
    import jax
    import jax.numpy as jnp
    import mctx as package

    def step(_: Any, key: Any, action: Any, embedding: Any) -> Any:
        values = jax.random.uniform(key, action.shape, minval=-1)
        logits = jnp.zeros((len(action), 4)).at[:, 0].set(0.5)
        output = package.RecurrentFnOutput(
            reward=0.0 * values, discount=0.0 * values - 1, prior_logits=logits, value=values
        )
        return output, embedding

    start = package.RootFnOutput(
        prior_logits=jnp.zeros((1, 4)), value=jnp.zeros(1), embedding=jnp.zeros((1, 1))
    )
    output = package.muzero_policy(
        params=(),
        rng_key=jax.random.PRNGKey(SEED),
        root=start,
        recurrent_fn=step,
        num_simulations=200,
        dirichlet_fraction=0.0,
    )
    return Watch.from_mctx(output)


class Row(NamedTuple):
    """A search of a package: what to install, how to run it, and what its source says."""

    package: str
    needs: str
    run: Callable[[], Watch]
    true: str


ROWS = {
    "mctspy": Row("mctspy==0.1.1", "numpy", mctspy, "UCB1, c = 1.4·√2; q of the root is not asked"),
    "mcts": Row(
        "mcts==1.0.4",
        "",
        mcts,
        "UCB1, c = 1; adds one reward for both players, and takes the "
        "largest for either: a fault with X's rewards",
    ),
    "monte-carlo-tree-search": Row(
        "monte-carlo-tree-search==2.1.0",
        "",
        successor,
        "UCB1, c = √2; X's rewards, times the player who chooses",
    ),
    "mcts-simple": Row(
        "mcts-simple==1.1.0",
        "tqdm msgpack",
        lambda: simple(False),
        "UCB1, c = √2; the whole playout joins the tree",
    ),
    "mcts-simple, shared": Row(
        "mcts-simple==1.1.0", "tqdm msgpack", lambda: simple(True), "UCB1, c = √2, positions shared"
    ),
    "mcts-simple, open loop": Row(
        "mcts-simple==1.1.0",
        "tqdm msgpack",
        simple_open,
        "UCB1, c = √2; a node is a sequence of moves",
    ),
    "imparaai-montecarlo": Row(
        "imparaai-montecarlo==1.3.1",
        "",
        impara,
        "UCB1, c = 0.35; X's rewards, turned for O; all "
        "new children are played out at once, and the last lies two levels down",
    ),
    "fastmcts": Row(
        "fastmcts==0.3.0",
        "numpy",
        fastmcts,
        "UCB1, c = 1.4·√2; q of the root is the number of its simulations",
    ),
    "pyplAI": Row("pyplAI==1.0.3", "", pyplai, "UCB1, c = 1; a vector of rewards"),
    "treequest": Row(
        "treequest==0.3.3",
        "joblib pyyaml scipy ulid-py",
        treequest,
        "UCB1, c = √2, bonus times priors that change with each sibling; one player",
    ),
    "tree-search": Row(
        "tree-search==0.1.0",
        "beartype numpy",
        tree_search,
        "what its user writes: here PUCT "
        "without priors, c = 1.5; the value of a node seen again is overwritten",
    ),
    "PyMCT": Row(
        "PyMCT==1.3.0",
        "anytree unique-names-generator",
        pymct,
        "no walk: the highest stored UCB1 "
        "of the whole tree is taken; the sum of rewards is one for all",
    ),
    "gymcts": Row(
        "gymcts==1.5.1",
        "rich numpy gymnasium matplotlib",
        gymcts,
        "UCB1, c = 0.707·√2, the mean mixed with the largest reward; one player",
    ),
    "aima3": Row("aima3==1.0.11", "numpy", aima, "PUCT, c = 5; the mean for who moved there"),
    "open_spiel, Python": Row(
        "open_spiel==2.0.2", "", spiel, "UCB1, c = 2; proven children by their outcome"
    ),
    "open_spiel, C++": Row(
        "open_spiel==2.0.2", "", spiel_cpp, "UCB1, c = 2; proven children by their outcome"
    ),
    "mctx": Row("mctx==0.0.71", "", mctx, "PUCT with a c that grows, values scaled among siblings"),
}


def said(watch: Watch) -> dict[str, str]:
    """A sentence on what Watch reads and finds."""
    rule = str(watch.rule).split(", for rewards")[0].removesuffix(".")
    findings = ", ".join(one.name for one in watch.findings) or "none"
    notes = ", ".join(one.name for one in watch.notes if one.name != "viewpoint-unknown")
    return {"rule": rule, "findings": findings + (f"; noted: {notes}" if notes else "")}


def one(name: str) -> None:
    """Search and watch in this process, and print what is said as one line of JSON."""
    random.seed(SEED)
    print(json.dumps(said(ROWS[name].run())))


def watched(name: str) -> dict[str, str]:
    """The same in a process of its own, where the package is installed in a temporary folder."""
    row = ROWS[name]
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "install", "-q", "--target", folder, "--no-deps"]
        every = [sys.executable, "-m", "pip", "install", "-q", "--target", folder, row.package]
        install = [*pip, row.package, *row.needs.split()] if row.needs else every
        subprocess.run(install, check=True, capture_output=True)
        paths = os.pathsep.join([folder, str(ROOT)])
        run = [sys.executable, __file__, "--one", name]
        where = {**os.environ, "PYTHONPATH": paths}
        done = subprocess.run(run, env=where, capture_output=True, text=True, check=False)
    if done.returncode:
        return {"rule": "**does not run**: " + done.stderr.strip().splitlines()[-1], "findings": ""}
    return dict(json.loads(done.stdout.strip().splitlines()[-1]))


def main(names: list[str]) -> None:
    """Print the table."""
    print("| package | version | rule read | findings | what is true |\n|---|---|---|---|---|")
    for name in names or ROWS:
        row, read = ROWS[name], watched(name)
        columns = name, row.package.split("==")[1], read["rule"], read["findings"], row.true
        print("|", " | ".join(columns), "|", flush=True)


if __name__ == "__main__":
    given = sys.argv[1:]
    if given[:1] == ["--one"]:
        one(given[1])
    else:
        main(given)
