"""What is set up is remembered in a way that no kill and no second start can spoil."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tools.places import Places
from tools.state import State, alone, digest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """Give an empty checkout."""
    (tmp_path / ".haggle").mkdir()
    return Places(tmp_path)


def test_a_finished_part_is_remembered(places: Places) -> None:
    """What one start finished the next one knows; what was forgotten it does not."""
    State(places).finish("web", "abc")
    State(places).finish("zbar", "here")
    assert State(places)["web"] == "abc"
    State(places).forget("web")
    assert State(places)["web"] == ""
    assert State(places)["zbar"] == "here"


@pytest.mark.parametrize("text", ["", "{", "[1]", "\x00"], ids=["empty", "half", "list", "zero"])
def test_a_damaged_memory_counts_as_none(places: Places, text: str) -> None:
    """A file that cannot be read means that nothing is set up, so everything is made again."""
    (places.home / "state.json").write_text(text)
    assert State(places)["web"] == ""
    State(places).finish("web", "abc")
    assert State(places)["web"] == "abc"


def test_a_fingerprint_tells_contents_apart(tmp_path: Path) -> None:
    """Another content, another order or a missing file gives another fingerprint; the same gives the same."""
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("a")
    two.write_text("b")
    assert digest(one, two) == digest(one, "b")
    assert len({digest(one, two), digest(two, one), digest(one), digest(one, tmp_path / "none"), digest("ab")}) == 5


def test_two_starts_at_once_work_one_after_the_other(places: Places) -> None:
    """While one process sets up, another one says that it waits, and goes on when the first has ended or died."""
    script = (
        "import sys; from pathlib import Path; from tools.places import Places; from tools.state import alone\n"
        "with alone(Places(Path(sys.argv[1])), lambda: None):\n"
        "    print('in', flush=True); sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", script, str(places.root)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "in\n"
        waited = []

        def wait() -> None:
            waited.append(True)
            other.kill()

        with alone(places, wait):
            assert waited == [True]
