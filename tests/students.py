"""What a student would write into the cells of a notebook: a rule, a game, a wrong answer."""

from functools import cache

RULE = '''
def eager(child, parent, c):
    """The mean, and c for every fourth root of the parent's visits that the child lacks."""
    if child.visits == 0:
        return float("inf")
    return child.wins / child.visits, c * parent.visits**0.25 / child.visits**0.5
'''

GAME = '''
from mcts_viz import Game, GameError


class ToadsAndFrogs(Game):
    """Toads move right, frogs left: one cell, or over one of the others; who cannot, loses."""

    players = ("Toad", "Frog")

    def __init__(self, strip="T.T.F.F"):
        self.strip = strip

    def initial_state(self):
        return (0, self.strip)

    def to_move(self, state):
        return state[0]

    def landing(self, state, cell):
        player, strip = state
        step, other = (1, "F") if player == 0 else (-1, "T")
        ahead = [strip[i] if 0 <= i < len(strip) else "#" for i in (cell + step, cell + 2 * step)]
        if strip[cell] != "TF"[player] or ahead[0] == "#":
            return None
        if ahead[0] == ".":
            return cell + step
        return cell + 2 * step if ahead == [other, "."] else None

    def legal_actions(self, state):
        return [cell for cell in range(len(state[1])) if self.landing(state, cell) is not None]

    def play(self, state, action):
        if action not in self.legal_actions(state):
            raise GameError(f"Nobody can move from {action!r}: {self.legal_actions(state)} can.")
        cells = list(state[1])
        cells[action], cells[self.landing(state, action)] = ".", cells[action]
        return (1 - state[0], "".join(cells))

    def is_terminal(self, state):
        return not self.legal_actions(state)

    def returns(self, state):
        return (-1.0, 1.0) if state[0] == 0 else (1.0, -1.0)

    def text(self, state):
        return f"{state[1]} {self.players[state[0]]}"

    def parse(self, text):
        strip, player = text.split()
        return (self.players.index(player), strip)

    def parameters(self):
        return {"strip": self.strip}
'''


@cache
def cells():
    """The names that the cells of the rule and of the game leave in a notebook."""
    names = {"__name__": "__main__"}
    exec(RULE + GAME, names)
    return names
