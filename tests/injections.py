"""Strings that would run, load or break out if any output took them for more than text.

Each would call ``planted(n)`` or ask ``evil.invalid`` for something; a test sees to it that
neither ever happens.
"""

from html.parser import HTMLParser

from mcts_viz.games import Game

INJECTIONS = [
    "<script>planted(1)</script>",
    "<scr<script>ipt>planted(2)</scr</script>ipt>",
    "<img src=x onerror=planted(4)>",
    "<img src='http://evil.invalid/pixel.png'>",
    "<iframe srcdoc='<script>parent.planted(9)</script>'></iframe>",
    "<object data='data:text/html,<script>planted(11)</script>'></object>",
    "<a href='javascript:planted(18)'>x</a>",
    "<button formaction=javascript:planted(20) form=f>x</button>",
    "<base href='http://evil.invalid/'>",
    "<style>@import 'http://evil.invalid/x.css';</style>",
    "<p style='background:url(http://evil.invalid/x.png)'>x</p>",
    "<svg onload=planted(6)>",
    # What ends the text around it.
    "</style><script>planted(26)</script>",
    "--><script>planted(30)</script><!--",
    "</script><script>planted(25)</script>",
    "</svg><script>planted(29)</script>",
    "<!--<script>",
    "<!DOCTYPE x [<!ENTITY e SYSTEM 'http://evil.invalid/e'>]>&e;",
    '"><script>planted(33)</script>',
    '" onmouseover="planted(35)',
    '"/><image href="http://evil.invalid/x.png"/><x y="',
    "&#x3c;img src=x onerror=planted(42)&#x3e;",
    "\x00<script>planted(45)</script>",
    "\u202e<script>planted(48)</script>",
    "\ud800<script>planted(49)</script>",
    # SVG, DOT, addresses, Markdown, MathJax, CSS, templates.
    "<a xlink:href='javascript:planted(50)'><text>x</text></a>",
    "<set attributeName=onmouseover to=planted(54) />",
    '"]; node [URL="javascript:planted(58)"]; x [label="',
    '" tooltip="x" href="http://evil.invalid/" y="',
    "<<B>x</B>>",
    "\\N\\G\\E\\T\\H\\L\\n\\l\\r",
    '\\"',
    "{a|<port> b}",
    "image=http://evil.invalid/x.png",
    "javascript:planted(61)",
    "[x](javascript:planted(71))",
    "| a | b |\n|---|---|\n| <img src=x onerror=planted(76)> | |",
    "`<img src=x onerror=planted(79)>`",
    "$\\href{javascript:planted(80)}{x}$",
    "\\[\\cssId{x}{y}\\class{onload}{z}\\]",
    "$\\def\\x{\\x\\x}\\x$",
    "};*{background:url(http://evil.invalid/x)}",
    "{{constructor.constructor('planted(87)')()}}",
    "{right} {answer} {k} {choice} {player} {result}",
    "{0.__class__.__mro__}",
    "__proto__",
    '"); planted(90); ("',
    "\n__import__('os').abort()\n",
]


class Injected(Game[tuple[int, ...], int]):
    """A game of one move each, in which every text is one of the strings."""

    def __init__(self, first=0):
        self.first = first
        self.texts = INJECTIONS[first:] + INJECTIONS[:first]
        self.players = tuple(self.texts[1:3])

    @property
    def name(self):
        return self.texts[0]

    def parameters(self):
        return {"first": self.first}

    def initial_state(self):
        return ()

    def to_move(self, state):
        return len(state) % 2

    def legal_actions(self, state):
        return tuple(range(len(self.texts))) if not state else (0, 1)

    def play(self, state, action):
        return (*state, action)

    def is_terminal(self, state):
        return len(state) == 2

    def returns(self, state):
        return (1.0, -1.0) if (state[0] + state[1]) % 3 else (0.0, 0.0)

    def action_label(self, state, action):
        return self.texts[action]

    def text(self, state):
        return self.texts[sum(state) % len(self.texts)]

    def parse(self, text):
        return ()


HARMLESS = {"p", "b", "code", "table", "tr", "th", "td", "span", "pre"}


class Seen(HTMLParser):
    """The text of a page, and what is not text."""

    def __init__(self, page):
        super().__init__()
        self.texts = []
        self.foreign = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        if attributes or tag not in HARMLESS:
            self.foreign.append((tag, attributes))

    def handle_data(self, data):
        self.texts.append(data)

    def handle_comment(self, data):
        self.foreign.append(data)

    handle_decl = handle_pi = unknown_decl = handle_comment
