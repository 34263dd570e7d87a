"""The check of an edition's cards: finds those whose texts do not fit, in every language, with file and line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardgen.cards import POKER, SIZES
from cardgen.faces.draw import check_faces
from cardgen.fonts import TextError
from server.editions.loader import read_edition
from server.editions.source import SourcePlaces, read_source
from server.printing.card_faces import FaceError, edition_faces
from server.scoring.rules import RULE_CATEGORY

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cardgen.faces.face import Face
    from server.editions.source_lines import EditionFinding
    from server.scoring.edition import Edition


def card_findings(folder: Path) -> list[EditionFinding]:
    """Return the cards of an edition that cannot be printed; a hint if they only need another size than poker cards."""
    folder = folder.absolute()
    places = SourcePlaces(read_source(folder))
    own = read_edition(folder, None)
    found = []
    for language in own.languages:
        edition = read_edition(folder, language)
        try:
            faces = edition_faces(edition)
        except FaceError as error:
            return [places.finding("cards", str(error))]
        for kind, sentence, hint in _unprintable(faces):
            finding = places.finding(f"{_place(edition, kind)}.{language}", sentence)
            found.append(finding._replace(hint=hint))
    return found


def _unprintable(faces: dict[str, Face]) -> Iterator[tuple[str, str, bool]]:
    for kind, face in faces.items():
        try:
            check_faces([face], POKER)
        except TextError as error:
            yield kind, str(error), _fits(face)


def _fits(face: Face) -> bool:
    """Return whether a face fits cards of any size."""
    for size in SIZES.values():
        try:
            check_faces([face], size)
        except TextError:
            continue
        return True
    return False


def _place(edition: Edition, kind: str) -> str:
    """Return the place of the text of a card, or of its name if it has none."""
    card = edition.kind_of[kind]
    field = "text" if card.text else "name"
    return (
        f"rules.{kind.removeprefix(f'{RULE_CATEGORY}-')}.{field}"
        if card.category == RULE_CATEGORY
        else f"cards.{kind}.{field}"
    )
