"""The result of a scan as it is stored in a photograph's row: JSON with typed access.

Points are (x, y) in pixels of the upright photograph, to a tenth. Cards have names such as `red-007`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from cardgen.cards import CardId
from cardgen.payload import is_signed_join, parse_join, without_token

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scanner.result import Corners, ScanResult


Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
ForeignStatus = Literal["other-game", "forged", "foreign"]
Status = Literal["card", "label"] | ForeignStatus
FOREIGN_STATUSES: tuple[ForeignStatus, ...] = get_args(ForeignStatus)
"""The status of codes that are neither cards nor labels of the game."""
MAX_TEXT = 200
"""Characters of a code's text that are stored. Those of cards have 20."""

_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class CodeReading(_Frozen):
    """A code: its text, its corners, its status in the game, and the name of its card."""

    text: str
    quad: Quad
    status: Status
    card: str | None = None


class SeenReading(_Frozen):
    """A physical card: its name, its outline, and the indexes of its codes in `Reading.codes`."""

    card: str
    outline: Quad
    codes: tuple[int, ...] = ()


class PileReading(_Frozen):
    """Cards that lie together: their indexes in `Reading.seen`, and the envelope of the label beside them."""

    label: int | None = None
    cards: tuple[int, ...] = ()


class DoubtReading(_Frozen):
    """A card that could not be read; `reason` as in `scanner.result.Doubt`."""

    quad: Quad
    reason: str


class HintReading(_Frozen):
    """Advice for a better photograph: a slug for programs, a sentence in English."""

    slug: str
    text: str


class Reading(_Frozen):
    """The result of scanning a photograph of `width` x `height` pixels, upright. `reading_of` creates one."""

    width: int
    height: int
    codes: tuple[CodeReading, ...] = ()
    seen: tuple[SeenReading, ...] = ()
    labels: tuple[int, ...] = ()
    scanned_piles: tuple[PileReading, ...] = Field(default=(), alias="decks")
    doubts: tuple[DoubtReading, ...] = ()
    hints: tuple[HintReading, ...] = ()
    complete: bool = True

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """The names of the cards, each once, sorted."""
        return tuple(sorted({seen.card for seen in self.seen}))

    @cached_property
    def foreign_codes(self) -> tuple[CodeReading, ...]:
        """The codes that are neither cards nor labels of the game."""
        return tuple(code for code in self.codes if code.status in FOREIGN_STATUSES)

    @cached_property
    def piles(self) -> tuple[PileReading, ...]:
        """The groups of cards that lie together; each card is in one of them."""
        groups = [pile for pile in self.scanned_piles if pile.cards]
        grouped = {index for group in groups for index in group.cards}
        if rest := tuple(index for index in range(len(self.seen)) if index not in grouped):
            groups.append(PileReading(cards=rest))
        if len(groups) == 1:
            groups = [PileReading(label=self.labels[0] if len(self.labels) == 1 else None, cards=groups[0].cards)]
        return tuple(groups)

    @cached_property
    def grouping(self) -> str:
        """A text that identifies the grouping of the cards, for detecting changes."""
        groups = [[group.label, sorted(self.seen[index].card for index in group.cards)] for group in self.piles]
        return str([groups, sorted(self.labels)])

    def as_json(self) -> dict[str, Any]:
        """Return the value for the column."""
        return self.model_dump(mode="json", by_alias=True)


def reading_of(column: Mapping[str, Any], game: str, key: bytes) -> Reading:
    """Return the reading in a photograph's column, for the game with this id and key."""
    reading = Reading.model_validate(column)
    if any("#" in code.text for code in reading.codes):
        return _without_tokens(reading, game, key)
    return reading


def _without_tokens(reading: Reading, game: str, key: bytes) -> Reading:
    """Return a reading of an earlier version, which stored players' join links as foreign codes."""
    codes, labels = [], set(reading.labels)
    for code in reading.codes:
        join, status = parse_join(code.text), code.status
        if join is not None:
            status = "label" if join.game == game else "other-game"
        if join is not None and join.game == game and is_signed_join(join, key):
            labels.add(join.envelope)
        codes.append(code.model_copy(update={"text": without_token(code.text), "status": status}))
    foreign = any(code.status == "foreign" for code in codes)
    return reading.model_copy(
        update={
            "codes": tuple(codes),
            "labels": tuple(sorted(labels)),
            "hints": tuple(hint for hint in reading.hints if foreign or hint.slug != "foreign"),
        }
    )


def card_named(name: str) -> CardId:
    """Return the card with a name such as `red-007` or `rule-7-012`. Raises ValueError."""
    kind, _, copy = name.rpartition("-")
    if not kind or not copy.isdecimal():
        raise ValueError(f"{name!a} is not the name of a card")
    return CardId(kind, int(copy))


@dataclass(frozen=True)
class StoredReading:
    """A reading as JSON, the labels in it, and the photograph as a JPEG if it was converted."""

    reading: str
    labels: tuple[int, ...] = ()
    image: bytes | None = None


def stored_reading(result: ScanResult, image: bytes | None = None) -> StoredReading:
    """Return the result of a scan in the form that is stored."""
    reading = {
        "width": result.width,
        "height": result.height,
        "codes": [
            {
                "text": _plain(code.text),
                "quad": _rounded(code.quad),
                # Photographs are always scanned for their game, so `unchecked` does not occur.
                "status": "foreign" if code.status == "unchecked" else code.status,
                "card": code.card.name if code.card else None,
            }
            for code in result.codes
        ],
        "seen": [
            {"card": seen.card.name, "outline": _rounded(seen.outline), "codes": seen.codes} for seen in result.seen
        ],
        "labels": result.labels,
        "decks": [{"label": pile.label, "cards": pile.cards} for pile in result.decks],
        "doubts": [{"quad": _rounded(doubt.quad), "reason": doubt.reason} for doubt in result.doubts],
        "hints": [{"slug": advice.slug, "text": advice.text} for advice in result.advice],
        "complete": result.complete,
    }
    return StoredReading(_encode(reading), result.labels, image)


def _rounded(corners: Corners) -> list[Any]:
    """Return corners to a tenth of a pixel."""
    return [(round(10 * x) / 10, round(10 * y) / 10) for x, y in corners]


def _plain(text: str) -> str:
    """Return a text of limited length without unprintable characters."""
    text = text[:MAX_TEXT]
    return text if text.isprintable() else "".join(char if char.isprintable() else "\ufffd" for char in text)
