"""The packing list, read back from its PDF."""

from __future__ import annotations

from dataclasses import replace

import pypdfium2
import pytest

from cardgen.cards import CardId
from cardgen.print_run import PACKING
from tests.cardgen.small_run import RUN, written


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_lines_of_a_packing_list_do_not_end_within_a_card(language: str) -> None:
    """The columns are as narrow as their text, with spare envelopes or without."""
    hands = {1: [CardId("coin", 1), *(CardId("ace", copy) for copy in range(1, 3))], 140: [CardId("rule-1", 1)]}
    long = {f"kind-{n}": replace(RUN.faces["coin"], kind=f"kind-{n}", name=f"Card of kind {n}") for n in range(9)}
    hands[140] += [CardId(kind, 1) for kind in long]
    run = replace(RUN, hands=hands, faces={**RUN.faces, **long}, language=language)
    for spare in (frozenset[int](), frozenset({140})):
        with pypdfium2.PdfDocument(written(replace(run, spare=spare), PACKING)) as document:
            lines = document[0].get_textpage().get_text_range().replace("\xa0", " ").splitlines()
        assert sum("Blue token, 2 \N{MULTIPLICATION SIGN} Ace of spades" in line for line in lines) == 1
        for n in range(9):
            assert sum(f"Card of kind {n}" in line for line in lines) == 1
