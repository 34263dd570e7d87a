"""Compares what a reader found in a picture with what is known to be in it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from scanner.quads import centre, contains

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scanner.result import Quad, ScanResult
    from server.bench.pictures import Picture, TrueCode

    Reads = Sequence[tuple[str, Quad]]

IN_SIGHT = 1 / 3
"""Share of a card that must be in sight before it is to be named as a doubt."""

_ENOUGH = 8
# ASCII characters of a text that tell it from others.


@dataclass(frozen=True)
class Tally:
    """What was there and what was read.

    `codes` lie whole in the picture, `cards` have a whole code of enough pixels a module. `false` counts texts that
    nothing in the picture says. `unread` cards are a third in sight or more and were not read; `named` are those of
    them that have a doubt, and `false_doubts` lie on no such card; these three only count for our own scan of cards.
    """

    codes: int = 0
    codes_read: int = 0
    cards: int = 0
    cards_read: int = 0
    false: int = 0
    unread: int = 0
    named: int = 0
    false_doubts: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(**{one.name: getattr(self, one.name) + getattr(other, one.name) for one in fields(self)})


@dataclass(frozen=True)
class Judgement:
    """A tally, whether each code of known size was read (by its pixels a module), and the cards that were missed."""

    tally: Tally
    modules: tuple[tuple[float, bool], ...]
    missed: tuple[str, ...]


def plain(text: str) -> str:
    """Return a text as it is compared: without control characters, and with one space for any white ones.

    Readers guess differently in which character set a text is; where enough of it is ASCII only that counts.
    """
    ascii_only = "".join(sign for sign in text if sign.isascii() and (sign.isprintable() or sign.isspace()))
    known = ascii_only if len(ascii_only) >= _ENOUGH else text
    return " ".join("".join(sign for sign in known if sign.isprintable() or sign.isspace()).split())


def settled(picture: Picture, reads: Iterable[Reads]) -> Picture:
    """Return a picture with one code for each line of its text, if any reader read a line as a text of its own."""
    said = {plain(text) for read in reads for text, _ in read}
    if not said & {plain(line) for line in picture.lines}:
        return picture
    return picture.by_lines()


def judge(picture: Picture, reads: Reads, least: float, result: ScanResult | None = None) -> Judgement:
    """Judge what was read of a picture. Cards count from `least` pixels a module on."""
    found = [(plain(text), quad) for text, quad in reads]
    said = {text for text, _ in found}
    times = Counter(text for text, _ in found)
    got = []
    for code in picture.codes:
        got.append(_is_read(code, found, times))
        # Of two codes of one text whose places are not known, one read is one of them.
        times[plain(code.text)] -= 1
    wanted = [card for card in picture.cards if card.module is not None and card.module >= least]
    missed = tuple(card.name for card in wanted if plain(card.text) not in said)
    unread, named, false_doubts = (0, 0, 0) if result is None or not picture.cards else _doubts(picture, said, result)
    tally = Tally(
        codes=len(picture.codes),
        codes_read=sum(got),
        cards=len(wanted),
        cards_read=len(wanted) - len(missed),
        false=len(said - {plain(text) for text in picture.texts}),
        unread=unread,
        named=named,
        false_doubts=false_doubts,
    )
    sizes = tuple((code.module, read) for code, read in zip(picture.codes, got, strict=True) if code.module)
    return Judgement(tally, sizes, missed)


def _is_read(code: TrueCode, found: Reads, times: Counter[str]) -> bool:
    text = plain(code.text)
    if code.quad is None:
        return times[text] > 0
    return any(text == said and contains(code.quad, centre(quad)) for said, quad in found)


def _doubts(picture: Picture, said: set[str], result: ScanResult) -> tuple[int, int, int]:
    """Count unread cards, those that are named, and false doubts. A doubt names one card: where its middle lies."""
    missing = [card for card in picture.cards if plain(card.text) not in said]
    named: set[str] = set()
    false = 0
    for doubt in result.doubts:
        under = [card.name for card in missing if contains(card.outline, centre(np.array(doubt.quad)))]
        false += not under
        named.update([name for name in under if name not in named][:1])
    in_sight = {card.name for card in missing if card.visible >= IN_SIGHT}
    return len(in_sight), len(in_sight & named), false
