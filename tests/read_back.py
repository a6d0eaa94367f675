"""Reads the sentences of a film word by word and checks them against rules and exact play.

Nothing here asks the film for a number: only the sentence is read, the trace says which nodes there
are and in which order they came, and the rest is worked out again from the rules of the game.
"""

from __future__ import annotations

import re
from collections import Counter
from decimal import Decimal
from functools import cache, lru_cache
from math import isfinite, isnan

import pytest

from mcts_viz import MCTS
from mcts_viz.search import expand_one, random_playout
from mcts_viz.search.policies import first_best
from mcts_viz.search.variants import random_best

NUMBER = r"-?\d+(?:\.\d+)?(?:e-\d+)?"
BOUND = rf"(?:at least |at most )?{NUMBER}"
PLACE = r"at the root|after (?:.+)"
CLOSE = 0.00501
"""A number of two decimals is so near to what it says."""


def read(patterns, sentence):
    """The name of the one pattern that a sentence fits, and its parts; a sentence that fits none
    or several fails."""
    found = {name: match for name, p in patterns.items() if (match := re.fullmatch(p, sentence))}
    assert len(found) == 1, f"{sentence!r} is read as {[*found]}"
    ((name, match),) = found.items()
    return name, match.groupdict()


def holds(said, exact):
    """True if "0.5", "at least 0.5" or "≤ 0.5" holds for an exact number."""
    number = float(re.search(rf"{NUMBER}$", said)[0])
    if said.startswith(("at least", "≥")):
        return exact >= number - CLOSE
    if said.startswith(("at most", "≤")):
        return exact <= number + CLOSE
    return abs(exact - number) <= CLOSE


# Minimax and alpha-beta ---------------------------------------------------------------------------

WALK = {
    "enter": rf"The position (?P<place>{PLACE}) is entered"
    rf"(?: with the window from α = (?P<alpha>\S+) to β = (?P<beta>\S+))?\.",
    "evaluate": rf"The game is over (?P<place>{PLACE}): its value for MAX is (?P<value>{NUMBER})\.",
    "back_up": rf"(?P<move>.+) is worth (?P<theirs>{BOUND})\. (?P<whose>MAX|MIN) "
    rf"(?P<place>{PLACE}) "
    rf"takes the (?P<which>largest|smallest) of its moves, so far (?P<best>{BOUND})\.",
    "cut_off": rf"(?P<kind>α|β) cutoff (?P<place>{PLACE}): (?P<whose>MAX|MIN) gets "
    rf"(?P<best>{BOUND}) here\. "
    rf"(?P<other>MAX|MIN) is already sure of (?P<sure>{NUMBER}) elsewhere and gains nothing here"
    r"(?:, so (?P<skipped>\d+) other moves? (?:is|are) skipped|; no other move was left)\.",
}
CARD = rf"(?P<whose>MAX|MIN|end) (?P<value>\?|(?:[≤≥] )?{NUMBER})"
WINDOW = rf"α (?P<alpha>−∞|−?{NUMBER})  β (?P<beta>∞|−?{NUMBER})"


class Walked:
    """A recorded walk, worked out again from the rules: each node's moves and exact value."""

    def __init__(self, trace):
        self.trace, self.game = trace, trace.game
        self.children = [[] for _ in range(trace.nodes)]
        for node in range(1, trace.nodes):
            self.children[trace.parent[node]].append(node)
        for name in ("ends", "exact", "moves", "whose"):  # asked of each node again and again
            setattr(self, name, cache(getattr(self, name)))
        self.whole = [True] * trace.nodes
        """By node: whether all of the tree below was walked through."""
        for node in range(trace.nodes - 1, -1, -1):
            known = len(self.children[node]) == len(self.moves(node))
            self.whole[node] = known and all(self.whole[child] for child in self.children[node])

    def moves(self, node):
        state = self.trace.state(node)
        return [] if self.game.is_terminal(state) else self.game.legal_actions(state)

    def ends(self, state):
        """The games that can be played to their end from there."""
        if self.game.is_terminal(state):
            return 1
        actions = self.game.legal_actions(state)
        return sum(self.ends(self.game.play(state, action)) for action in actions)

    def exact(self, node):
        """MAX's result of best play from there."""
        return played_out(self.game, self.trace.state(node))[0][0]

    def whose(self, node):
        state = self.trace.state(node)
        return (
            "end" if self.game.is_terminal(state) else ("MAX", "MIN")[self.game.to_move(state) != 0]
        )

    def place(self, node):
        return f"after {self.trace.label(node)}" if node else "at the root"

    def best(self, node, nodes):
        """The best that a node's player has had among its moves before ``nodes`` were entered."""
        seen = [self.exact(child) for child in self.children[node] if child < nodes]
        return {"MAX": max, "MIN": min}[self.whose(node)](seen) if seen else None

    def assured(self, whose, node, entered):
        """The value that a player already has for sure, by the moves at a node and above it."""
        path = self.trace.path(node)
        known = [
            self.best(above, below)
            for above, below in zip(path, [*path[1:], entered], strict=True)
            if self.whose(above) == whose
        ]
        known = [value for value in known if value is not None]
        if not known:
            return {"MAX": -float("inf"), "MIN": float("inf")}[whose]
        return {"MAX": max, "MIN": min}[whose](known)


