"""Where things lie on a sheet, for any setup: cards, backs, marks and words keep clear of each other."""

from __future__ import annotations

import pickle
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from cardgen import marks
from cardgen.cards import POKER, SIZES, CardId, Geometry
from cardgen.layout import Grid, PrintedCard, checked, grid, places
from cardgen.paper import MARGIN, PAPERS, Paper, PaperError
from cardgen.setup import PLAIN, Setup
from cardgen.wordings import WORDINGS, Wordings

TITLE = "Le Haggle de Sackson, partie WWWW"
CLOSE = 1e-6
Box = tuple[float, float, float, float]


def lengths(most: float) -> st.SearchStrategy[float]:
    """Give lengths in tenths of a millimetre, as people choose them."""
    return st.integers(0, round(most * 10)).map(lambda tenths: tenths / 10)


setups = st.builds(
    Setup,
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


def laid(setup: Setup, card: Geometry) -> Grid:
    """Return the layout; not for setups that do not fit."""
    try:
        return grid(setup, card)
    except PaperError:
        assume(False)
        raise


def all_places(layout: Grid) -> list[tuple[int, int]]:
    """Return every row and column."""
    return [(row, column) for row in range(1, layout.rows + 1) for column in range(1, layout.columns + 1)]


def at(layout: Grid, corner: tuple[float, float], bleed: float = 0.0) -> Box:
    """Return the box of a card with its bleed."""
    x, y = corner
    return x - bleed, y - bleed, x + layout.card.width + bleed, y + layout.card.height + bleed


def apart(a: Box, b: Box) -> bool:
    """Tell whether two boxes have no point inside both."""
    return a[2] <= b[0] + CLOSE or b[2] <= a[0] + CLOSE or a[3] <= b[1] + CLOSE or b[3] <= a[1] + CLOSE


def full_sheet(setup: Setup, layout: Grid) -> list[PrintedCard]:
    """Return cards for every place, each of another envelope with as long a number as there is."""
    return [
        PrintedCard(CardId("red", n + 1), "", "", 600 - n, *place)
        for n, place in enumerate(places(replace(setup, skip=0, order="envelope"), layout, layout.size))
    ]


@given(setup=setups, card=cards)
def test_cards_lie_inside_what_printers_reach_and_apart(setup: Setup, card: Geometry) -> None:
    """With their bleed, fronts and folded backs keep the margin and touch no other card; pages of backs too."""
    layout = laid(setup, card)
    fronts = [at(layout, layout.front(*place), setup.bleed) for place in all_places(layout)]
    backs = [at(layout, layout.back(*place), setup.bleed) for place in all_places(layout)] if layout.axis else []
    for page in (fronts + backs,) if layout.folded else (fronts, backs):
        for x0, y0, x1, y1 in page:
            assert x0 >= MARGIN - CLOSE
            assert y0 >= MARGIN - CLOSE
            assert x1 <= layout.paper.width - MARGIN + CLOSE
            assert y1 <= layout.paper.height - MARGIN + CLOSE
        assert all(apart(a, b) for a, b in combinations(page, 2))


@given(setup=setups, card=cards, words=words)
@settings(deadline=None)
@example(setup=Setup(marks="lines"), card=POKER, words=WORDINGS["fr"])
@example(setup=Setup(PAPERS["letter"], marks="crop"), card=POKER, words=WORDINGS["de"])
@example(setup=Setup(marks="lines", backs="fold"), card=SIZES["mini"], words=WORDINGS["fr"])
def test_words_keep_clear_of_cards_and_marks(setup: Setup, card: Geometry, words: Wordings) -> None:
    """At any setup, no word or ruler lies on a card, on a mark, on other words, or where printers do not reach."""
    layout = laid(setup, card)
    page = full_sheet(setup, layout)
    said = words.sheet.format(number=888, pages=888)
    foot = [TITLE, said, marks.span([1, 600], words)]
    margins = marks.fronts(layout, setup.marks, page, foot, words)
    boxes = margins.boxes()
    taken = [at(layout, layout.front(*place), setup.bleed) for place in all_places(layout)]
    if layout.folded:
        taken += [at(layout, layout.back(*place), setup.bleed) for place in all_places(layout)]
    assert all(apart(a, b) for a, b in combinations(boxes, 2))
    assert all(apart(box, other) for box in boxes for other in taken)
    assert all(apart(box, line) for box in boxes for line in (*margins.cuts, *margins.crosses, *margins.folds))
    for x0, y0, x1, y1 in boxes:
        assert x0 >= 4
        assert y0 >= 4
        assert x1 <= layout.paper.width - 4
        assert y1 <= layout.paper.height - 4
    assert margins.notes[-1].text.endswith(f"{said}  ·  {foot[-1]}")
    if layout.sides == 2:
        behind = [at(layout, layout.back(*place), setup.bleed) for place in all_places(layout)]
        (note,) = marks.backs(layout, (TITLE, words.backs_of.format(sheet=said))).notes
        assert all(apart(note.box, other) for other in behind)


@pytest.mark.parametrize("words", WORDINGS.values(), ids=WORDINGS)
@pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)
@pytest.mark.parametrize("bleed", [0.0, 3.0])
def test_a_folded_sheet_names_its_game_before_it_says_how_to_fold(words: Wordings, paper: Paper, bleed: float) -> None:
    """The title and the game stand whole in every foot; where the way to fold has no room, it is told in short."""
    for card in SIZES.values():
        layout = grid(Setup(paper, backs="fold", bleed=bleed), card)
        for title in ("EuroCG 2026", "Le Haggle de Sackson"):
            whole = words.game_of.format(title=title, game="BWE5")
            foot = [whole, words.sheet.format(number=12, pages=88), marks.span([88, 138], words)]
            text = marks.fronts(layout, "crop", full_sheet(Setup(), layout), foot, words).notes[-1].text
            hints = [hint for hint in (words.fold, words.fold_short) if hint in text]
            assert text == "  ·  ".join([foot[0], *hints[:1], *foot[1:]])
            assert hints or title != "EuroCG 2026"


