"""Searches for misread codes: `python -m devtools.wrong_reads --tries 1000000`, in the development environment.

Symbols of our size are damaged in various ways and given to all decoders of modules. A wrong read is a card or a label
of the game that the symbol does not contain, or without a game a text in our format. A number reproduces its symbol:
`--first 4711 --tries 1`.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING

import cv2
import numpy as np
import qrcode
from rich.console import Console

from cardgen.payload import ALPHABET, LENGTH, card_text, parse
from devtools.photo_simulator.cards import practice_game
from scanner.decode import known_codes, pipeline
from scanner.decode.identify import meaning_of
from scanner.decode.known_codes import VERSION, Codebook, bit_positions, encoded, formats, masks
from scanner.decode.qr_spec import BLACK, MASKS, QUIET, UNKNOWN, decode, decode_with_erasures, known, modules_of
from scanner.image.filters import Pyramid
from scanner.scan import single_threaded
from scanner.time_budget import TimeBudget
from server.printing.contents import dealt_cards

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import numpy.typing as npt

    from cardgen.cards import PrintedGame
    from scanner.result import Grey

    Field = npt.NDArray[np.float32]
    Chance = np.random.Generator

SIZE = modules_of(VERSION) + 2 * QUIET
"""Modules along a side, quiet zone included."""

FOREIGN = ("HTTPS://EXAMPLE.ORG", "0123456789", "hello, world", "WIFI:T:WPA;;", "H0000000000000000000", "E")
"""Texts of foreign codes."""

# Half of the bytes of a symbol; with more, it resembles another one.
_DAMAGED_BYTES = 13


@dataclass(frozen=True)
class Case:
    """A damaged symbol: the brightness of each module (1 to -1, or beyond), and its correct texts."""

    name: str
    modules: Field
    right: frozenset[str]


@cache
def symbol_game() -> PrintedGame:
    """Return the game of the symbols."""
    return practice_game("eurocg-2026", 12, "wrong reads")


@cache
def card_texts() -> tuple[str, ...]:
    """Return the texts of the game's dealt cards."""
    game = symbol_game()
    return tuple(card_text(game, card) for card in dealt_cards(game))


@cache
def forged_game() -> PrintedGame:
    """Return a game with the same id and kinds but another key, like that of a forger."""
    return replace(symbol_game(), key=b"not the key")


def modules_of_text(text: str, mask: int) -> Field:
    """Return the modules of one of our texts with a mask, 1 for white and -1 for black."""
    flat = np.where(known(VERSION).ravel() == BLACK, -1, 1).astype(np.float32)
    flat[bit_positions()] = (1 - 2 * encoded([text])[0].astype(np.float32)) * masks()[mask]
    places, signs = formats()
    flat[places] = signs[mask]
    return flat.reshape(SIZE, SIZE)


@cache
def _foreign(text: str) -> Field:
    made = qrcode.QRCode(version=VERSION, error_correction=qrcode.ERROR_CORRECT_L, border=QUIET)
    made.add_data(text)
    made.make(fit=False)
    return np.where(np.array(made.get_matrix()), -1, 1).astype(np.float32)


def _pick(chance: Chance) -> tuple[str, Field]:
    text = card_texts()[int(chance.integers(len(card_texts())))]
    return text, modules_of_text(text, int(chance.integers(MASKS)))


def _data(chance: Chance) -> npt.NDArray[np.bool_]:
    """Return the modules of some bytes of the symbol, from none to half of them."""
    chosen = chance.permutation(26)[: chance.integers(_DAMAGED_BYTES)]
    inside = np.zeros(SIZE * SIZE, dtype=bool)
    inside[bit_positions().reshape(26, 8)[chosen]] = True
    return inside.reshape(SIZE, SIZE)


def _box(chance: Chance) -> npt.NDArray[np.bool_]:
    """Return the modules in a box of any size."""
    (top, bottom), (left, right) = np.sort(chance.integers(0, SIZE + 1, (2, 2)), axis=1)
    inside = np.zeros((SIZE, SIZE), dtype=bool)
    inside[top:bottom, left:right] = True
    return inside


def _signs(chance: Chance, share: float = 0.5) -> Field:
    return np.where(chance.random((SIZE, SIZE)) < share, -1, 1).astype(np.float32)


def flips(chance: Chance) -> tuple[Field, Iterable[str]]:
    """Invert modules anywhere, from none to half of them."""
    text, modules = _pick(chance)
    return modules * _signs(chance, chance.uniform(0, 0.5)), (text,)


def erasures(chance: Chance) -> tuple[Field, Iterable[str]]:
    """Remove the contrast of some modules, and of a box of them."""
    text, modules = _pick(chance)
    grey = (chance.random((SIZE, SIZE)) < chance.uniform(0, 0.7)) | _box(chance)
    return np.where(grey, np.float32(chance.uniform(-0.3, 0.3)), modules), (text,)


