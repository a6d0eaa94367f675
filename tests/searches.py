"""The search that most tests are about: UCT, of tic-tac-toe unless it is said otherwise."""

from mcts_viz import MCTS, TicTacToe

GAME = TicTacToe()


def uct(seed=1, game=GAME, **policies):
    return MCTS(game, seed=seed, **policies)


def grown(iterations, *given, **policies):
    """The search itself, after so many iterations of it."""
    search = uct(*given, **policies)
    search.search(iterations=iterations)
    return search


def traced(iterations, seed=1, game=GAME, text=None, **policies):
    """So many recorded iterations of it, from the start or from the position that a text shows."""
    state = None if text is None else game.parse(text)
    return uct(seed, game, **policies).record(state, iterations=iterations)
