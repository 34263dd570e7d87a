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

IN_SIGHT = 1 / 4
"""Share of a card that must be in sight before it is to be named as a doubt, unless one of its codes is whole."""

_ENOUGH = 8
# ASCII characters of a text that tell it from others.


@dataclass(frozen=True)
class Tally:
    """What was there and what was read.

    `codes` lie whole in the picture, `cards` have a whole code of enough pixels a module. `false` counts texts that
    nothing in the picture says. `unread` cards are a quarter in sight or more, or show a whole code, and were not read;
    `named` are those of them that have a doubt of their own. `false_doubts` are left over: they lie on no card that was
    not read, or on one that another doubt names. These three only count for our own scan of cards.
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
    """Count unread cards, those that are named, and false doubts.

    Each doubt names one card on which its middle lies, and each card has one doubt: as many of those in sight as can
    be, then as many of the others.
    """
    missing = [card for card in picture.cards if plain(card.text) not in said]
    in_sight = [card for card in missing if card.visible >= IN_SIGHT or card.module is not None]
    hidden = [card for card in missing if card not in in_sight]
    middles = [centre(np.array(doubt.quad)) for doubt in result.doubts]
    on = [[at for at, middle in enumerate(middles) if contains(card.outline, middle)] for card in (*in_sight, *hidden)]
    named_by: dict[int, int] = {}
    named = sum(_has_doubt(card, on, named_by, set()) for card in range(len(in_sight)))
    for card in range(len(in_sight), len(missing)):
        _has_doubt(card, on, named_by, set())
    return len(in_sight), named, len(middles) - len(named_by)


def _has_doubt(card: int, on: Sequence[Sequence[int]], named_by: dict[int, int], tried: set[int]) -> bool:
    """Give a card one of the doubts that lie on it, if need be by giving others theirs anew; tell whether it has one.

    `on` says for each card which doubts lie on it, `named_by` for each doubt that is taken which card it names.
    """
    for doubt in on[card]:
        if doubt not in tried:
            tried.add(doubt)
            if doubt not in named_by or _has_doubt(named_by[doubt], on, named_by, tried):
                named_by[doubt] = card
                return True
    return False