def burst(chance: Chance) -> tuple[Field, Iterable[str]]:
    """Cover a box with white, black or noise."""
    text, modules = _pick(chance)
    cover = (np.float32(1), np.float32(-1), _signs(chance))[int(chance.integers(3))]
    return np.where(_box(chance), cover, modules), (text,)


def wrong_bytes(chance: Chance) -> tuple[Field, Iterable[str]]:
    """Invert modules in as many bytes as error correction can repair, in fewer and in more."""
    text, modules = _pick(chance)
    return np.where(_data(chance), _signs(chance), modules), (text,)


def mixed_bytes(chance: Chance) -> tuple[Field, Iterable[str]]:
    """Take some bytes from another card, between two codewords of the error correction."""
    mask = int(chance.integers(MASKS))
    one, other = (card_texts()[int(place)] for place in chance.integers(len(card_texts()), size=2))
    return np.where(_data(chance), modules_of_text(other, mask), modules_of_text(one, mask)), (one, other)


def blend(chance: Chance) -> tuple[Field, Iterable[str]]:
    """Add two cards' codes, as if one were visible through the other."""
    (one, under), (other, over) = _pick(chance), _pick(chance)
    share = np.float32(chance.uniform())
    return share * under + (1 - share) * over, (one, other)


def merged(chance: Chance) -> tuple[Field, Iterable[str]]:
    """Put a part of one card's code on another's, shifted by a few modules."""
    (one, under), (other, over) = _pick(chance), _pick(chance)
    off = tuple(int(by) for by in chance.integers(-4, 5, 2))
    return np.where(_box(chance), np.roll(over, off, (0, 1)), under), (one, other)


def misplaced(chance: Chance) -> tuple[Field, Iterable[str]]:
    """Shift the grid by a module or more, rotated or mirrored."""
    text, modules = _pick(chance)
    moved = np.roll(
        np.rot90(modules, int(chance.integers(4))), tuple(int(by) for by in chance.integers(-3, 4, 2)), (0, 1)
    )
    return (moved.T if chance.random() < 0.5 else moved), (text,)  # noqa: PLR2004 - with equal probability


def near_miss(chance: Chance) -> tuple[Field, Iterable[str]]:
    """Take a valid code whose text differs from a card's in one to three characters."""
    text, _ = _pick(chance)
    letters = list(text)
    for place in chance.integers(1, LENGTH, int(chance.integers(1, 4))):
        letters[int(place)] = ALPHABET[int(chance.integers(len(ALPHABET)))]
    said = "".join(letters)
    return modules_of_text(said, int(chance.integers(MASKS))), (said,)


def forged(chance: Chance) -> tuple[Field, Iterable[str]]:
    """Take a card of the same game with another key: only its tag is wrong."""
    cards = dealt_cards(forged_game())
    said = card_text(forged_game(), cards[int(chance.integers(len(cards)))])
    return modules_of_text(said, int(chance.integers(MASKS))), (said,)


def foreign(chance: Chance) -> tuple[Field, Iterable[str]]:
    """Take a code of something else."""
    said = FOREIGN[int(chance.integers(len(FOREIGN)))]
    return _foreign(said), (said,)


def nothing(chance: Chance) -> tuple[Field, Iterable[str]]:
    """Take random modules in the fixed frame of every symbol."""
    sure = known(VERSION)
    modules = np.where(sure == UNKNOWN, _signs(chance), np.where(sure == BLACK, -1, 1)).astype(np.float32)
    return modules, ()


WAYS: tuple[Callable[[Chance], tuple[Field, Iterable[str]]], ...] = (
    flips,
    erasures,
    burst,
    wrong_bytes,
    mixed_bytes,
    blend,
    merged,
    misplaced,
    near_miss,
    forged,
    foreign,
    nothing,
)
"""The kinds of damage. Noise and blur are added to each."""


def case(number: int) -> Case:
    """Return the damaged symbol of a number."""
    chance = np.random.default_rng(number)
    way = WAYS[number % len(WAYS)]
    modules, right = way(chance)
    kind = int(chance.integers(3))
    if kind:
        modules = modules + np.float32(chance.uniform(0, 1.6)) * chance.standard_normal((SIZE, SIZE), dtype=np.float32)
    if kind > 1:
        modules = np.asarray(cv2.GaussianBlur(modules, (0, 0), chance.uniform(0.2, 0.9)), dtype=np.float32)
    return Case(way.__name__, np.ascontiguousarray(modules, dtype=np.float32), frozenset(right))


# Number of symbols after which misreadings are printed.
_PART = 10_000