def number(said):
    return float(said.replace("−", "-").replace("∞", "inf"))


def check_walk(film):
    """Read every sentence, card and window of a film of minimax or alpha-beta; returns how many."""
    trace, walked, entered, after = film.trace, Walked(film.trace), 0, 0
    windows = film.phases[-1] == "cut_off"
    for step in range(1, len(trace) + 1):
        node, before = int(trace.node[step - 1]), after
        name, said = read(WALK, film.caption(step))
        entered += name == "enter"
        assert said["place"] == walked.place(node)
        assert said.get("whose") in (None, walked.whose(node))
        if name == "enter":
            assert node == entered - 1
            if windows:
                assert number(said["alpha"]) == walked.assured("MAX", node, entered)
                assert number(said["beta"]) == walked.assured("MIN", node, entered)
            assert (said["alpha"] is not None) == windows
        elif name == "evaluate":
            assert walked.whose(node) == "end"
            assert holds(said["value"], walked.exact(node))
        elif name == "back_up":
            assert said["move"] == trace.label(before)
            assert trace.parent[before] == node
            assert holds(said["theirs"], walked.exact(before))
            assert said["theirs"][0] != "a" or not walked.whole[before], "it is known exactly"
            assert said["which"] == {"MAX": "largest", "MIN": "smallest"}[said["whose"]]
            assert holds(said["best"], walked.best(node, entered))
        else:
            assert said["other"] == {"MAX": "MIN", "MIN": "MAX"}[said["whose"]]
            assert said["kind"] == {"MAX": "β", "MIN": "α"}[said["whose"]]
            assert holds(said["best"], walked.exact(node))
            above = int(trace.parent[node])
            assert holds(said["sure"], walked.assured(said["other"], above, node))
            left = len(walked.moves(node)) - len([c for c in walked.children[node] if c < entered])
            assert int(said["skipped"] or 0) == left
        check_card(walked, node, film.data.card(step), windows)
        after = node
    return len(trace)


def check_card(walked, node, card, windows):
    """What a node's card says is true at a moment of the walk."""
    _, said = read({"card": CARD}, card.share)
    assert said["whose"] == walked.whose(node)
    assert (said["value"] == "?") == isnan(card.fill)
    if said["value"] != "?":
        assert holds(said["value"], walked.exact(node))
        part = float(said["value"].split()[-1]) / max(map(abs, walked.game.value_range))
        assert card.fill == pytest.approx((part + 1) / 2, abs=CLOSE)
    assert bool(re.fullmatch(WINDOW, card.score)) == windows
    assert windows or not card.score


# A search ----------------------------------------------------------------------------------------

