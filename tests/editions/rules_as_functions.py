"""The editions with functions that were written by hand instead of formulas."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from server.editions.formulas.meaning import MeaningPart
from server.editions.loader import build_edition
from server.editions.schema import EditionFile
from tests.editions import eurocg_functions, sackson_functions, tarot_functions

if TYPE_CHECKING:
    from server.scoring import Edition, Rulebook

BOOKS = {
    "eurocg-2026": eurocg_functions.book,
    "sackson-1969": sackson_functions.book,
    "tarot-fr": tarot_functions.book,
}
EDITIONS = Path(__file__).parents[2] / "server" / "editions"


def with_functions(slug: str, book: Rulebook) -> Edition:
    """Return an edition whose rules are functions instead of formulas."""
    text = (EDITIONS / slug.replace("-", "_") / "edition.toml").read_text(encoding="utf-8")
    document = tomllib.loads(text, parse_float=Fraction)
    for part in [*document["rules"], *document.get("families", [])]:
        for field in MeaningPart.model_fields:
            part.pop(field, None)
    for tie in document["ties"]:
        tie.pop("by", None)

    def refuse(place: str, sentence: str, *_: object) -> None:
        raise AssertionError(f"{place}: {sentence}")

    return build_edition(EditionFile.model_validate(document), book, document.get("language", "en"), refuse)
