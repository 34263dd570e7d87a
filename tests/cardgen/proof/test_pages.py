"""The proof of the print: each card of each page of each edition is read back by a library that did not make it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pypdfium2
import pytest

from cardgen.cards import SIZES
from cardgen.layout import grid
from cardgen.paper import PAPERS
from cardgen.setup import Setup
from server.editions import load_edition
from server.jobs.faces import edition_faces
from tests.cardgen.proof.runs import (
    EDITIONS,
    FULL,
    badly_printed,
    check_codes,
    check_pages,
    grey_pages,
    listed,
    pdf_of,
    run_of,
)

if TYPE_CHECKING:
    from cardgen.setup import Backs, Order

CLOSE, MIDDLING = 300, 150


@pytest.mark.parametrize("slug", EDITIONS)
def test_every_card_is_read_where_the_list_says(slug: str) -> None:
    """At 150 dpi on all pages: both codes of every card, within 0.2 mm, and no code besides."""
    run = run_of(slug)
    assert check_pages(slug, MIDDLING) == len(run.cards())
    assert {card.card.kind for card in run.cards()} == set(run.game.kinds) or FULL


@pytest.mark.parametrize(("slug", "every"), [("eurocg-2026", 2), ("sackson-1969", 2), ("tarot-fr", 6)])
def test_every_card_is_read_at_the_resolution_of_print(slug: str, every: int) -> None:
    """At 300 dpi as well: on all pages where everything is proved, else on some."""
    assert check_pages(slug, CLOSE, every=1 if FULL else every) >= 11


@pytest.mark.parametrize("slug", EDITIONS)
def test_every_card_is_read_as_a_poor_printer_prints_it(slug: str) -> None:
    """Grey, with little ink on dull paper, soft and grainy: every code of every page all the same."""
    run, cards = run_of(slug), listed(run_of(slug))
    for dpi in (MIDDLING, CLOSE) if FULL else (MIDDLING,):
        for number, pixels in grey_pages(pdf_of(slug), dpi):
            page = badly_printed(pixels, dpi, number)
            assert page.min() > 50
            check_codes(page, [one for one in cards if one.page == number], run, clean=False)


@pytest.mark.parametrize("slug", EDITIONS)
@pytest.mark.parametrize("paper", PAPERS)
def test_a_run_has_as_many_pages_as_its_cards_fill(slug: str, paper: str) -> None:
    """Nine cards a page on either paper, all pages of its size, and the places in the list are those of the grid."""
    setup = Setup(PAPERS[paper])
    run = run_of(slug, setup)
    cards = listed(run)
    with pypdfium2.PdfDocument(pdf_of(slug, setup)) as document:
        assert len(document) == math.ceil(len(cards) / 9) == run.pages()
        size = (PAPERS[paper].width / 25.4 * 72, PAPERS[paper].height / 25.4 * 72)
        assert all(page.get_size() == pytest.approx(size, abs=0.1) for page in document)
    assert [(one.page, one.row, one.column) for one in cards] == [
        (n // 9 + 1, n % 9 // 3 + 1, n % 3 + 1) for n in range(len(cards))
    ]


@pytest.mark.parametrize(
    ("paper", "order", "backs"),
    [
        ("a4", "envelope", "long"),
        ("a4", "stack", "none"),
        ("a4", "kind", "short"),
        ("letter", "envelope", "none"),
        ("letter", "stack", "long"),
        ("letter", "kind", "none"),
    ],
)
def test_in_any_order_the_list_names_the_place_on_paper(paper: str, order: Order, backs: Backs) -> None:
    """Also behind used places, and where pages of backs lie between: they bear no code."""
    setup = Setup(PAPERS[paper], order=order, backs=backs, skip=2)
    run, pdf = run_of("eurocg-2026", setup, most=20), pdf_of("eurocg-2026", setup, most=20)
    cards = listed(run)
    assert len({one.payload for one in cards}) == 20
    pages = 0
    for number, pixels in grey_pages(pdf, 100):
        check_codes(pixels, [one for one in cards if one.page == number], run)
        pages += 1
    assert pages == run.pages() == 3 * (1 if backs == "none" else 2)
    kinds = [one.payload[5:7] for one in cards]
    assert (kinds == sorted(kinds)) is (order != "stack")


@pytest.mark.parametrize("size", [name for name in SIZES if name != "poker"])
@pytest.mark.parametrize("slug", EDITIONS)
def test_cards_of_every_size_are_read(slug: str, size: str) -> None:
    """The faces keep clear of codes that lie closer together too; the last page has the last kinds."""
    setup = Setup(bleed=2.0, marks="lines")
    card = SIZES[size]
    # Rules have no room on the smallest cards.
    most = (
        60 if slug == "tarot-fr" else sum(face.look == "colour" for face in edition_faces(load_edition(slug)).values())
    )
    run = run_of(slug, setup, card, most)
    cards = listed(run)
    for number, pixels in grey_pages(pdf_of(slug, setup, card, most), MIDDLING, every=1 if FULL else 4):
        check_codes(pixels, [one for one in cards if one.page == number], run)
    assert max(one.page for one in cards) == math.ceil(len(cards) / grid(setup, card).size)
