"""The order in which files of tests run side by side: all of them, once, and the long ones first."""

from __future__ import annotations

from pathlib import Path

from tests.turns import LONG, QUICK, WAITING, in_turns

TESTS = Path(__file__).parents[1]


def test_no_file_is_lost_or_run_twice() -> None:
    """All files of tests are in the order once, however often a file is named."""
    files = [str(file.relative_to(TESTS)) for file in TESTS.rglob("test_*.py")]
    assert sorted(in_turns([*files, *files])) == sorted(files)


def test_what_waits_takes_turns_with_what_computes() -> None:
    """In each quarter of the order, but for the quick ones at its end, there is its share of tests that wait."""
    order = in_turns(
        [f"web/test_{number}.py" for number in range(8)] + [f"play/test_{number}.py" for number in range(24)]
    )
    assert [sum(name.startswith("web/") for name in order[first : first + 8]) for first in range(0, 32, 8)] == [2] * 4


def test_long_files_begin_and_quick_ones_end() -> None:
    """Of those that wait the longest is first, as it is of those that compute; whatever takes moments comes last."""
    computing = "scanner/test_profiles.py"
    assert computing in LONG
    order = in_turns(["scoring/test_a.py", "web/test_a.py", "play/test_a.py", computing, LONG[1], LONG[0]])
    assert order == [LONG[0], computing, LONG[1], "play/test_a.py", "web/test_a.py", "scoring/test_a.py"]


def test_each_name_is_of_something_that_is_there() -> None:
    """A file or folder that was renamed is renamed here too."""
    assert [name for name in (*LONG, *QUICK, *WAITING) if not (TESTS / name).exists()] == []
