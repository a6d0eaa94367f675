"""Planted faults are found by their names, and a sound search gives no finding."""

import pytest
from strangers import AS_NOTES, FAULTS, ExpandAll, Student
from test_look import watched


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found_by_its_name(name: str) -> None:
    found = watched(FAULTS[name](1)).findings
    assert [finding.name for finding in found] == [name.split()[0]]
    assert found[0].iteration >= 1


@pytest.mark.parametrize("name", AS_NOTES)
def test_what_is_no_fault_or_only_suspected_is_a_note(name: str) -> None:
    watch = watched(AS_NOTES[name](1))
    assert watch.findings == []
    assert name in [note.name for note in watch.notes]


@pytest.mark.parametrize("program", [Student, ExpandAll])
def test_a_sound_search_gives_no_finding(program: type[Student]) -> None:
    assert watched(program(1)).findings == []
