"""Strings that would run, load or break out if any output took them for more than text.

Each would call ``planted(n)`` or ask ``evil.invalid`` for something; a test sees to it that
neither ever happens.
"""

from __future__ import annotations

from typing import Any

from mcts_viz.games import Game

HTML = [
    "<script>planted(1)</script>",
    "<SCRIPT SRC=//evil.invalid/x.js></SCRIPT>",
    "<scr<script>ipt>planted(2)</scr</script>ipt>",
    "<script/x>planted(3)</script\t>",
    "<img src=x onerror=planted(4)>",
    "<img/src=`x`onerror=planted(5)>",
    "<img src='http://evil.invalid/pixel.png'>",
    "<svg onload=planted(6)>",
    "<svg><script>planted(7)</script></svg>",
    "<body onload=planted(8)>",
    "<iframe srcdoc='<script>parent.planted(9)</script>'></iframe>",
    "<iframe src=javascript:parent.planted(10)></iframe>",
    "<object data='data:text/html,<script>planted(11)</script>'></object>",
    "<embed src='http://evil.invalid/x.swf'>",
    "<details open ontoggle=planted(12)>x</details>",
    "<input autofocus onfocus=planted(13)>",
    "<select autofocus onfocus=planted(14)>",
    "<video><source onerror=planted(15)></video>",
    "<audio src=x onerror=planted(16)>",
    "<marquee onstart=planted(17)>x</marquee>",
    "<a href='javascript:planted(18)'>x</a>",
    "<form action=javascript:planted(19)><button>x</button></form>",
    "<button formaction=javascript:planted(20) form=f>x</button>",
    "<meta http-equiv=refresh content='0;url=http://evil.invalid/'>",
    "<base href='http://evil.invalid/'>",
    "<link rel=stylesheet href='http://evil.invalid/x.css'>",
    "<style>@import 'http://evil.invalid/x.css';</style>",
    "<template><script>planted(21)</script></template>",
    "<noscript><p title='</noscript><img src=x onerror=planted(22)>'>",
    "<math><mtext><table><mglyph><style><img src=x onerror=planted(23)>",
    "<p style='background:url(http://evil.invalid/x.png)'>x</p>",
    "<dialog open onclose=planted(24)><form method=dialog><button>x</button></form></dialog>",
]
BREAKING_OUT = [
    "</script><script>planted(25)</script>",
    "</style><script>planted(26)</script>",
    "</title><script>planted(27)</script>",
    "</textarea><script>planted(28)</script>",
    "</svg><script>planted(29)</script>",
    "--><script>planted(30)</script><!--",
    "]]><script>planted(31)</script>",
    "<![CDATA[<script>planted(32)</script>]]>",
    "<!--<script>",
    "<?xml-stylesheet href='http://evil.invalid/x.css'?>",
    "<!DOCTYPE x [<!ENTITY e SYSTEM 'http://evil.invalid/e'>]>&e;",
    "<!DOCTYPE x [<!ENTITY e 'eeeeeeeeee'>]>&e;&e;&e;",
    '"><script>planted(33)</script>',
    "'><script>planted(34)</script>",
    '" onmouseover="planted(35)',
    "' onmouseover='planted(36)",
    "` onmouseover=`planted(37)",
    '" autofocus onfocus="planted(38)" x="',
    '"/><image href="http://evil.invalid/x.png"/><x y="',
    '" style="animation:x 1s" onanimationstart="planted(39)',
    "&lt;script&gt;planted(40)&lt;/script&gt;",
    "&#60;script&#62;planted(41)&#60;/script&#62;",
    "&#x3c;img src=x onerror=planted(42)&#x3e;",
    "\u2028planted(43)\u2029",
    "\\u003cscript\\u003eplanted(44)\\u003c/script\\u003e",
    "\x00<script>planted(45)</script>",
    "<scr\x00ipt>planted(46)</script>",
    "\ufeff<script>planted(47)</script>",
    "\u202e<script>planted(48)</script>",
    "\ud800<script>planted(49)</script>",
]
SVG = [
    "<a xlink:href='javascript:planted(50)'><text>x</text></a>",
    "<use href='data:image/svg+xml,<svg onload=planted(51)/>#x'/>",
    "<foreignObject><body onload=planted(52)></body></foreignObject>",
    "<animate attributeName=href values=javascript:planted(53) />",
    "<set attributeName=onmouseover to=planted(54) />",
    "<image href='http://evil.invalid/x.png'/>",
    "<feImage href='http://evil.invalid/x.png'/>",
    "<handler type='text/javascript'>planted(55)</handler>",
    "<style>*{background:url(http://evil.invalid/x)}</style>",
    "<text onclick='planted(56)'>x</text>",
    "<g onbegin=planted(57)>",
    "url(#x) url(http://evil.invalid/#x)",
]
DOT = [
    '"]; node [URL="javascript:planted(58)"]; x [label="',
    '" URL="javascript:planted(59)" x="',
    '" tooltip="x" href="http://evil.invalid/" y="',
    "<<TABLE HREF='javascript:planted(60)'><TR><TD>x</TD></TR></TABLE>>",
    "<<B>x</B>>",
    "<<IMG SRC='http://evil.invalid/x.png'/>>",
    "\\N\\G\\E\\T\\H\\L\\n\\l\\r",
    "\\",
    '\\"',
    '}\nsubgraph { x [shapefile="http://evil.invalid/x.png"] }\n{',
    "{a|<port> b}",
    "a -> b; c",
    "/* */ // #",
    "x\\\ny",
    "image=http://evil.invalid/x.png",
]
ADDRESSES = [
    "javascript:planted(61)",
    "JaVaScRiPt:planted(62)",
    "java\tscript:planted(63)",
    "java\nscript:planted(64)",
    " javascript:planted(65)",
    "javascript&colon;planted(66)",
    "&#106;avascript:planted(67)",
    "vbscript:planted(68)",
    "data:text/html,<script>planted(69)</script>",
    "data:text/html;base64,PHNjcmlwdD5wbGFudGVkKDcwKTwvc2NyaXB0Pg==",
    "//evil.invalid/x.js",
    "http://evil.invalid/",
    "file:///etc/passwd",
]
MARKDOWN = [
    "[x](javascript:planted(71))",
    "![x](http://evil.invalid/x.png)",
    "![x](x 'onerror=planted(72)')",
    "[x]: javascript:planted(73)\n[x]",
    "<javascript:planted(74)>",
    "```\n<script>planted(75)</script>\n```",
    "| a | b |\n|---|---|\n| <img src=x onerror=planted(76)> | |",
    "# x\n<script>planted(77)</script>",
    "[x](<javascript:planted(78)>)",
    "`<img src=x onerror=planted(79)>`",
]
MATHJAX = [
    "$\\href{javascript:planted(80)}{x}$",
    "\\(\\href{javascript:planted(81)}{x}\\)",
    "$$\\style{background:url(http://evil.invalid/x)}{x}$$",
    "\\[\\cssId{x}{y}\\class{onload}{z}\\]",
    "$\\require{html}\\data{x=planted(82)}{y}$",
    "\\begin{equation}\\unicode{x3c}script\\end{equation}",
    "$\\def\\x{\\x\\x}\\x$",
]
CSS = [
    "};*{background:url(http://evil.invalid/x)}",
    "expression(planted(83))",
    "-moz-binding:url(http://evil.invalid/x.xml#x)",
    "@import url(http://evil.invalid/x.css);",
    "\\3c script\\3e planted(84)",
    "behavior:url(http://evil.invalid/x.htc)",
]
TEMPLATES = [
    "${planted(85)}",
    "`${planted(86)}`",
    "{{constructor.constructor('planted(87)')()}}",
    "<%= planted(88) %>",
    "{right} {answer} {k} {choice} {player} {result}",
    "{0.__class__.__mro__}",
    "%(x)s %n %s",
    "$& $` $' $1",
    "__proto__",
    "constructor",
    "toString",
    "'; planted(89); '",
    '"); planted(90); ("',
    "*/ planted(91); /*",
    "\n__import__('os').abort()\n",
]
INJECTIONS = [
    *HTML,
    *BREAKING_OUT,
    *SVG,
    *DOT,
    *ADDRESSES,
    *MARKDOWN,
    *MATHJAX,
    *CSS,
    *TEMPLATES,
]


