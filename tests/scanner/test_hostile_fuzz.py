"""Hostile files by the hundred, and all that were ever found to go wrong."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from devtools.fuzz import FINDINGS, Victim, case, fuzz, png_joined, png_parts, seeds, texts, verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
KNOWN = sorted(FINDINGS.glob("*.bin"))


@pytest.fixture(scope="module")
def victim() -> Iterator[Victim]:
    """Start a process that scans, for all files."""
    with Victim() as one:
        yield one


def test_spoilt_files_give_a_result_or_one_sentence(request: pytest.FixtureRequest) -> None:
    """Files of every format with wrong parts, numbers and ends: no crash, no traceback, no other program's words.

    The cases are the same ones each time; HAGGLE_FUZZ_SECONDS and `--all` try more of them.
    """
    seconds = float(os.environ.get("HAGGLE_FUZZ_SECONDS") or (120 if request.config.getoption("all") else 10))
    command = [sys.executable, "-m", "devtools.fuzz", "--seconds", str(seconds)]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    *findings, tried, end = said.splitlines()
    assert findings == []
    assert end == "0 findings"
    assert int(tried.split()[0].replace(",", "")) > 2 * seconds
    # What is tried is neither hopeless nor harmless.
    assert set(re.findall(r"[a-z-]+", tried)) >= {"read", "not-a-picture", "truncated"}


@pytest.mark.parametrize("place", range(len(seeds())))
def test_good_files_are_read_or_refused_for_their_format(victim: Victim, place: int) -> None:
    """What the fuzzer starts from is good: read as what it shows, but for formats that are not taken."""
    kind, data = seeds()[place]
    outcome, wrong = victim.scan(data)
    assert not wrong
    assert outcome == ("not-a-picture" if kind == "bytes" or b"ftypavif" in data[:32] else "read")


@pytest.mark.parametrize("path", KNOWN, ids=lambda path: path.stem)
def test_what_went_wrong_once_stays_right(victim: Victim, path: Path) -> None:
    """Each file that a long run of the fuzzer found is taken well now."""
    assert victim.scan(path.read_bytes())[1] == ""


def test_a_number_gives_the_same_file_again() -> None:
    """A case can be shown again by its number."""
    assert case(31) == case(31) != case(32)


def test_png_files_are_put_together_with_good_sums() -> None:
    """What is taken apart and joined without a change is the same file."""
    for kind, data in seeds():
        if kind == "png":
            assert png_joined(png_parts(data)) == data


def test_what_is_wrong_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception that is not ours, and a card that the file does not show, are findings."""
    good = next(data for kind, data in seeds() if kind == "png")
    assert verdict(good) == ("read", "")
    monkeypatch.setattr("devtools.fuzz.texts", lambda: frozenset(sorted(texts())[:1]))
    assert verdict(good)[1].startswith("misread")

    def fail(*_: object, **__: object) -> None:
        raise TypeError("odd")

    monkeypatch.setattr("devtools.fuzz.scan_photo", fail)
    assert verdict(good) == ("raised", "TypeError: odd")


def test_only_what_is_slow_twice_is_a_finding(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A busy machine may make a file slow once; what goes wrong is told at once and kept, and may be shown again."""
    said = {case(3): ["took 5.0 s", ""], case(4): ["took 5.0 s", "took 5.1 s"], case(5): ["misread"]}

    def scan(_: Victim, data: bytes) -> tuple[str, str]:
        answers = said.get(data, [])
        return "read", answers.pop(0) if answers else ""

    monkeypatch.setattr(Victim, "scan", scan)
    told: list[str] = []
    outcomes, findings = fuzz(3, 0.5, tmp_path, told.append)
    assert outcomes.total() > 3
    assert findings == told == ["case 4 (read): took 5.1 s", "case 5 (read): misread"]
    assert {path.read_bytes() for path in tmp_path.iterdir()} == {case(4), case(5)}
