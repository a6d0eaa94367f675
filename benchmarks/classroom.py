"""A class on one machine: many kernels at once, each running a lesson from top to bottom.

    python benchmarks/classroom.py                # thirty kernels, lesson 03
    python benchmarks/classroom.py --kernels 10 --lesson notebooks/10*.ipynb
    python benchmarks/classroom.py --each         # every lesson, one kernel after another

Everybody presses *Run All* in the same second, which is the worst that a class can do. Memory is
what the kernels share out among themselves (proportional set size), read from /proc, so this runs
on Linux. With ``--each`` the figure is processor time: of the kernel, from its start to its end.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import resource
import statistics
import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[1]
LESSON = ROOT / "notebooks" / "03_four_phases.ipynb"


async def student(lesson: Path) -> tuple[float, float]:
    """Run a lesson in a kernel of its own: seconds until it had begun, and until it ended."""
    notebook = nbformat.read(lesson, as_version=4)
    client = NotebookClient(notebook, timeout=None, startup_timeout=600)
    client.resources = {"metadata": {"path": str(lesson.parent)}}
    begun = time.perf_counter()
    async with client.async_setup_kernel():
        ready = time.perf_counter() - begun
        for number, cell in enumerate(notebook.cells):
            await client.async_execute_cell(cell, number)
        return ready, time.perf_counter() - begun


def kernels_memory() -> float:
    """MB that all kernels started from here hold together."""
    total = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if b"ipykernel_launcher" in (process / "cmdline").read_bytes():
                rollup = (process / "smaps_rollup").read_text().split("\n")
                total += sum(int(line.split()[1]) for line in rollup if line.startswith("Pss:"))
        except (OSError, IndexError, ValueError):  # it has just ended
            continue
    return total / 1000


async def measured(lesson: Path, kernels: int) -> None:
    peak = kernels_memory()
    running = [asyncio.create_task(student(lesson)) for _ in range(kernels)]
    while not all(task.done() for task in running):
        await asyncio.wait(running, timeout=1.0)
        peak = max(peak, kernels_memory())
    failed = [task for task in running if task.exception()]
    done = [task.result() for task in running if not task.exception()]
    for task in failed:
        print(f"failed: {task.exception()}", file=sys.stderr)
    print(f"{kernels} kernels at once, {lesson.name}, {os.cpu_count()} cores, ", end="")
    print(f"CPython {platform.python_version()}: {len(failed)} failures")
    if done:
        ready, ended = zip(*done, strict=True)
        print(f"kernel ready: median {statistics.median(ready):.0f} s, last {max(ready):.0f} s")
        print(f"lesson done:  median {statistics.median(ended):.0f} s, last {max(ended):.0f} s")
        print(f"memory: {peak:,.0f} MB together at most, {peak / kernels:.0f} MB a kernel")
    sys.exit(bool(failed))


def processor_time(lesson: Path) -> float:
    """Seconds that a kernel is busy with a lesson, its start and its imports included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    asyncio.run(student(lesson))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def each_lesson(folder: Path) -> None:
    times = []
    for lesson in sorted(folder.glob("[0-9]*.ipynb")):
        times.append(processor_time(lesson))
        print(f"{lesson.stem}: {times[-1]:.1f} s", flush=True)
    print(f"{len(times)} lessons: {sum(times):.1f} s of processor time")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kernels", type=int, default=30)
    parser.add_argument("--lesson", type=Path, default=LESSON)
    parser.add_argument("--each", action="store_true", help="all lessons, one at a time")
    given = parser.parse_args()
    if given.each:
        return each_lesson(given.lesson.resolve().parent)
    asyncio.run(measured(given.lesson.resolve(), given.kernels))


if __name__ == "__main__":
    main()
