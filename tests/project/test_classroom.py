"""A class on one machine: kernels that run a lesson at the same time do not disturb each other."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "classroom.py"
MOST = 300  # MB a kernel, so that a class of thirty fits into 9 GB


@pytest.mark.slow
def test_thirty_kernels_run_a_lesson_at_once():
    command = [sys.executable, BENCHMARK, "--kernels", "30"]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "30 kernels at once" in run.stdout
    assert ": 0 failures" in run.stdout
    memory = re.search(r"([\d,]+) MB a kernel", run.stdout)
    assert memory, run.stdout
    assert 0 < int(memory[1].replace(",", "")) < MOST