class Injected(Game[tuple[int, ...], int]):
    """A game of one move each, in which every text is one of the strings."""

    def __init__(self, first: int = 0) -> None:
        self.first = first
        self.texts = INJECTIONS[first:] + INJECTIONS[:first]
        self.players = tuple(self.texts[1:3])

    @property
    def name(self) -> str:
        return self.texts[0]

    def parameters(self) -> dict[str, Any]:
        return {"first": self.first}

    def initial_state(self) -> tuple[int, ...]:
        return ()

    def to_move(self, state: tuple[int, ...]) -> int:
        return len(state) % 2

    def legal_actions(self, state: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(range(len(self.texts))) if not state else (0, 1)

    def play(self, state: tuple[int, ...], action: int) -> tuple[int, ...]:
        return (*state, action)

    def is_terminal(self, state: tuple[int, ...]) -> bool:
        return len(state) == 2

    def returns(self, state: tuple[int, ...]) -> tuple[float, ...]:
        return (1.0, -1.0) if (state[0] + state[1]) % 3 else (0.0, 0.0)

    def action_label(self, state: tuple[int, ...], action: int) -> str:
        return self.texts[action]

    def text(self, state: tuple[int, ...]) -> str:
        return self.texts[sum(state) % len(self.texts)]

    def parse(self, text: str) -> Any:
        return ()
