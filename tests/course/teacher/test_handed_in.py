"""The owner of a file: folders, zips of Moodle and Canvas, nbgrader, a roster; and attacks."""

import io
import json
import os
import zipfile

import pytest
from injections import INJECTIONS, Seen
from made_up_class import report_of
from refusals import refused

from mcts_course import class_report
from mcts_course.teacher import handed_in
from mcts_course.teacher.handed_in import Roster, Student, found_files, owner_of, read_roster
from mcts_course.teacher.report import people_of

OURS = {"head", "title", "style", "body", "h2", "doctype html", "d"}
RIGHT = {"verdicts": ["right"], "misconceptions": [], "hints": 0}
WRONG = RIGHT | {"verdicts": ["wrong"]}
CLASS = Roster((Student("1815", "Ada Lovelace"), Student("u2", "Ünal Öz"), Student("17", "Bo")))


def exercised(name="", **exercises):
    return report_of(name, exercises=exercises)


@pytest.mark.parametrize(
    ("path", "said", "alone", "on_roster"),
    [
        (
            "Ada Lovelace_4711_assignsubmission_file/03_four_phases.ipynb",
            "",
            "Ada Lovelace",
            "1815",
        ),
        ("Ada Lovelace_4711_assignsubmission_file_/Bo_03.json", "Bo", "Ada Lovelace", "1815"),
        ("all.zip/Ünal Öz_12_assignsubmission_file_x.json", "Bo", "Ünal Öz", "u2"),
        ("lovelaceada_42_4711_Bo_03.json", "Bo", "lovelaceada", "1815"),
        ("lovelaceada_LATE_42_4711_Bo_03-1.json", "", "lovelaceada", "1815"),
        ("submitted/1815/four_phases/03_four_phases.ipynb", "", "1815", "1815"),
        ("submitted/17/03/.03_four_phases.progress.json", "Ada Lovelace", "17", "17"),
        ("ada lovelace/me.json", "", "ada lovelace", "1815"),
        ("Bo/x.json", "Ada Lovelace", "Ada Lovelace", "17"),
        ("lesson 3/Lovelace, Ada_03.json", "", "Lovelace, Ada", "1815"),
        ("Ada_Lovelace_03 (1).json", "", "Ada_Lovelace", "1815"),
        ("group A/unal_oz_03.json", "", "unal_oz", "u2"),
        ("Ada.zip/03_four_phases.ipynb", "", "Ada", None),
        ("lovelaceada_42_4711_work.zip/03_four_phases.ipynb", "", "lovelaceada", "1815"),
        ("lovelaceada_42_4711_work.zip/submitted/17/x.json", "Bo", "lovelaceada", "1815"),
        ("all.zip/lovelaceada_42_4711_work.zip/Bo/x.json", "Bo", "lovelaceada", "1815"),
        (
            "Ada Lovelace_1_assignsubmission_file/Bo_2_assignsubmission_file/x.json",
            "Bo",
            "Ada Lovelace",
            "1815",
        ),
        (
            "Ada Lovelace_1_assignsubmission_file/bo_2_2_x.zip/Bo/x.json",
            "Bo",
            "Ada Lovelace",
            "1815",
        ),
        ("submitted/1815/03/submitted/17/x.json", "Bo", "1815", "1815"),
        ("CS_101_2026_all.zip/lovelaceada_42_4711_x.json", "Bo", "lovelaceada", "1815"),
        (
            "ws_2026_27_all.zip/Ada Lovelace_1_assignsubmission_file/x.json",
            "Bo",
            "Ada Lovelace",
            "1815",
        ),
        ("eve_1_2_work.zip/Bo/x.json", "Bo", "eve", None),
        ("Ada Lovelace/Bo/x.json", "Bo", "Bo", "1815"),
        ("Ada Lovelace/submitted/17/x.json", "Bo", "17", "1815"),
        ("lesson 3/Ada Lovelace/03/Bo_03.json", "Bo", "Bo", "1815"),
        ("eve.json", "Eve", "Eve", None),
        ("03.json", "", "03", None),
    ],
)
def test_whose_file_it_is(path, said, alone, on_roster):
    """The platform is believed, then a folder of the roster, then the student."""
    assert owner_of(path, said, Roster()).key == alone
    student = owner_of(path, said, CLASS).student
    assert (student and student.id) == on_roster


def test_a_name_of_two_on_the_roster_is_nobody_s_but_their_ids_are():
    roster = Roster((Student("1", "Ali"), Student("2", "Ali")))
    assert owner_of("Ali_03.json", "Ali", roster).student is None
    assert owner_of("2/Ali_03.json", "Ali", roster).student == Student("2", "Ali")


def test_of_an_exercise_that_was_handed_in_twice_the_longer_history_counts():
    longer = RIGHT | {"verdicts": ["wrong", "right"]}
    for order in ([WRONG, longer], [longer, WRONG]):
        reports = {f"1815/{n}.json": exercised("", x=work) for n, work in enumerate(order)}
        [ada, *_] = people_of(reports, CLASS)
        assert ada.exercises == {"x": longer}


