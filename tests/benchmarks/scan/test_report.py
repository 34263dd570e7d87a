"""The aims of the scanner: which rows count for which, and below, at and above each."""

from __future__ import annotations

import pytest

from benchmarks.scan.measure import Row, Tally
from benchmarks.scan.pictures import PictureSet
from benchmarks.scan.report import Target, targets
from tests.scanner.shots import GAME


def row(profile: str, tally: Tally, *, reader: str = "haggle", deck: int = 20, total: float = 2.0) -> Row:
    """Return what a reader did in a profile, on one photograph."""
    of = PictureSet(f"{profile} {deck}", "profile", profile, lambda: iter(()), 1, game=GAME, deck=deck)
    return Row(of, reader, tally, [0.1], [total - 1], [total], memory=4.0)


def aim(name: str, *rows: Row) -> Target:
    """Return the one aim whose name begins like this."""
    (found,) = (one for one in targets(rows) if one.name.startswith(name))
    return found


@pytest.mark.parametrize(("read", "met"), [(994, False), (995, True), (1000, True)])
def test_ordinary_photographs_are_summed_up(read: int, met: bool) -> None:  # noqa: FBT001 - a table of cases
    """The share is of all cards of all ordinary profiles together."""
    rows = [row("dim", Tally(cards=500, cards_read=500)), row("shadow", Tally(cards=500, cards_read=read - 500))]
    assert aim("cards read, ordinary", *rows).met is met
    assert aim("cards read, ordinary", *rows).over == "1000 cards"


def test_only_our_own_rows_in_the_right_profiles_count() -> None:
    """Other readers, profiles beyond what is asked and those of other groups say nothing about the hard ones."""
    rows = [
        row("motion1", Tally(cards=100, cards_read=97)),
        row("motion1", Tally(cards=100), reader="zxing-cpp"),
        row("blur_radius1", Tally(cards=100)),
        row("sharp15", Tally(cards=100)),
        row("nominal", Tally(cards=100)),
    ]
    assert aim("cards read, hard", *rows) == Target("cards read, hard", "100 cards", 0.97, 0.97, percent=True)
    assert not aim("cards read, sharp", *rows).met


@pytest.mark.parametrize(
    ("deck", "total", "met"), [(20, 2.5, True), (20, 2.6, False), (40, 3.0, True), (40, 3.1, False)]
)
def test_nominal_photographs_have_a_time(deck: int, total: float, met: bool) -> None:  # noqa: FBT001 - a table of cases
    """2.5 times the decoding for 20 cards, 3 times for 40."""
    assert aim(f"x decode, {deck}", row("nominal", Tally(), deck=deck, total=total)).met is met


@pytest.mark.parametrize(("named", "false", "met"), [(9, 0, (True, True)), (8, 1, (False, False))])
def test_doubts_are_counted_over_all_made_up_photographs(named: int, false: int, met: tuple[bool, bool]) -> None:
    """Nine of ten unread cards, and one false doubt in ten photographs."""
    rows = [row("glare", Tally(unread=10, named=named, false_doubts=false))]
    assert (aim("unread cards named", *rows).met, aim("false doubts", *rows).met) == met


def test_nothing_is_said_of_what_was_not_measured() -> None:
    """Rows of other readers alone, or none, give no aim at all."""
    assert targets([]) == targets([row("nominal", Tally(), reader="pyzbar")]) == []
