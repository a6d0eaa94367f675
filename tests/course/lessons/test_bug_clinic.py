"""Lesson 09: every patient shows its fault by a count, and its repair is looked at."""

import re
from pathlib import Path

import pytest

from mcts_course import FAULTS, SYSTEMS, published, wilson_interval
from mcts_course.lessons import bug_clinic
from mcts_course.published.clinic import CLINIC, lost_games, watched
from mcts_viz import TicTacToe, solve

pytestmark = pytest.mark.many

GAME = TicTacToe()

patients = pytest.mark.parametrize("patient", CLINIC.values(), ids=CLINIC.keys())


SURE = (0.95, 0.0)
LIMITS = {"noise": (0.6, 0.0), "clock": (0.15, 0.1)}
"""Of the seeds, how many go wrong with the fault at least, and without it at most."""


def shows(patient, seeds):
    """True if these seeds are enough to show the fault."""
    least, most = LIMITS.get(patient.fault, SURE)
    faulty, correct = patient.mistakes(seeds)
    separate = wilson_interval(faulty, seeds)[0] > wilson_interval(correct, seeds)[1]
    return separate and faulty >= least * seeds and correct <= most * seeds


# The clinic


def test_every_fault_that_does_harm_has_a_patient():
    harmless = {"block", "pre-building", "win rate"}
    assert CLINIC.keys() == FAULTS.keys() - harmless


@patients
def test_a_patient_errs_with_its_fault_and_not_without(patient):
    assert shows(patient, 200 if patient.fault == "clock" else 60)


@patients
def test_a_patients_mistake_is_one_by_exact_play(patient):
    state = patient.state
    assert 0 < len(solve(GAME, state).best_actions) < len(GAME.legal_actions(state))


@patients
def test_its_one_fault_is_one_of_a_published_system(patient):
    assert patient.faulty.faults == (patient.fault,)
    assert patient.sound.faults == ()
    listed = {fault for system in SYSTEMS.values() for fault in system.faults}
    assert patient.fault in listed | {"noise"}  # of Liu's listing, where rand() has 31 bits


@patients
@pytest.mark.parametrize("seed", [0, 1, 7])
def test_watch_finds_its_symptom_and_none_in_the_sound_search(patient, seed):
    found = {finding.name for finding in patient.watched(seed).findings}
    more = {"after-the-end"} if patient.fault == "turns" else set()
    assert found == {patient.finding} - {""} | more
    assert not watched(patient.sound.search(seed), patient.state, 200).findings


def test_sound_ones_lose_none_with_enough_iterations():
    search = published("uct").search(0)
    assert lost_games(search).lost == 0
    assert lost_games(search, iterations=20).lost > 0


# A program to repair


def test_the_readers_reward_is_looked_at():
    """Before the repair a tree and all searches show the fault, and after it nothing does."""
    theirs, *_ = bug_clinic.write_reward.misconceptions
    before, after = map(bug_clinic.look, (theirs[0], bug_clinic.write_reward.solution))
    assert "(here 0)" in before.rows[0][0]
    assert before.rows[-1] == ("20 of 20 searches err",)
    assert after.rows == [("no mistake in the tree",), ("0 of 20 searches err",)]
    assert "write the reward first" in repr(bug_clinic.look(lambda *_: ...))


def test_the_program_to_repair_is_the_one_that_is_shown():
    source = Path(bug_clinic.__file__).with_suffix(".md").read_text("utf-8")
    [shown] = re.findall(r"^def their_reward.*?\n\n", source, re.M | re.S)
    names = {}
    exec(shown, names)
    verdict = bug_clinic.write_reward.judge(names["their_reward"])
    assert verdict.sentence == f"✗ Not yet: {bug_clinic.write_reward.said.replies['as it was']}"
