"""Logs of searches in any language: what is read of them, and the line at which a film ends."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from strangers import Student, path_to

import mcts_viz.__main__ as lessons
import mcts_watch.__main__ as films
from mcts_viz import Film, TicTacToe, TraceError
from mcts_watch import Watch, lines

DOCS = (Path(__file__).parents[2] / "docs" / "WATCH.md").read_text("utf-8")


def writer(language):
    """The writer in that language, as the documentation prints it."""
    [code] = re.findall(rf"```{language}\n(.*?)```", DOCS, re.DOTALL)
    return str(code)


def logged(iterations=300):
    """A student's search, and its log with all numbers."""
    student, log = Student(1), []
    reward = student.backpropagate

    def back_up(leaf, won):
        reward(leaf, won)
        path = path_to(leaf)[::-1]
        result = [0.5, 0.5] if won is None else [float(won == "X"), float(won == "O")]
        log.append(
            {
                "path": [node.move for node in path[1:]],
                "visits": [node.visits for node in path],
                "wins": [node.wins for node in path],
                "result": result,
            }
        )

    student.backpropagate = back_up
    for _ in range(iterations):
        student.iterate()
    return student, log


def nodes_of(student):
    todo = [student.root]
    while todo:
        yield (node := todo.pop())
        todo += node.children


@pytest.mark.parametrize("left_out", [[], ["visits"], ["visits", "wins"], ["result"]])
def test_a_log_has_the_numbers_of_the_search(left_out):
    student, log = logged()
    short = [
        json.dumps({name: of for name, of in line.items() if name not in left_out}) for line in log
    ]
    watch = Watch.from_lines(short, game=TicTacToe(), state="... ... ...")
    assert (watch.rule.name, watch.findings, watch.notes) == ("UCB1", [], [])
    assert sorted((node.visits, node.wins) for node in watch.nodes) == sorted(
        (node.visits, node.wins) for node in nodes_of(student)
    )
    assert watch.trace.game == TicTacToe()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "line 3 .*no JSON: '{'"),
        ("[1]", 'line 3 .*needs "path"'),
        ("{}", 'line 3 .*needs "path"'),
        ('{"path": 3}', 'line 3 .*needs "path"'),
        ('{"path": [{}]}', 'line 3 .*needs "path"'),
        ('{"path": ["b", "c"]}', "line 3 .*skips a node: 'b'"),
        ('{"path": ["a"], "visits": [1, 1]}', "line 3 .*visits fall from 2 to 1"),
        ('{"path": ["a"], "visits": [3]}', "line 3 .*visits must be 2 numbers"),
        ('{"path": ["a"], "wins": [NaN, 1]}', "line 3 .*wins must be 2 numbers"),
        ('{"path": ["a"], "result": "X"}', "line 3 .*result must be a number"),
        ('{"path": ["a"], "result": [1]}', "line 3 .*result must be a number"),
        ("[" * 100_000, "line 3 .*no JSON"),
        (json.dumps({"path": ["a"] * 1_001}), "line 3 .*1,001 moves"),
    ],
)
def test_a_broken_line_ends_the_film_and_is_named(line, said):
    good = '{"path": ["a"], "result": 1}'
    watch = Watch.from_lines([good, good, line, good])
    assert len(watch.trace) == 2
    assert re.search(said, watch.ending)
    assert "\n" not in watch.ending
    assert watch.notes[-1].text == watch.ending


def test_keys_that_are_not_read_are_named():
    watch = Watch.from_lines(['{"path": ["a"], "playout": ["b"], "visit": [1, 1]}'] * 3)
    [note] = [note for note in watch.notes if note.name == "keys-unread"]
    assert "'playout'" in note.text
    assert "'visit'" in note.text
    assert "path, visits, wins, result" in note.text


def test_a_log_whose_first_line_is_broken_has_no_film():
    with pytest.raises(
        TraceError,
        match=r"^There is no film\. The film ends before line 1 of the log: it is no JSON",
    ):
        Watch.from_lines(["{"])


def test_a_log_that_is_too_long_is_shown_up_to_there(monkeypatch):
    monkeypatch.setattr(lines, "MOST_LINES", 50)
    watch = Watch.from_lines('{"path": ["a"]}' for _ in range(1_000_000))
    assert len(watch.trace) == 50
    assert watch.ending == "The film ends before line 51 of the log: no film has more than 50."


@pytest.mark.parametrize("source", [5, "no/such/file.jsonl", []])
def test_no_log_is_told(source):
    with pytest.raises(TraceError, match=r"log|A log"):
        Watch.from_lines(source)


def program(language, folder):
    """The command that runs the documented writer on two iterations."""
    if language == "js":
        calls = "".join(
            f"logIteration([{{visits: {n}, wins: 0}}, {{move: 'a', visits: {n}, wins: {n}}}], [1, "
            f"0]);"
            for n in (1, 2)
        )
        (folder / "writer.js").write_text(writer("js") + calls, "utf-8")
        return ["node", str(folder / "writer.js")]
    call = 'for (int i = 0; i < 2; ++i) log_iteration(std::cout, {"a"}, {1, 0});'
    main = "#include <iostream>\nint main() { " + call + " }"
    (folder / "writer.cpp").write_text(writer("cpp") + main, "utf-8")
    binary = str(folder / "writer")
    subprocess.run(["g++", "-o", binary, str(folder / "writer.cpp")], check=True)
    return [binary]


@pytest.mark.parametrize(("language", "tool"), [("cpp", "g++"), ("js", "node")])
def test_the_documented_writers_write_a_log(language, tool, tmp_path):
    if not shutil.which(tool):
        pytest.skip(f"{tool} is not here")
    log = subprocess.run(
        program(language, tmp_path), capture_output=True, text=True, check=True
    ).stdout
    watch = Watch.from_lines(log.splitlines())
    assert (watch.ending, len(watch.trace), len(watch.nodes)) == ("", 2, 2)
    assert (watch.nodes[1].visits, watch.nodes[1].wins) == (2, 2)


def test_a_film_is_written_from_the_command_line(tmp_path):
    log = tmp_path / "log.jsonl"
    _, every = logged(60)
    log.write_text("\n".join(map(json.dumps, every)), "utf-8")
    command = [sys.executable, "-m", "mcts_watch", str(log), "--game", "TicTacToe"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)
    assert "<html" in done.stdout or "<iframe" in done.stdout
    assert "visits: 60 of 60 paths add up" in done.stderr


@pytest.mark.parametrize(
    ("main", "given", "said"),
    [
        (films.main, [], "the following arguments are required: log"),
        (films.main, ["log", "--game", "GameTree"], "choose from"),
        (films.main, [__file__], "line 1"),
        (lessons.main, ["watch", "log"], "python -m mcts_watch"),
    ],
)
def test_a_command_that_makes_no_film_says_why(main, given, said, monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["", *given])
    with pytest.raises(SystemExit, match="2"):
        main()
    told = capsys.readouterr()
    assert said in told.err
    assert told.out == ""
    assert not list(tmp_path.iterdir())


def test_a_film_of_a_log_is_drawn():
    _, every = logged(40)
    film = Film(Watch.from_lines(map(json.dumps, every)))
    assert film.frame(40).cards[0].share == "13.5/40"