CHOICE = (
    r"(?P<move>.+?) (?P<how>is chosen|is chosen, although another move scores (?P<behind>\S+) "
    r"higher|"
    r"scores highest, by (?P<lead>\S+)|scores highest, level with (?P<level>another|\d+ others)"
    r"(?:; it was (?P<tie>added first|drawn at random))?)"
)
END = (
    r"a position with an untried move|a position where the game is over|a node without children|"
    r"a new outcome of chance|a node that has children already"
)
SCALED = (
    rf" Scores count a return of (?P<least>{NUMBER}) as 0 and one of (?P<most>{NUMBER}) as 1; "
    r"means on cards are in the game's own units\."
)
PARTS = rf"(?:(?P<{{0}}_who>[^-+\d ]+) )?(?:(?P<{{0}}>[^:]+): )?(?P<{{0}}_is>[-+]?{NUMBER})"
"""A return by its parts; of one part it is that."""
RESULT = r"(?P<result>.+?)"
REWARDS = r"(?P<rewards>wins .+?|and \S+ wins? more)"
VISITED = r"(?P<nodes>1(?= node gets)|\d+(?= nodes get)) nodes? gets? one visit(?: each)?"
SEARCH = {
    "open": r"The root still has an untried move, so nothing is compared and selection stops "
    r"here\.",
    "stopped": r"Selection stops at the root, and nothing is compared\.",
    "compared": rf"(?P<skips>Proven moves are skipped\. )?At the root move {CHOICE}\. "
    rf"Selection goes down (?P<walked>\d+) (?P<counted>move|step)s? and stops at (?P<end>{END})\."
    rf"(?:{SCALED})?",
    "asked": r"Selection starts with the moves that were asked for, whatever the scores say: "
    r"(?P<walked>\d+) moves?\.",
    "added": r"(?P<adding>An untried move is picked at random|The expansion policy adds|The "
    r"search's own expand adds): (?P<player>.+) plays (?P<move>.+)\. A new node joins the tree\.",
    "added several": r"Several new nodes join the tree, and the path ends at one of them: "
    r"(?P<player>.+) plays (?P<move>.+)\.",
    "added below": r"The tree grows below the end of the path, where the playout will start\.",
    "drawn": r"Chance decides: (?P<move>.+)\. A new node joins the tree\.",
    "asked new": r"The untried move that was asked for: (?P<player>.+) plays (?P<move>.+)\. "
    r"A new node joins the tree\.",
    "ended": r"The game is over in this position, so there is no move to add\.",
    "childless": r"No node is added here: the playout will start at the end of the path\.",
    "played": r"From the (?P<start>new node|end of the path), (?P<how>random moves "
    r"(?P<lucky>and luck )?to the end|moves by .+): "
    rf"(?P<moves>\d+) (?P<counted>move|step)s?, then {RESULT}\. "
    r"None of these positions joins the tree\.",
    "unplayed": rf"The game is over in this position, so there is nothing to play: {RESULT}\.",
    "valued": rf"Nothing is played: the position itself is valued, {RESULT}\.",
    "back": rf"Back up the path: {RESULT}\. {VISITED}, {REWARDS}\."
    r"(?: This proves that (?P<who>.+) in (?P<proved>\d+ positions? at the end of the path|"
    r"every position of the path, so the search is over)\.)?",
    "paid": rf"Back up the path\. The (?P<first>first )?step and all after it bring "
    rf"{PARTS.format('all')}\. (?:The step to the last node and all after it bring "
    rf"{PARTS.format('end')}\. )?{VISITED}, and each node the "
    r"return of the step that led to it and all after it\.",
}
BY_HAND = {
    "chosen": r"You chose the way down: (?P<walked>\d+) moves?\.",
    "chosen new": r"You chose an untried move: (?P<player>.+) plays (?P<move>.+)\. "
    r"A new node joins the tree\.",
}
WATCHED = SEARCH | {
    "open": r"Nothing is compared at the root, and selection stops there\.",
    "compared": rf"At the root move {CHOICE}\. Selection goes down (?P<walked>\d+) moves? and "
    rf"stops at "
    r"(?P<end>a node that gets a new child|the end of the tree)\.",
    "added": r"A new node joins the tree: (?P<player>.+) plays (?P<move>.+)\.",
    "added below": r"The tree grows below the end of the path\.",
    "ended": r"No new node was seen\.",
    "unplayed": r"The playout was not seen: a tree does not show it\.",
    "back": rf"Back up the path: the numbers on it change, {REWARDS}\.",
}
PAIRS = ("stopped", "childless", "valued", "drawn", "paid", "asked", "asked new", "played")
"""Of a watched search, kinds that are said as others are, or never."""


def told_as(number):
    """The largest error of a number that was rounded to these digits."""
    return 0.51 * 10.0 ** Decimal(number).as_tuple().exponent


@lru_cache(16)
def moment(trace, iteration, phase="backpropagate"):
    """``trace.at``, which is asked for the same moment many times."""
    return trace.at(iteration, phase)


@lru_cache(256)
def terms_at(now, node):
    """Both terms of each child's score, and its proof."""
    here = [child for child in now.children(node) if child < now.nodes]
    return {child: (now.terms(child), now.proof(child)) for child in here}


TIES = {"added first": first_best, "drawn at random": random_best}


class Decision:
    """A selection at a node: the scores of its children just before, by the search's own rule."""

    def __init__(self, now, node, c=None):
        """With another ``c`` the second term is as many times as large."""
        known, factor = terms_at(now, node), 1 if c is None else c / now.trace.c
        self.scores = {
            child: None if terms is None else terms[0] + factor * terms[1]
            for child, (terms, _) in known.items()
        }
        self.proven = {child for child, (_, proof) in known.items() if proof}
        self.tie_break = now.trace.spec.tie_break

    def rivals(self, chosen):
        known = (n for n in self.scores if n != chosen and n not in self.proven)
        return {
            n: self.scores[n]
            for n in known
            if self.scores[n] is not None and isfinite(self.scores[n])
        }

    def holds(self, said, chosen):
        """True if a sentence on a choice is true: its lead, its ties, or no comparison."""
        own, rivals = self.scores.get(chosen), self.rivals(chosen)
        best = max(rivals.values(), default=None)
        if said["how"] == "is chosen":
            return best is None or own is None or not isfinite(own)
        if said["level"]:
            count = 1 if said["level"] == "another" else int(said["level"].split()[0])
            level = [node for node, score in rivals.items() if score == own]
            is_first = said["tie"] != "added first" or chosen < min(level)
            by_rule = not said["tie"] or self.tie_break is TIES[said["tie"]]
            return own == best and count == len(level) and is_first and by_rule
        # the difference of two numbers that were rounded: twice the error of one
        if said["behind"]:
            return abs(best - own - float(said["behind"])) <= 2 * told_as(said["behind"])
        lead = float(said["lead"])
        return own > best and lead > 0 and abs(own - best - lead) <= 2 * told_as(said["lead"])


