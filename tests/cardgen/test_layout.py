"""The layout of sheets, for any setup: cards, backs, marks and text do not overlap."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from cardgen.cards import POKER, SIZES, CardId, Geometry
from cardgen.pages import marks
from cardgen.pages.layout import PLAIN, Grid, PageSetup, PrintedCard, grid, places
from cardgen.pages.paper import MARGIN, PAPERS, PaperError
from cardgen.strings import WORDINGS, Wordings

TITLE = "Le Haggle de Sackson, partie WWWW"
CLOSE = 1e-6
Box = tuple[float, float, float, float]


def lengths(most: float) -> st.SearchStrategy[float]:
    """Return lengths in tenths of a millimetre."""
    return st.integers(0, round(most * 10)).map(lambda tenths: tenths / 10)


setups = st.builds(
    PageSetup,
    paper=st.sampled_from(list(PAPERS.values())),
    order=st.sampled_from(["envelope", "stack", "kind"]),
    marks=st.sampled_from(["crop", "lines", "none"]),
    gutter=lengths(20),
    bleed=lengths(5),
    backs=st.sampled_from(["none", "long", "short", "fold"]),
    skip=st.integers(0, 3),
)
cards = st.sampled_from(list(SIZES.values()))
words = st.sampled_from(list(WORDINGS.values()))


def laid(setup: PageSetup, card: Geometry) -> Grid:
    """Return the layout; reject setups that do not fit."""
    try:
        return grid(setup, card)
    except PaperError:
        assume(False)
        raise


def at(layout: Grid, corner: tuple[float, float], bleed: float = 0.0) -> Box:
    """Return the box of a card with its bleed."""
    x, y = corner
    return x - bleed, y - bleed, x + layout.card.width + bleed, y + layout.card.height + bleed


def apart(a: Box, b: Box) -> bool:
    """Return whether two boxes do not overlap."""
    return a[2] <= b[0] + CLOSE or b[2] <= a[0] + CLOSE or a[3] <= b[1] + CLOSE or b[3] <= a[1] + CLOSE


def within(box: Box, layout: Grid, margin: float) -> bool:
    """Return whether a box has a margin to all edges of the paper."""
    right, top = layout.paper.width - margin, layout.paper.height - margin
    return min(box[:2]) >= margin - CLOSE and box[2] <= right + CLOSE and box[3] <= top + CLOSE


def full_sheet(setup: PageSetup, layout: Grid) -> list[PrintedCard]:
    """Return cards for all places, each of another envelope, with the longest numbers possible."""
    return [
        PrintedCard(CardId("red", n + 1), "", "", 600 - n, *place)
        for n, place in enumerate(places(replace(setup, skip=0, order="envelope"), layout, layout.size))
    ]


def boxes_of(layout: Grid, bleed: float = 0.0) -> tuple[list[Box], list[Box]]:
    """Return the boxes of all cards of a sheet, and those of their backs, with their bleed."""
    every = list(product(range(1, layout.rows + 1), range(1, layout.columns + 1)))
    backs = [at(layout, layout.back(*place), bleed) for place in every] if layout.axis else []
    return [at(layout, layout.front(*place), bleed) for place in every], backs


@settings(max_examples=50)
@given(setup=setups, card=cards)
def test_a_back_is_behind_its_card_and_no_two_cards_overlap(setup: PageSetup, card: Geometry) -> None:
    """Backs are mirrored at the line about which the paper is turned or folded; all are within the margins."""
    layout = laid(setup, card)
    fronts, backs = boxes_of(layout, setup.bleed)
    for page in (fronts + backs,) if layout.folded else (fronts, backs):
        assert all(within(box, layout, MARGIN) for box in page)
        assert all(apart(a, b) for a, b in combinations(page, 2))
    if layout.axis is None:
        return
    paper, upright = layout.paper, layout.turn == "across"
    if not layout.folded:
        assert layout.axis == (paper.width if upright else paper.height) / 2
        # The paper's long edge is vertical in portrait format, and horizontal in landscape format.
        assert upright == ((setup.backs == "short") == (paper.width > paper.height))
    for (x0, y0, x1, y1), back in zip(fronts, backs, strict=True):
        twice = 2 * layout.axis
        mirrored = (twice - x1, y0, twice - x0, y1) if upright else (x0, twice - y1, x1, twice - y0)
        assert back == pytest.approx(mirrored)


@given(setup=setups, card=cards, words=words)
@settings(max_examples=50, deadline=None)
@example(setup=PageSetup(marks="lines"), card=POKER, words=WORDINGS["fr"])
@example(setup=PageSetup(PAPERS["letter"], marks="crop"), card=POKER, words=WORDINGS["de"])
@example(setup=PageSetup(marks="lines", backs="fold"), card=SIZES["mini"], words=WORDINGS["fr"])
def test_text_and_marks_do_not_overlap(setup: PageSetup, card: Geometry, words: Wordings) -> None:
    """Text and rulers are clear of cards, marks, other text, and the edge that printers cannot print on.

    Ticks and lines end outside cards; crosses extend 1.1 mm into adjacent cards, where there is no code.
    """
    layout = laid(setup, card)
    title = words.sheet.format(number=888, pages=888)
    foot = [TITLE, title, marks.span([1, 600], words)]
    margins = marks.fronts(layout, setup.marks, full_sheet(setup, layout), foot, words)
    boxes = margins.boxes()
    bled, behind = boxes_of(layout, setup.bleed)
    assert all(apart(a, b) for a, b in combinations(boxes, 2))
    assert all(apart(box, other) for box in boxes for other in (*bled, *(behind if layout.folded else ())))
    assert all(apart(box, line) for box in boxes for line in (*margins.cuts, *margins.crosses, *margins.folds))
    assert all(within(box, layout, 4) for box in boxes)
    assert margins.notes[-1].text.endswith(f"{title}  ·  {foot[-1]}")
    if layout.sides == 2:
        (note,) = marks.backs(layout, (TITLE, words.backs_of.format(sheet=title))).notes
        assert all(apart(note.box, other) for other in behind)

    fronts, _ = boxes_of(layout)
    xs, ys = layout.cuts()
    assert all(apart(line, box) for line in margins.cuts for box in fronts)
    assert all(x0 == x1 in xs or y0 == y1 in ys for x0, y0, x1, y1 in margins.cuts)
    reach = 0 if layout.gap else 1.1
    inner = [(x0 + reach, y0 + reach, x1 - reach, y1 - reach) for x0, y0, x1, y1 in fronts]
    assert all(apart(cross, box) for cross in margins.crosses for box in inner)
    fold = layout.axis if layout.folded and layout.axis is not None else -1.0
    for x0, y0, x1, y1 in fronts:
        assert all(min(abs(x - cut) for cut in (*xs, fold)) < 1e-3 for x in (x0, x1))
        assert all(min(abs(y - cut) for cut in (*ys, fold)) < 1e-3 for y in (y0, y1))


@pytest.mark.parametrize("words", WORDINGS.values(), ids=WORDINGS)
def test_the_footer_of_a_folded_sheet_has_title_and_instructions(words: Wordings) -> None:
    """Title and game are complete; the instructions for folding are short if there is no room."""
    for paper, bleed, card in product(PAPERS.values(), (0.0, 3.0), SIZES.values()):
        layout = grid(PageSetup(paper, backs="fold", bleed=bleed), card)
        for title in ("EuroCG 2026", "Le Haggle de Sackson"):
            whole = words.game_of.format(title=title, game="BWE5")
            foot = [whole, words.sheet.format(number=12, pages=88), marks.span([88, 138], words)]
            text = marks.fronts(layout, "crop", full_sheet(PageSetup(), layout), foot, words).notes[-1].text
            hints = [hint for hint in (words.fold, words.fold_short) if hint in text]
            assert text == "  ·  ".join([foot[0], *hints[:1], *foot[1:]])
            assert hints or title != "EuroCG 2026"


@settings(max_examples=50)
@given(setup=setups, card=cards, count=st.integers(1, 60))
def test_every_card_has_its_own_place(setup: PageSetup, card: Geometry, count: int) -> None:
    """Sheets are full except for used places at the start and free ones at the end; only fronts have cards.

    With the order "stack", the cards are sorted if the pile is cut as a whole and stacks are taken in reading order.
    """
    layout = laid(setup, card)
    taken = places(setup, layout, count)
    assert len(set(taken)) == count
    numbers = {
        ((page - 1) // layout.sides) * layout.size + (row - 1) * layout.columns + column - 1
        for page, row, column in taken
    }
    assert numbers == set(range(setup.skip, setup.skip + count))
    assert {(page - 1) % layout.sides for page, _, _ in taken} == {0}
    if setup.order == "stack":
        assert sorted(range(count), key=lambda n: (taken[n][1], taken[n][2], taken[n][0])) == list(range(count))


@pytest.mark.parametrize(
    ("name", "paper", "backs", "size", "sheet"),
    [
        ("poker", "a4", "none", 9, "portrait"),
        ("poker", "letter", "none", 9, "portrait"),
        ("bridge", "a4", "long", 9, "portrait"),
        ("mini", "a4", "none", 16, "portrait"),
        ("mini", "letter", "short", 18, "landscape"),
        ("business", "a4", "none", 10, "portrait"),
        ("business", "letter", "none", 9, "landscape"),
        ("business-us", "letter", "none", 10, "portrait"),
        ("poker", "a4", "fold", 4, "landscape"),
        ("business", "a4", "fold", 5, "portrait"),
    ],
)
def test_as_many_cards_as_possible_are_on_a_sheet(name: str, paper: str, backs: str, size: int, sheet: str) -> None:
    """The page is in landscape format if more cards fit."""
    layout = grid(replace(PLAIN, paper=PAPERS[paper], backs=backs), SIZES[name])  # type: ignore[arg-type]  # a parameter
    assert (layout.size, layout.paper.width > layout.paper.height) == (size, sheet == "landscape")


@pytest.mark.parametrize(
    ("setup", "message"),
    [
        (PageSetup(gutter=-0.1), "a gutter of -0.1 mm: choose 0 to 20"),
        (PageSetup(gutter=20.1), "choose 0 to 20"),
        (PageSetup(gutter=float("nan")), "a gutter of nan mm: choose 0 to 20"),
        (PageSetup(bleed=5.1), "a bleed of 5.1 mm: choose 0 to 5"),
        (PageSetup(shift=(10.1, 0)), "a shift of 10.1, 0 mm: choose at most 10 each way"),
        (PageSetup(back_shift=(0, float("inf"))), "a shift of the backs of 0, inf mm"),
        (PageSetup(scale=(1, 0.89)), "a scale of 100, 89 %: choose 90 to 110"),
        (PageSetup(skip=9), "9 used places: a sheet has 9, so choose 0 to 8"),
        (PageSetup(skip=-1), "-1 used places"),
        (PageSetup(PAPERS["letter"], scale=(1.1, 1.1)), "shift and scale move cards off the paper: choose a smaller"),
        (PageSetup(PAPERS["letter"], shift=(0, -10)), "shift and scale move cards off the paper"),
        (PageSetup(PAPERS["letter"], backs="long", back_shift=(0, 10)), "shift and scale move backs off the paper"),
    ],
)
def test_setups_out_of_range_are_refused_with_advice(setup: PageSetup, message: str) -> None:
    """The messages have one line."""
    with pytest.raises(PaperError, match=message) as error:
        grid(setup, POKER)
    assert "\n" not in str(error.value)


def test_a_card_that_does_not_fit_the_paper_is_refused_with_advice() -> None:
    """The message mentions gutter and bleed if they take space."""
    large = Geometry(width=150.0, height=150.0)
    assert grid(PLAIN, large).size == 1
    with pytest.raises(PaperError, match=r"and their backs beside them do not fit a4 paper: choose smaller cards$"):
        grid(PageSetup(backs="fold"), large)
    wide = Geometry(width=190.0, height=277.0)
    with pytest.raises(PaperError, match=r"with 10 mm between cards do not fit a4 paper: .* or less gutter and bleed$"):
        grid(PageSetup(bleed=5), wide)
