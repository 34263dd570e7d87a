"""Looks for wrong reads: `python -m tools.wrong_reads --tries 1000000`, in the environment of the tests.

Symbols of our size are spoilt in every way that comes to mind and given to all decoders that work on modules. A wrong
read is a card or a label of the game that the symbol does not show, or without a game a text in the form of ours. The
same number gives the same symbol, so `--first 4711 --tries 1` shows one again.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import cv2
import numpy as np
from rich.console import Console

from cardgen.payload import parse
from scanner import own, passes
from scanner.budget import Budget
from scanner.codebook import VERSION, Codebook
from scanner.erasures import restored
from scanner.grid import unblurred
from scanner.sort import meaning_of
from scanner.symbol import decode
from tools.wrong_reads_cases import WAYS, case, game_of_tests

if TYPE_CHECKING:
    from cardgen.cards import Game
    from tools.wrong_reads_cases import Field

_PART = 10_000
# After so many symbols what was misread is told.
_SLOW = 8
# Of so many symbols one also goes through the decoder that takes ten times as long as the others.


@dataclass
class Tally:
    """How many symbols of each kind were tried and read right, and what was misread: number, decoder, text."""

    tried: Counter[str] = field(default_factory=Counter)
    read: Counter[str] = field(default_factory=Counter)
    wrong: list[tuple[int, str, str, str]] = field(default_factory=list)


def decoded(modules: Field, game: Game, *, slow: bool) -> list[tuple[str, str]]:
    """Return what each decoder of modules says: its name and the text."""
    said = [
        ("modules", decode(modules < 0, VERSION)),
        ("filtered modules", decode(unblurred(modules, VERSION) < 0, VERSION)),
        ("likeness", own.told(modules, Codebook.of(game))[0]),
    ]
    if slow:
        said.append(("erasures", restored(np.clip(modules, -1, 1), VERSION)))
    return [(name, text) for name, text in said if text is not None]


def seen(modules: Field, game: Game, module: int = 5) -> list[tuple[str, str]]:
    """Return what the whole search reads in a small picture of a symbol."""
    grey = np.clip(110 + 90 * np.pad(modules, 4, constant_values=1), 0, 255).astype(np.uint8)
    pixels = cv2.resize(grey, None, fx=module, fy=module, interpolation=cv2.INTER_NEAREST).astype(np.uint8)
    said = []
    for name, key in (("picture", game), ("picture, no game", None)):
        search, _ = passes.run(pixels, Budget.of(pixels.size, 2.0, 6), game=key)
        said += [(name, one.text) for one in search.codes if one.text is not None]
    return said


def is_wrong(text: str, right: frozenset[str], game: Game) -> bool:
    """Tell whether a text is a card or label that the symbol does not show, or without a game looks like one."""
    return text not in right and (meaning_of(text, game).status in {"card", "label"} or parse(text) is not None)


def run(first: int, tries: int, *, pictures: int = 0, stop: float = float("inf")) -> Tally:
    """Try symbols by number; every `pictures`-th also as a picture (0: none). Ends by `time.monotonic()` at `stop`."""
    game, tally = game_of_tests(), Tally()
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
    """Run from the command line; ends with 1 if anything was misread."""
    parser = argparse.ArgumentParser(prog="python -m tools.wrong_reads", description="Look for wrong reads.")
    parser.add_argument("--tries", type=int, default=100_000, help="symbols to be spoilt (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="number of the first one (default: %(default)s)")
    parser.add_argument("--pictures", type=int, default=0, help="search every n-th as a picture too (default: none)")
    options = parser.parse_args()
    if options.tries < 1 or options.first < 0 or options.pictures < 0:
        parser.error("numbers cannot be below 0, and at least one try is needed")
    cv2.setNumThreads(1)
    began, end = time.thread_time(), options.first + options.tries
    console, tally = Console(highlight=False), Tally()
    # Who ends a long run with Ctrl-C is told what it found until then.
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