@given(setup=setups, card=cards)
def test_marks_lie_on_cuts_and_not_on_cards(setup: Setup, card: Geometry) -> None:
    """No tick or line enters a card; crosses reach 1.1 mm onto cards that lie edge to edge, which is no code."""
    layout = laid(setup, card)
    margins = marks.fronts(layout, setup.marks, full_sheet(setup, layout), [TITLE, ""], WORDINGS["en"])
    fronts = [at(layout, layout.front(*place)) for place in all_places(layout)]
    xs, ys = layout.cuts()
    assert all(apart(line, card) for line in margins.cuts for card in fronts)
    for x0, y0, x1, y1 in margins.cuts:
        assert x0 == x1 in xs or y0 == y1 in ys
    for x0, y0, x1, y1 in margins.crosses:
        inner = [(a + 1.1, b + 1.1, c - 1.1, d - 1.1) for a, b, c, d in fronts]
        assert all(apart((x0, y0, x1, y1), box) for box in (inner if not layout.gap else fronts))
    edges = {(round(x, 6), round(y, 6)) for box in fronts for x, y in ((box[0], box[1]), (box[2], box[3]))}
    folds = layout.axis if layout.folded else None
    for x, y in edges:
        assert x in xs or (folds is not None and abs(x - folds) < 1e-3)
        assert y in ys or (folds is not None and abs(y - folds) < 1e-3)


@given(setup=setups, card=cards)
def test_a_back_lies_behind_its_card(setup: Setup, card: Geometry) -> None:
    """Mirrored in the line about which the printer turns the paper, or about which it is folded."""
    layout = laid(replace(setup, backs=setup.backs if setup.backs != "none" else "long"), card)
    paper = layout.paper
    assert layout.axis is not None
    if not layout.folded:
        upright = layout.turn == "across"
        assert layout.axis == (paper.width if upright else paper.height) / 2
        # The paper's long edge is upright when the page is, and level when the page lies on its side.
        assert upright == ((setup.backs == "short") == (paper.width > paper.height))
    for place in all_places(layout):
        (x, y), (back_x, back_y) = layout.front(*place), layout.back(*place)
        if layout.turn == "across":
            assert (x + back_x + card.width, back_y) == pytest.approx((2 * layout.axis, y))
        else:
            assert (back_x, y + back_y + card.height) == pytest.approx((x, 2 * layout.axis))