def result_said(game, returns, over=True):
    """A result in words, from the rules alone; an estimate where the game is not over."""
    if not over or getattr(game, "value_range", (-1, 1)) != (-1, 1):
        pairs = zip(game.players, returns, strict=True)
        return ", ".join(f"{value:g} for {player}" for player, value in pairs)
    if len(returns) == 2 and sorted(returns) == [-1.0, 1.0]:
        return f"{game.players[list(returns).index(1.0)]} wins"
    if len(returns) == 1 and abs(returns[0]) == 1:
        return f"{game.players[0]} {'wins' if returns[0] > 0 else 'loses'}"
    if not any(returns):
        return "a draw"
    return None  # numbers


def chances(game, state):
    """The outcomes of luck in a position, with their probabilities; empty if a player moves."""
    knows = callable(getattr(game, "chances", None)) and not game.is_terminal(state)
    return game.chances(state) if knows else {}


def pays(game):
    """True if steps pay, by the rules."""
    return type(game).__dict__.get("reward") is not None


def knows_luck(game):
    """True if nature moves in some positions, by the rules."""
    return callable(type(game).__dict__.get("chances"))


def worths(game, states, actions):
    """Each player's return from each position of a game on, summed up from its end."""
    found = [tuple(game.returns(states[-1]))]
    for number in range(len(actions) - 1, -1, -1):
        step = states[number], actions[number], states[number + 1]
        factor = 1 if chances(game, step[2]) else getattr(game, "discount", 1)
        pairs = zip(game.reward(*step), found[-1], strict=True)
        found.append(tuple(paid + factor * later for paid, later in pairs))
    return found[::-1]


def check_returns(game, said, exact):
    """Hold "−3", or "1 for A, −1 for B", against the return of each player."""
    parts = [re.fullmatch(rf"({NUMBER})(?: for (.+))?", part) for part in said.split(", ")]
    names = [game.players[n] if len(exact) > 1 else None for n in range(len(exact))]
    assert [part[2] for part in parts] == names
    assert [float(part[1]) for part in parts] == [pytest.approx(e, abs=CLOSE) for e in exact]


def rewards_told(said, players):
    """The reward of each player that the sentence adds to the wins."""
    if found := re.fullmatch(rf"and ({NUMBER}) wins? more", said):
        return dict.fromkeys(players, float(found[1]))
    parts = said.removeprefix("wins ").split(", ")
    found = [re.fullmatch(rf"\+?({NUMBER}) for (.+)", part) for part in parts]
    return {part[2]: float(part[1]) for part in found}


def check_search(film):
    """Read all captions of a film of a search, and hold them against trace and rules; returns how
    often each form was met: its name, and in which of its ways a walk ends or a playout starts.
    """
    met, asked = Counter(), len(film.trace.first_moves)
    kind = "watched" if film.trace.watched else "searched"
    for iteration in film.iterations:
        moments = {phase: moment(film.trace, iteration, phase) for phase in film.phases}
        for phase in film.phases:
            patterns = SEARCH
            if film.trace.watched:
                patterns = {name: p for name, p in WATCHED.items() if name not in PAIRS}
            if iteration <= film.trace.chosen_iterations:
                patterns = SEARCH | BY_HAND
            name, said = read(patterns, film.caption(iteration, phase))
            CHECKS[phase](film, iteration, moments, name, said, asked)
            how = said.get("end") or said.get("start") or ""
            met[kind, name, how] += 1
    return met


def forms():
    """All forms that a caption can have, as ``check_search`` counts them."""
    ways = {"compared": END.split("|"), "played": ["new node", "end of the path"]}
    found = {("searched", name, way) for name in SEARCH | BY_HAND for way in ways.get(name, [""])}
    ways = {"compared": ["a node that gets a new child", "the end of the tree"]}
    watched = WATCHED.keys() - {*PAIRS}
    return found | {("watched", name, way) for name in watched for way in ways.get(name, [""])}