KEPT = ".03_four_phases.progress.json"


@pytest.mark.parametrize(
    ("files", "people"),
    [
        (
            {"Ada Lovelace/Ada_03.json": "Ada", "Ada Byron/Ada_03.json": "Ada"},
            [("Ada Lovelace", 1), ("Ada Byron", 1)],
        ),
        ({f"Ada/{KEPT}": "", "Ada/Ada_03.json": "Ada"}, [("Ada", 2)]),
        (
            {f"Ada B/{KEPT}": "", "Ada B/Ada_03.json": "Ada", "Bo C/x.json": "Bo"},
            [("Ada B", 2), ("Bo C", 1)],
        ),
        ({f"s17/{KEPT}": "", "s17/Ada_03.json": "Ada"}, [("s17", 2)]),
        ({f"Ada.zip/03/{KEPT}": "", "Ada.zip/Ada_03.json": "Ada"}, [("Ada", 2)]),
        ({"class/Ada_03.json": "Ada", "class/Bo_03.json": "Bo"}, [("Ada", 1), ("Bo", 1)]),
        ({"monday/Ada_03.json": "Ada", "tuesday/Bo_03.json": "Bo"}, [("Ada", 1), ("Bo", 1)]),
        ({f"class/Ada/{KEPT}": "", f"class/Bo/{KEPT}": ""}, [("Ada", 1), ("Bo", 1)]),
        ({f"Ada/work/{KEPT}": "", f"Bo/work/{KEPT}": ""}, [("work", 1), ("work", 1)]),
        (
            {"Ada/a.json": "Ada", "Ada/b.json": "Ada", "Ada_03.json": "Ada"},
            [("Ada", 2), ("Ada", 1)],
        ),
    ],
)
def test_without_a_roster_the_folder_of_a_student_says_who_it_is(files, people):
    """Its files are of one student; those of two places with one exercise are of two."""
    reports = {file: exercised(name, **{"four_phases.x": RIGHT}) for file, name in files.items()}
    found = people_of(reports, Roster())
    assert [(one.name, len(one.files)) for one in found] == people


@pytest.mark.parametrize(
    ("one", "other"), [("J\u00fcrgen", "Ju\u0308rgen"), ("Ada", "ada"), ("\uff21da", "Ada")]
)
def test_a_name_that_is_typed_in_two_ways_is_one_name(one, other):
    reports = {"a_03.json": exercised(one, x=RIGHT), "b_04.json": exercised(other, y=RIGHT)}
    [person] = people_of(reports, Roster())
    assert (person.name, sorted(person.exercises)) == (one, ["x", "y"])


@pytest.mark.parametrize("forged", ["Aaa_03.json", "Zzz_03.json", "Bo_03 (1).json"])
def test_a_name_that_only_a_student_gives_takes_nobody_s_work_away(tmp_path, forged):
    """Of two claims on one student both are shown, each with its file."""
    more = {"verdicts": ["wrong"] * 9, "misconceptions": [], "hints": 0}
    made = {"Bo_03.json": exercised("Bo", **{"four_phases.next_move": RIGHT})}
    made[forged] = exercised("Bo", **{"four_phases.next_move": more})
    for name, one in made.items():
        (tmp_path / name).write_text(json.dumps(one))
    (tmp_path / "roster.csv").write_text("id,name\n1,Ada\n17,Bo\n")
    rows = class_report(tmp_path, tmp_path / "roster.csv").overview("four_phases").rows
    assert {row[:2] for row in rows[:-1]} == {
        ("Ada", "–"),
        ("Bo (Bo_03.json)", "✓ 1"),
        (f"Bo ({forged})", "✗ 9"),
    }


def test_what_the_platform_or_a_folder_says_comes_before_what_a_student_says():
    wrong = exercised("Bo", **{"four_phases.next_move": WRONG | {"verdicts": ["wrong"] * 9}})
    right = exercised("", **{"four_phases.next_move": RIGHT})
    for place in ("Bo/x.json", "submitted/17/x.json", "bo_1_2_x.json"):
        people = people_of({"Aaa_03.json": wrong, place: right}, CLASS)
        assert [(one.id, one.files) for one in people if one.files] == [
            ("17", [place]),
            ("", ["Aaa_03.json"]),
        ]


# Rosters


@pytest.mark.parametrize(
    "text",
    [
        "id,name\n1,Ada\n2,Bo\n",
        "\ufeffName;ID\nAda;1\nBo;2\n\n",
        "id\tname\temail\r\n1\tAda\tx\r\n2\tBo\ty\r\n",
        'id,name\n1," Ada "\n2,Bo',
    ],
)
def test_a_roster_may_be_written_by_any_spreadsheet(tmp_path, text):
    (tmp_path / "r.csv").write_text(text, encoding="utf-8")
    assert read_roster(tmp_path / "r.csv").students == (Student("1", "Ada"), Student("2", "Bo"))


