"""A rule that never ends, or ends the program, is only a finding; so is one that scores differently in each run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from server.editions.guard import guarded
from tests.editions.harbour import written

if TYPE_CHECKING:
    from pathlib import Path

PAIRS = "    pairs = min"
SECONDS = 1.5
REST = "a rule only reads the hand and writes to it"


def told(folder: Path) -> list[str]:
    """Return each finding with the text of its line."""
    return [
        f"{one.file.read_text(encoding='utf-8').splitlines()[one.line - 1].strip()}: {one.sentence}"
        for one in guarded(folder, SECONDS)
    ]


def test_an_edition_without_mistakes_has_none(tmp_path: Path) -> None:
    """What other processes find is what is there."""
    assert told(written(tmp_path)) == []


def test_mistakes_come_from_the_other_process(tmp_path: Path) -> None:
    """With file, line and sentence, and hints as hints."""
    folder = written(tmp_path, ("each = 6", "each = '6'"), ("> n.limit", "> n.limt"))
    assert [(one.file, one.line, one.hint) for one in guarded(folder)] == [
        (folder / "edition.toml", 12, False),
        (folder / "rules.py", 14, False),
    ]
    (hint,) = guarded(written(tmp_path / "hint", ("touches=[2]", "touches=[2, 5]")))
    assert hint.hint


def test_rules_that_do_not_end_are_all_told(tmp_path: Path) -> None:
    """In Python and inside one call, which no signal reaches; other mistakes are told too."""
    folder = written(
        tmp_path,
        (PAIRS, f"    while me.has('fish') > 2: pass\n{PAIRS}"),
        ('    if me.has("salt") >= n.need', '    sum(range(10 ** 12))\n    if me.has("salt") >= n.need'),
        ("#C2242B", "red"),
    )
    rest = "does not end within 1.5 seconds; look for a loop that has no end"
    assert [line.partition(": ")[2].removeprefix("pass: ") for line in told(folder)] == [
        'cards.salt.ink: must be a colour such as "#C2242B" (# and six of 0 to 9, A to F), not "red"',
        f"rule 1 {rest}",
        f"rule 3 {rest}",
    ]


def test_a_file_that_does_not_end_is_told(tmp_path: Path) -> None:
    """With the line in which it hangs; the TOML is still checked."""
    folder = written(tmp_path, ("book = Rulebook()", "while True: pass"), ("#C2242B", "red"))
    lines = told(folder)
    assert lines[-1] == "while True: pass: this file does not end within 1.5 seconds; look for a loop that has no end"
    assert "cards.salt.ink" in lines[0]
    assert len(lines) == 2


def test_a_rule_that_ends_the_program_is_told(tmp_path: Path) -> None:
    """However it reaches what ends it."""
    folder = written(tmp_path, (PAIRS, f"    len.__self__.__import__('os')._exit(7)\n{PAIRS}"))
    (line,) = told(folder)
    assert line == f"@book.rule(1, Phase.OWN): rule 1 ends the program (exit code 7); {REST}"


ORDER = (
    "    me.points(sum(place * len(word) for place, word in enumerate({'a', 'bb', 'ccc', 'dddd', 'eeeee'})), pairs=1)"
)
KEPT = """    book.seen = getattr(book, 'seen', None) or sorted(me.hand.cards.items())
    me.points(sum(number for _, number in book.seen), pairs=1)"""


@pytest.mark.parametrize("mistake", [ORDER, KEPT])
def test_what_differs_from_run_to_run_is_told(tmp_path: Path, mistake: str) -> None:
    """The order of a set, and what is kept from the first game on, are the same while one process runs."""
    (line,) = told(written(tmp_path, (PAIRS, f"{mistake}\n{PAIRS}")))
    assert line.startswith("@book.rule(1, Phase.OWN): rule 1 does not score the same hands alike in each run; it must")