def check_select(film, iteration, moments, name, said, asked):
    now, trace, game = moments["select"], film.trace, film.trace.game
    walk = now.path
    if name == "open":
        assert walk == (0,)
        legal = () if game.is_terminal(trace.state(0)) else game.legal_actions(trace.state(0))
        there = [child for child in now.children(0) if child < now.nodes]
        assert trace.watched or len(legal) > len(there)
        return
    if name == "stopped":
        there = [child for child in now.children(0) if child < now.nodes]
        assert len(game.legal_actions(trace.state(0))) == len(there)
        assert walk == (0,)
        return
    assert int(said["walked"]) == len(walk) - 1
    assert (name == "chosen") == (iteration <= trace.chosen_iterations)
    if name == "chosen":
        return
    if name == "asked":
        assert iteration == 1
        assert asked
        return
    assert iteration > 1 or not asked
    assert bool(said.get("least")) == (pays(game) and not trace.watched)
    if said.get("least"):
        check_scale(now, game, *map(float, (said["least"], said["most"])))
    assert trace.watched or (said["counted"] == "step") == knows_luck(game)
    assert said["move"] == trace.label(walk[1])
    assert Decision(now, 0).holds(said, walk[1])
    if not trace.watched:
        proven = any(now.proof(child) for child in now.children(0))
        assert bool(said["skips"]) == proven
        end = trace.state(walk[-1])
        kind = "a position with an untried move"
        if chances(game, end):
            kind = "a new outcome of chance"
        elif moments["expand"].new_node is None:
            kind = (
                "a position where the game is over"
                if game.is_terminal(end)
                else "a node that has children already"
                if any(child < now.nodes for child in now.children(walk[-1]))
                else "a node without children"
            )
        assert said["end"] == kind


def check_expand(film, iteration, moments, name, said, asked):
    now, trace = moments["expand"], film.trace
    new = now.new_node
    one, births = ("added", "asked new", "chosen new", "drawn"), now.nodes - moments["select"].nodes
    assert (new is not None) == (name in (*one, "added several"))
    assert {"added several": births > 1, "added below": births > 0}.get(
        name, births == (name in one)
    )
    if adding := said.get("adding"):
        assert adding == {
            (True, True): "An untried move is picked at random",
            (True, False): "The expansion policy adds",
        }.get(
            (type(trace.spec).expand is MCTS.expand, trace.spec.expansion is expand_one),
            "The search's own expand adds",
        )
    if new is not None:
        fell = bool(chances(trace.game, trace.state(int(trace.parent[new]))))
        assert fell == (name == "drawn")
        by_hand = iteration <= trace.chosen_iterations
        assert (name == "chosen new") == by_hand
        assert fell or said["player"] == trace.game.players[trace.player_just_moved[new]]
        assert said["move"] == trace.label(new)
        assert (name == "asked new") == (iteration == 1 and 0 < asked == len(now.path) - 1)
    elif not trace.watched:
        assert trace.game.is_terminal(trace.state(now.path[-1])) == (name == "ended")


def check_simulate(film, iteration, moments, name, said, asked):
    trace, game, now = film.trace, film.trace.game, moments["simulate"]
    if trace.watched:
        return
    state, moves = game.playout_from(trace.state(now.path[-1])), trace.playouts[iteration].tolist()
    states, actions = [state], [trace.actions[code] for code in moves]
    for action in actions:
        assert action in (chances(game, state) or game.legal_actions(state))
        state = game.play(state, action)
        states.append(state)
    over = game.is_terminal(state)
    if name == "played":
        assert ("own simulate" in said["how"]) == (type(trace.spec).simulate is not MCTS.simulate)
        assert int(said["moves"]) == len(moves) > 0
        assert (said["counted"] == "step") == knows_luck(game)
        assert bool(said["lucky"]) == (knows_luck(game) and said["how"].startswith("random"))
        assert (said["start"] == "new node") == (now.new_node is not None)
        at_random = trace.spec.playout is random_playout and "own simulate" not in said["how"]
        assert at_random == said["how"].startswith("random")
        assert over or not at_random
    else:
        assert not moves
        assert over == (name == "unplayed")
    if pays(game):
        told = said["result"].removeprefix("the return is ")
        check_returns(game, told, worths(game, states, actions)[0])
        return
    returns = trace.outcomes[trace.outcome[iteration - 1]].returns
    known = result_said(game, game.returns(state) if over else returns, over)
    assert known is None or said["result"] == known


def check_backpropagate(film, iteration, moments, name, said, asked):
    before, after, trace = moments["simulate"], moments["backpropagate"], film.trace
    assert trace.watched or int(said["nodes"]) == len(after.path)
    assert (name == "paid") == (pays(trace.game) and not trace.watched)
    if name == "paid":
        check_paid(trace, iteration, before, after, said)
        return
    rewards = rewards_told(said["rewards"], trace.game.players)
    for node in after.path:
        if not trace.watched:
            assert after.visits[node] == before.visits[node] + 1
            gain = after.wins[node] - before.wins[node]
            assert abs(gain - rewards[trace.game.players[trace.player_just_moved[node]]]) <= CLOSE
    if trace.watched:
        return
    newly = [node for node in after.path if after.proof(node) and not before.proof(node)]
    assert bool(said["proved"]) == bool(newly)
    if newly:
        whole = said["proved"].startswith("every")
        assert whole == (0 in newly)
        assert whole or int(said["proved"].split()[0]) == len(newly)
        winner = said["who"].removesuffix(" wins")
        for node in newly if winner in trace.game.players else []:
            own = trace.game.players[trace.player_just_moved[node]] == winner
            assert after.proof(node) == (1 if own else -1)


