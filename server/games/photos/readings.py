"""The result of a scan, as it is kept in a photograph's row: plain JSON with typed access.

Points are (x, y) in pixels of the upright picture, to a tenth. Cards are named as in files, such as `red-007`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict

from cardgen.cards import CardId
from cardgen.payload import is_signed_join, parse_join, without_token

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scanner.result import Corners, ScanResult


Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
Status = Literal["card", "label", "other-game", "forged", "foreign"]
STRANGE = ("other-game", "forged", "foreign")
"""What a code may be that is no card and no label of the game."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class CodeReading(_Frozen):
    """A code that was read: its text, its place, what it means for the game, and the card that it names."""

    text: str
    quad: Quad
    status: Status
    card: str | None = None


class SeenReading(_Frozen):
    """A physical card: its name, its outline, and the positions of its codes in `Reading.codes`."""

    card: str
    outline: Quad
    codes: tuple[int, ...] = ()


class DeckReading(_Frozen):
    """Cards that lie together: their positions in `Reading.seen`, and the envelope whose label lies there."""

    label: int | None = None
    cards: tuple[int, ...] = ()


class DoubtReading(_Frozen):
    """A card of which nothing was read; `reason` as in `scanner.result.Doubt`."""

    quad: Quad
    reason: str


class HintReading(_Frozen):
    """What to do so that the next picture is better: a slug for programs, a sentence in English."""

    slug: str
    text: str


class CardGroup(NamedTuple):
    """Cards that lie together in a picture: positions in `Reading.seen`, and the envelope whose label lies there."""

    label: int | None
    cards: tuple[int, ...]


class Reading(_Frozen):
    """All that a scan tells about one photograph of `width` x `height` pixels, upright. `reading_of` makes one."""

    width: int
    height: int
    codes: tuple[CodeReading, ...] = ()
    seen: tuple[SeenReading, ...] = ()
    labels: tuple[int, ...] = ()
    decks: tuple[DeckReading, ...] = ()
    doubts: tuple[DoubtReading, ...] = ()
    hints: tuple[HintReading, ...] = ()
    complete: bool = True

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """The names of the cards that were seen, each once, sorted."""
        return tuple(sorted({seen.card for seen in self.seen}))

    @cached_property
    def strange(self) -> tuple[CodeReading, ...]:
        """The codes that are no card and no label of the game."""
        return tuple(code for code in self.codes if code.status in STRANGE)

    @cached_property
    def piles(self) -> tuple[CardGroup, ...]:
        """The heaps of cards in the picture, each card in one of them."""
        piles = [CardGroup(deck.label, deck.cards) for deck in self.decks if deck.cards]
        laid = {at for pile in piles for at in pile.cards}
        if rest := tuple(at for at in range(len(self.seen)) if at not in laid):
            piles.append(CardGroup(None, rest))
        if len(piles) == 1:
            piles = [CardGroup(self.labels[0] if len(self.labels) == 1 else None, piles[0].cards)]
        return tuple(piles)

    @cached_property
    def together(self) -> str:
        """What lies together in the picture, as a text: another one if it is read differently."""
        piles = [[pile.label, sorted(self.seen[at].card for at in pile.cards)] for pile in self.piles]
        return str([piles, sorted(self.labels)])

    def as_json(self) -> dict[str, Any]:
        """Return the reading in the form of the column."""
        return self.model_dump(mode="json")


def reading_of(column: Mapping[str, Any], game: str, key: bytes) -> Reading:
    """Return what the column of a photograph's row tells, for the game with this id and key."""
    reading = Reading.model_validate(column)
    if any("#" in code.text for code in reading.codes):
        return _without_tokens(reading, game, key)
    return reading


def _without_tokens(reading: Reading, game: str, key: bytes) -> Reading:
    """Return a reading of an earlier version, which kept players' join links, whole, as foreign codes."""
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
    """Return the card that a name such as `red-007` or `rule-7-012` means; ValueError for any other text."""
    kind, _, copy = name.rpartition("-")
    if not kind or not copy.isdecimal():
        raise ValueError(f"{name!a} is no name of a card")
    return CardId(kind, int(copy))


LONGEST_TEXT = 200
"""Characters of a code's text that are kept. Ours have 20; what strangers print may be long."""

_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


@dataclass(frozen=True)
class StoredReading:
    """What is kept of a picture: its reading as JSON, the labels in it, and a JPEG where it comes as something else."""

    reading: str
    labels: tuple[int, ...] = ()
    picture: bytes | None = None


def kept_of(result: ScanResult, picture: bytes | None = None) -> StoredReading:
    """Return what is kept of a scan."""
    reading = {
        "width": result.width,
        "height": result.height,
        "codes": [
            {
                "text": _plain(code.text),
                "quad": _rounded(code.quad),
                # Every photograph is scanned for its game, so each code was checked; a foreign text says the least.
                "status": "foreign" if code.status == "unchecked" else code.status,
                "card": code.card.name if code.card else None,
            }
            for code in result.codes
        ],
        "seen": [
            {"card": seen.card.name, "outline": _rounded(seen.outline), "codes": seen.codes} for seen in result.seen
        ],
        "labels": result.labels,
        "decks": [{"label": deck.label, "cards": deck.cards} for deck in result.decks],
        "doubts": [{"quad": _rounded(doubt.quad), "reason": doubt.reason} for doubt in result.doubts],
        "hints": [{"slug": advice.slug, "text": advice.text} for advice in result.advice],
        "complete": result.complete,
    }
    return StoredReading(_encode(reading), result.labels, picture)


def _rounded(corners: Corners) -> list[Any]:
    """Return corners to a tenth of a pixel, which is finer than they are known."""
    return [(round(10 * x) / 10, round(10 * y) / 10) for x, y in corners]


def _plain(text: str) -> str:
    """Return a text of bounded length without what databases and terminals choke on."""
    text = text[:LONGEST_TEXT]
    return text if text.isprintable() else "".join(char if char.isprintable() else "\ufffd" for char in text)
