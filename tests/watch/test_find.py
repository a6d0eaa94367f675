"""Planted faults are found by their names, and a sound search gives no finding."""

from pathlib import Path

import pytest
from strangers import AS_NOTES, AT_THE_END, FAULTS, WITH_GAME, ExpandAll, Student, watched

from mcts_viz import TicTacToe

SLUGS = (Path(__file__).parents[2] / "docs" / "WATCH.md").read_text("utf-8")
SEEDS = [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 11))]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found_by_its_name(name: str, seed: int) -> None:
    found = watched(FAULTS[name](seed)).findings
    assert [finding.name for finding in found] == [name.split()[0]]
    assert found[0].iteration >= 1
    assert f"`{found[0].name}`" in SLUGS


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", WITH_GAME)
def test_the_rules_of_the_game_find_more(name: str, seed: int) -> None:
    watch = watched(WITH_GAME[name](seed), 400, game=TicTacToe())
    assert [finding.name for finding in watch.findings] == [name.split()[0]]
    assert f"`{name.split()[0]}`" in SLUGS


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", AT_THE_END)
def test_the_rules_of_the_game_find_more_where_games_end(name: str, seed: int) -> None:
    watch = watched(AT_THE_END[name](seed, "XO..X...."), 600, game=TicTacToe())
    assert [finding.name for finding in watch.findings] == [name.split()[0]]
    assert f"`{name.split()[0]}`" in SLUGS


@pytest.mark.parametrize("name", AS_NOTES)
def test_what_is_no_fault_or_only_suspected_is_a_note(name: str) -> None:
    watch = watched(AS_NOTES[name](1))
    assert watch.findings == []
    assert name in [note.name for note in watch.notes]
    assert all(f"`{note.name}`" in SLUGS for note in watch.notes)


@pytest.mark.parametrize("game", [None, TicTacToe()])
@pytest.mark.parametrize("program", [Student, ExpandAll])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_sound_search_gives_no_finding(program: type[Student], game: TicTacToe | None, seed: int) -> None:
    for state in ("." * 9, "XO..X...."):
        assert watched(program(seed, state), 400, game=game).findings == []