def check_paid(trace, iteration, before, after, said):
    """Each node gets one visit, and what follows from the position before its move on."""
    game, path = trace.game, after.path
    actions = [*map(trace.action_of, path[1:])]
    actions += [trace.actions[code] for code in trace.playouts[iteration].tolist()]
    states = [trace.state(0)]
    for action in actions:
        states.append(game.play(states[-1], action))
    worth, (low, high) = worths(game, states, actions), game.value_range
    assert bool(said["first"]) == bool(said["end_is"]) == (len(path) > 2)
    for which, depth in (("all", 1), ("end", len(path) - 1)):
        if which == "all" or said["end_is"]:
            whose, part = trace.player_just_moved[path[depth]], slice(depth - 1, None)
            check_parts(game, said, which, whose, states[part], actions[part])
    for depth, node in enumerate(path):
        assert after.visits[node] == before.visits[node] + 1
        whose = worth[max(0, depth - 1)][trace.player_just_moved[node]]
        gain = after.wins[node] - before.wins[node]
        assert gain == pytest.approx((whose - low) / (high - low), abs=1e-5)


def check_parts(game, said, which, whose, states, actions):
    """A sentence about one return names the right player, the right parts and their sum.

    A move and the luck that follows it are one part; the reward of the end itself is the last.
    """
    assert said[f"{which}_who"] == (game.players[whose] if len(game.players) > 1 else None)
    assert float(said[f"{which}_is"]) == pytest.approx(
        worths(game, states, actions)[0][whose], abs=CLOSE
    )
    parts, is_open = [], False
    for step in zip(states, actions, states[1:], strict=False):
        reward = game.reward(*step)[whose]
        parts = [*parts[:-1], parts[-1] + reward] if is_open else [*parts, reward]
        is_open = bool(chances(game, step[2]))
    if end := game.returns(states[-1])[whose]:
        parts.append(end)
    if said[which] is None:
        assert len(parts) == 1
        return
    listed, _, by = said[which].partition(", discounted by ")
    assert float(by.removesuffix(" a step") or 1) == game.discount
    before, left_out, rest = re.fullmatch(r"(.+?)(?: … (\d+) more … (.+))?", listed).groups()
    first, last = ([*map(float, unfolded(words))] for words in (before, rest or ""))
    assert first == pytest.approx(parts[: len(first)], abs=CLOSE)
    assert last == pytest.approx(parts[len(parts) - len(last) :], abs=CLOSE)
    assert len(first) + int(left_out or 0) + len(last) == len(parts)


def unfolded(words):
    """ "-1 4×(+2)" as its numbers, one by one."""
    for word in words.split():
        many, run = re.fullmatch(r"(?:(\d+)×)?\(?([-+]?[\d.]+)\)?", word).groups()
        yield from [run] * int(many or 1)


def check_scale(now, game, least, most):
    """A score's first term is the mean on the card, drawn from these returns to 0 and 1."""
    assert (least, most) == game.value_range
    for child in now.children(0):
        terms = now.terms(child)
        if terms is not None:
            own = now.trace.numbers("returned", now.iteration - 1)[child] / now.visits[child]
            assert least + terms[0] * (most - least) == pytest.approx(own, abs=1e-6)


CHECKS = {
    "select": check_select,
    "expand": check_expand,
    "simulate": check_simulate,
    "backpropagate": check_backpropagate,
}

# What a film is called ---------------------------------------------------------------------------

SEARCHED = (
    r"(?P<rule>.+), c = (?P<c>\S+) · seed (?P<seed>\d+) · (?:(?P<shown>[\d,]+) shown of )?"
    r"(?P<total>[\d,]+) iterations? · (?P<nodes>\d+) nodes?"
    r"(?P<solver> · MCTS-Solver)?(?P<own> · the search's own numbers)?"
)
LOOKED_AT = (
    r"(?P<rule>[^·]+?)(?:, c = (?P<c>\S+))? · (?:(?P<shown>[\d,]+) shown of )?"
    r"(?P<total>[\d,]+) iterations? · (?P<nodes>\d+) nodes?"
)
WALKED = (
    r"(?P<kind>minimax|alpha-beta)(?: · (?P<cutoffs>\d+) cutoffs?)? · (?P<nodes>\d+) nodes? · "
    r"(?P<steps>\d+) steps?"
)


