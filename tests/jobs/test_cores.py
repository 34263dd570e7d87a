"""How many cores a process may use, told by files as Linux has them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from server.jobs import cores
from server.jobs.cores import usable_cores
from server.jobs.scanning import ScanPool

if TYPE_CHECKING:
    from pathlib import Path

HOST = 64
UNIT = "system.slice/haggle.service"


@pytest.fixture(autouse=True)
def _large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(HOST)), raising=False)


def _system(folder: Path, **files: str) -> Path:
    """Write files of a system, and return its folder."""
    for name, said in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(said)
    return folder


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        ("max 100000", HOST),
        ("200000 100000", 2),
        ("200001 100000", 3),
        ("150000 100000", 2),
        ("50000 100000", 1),
        ("1000 100000", 1),
        (f"{HOST - 1}00000 100000", HOST - 1),
        (f"{HOST}00000 100000", HOST),
        (f"{HOST + 1}00000 100000", HOST),
        ("200000", HOST),
        ("200000 0", HOST),
        ("", HOST),
        ("two of them", HOST),
    ],
)
def test_a_container_sees_its_own_limit(tmp_path: Path, limit: str, expected: int) -> None:
    """What is not whole is rounded up; what limits nothing, or is not understood, leaves the cores as they are."""
    system = _system(tmp_path, **{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": limit})
    assert usable_cores(system) == expected


@pytest.mark.parametrize(("above", "own", "expected"), [("max", "3", 3), ("2", "3", 2), ("4", "max", 4), ("", "3", 3)])
def test_the_narrowest_of_all_groups_counts(tmp_path: Path, above: str, own: str, expected: int) -> None:
    """A unit of systemd has its limit in its own folder, and its slice may have another."""
    said = {
        "proc/self/cgroup": f"0::/{UNIT}\n",
        f"sys/fs/cgroup/{UNIT}/cpu.max": f"{own}00000 100000".replace("max00000", "max"),
        "sys/fs/cgroup/system.slice/cpu.max": f"{above}00000 100000".replace("max00000", "max") if above else "",
    }
    assert usable_cores(_system(tmp_path, **said)) == expected


@pytest.mark.parametrize("mount", ["cpu", "cpu,cpuacct"])
@pytest.mark.parametrize("inside", ["", "docker/1234/"])
@pytest.mark.parametrize(("quota", "expected"), [("-1", HOST), ("200000", 2), ("250000", 3)])
def test_control_groups_of_the_first_kind(tmp_path: Path, mount: str, inside: str, quota: str, expected: int) -> None:
    """Older systems have two files for it, and containers name a path there that they do not see."""
    system = _system(
        tmp_path,
        **{
            "proc/self/cgroup": "5:memory:/docker/1234\n4:cpu,cpuacct:/docker/1234\n0::/docker/1234\n",
            f"sys/fs/cgroup/{mount}/{inside}cpu.cfs_quota_us": f"{quota}\n",
            f"sys/fs/cgroup/{mount}/{inside}cpu.cfs_period_us": "100000\n",
            "sys/fs/cgroup/memory/cpu.cfs_quota_us": "100000",
            "sys/fs/cgroup/memory/cpu.cfs_period_us": "100000",
        },
    )
    assert usable_cores(system) == expected


def test_cores_that_it_may_not_run_on_do_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `taskset`, a cpuset or `CPUAffinity=` say; a limit above them changes nothing."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3, 5, 8}, raising=False)
    system = _system(tmp_path, **{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "400000 100000"})
    assert usable_cores(system) == 3


@pytest.mark.parametrize(("count", "expected"), [(8, 8), (None, 1)])
def test_other_systems_have_what_they_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int | None, expected: int
) -> None:
    """Without such files, and where nothing tells on which cores one may run, all cores count."""
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: count)
    assert usable_cores(tmp_path) == expected


@pytest.mark.parametrize("line", ["", "nonsense", "0:", "x::/", "0::/../../other"])
def test_what_the_system_says_otherwise_is_no_trouble(tmp_path: Path, line: str) -> None:
    """A line that nobody understands is passed over, and a path never leads out of the groups' own folder."""
    said = {"proc/self/cgroup": f"{line}\n", "sys/other/cpu.max": "100000 100000", "other/cpu.max": "100000 100000"}
    assert usable_cores(_system(tmp_path, **said)) == HOST


def test_so_many_processes_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server in a container of two cores starts two, whatever its host has; who says another number gets that."""
    monkeypatch.setattr(cores, "_shares", lambda _: [2.0])
    assert (ScanPool(None).size, ScanPool(None, workers=5).size) == (2, 5)