@given(setup=setups, card=cards, count=st.integers(1, 60))
def test_every_card_has_a_place_of_its_own(setup: Setup, card: Geometry, count: int) -> None:
    """Sheets are filled, but for used places at the beginning and free ones at the end; only fronts have cards."""
    layout = laid(setup, card)
    taken = places(setup, layout, count)
    assert len(set(taken)) == count
    numbers = {
        ((page - 1) // layout.sides) * layout.size + (row - 1) * layout.columns + column - 1
        for page, row, column in taken
    }
    assert numbers == set(range(setup.skip, setup.skip + count))
    assert {(page - 1) % layout.sides for page, _, _ in taken} == {0}


@given(card=cards, count=st.integers(1, 100), skip=st.integers(0, 3))
def test_stacks_that_are_cut_and_laid_upon_each_other_are_in_order(card: Geometry, count: int, skip: int) -> None:
    """Who cuts the whole pile at once takes the stacks from left to right and from above: the cards are sorted."""
    setup = Setup(order="stack", skip=skip)
    layout = grid(setup, card)
    taken = places(setup, layout, count)
    stacked = sorted(range(count), key=lambda n: (taken[n][1], taken[n][2], taken[n][0]))
    assert stacked == list(range(count))


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
def test_as_many_cards_as_fit(name: str, paper: str, backs: str, size: int, sheet: str) -> None:
    """On the paper turned where more fit so."""
    layout = grid(replace(PLAIN, paper=PAPERS[paper], backs=backs), SIZES[name])  # type: ignore[arg-type]  # a parameter
    assert (layout.size, layout.paper.width > layout.paper.height) == (size, sheet == "landscape")


def test_the_documentation_says_how_many_cards_a_sheet_holds() -> None:
    """For every size and paper, plain, with bleed, and folded."""
    lines = (Path(__file__).parents[2] / "docs" / "printing.md").read_text(encoding="utf-8").splitlines()
    rows = {
        cells[0].split(",")[0]: cells[1:]
        for cells in (line.strip("| ").split(" | ") for line in lines if " mm | " in line)
    }
    for name, card in SIZES.items():
        sheets = [
            replace(PLAIN, paper=paper, **chosen)
            for paper in PAPERS.values()
            for chosen in ({}, {"bleed": 3.0}, {"backs": "fold"})
        ]
        assert [int(cell) for cell in rows[name]] == [grid(setup, card).size for setup in sheets]


@pytest.mark.parametrize(
    ("setup", "said"),
    [
        (Setup(gutter=-0.1), "a gutter of -0.1 mm: choose 0 to 20"),
        (Setup(gutter=20.1), "choose 0 to 20"),
        (Setup(gutter=float("nan")), "a gutter of nan mm: choose 0 to 20"),
        (Setup(bleed=5.1), "a bleed of 5.1 mm: choose 0 to 5"),
        (Setup(shift=(10.1, 0)), "a shift of 10.1, 0 mm: choose at most 10 each way"),
        (Setup(back_shift=(0, float("inf"))), "a shift of the backs of 0, inf mm"),
        (Setup(scale=(1, 0.89)), "a scale of 100, 89 %: choose 90 to 110"),
        (Setup(skip=9), "9 used places: a sheet has 9, so choose 0 to 8"),
        (Setup(skip=-1), "-1 used places"),
        (Setup(PAPERS["letter"], scale=(1.1, 1.1)), "shift and scale move cards off the paper: choose a smaller"),
        (Setup(PAPERS["letter"], shift=(0, -10)), "shift and scale move cards off the paper"),
        (Setup(PAPERS["letter"], backs="long", back_shift=(0, 10)), "shift and scale move backs off the paper"),
    ],
)
def test_what_cannot_be_printed_is_refused_with_what_to_choose(setup: Setup, said: str) -> None:
    """One line each."""
    with pytest.raises(PaperError, match=said) as error:
        checked(setup, POKER)
    assert "\n" not in str(error.value)


def test_a_card_that_fits_no_paper_is_refused_with_what_to_choose() -> None:
    """Where gutter and bleed take the room, they are named too."""
    large = Geometry(width=150.0, height=150.0)
    assert checked(PLAIN, large) is PLAIN
    with pytest.raises(PaperError, match=r"and their backs beside them do not fit a4 paper: choose smaller cards$"):
        checked(Setup(backs="fold"), large)
    wide = Geometry(width=190.0, height=277.0)
    with pytest.raises(PaperError, match=r"with 10 mm between cards do not fit a4 paper: .* or less gutter and bleed$"):
        checked(Setup(bleed=5), wide)


def test_setups_go_through_a_pipe() -> None:
    """Pages are drawn in a process of their own."""
    setup = Setup(PAPERS["letter"], "stack", "lines", 2, 1, "short", (1, 2), (3, 4), (1.01, 0.99), 2)
    assert pickle.loads(pickle.dumps(setup)) == setup  # noqa: S301 - our own bytes