def check_name(film):
    """Hold a film's title and subtitle against its trace."""
    trace, game, data = film.trace, film.trace.game, film.data
    root = trace.state(0)
    over = game.is_terminal(root)
    if film.data.kind == "minimax":
        assert data.title == f"{game.name}: {game.players[0]} is MAX, {game.players[1]} is MIN"
        said = re.fullmatch(WALKED, data.subtitle)
        kinds = [read(WALK, film.caption(step))[0] for step in range(1, len(trace) + 1)]
        assert int(said["steps"]) == len(kinds)
        assert int(said["nodes"]) == kinds.count("enter")
        assert int(said["cutoffs"] or 0) == kinds.count("cut_off")
        assert (said["kind"] == "alpha-beta") == (said["cutoffs"] is not None)
        return
    assert over or data.title == f"{game.name}: {game.players[game.to_move(root)]} to move"
    whole = data.source
    said = re.fullmatch(LOOKED_AT if trace.watched else SEARCHED, data.subtitle)
    assert said, data.subtitle
    shown = said["shown"] and int(said["shown"].replace(",", ""))
    assert (shown or whole.iterations) == len(film.iterations)
    assert int(said["total"].replace(",", "")) == whole.iterations
    born = (whole.created_at <= max(film.iterations)) if shown else whole.created_at >= 0
    assert shown or int(said["nodes"]) == born.sum()
    assert (said["c"] or "0") == "0" or abs(float(said["c"]) - trace.c) <= CLOSE
    if not trace.watched:
        assert int(said["seed"]) == trace.seed
        assert bool(said["solver"]) == trace.solver


# The truth ---------------------------------------------------------------------------------------

BADGES = {
    "ahead": r"▲ (?:(?P<end>won)|win in (?P<moves>\d+))",
    "level": r"● (?:(?P<end>drawn)|draw)",
    "behind": r"▼ (?:(?P<end>lost)|loss in (?P<moves>\d+))",
    "number": rf"(?P<sign>[▲●▼]) value (?P<value>{NUMBER})",
}


@cache
def played_out(game, state):
    """Each player's result of best play, and the moves to the end if winners hurry and losers
    delay."""
    if game.is_terminal(state):
        return tuple(game.returns(state)), 0
    mover = game.to_move(state)
    ways = [played_out(game, game.play(state, move)) for move in game.legal_actions(state)]
    best = max(returns[mover] for returns, _ in ways)
    lengths = [1 + moves for returns, moves in ways if returns[mover] == best]
    returns = next(returns for returns, _ in ways if returns[mover] == best)
    return returns, (min if best > 0 else max)(lengths)


def check_badges(film, badge):
    """Hold the words on every card against all games that can go on from it; returns how many."""
    trace, game, truth = film.trace, film.trace.game, film.truth
    for node, value in truth.values.items():
        name, said = read(BADGES, badge(truth, node)[0])
        if name == "number":
            assert abs(float(said["value"]) - value) <= told_as(said["value"])
            sign = 0 if truth.averages else (value > 0) - (value < 0)
            assert said["sign"] == {1: "▲", 0: "●", -1: "▼"}[sign]
            worth = truth.averages or played_out(game, trace.state(node))[0]
            assert truth.averages or worth[trace.player_just_moved[node]] == value
            assert truth.averages or value not in (-1, 0, 1)
            continue
        returns, moves = played_out(game, trace.state(node))
        worth = returns[trace.player_just_moved[node]]
        assert {"ahead": 1, "level": 0, "behind": -1}[name] == worth
        assert bool(said["end"]) == game.is_terminal(trace.state(node))
        assert int(said.get("moves") or moves) == moves
    return len(truth.values)


# The table beside the picture ---------------------------------------------------------------------

START = r"(?P<place>At the root|After .+?)(?:, with c = (?P<c>\S+?))?"
TITLES = {
    "open": rf"{START}: (?P<why>not compared, an untried move is left|not compared, the move was "
    r"given|the walk ends here)(?P<known>; the scores so far)?",
    "nothing": rf"{START}: nothing to compare",
    "chance": rf"{START}: chance decides, so nothing is compared",
    "choice": rf"{START}(?P<now>, now)?: {CHOICE}",
}


def check_title(film, iteration, phase, node, c, title):
    """Hold the title of the table on a node's moves against the trace; returns the move that it
    names.
    """
    name, said = read(TITLES, title)
    trace, walk = film.trace, moment(film.trace, iteration, "select").path
    past = c is None and phase != "backpropagate"
    if name == "open":
        assert past
        before = [n for n in trace.children[node] if trace.created_at[n] < iteration]
        state = trace.state(node)
        over = trace.game.is_terminal(state)
        moves = () if over else chances(trace.game, state) or trace.game.legal_actions(state)
        left = len(trace.children[node]) > 0 and len(moves) > len(before)
        why = "not compared, an untried move is left" if left else "the walk ends here"
        assert said["why"] == (why if node == walk[-1] else "not compared, the move was given")
        return None
    place = f"After {trace.label(node)}" if node else "At the root"
    assert said["place"] == place
    assert (said["c"] is None) == (c is None)
    assert c is None or abs(float(said["c"]) - c) <= 0.0051
    assert (name == "chance") == bool(chances(trace.game, trace.state(node)))
    if name == "chance":
        return None
    over = iteration - (phase != "backpropagate")
    counted = moment(trace, over) if over else moment(trace, iteration, "select")
    if past and node in walk[:-1]:
        chosen = walk[walk.index(node) + 1]
        assert said["move"] == trace.label(chosen)
        assert Decision(moment(trace, iteration, "select"), node).holds(said, chosen)
        return chosen
    decision = Decision(counted, node, c)
    there = [n for n in decision.scores if trace.created_at[n] <= over]
    decision.scores = {n: decision.scores[n] for n in there}
    known = decision.rivals(None)
    if name == "nothing":
        assert len(known) <= 1
        return None
    best = [n for n in known if trace.label(n) == said["move"]]
    assert best
    assert known[best[0]] >= max(known.values()) - 1e-12
    assert (said["now"] is not None) == (phase == "backpropagate")
    decision.proven = {n for n in decision.scores if n not in known}
    assert near(decision, said, best[0])
    return best[0]