@pytest.mark.parametrize(
    "text", ["", "name\nAda\n", "id,name\n1,Ada\n1,Bo\n", "id,name\n=1,Ada\n", "id,name\n,A\n"]
)
def test_a_roster_that_cannot_be_used_is_refused_in_a_sentence(tmp_path, text):
    (tmp_path / "r.csv").write_text(text, encoding="utf-8")
    assert (
        "of a roster must" in (said := refused(read_roster, tmp_path / "r.csv"))
        or "A roster must" in said
    )
    assert "cannot be read" in refused(read_roster, tmp_path / "none.csv")


# Zips, and what may be in them


def zipped(files):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


def test_zips_are_read_also_one_in_another_and_nothing_is_unpacked(tmp_path):
    text = json.dumps(exercised("Ada", x=RIGHT)).encode()
    inner = zipped({"../../evil.json": text, "deeper.zip": zipped({"a.json": text}), "x.txt": b""})
    made = {
        "Ada_1_assignsubmission_file/Ada_03.json": text,
        "Bo_2_assignsubmission_file/all.zip": inner,
    }
    (tmp_path / "moodle.zip").write_bytes(zipped(made))
    (tmp_path / "broken.zip").write_bytes(b"PK")
    report = class_report(tmp_path)
    assert [one.name for one in report.people] == ["Ada", "Bo"]
    assert report.unreadable == ["broken.zip"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broken.zip", "moodle.zip"]
    alone = class_report(tmp_path / "moodle.zip")
    assert [one.exercises for one in alone.people] == [one.exercises for one in report.people]


def test_a_bomb_is_read_only_as_far_as_a_file_may_be_long(tmp_path, monkeypatch):
    monkeypatch.setattr(handed_in, "NESTED_ZIP", 1000)
    bomb = zipped({"a.json": b"0" * 50_000_000, "b.zip": b"0" * 50_000_000})
    (tmp_path / "x.zip").write_bytes(bomb)
    assert [len(file.data or b"") for file in found_files(tmp_path, ".json", 5000)] == [5000, 0]


@pytest.mark.parametrize("kind", ["zip", "zip of one folder", "folder"])
def test_what_one_student_hands_in_keeps_no_other_from_being_read(tmp_path, monkeypatch, kind):
    """And the report says of which folder there is more than was read."""
    monkeypatch.setattr(handed_in, "FILES", 3)
    text = json.dumps(exercised(x=RIGHT)).encode()
    many = {f"{n}.json": text for n in range(9)}
    amy = tmp_path / "Amy"
    amy.mkdir()
    if kind == "zip":
        (amy / "all.zip").write_bytes(zipped(many))
        more = "Amy/all.zip/(more files)"
    elif kind == "folder":
        for name, data in many.items():
            (amy / name).write_bytes(data)
        more = "Amy/(more files)"
    else:
        in_amy = {f"Amy/{name}": data for name, data in many.items()}
        (tmp_path / "all.zip").write_bytes(zipped(in_amy | {"Zoe/me.json": text}))
        more = "all.zip/Amy/(more files)"
    (tmp_path / "Zoe").mkdir()
    (tmp_path / "Zoe" / "me.json").write_bytes(text)
    (tmp_path / "roster.csv").write_text("id,name\n1,Amy\n2,Zoe\n")
    report = class_report(tmp_path, tmp_path / "roster.csv")
    assert [len(one.files) for one in report.people] == [3, 2 if kind == "zip of one folder" else 1]
    assert report.unreadable == [more]
    assert f"Not read, or only in part: {more}." in repr(report)


def test_links_pipes_and_loops_are_no_reports(tmp_path):
    (tmp_path / "loop").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "zero.zip").symlink_to("/dev/zero")
    (tmp_path / "a.json").write_text(json.dumps(exercised(x=RIGHT)))
    report = class_report(tmp_path)
    assert [one.name for one in report.people] == ["a"]
    assert report.unreadable == ["pipe.json", "zero.zip"]


@pytest.mark.parametrize("text", ["{0}", "{", "%s", "=1+1", "\\N{X}", "9" * 4300, *INJECTIONS[:30]])
def test_a_name_is_text_wherever_it_is_written(tmp_path, text):
    work = {"verdicts": ["misconception"], "misconceptions": [text], "hints": 2}
    made = exercised(text, **{text: work, "four_phases.next_move": work})
    made["predictions"] = {text: {"guess": text, "measured": text}}
    (tmp_path / "x.json").write_text(json.dumps(made))
    report = class_report(tmp_path)
    assert repr(report).startswith("1 student has handed in.")
    acting = [found for found in Seen(report.to_html()).foreign if found[0] not in OURS]
    assert acting == [("html", [("lang", "en")]), ("meta", [("charset", "utf-8")])]