# One of this many symbols is also decoded by the decoder that is ten times slower.
_SLOW = 8


@dataclass
class Tally:
    """Numbers of symbols of each kind that were tried and read right, and misreadings: number, decoder, text."""

    tried: Counter[str] = field(default_factory=Counter)
    read: Counter[str] = field(default_factory=Counter)
    wrong: list[tuple[int, str, str, str]] = field(default_factory=list)


# Modules of paper around the quiet zone in pictures, and the corners of the symbol there, in modules.
_PAPER = 4
_PLACE = _PAPER + QUIET + modules_of(VERSION) * np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=np.float64)


def drawn(modules: Field, module: int) -> Grey:
    """Return a picture of a symbol with so many pixels per module."""
    grey = np.clip(110 + 90 * np.pad(modules, _PAPER, constant_values=1), 0, 255).astype(np.uint8)
    return np.kron(grey, np.ones((module, module), dtype=np.uint8))


def decoded(modules: Field, game: PrintedGame, *, slow: bool) -> list[tuple[str, str]]:
    """Return the results of each decoder of modules: its name and the text."""
    received = [
        ("modules", decode(modules < 0, VERSION)),
        ("equalised modules", known_codes.read_flat(Pyramid(drawn(modules, 3)), 3 * _PLACE - 0.5, VERSION)),
        ("likeness", known_codes.best_match(modules, Codebook.of(game))[0]),
    ]
    if slow:
        received.append(("erasures", decode_with_erasures(np.clip(modules, -1, 1), VERSION)))
    return [(name, text) for name, text in received if text is not None]


def seen(modules: Field, game: PrintedGame, module: int = 5) -> list[tuple[str, str]]:
    """Return the texts that the whole scanner reads in a small picture of a symbol."""
    pixels = drawn(modules, module)
    received = []
    for name, key in (("picture", game), ("picture, no game", None)):
        search, _ = pipeline.run(pixels, TimeBudget.of(pixels.size, 2.0, 6), game=key)
        received += [(name, one.text) for one in search.codes if one.text is not None]
    return received


def is_wrong(text: str, right: frozenset[str], game: PrintedGame) -> bool:
    """Return whether a text is a card or label that is not in the symbol, or without a game looks like one."""
    return text not in right and (meaning_of(text, game).status in {"card", "label"} or parse(text) is not None)


@single_threaded
def run(first: int, tries: int, *, pictures: int = 0, stop: float = float("inf")) -> Tally:
    """Try symbols by number, every `pictures`-th also as a picture (0: none), until `stop` (`time.monotonic()`)."""
    game, tally = symbol_game(), Tally()
    for number in range(first, first + tries):
        if time.monotonic() > stop:
            break
        one = case(number)
        texts = decoded(one.modules, game, slow=number // len(WAYS) % _SLOW == 0)
        if pictures and number // len(WAYS) % pictures == 0:
            texts += seen(one.modules, game)
        tally.tried[one.name] += 1
        tally.read[one.name] += any(text in one.right for _, text in texts)
        tally.wrong += [(number, one.name, by, text) for by, text in texts if is_wrong(text, one.right, game)]
    return tally


def main() -> None:
    """Run the command; exits with 1 if anything was misread."""
    parser = argparse.ArgumentParser(prog="python -m devtools.wrong_reads", description="Look for wrong reads.")
    parser.add_argument("--tries", type=int, default=100_000, help="symbols to be damaged (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="number of the first one (default: %(default)s)")
    parser.add_argument("--pictures", type=int, default=0, help="search every n-th as a picture too (default: none)")
    options = parser.parse_args()
    if options.tries < 1 or options.first < 0 or options.pictures < 0:
        parser.error("numbers cannot be below 0, and at least one try is needed")
    cv2.setNumThreads(1)
    began, end = time.thread_time(), options.first + options.tries
    console, tally = Console(highlight=False), Tally()
    # After Ctrl-C, print the results so far.
    with contextlib.suppress(KeyboardInterrupt):
        for first in range(options.first, end, _PART):
            part = run(first, min(_PART, end - first), pictures=options.pictures)
            for number, name, by, text in part.wrong:
                console.print(f"WRONG: symbol {number} ({name}) was read as {text} by {by}")
            tally = Tally(tally.tried + part.tried, tally.read + part.read, tally.wrong + part.wrong)
    for name, tried in tally.tried.items():
        console.print(f"{name:12} {tried:9,} tried {tally.read[name]:9,} read right")
    console.print(
        f"{len(tally.wrong)} wrong reads of {tally.tried.total():,} symbols, {time.thread_time() - began:.0f} s"
    )
    sys.exit(1 if tally.wrong else 0)


if __name__ == "__main__":
    main()