# Predict -----------------------------------------------------------------------------------------

ASKED = {
    "select": r"Iteration (?P<iteration>\d+): which move will be selected "
    rf"(?P<place>{PLACE})\?",
    "backpropagate": rf"The result: {RESULT}(?:, which counts as (?P<counted>{NUMBER}) wins)?"
    r"\. On the path, the card after (?P<move>.+) shows "
    rf"(?P<wins>{NUMBER})/(?P<visits>\d+)\. What will its wins/visits be\?",
}
SCORE = r"\((?P<right>\d+) of (?P<asked>\d+) predicted\)"
ANSWERED = {
    "select": rf"(?P<verdict>✓ Right|✗ No)\. (?P<move>.+) is selected: of these moves it scores "
    rf"highest\. {SCORE}",
    "backpropagate": r"(?P<verdict>✓ Right|✗ No)\. One visit, and the reward of (?P<player>.+), "
    rf"(?P<whose>who moved there|whose wins it counts): (?P<share>{NUMBER}/\d+)\. {SCORE}",
}


def check_question(trace, iteration, phase, question, options):
    """Read a question back; returns the answer that is right, and the player it speaks of."""
    name, said = read(ASKED, question)
    assert name == phase
    now = moment(trace, iteration, "select")
    if name == "select":
        assert int(said["iteration"]) == iteration
        places = [f"after {trace.label(node)}" if node else "at the root" for node in now.path]
        level = places.index(said["place"])
        node, chosen = now.path[level : level + 2]
        decision = Decision(now, node)
        free = decision.scores.keys() - decision.proven | {chosen}
        assert sorted(options) == sorted(trace.label(child) for child in free)
        assert decision.scores[chosen] > max(decision.rivals(chosen).values())
        return trace.label(chosen), (None, None)
    after = moment(trace, iteration)
    assert said["result"] == outcome_of(trace, iteration)
    node = now.path[-1] or after.path[1]  # the last that was there before, else the new one
    assert said["move"] == trace.label(node)
    before = moment(trace, iteration, "simulate")
    wins, visits = (before.wins[node], before.visits[node]) if node < before.nodes else (0, 0)
    assert abs(float(said["wins"]) - wins) <= CLOSE
    assert int(said["visits"]) == visits
    gained = after.wins[node] - wins
    assert (said["counted"] is None) == (min(abs(gained - each) for each in (0, 0.5, 1)) < 1e-9)
    assert said["counted"] is None or abs(float(said["counted"]) - gained) <= CLOSE
    player = trace.game.players[trace.player_just_moved[node]]
    right = [option for option in options if is_share(option, after, node)]
    assert len(right) == 1
    drawn = trace.game.chances(trace.state(int(trace.parent[node])))
    return right[0], (player, "whose wins it counts" if drawn else "who moved there")


def is_share(said, now, node):
    wins, visits = said.split("/")
    return int(visits) == now.visits[node] and abs(float(wins) - now.wins[node]) <= CLOSE


def outcome_of(trace, iteration):
    """A result in words: the rules are asked what the walk and its playout lead to."""
    state = trace.state(int(trace.leaf[iteration - 1]))
    for code in trace.playouts[iteration].tolist():
        state = trace.game.play(state, trace.actions[code])
    return result_said(trace.game, trace.game.returns(state))


def near(decision, said, chosen):
    """Like ``holds``, but the page adds two terms itself, so ties may differ in the last digit."""
    if said["level"]:
        count = 1 if said["level"] == "another" else int(said["level"].split()[0])
        own = decision.scores[chosen]
        apart = [abs(score - own) for score in decision.rivals(chosen).values()]
        return count in (sum(far < 1e-9 for far in apart), apart.count(0))
    lead = decision.scores[chosen] - max(decision.rivals(chosen).values())
    return abs(lead - float(said["lead"])) <= 2 * told_as(said["lead"]) + 1e-9
