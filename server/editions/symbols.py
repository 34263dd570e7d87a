"""Drawings on the cards of editions: symbols that they bring, and cards that have none.

Their own symbols are SVG files in the folder `symbols` of an edition, or of one that it extends.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cardgen.artwork.symbols import SYMBOLS
from cardgen.artwork.tarot import MOTIFS
from server.editions.source_lines import EditionFinding, FileError
from server.editions.translations import Sentence

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from pathlib import Path

    from server.editions.schema import EditionFile
    from server.scoring.edition import Edition

SYMBOLS_FOLDER = "symbols"
ENDING = ".svg"
_PRINTED = frozenset({"rule", "special"})
"""Categories with an ink and a symbol of the printer."""
_NO_MOTIF = (
    "there is no motif '{motif}' (known: pique-1 to pique-10, pique-valet, -cavalier, -dame and -roi, so with coeur, "
    "carreau and trefle; atout-1 to atout-21, excuse; token-red, token-white and token-blue)"
)


def symbol_files(folders: Sequence[Path]) -> dict[str, Path]:
    """Return the files of symbols by name; those of the first folder come before those of editions that it extends."""
    found: dict[str, Path] = {}
    for folder in reversed(folders):
        found |= {file.stem: file for file in sorted((folder / SYMBOLS_FOLDER).glob(f"*{ENDING}"))}
    return found


def outlines(folders: Sequence[Path], used: Iterable[str | None]) -> dict[str, str]:
    """Return the outlines of the symbols that are used, if the editions bring them; EditionError for a bad file."""
    files = symbol_files(folders)
    return {name: read_outline(files[name]) for name in used if name in files}


def read_outline(file: Path) -> str:
    """Return the outline of a symbol; EditionError if it cannot be used."""
    from cardgen.artwork.own_symbols import SymbolError, symbol_outline  # noqa: PLC0415 - few editions need it

    try:
        return symbol_outline(file.read_text(encoding="utf-8-sig"))
    except SymbolError as error:
        raise FileError(EditionFinding(file, 1, "", Sentence(error.template, **error.values))) from None
    except (OSError, UnicodeDecodeError):
        raise FileError(EditionFinding(file, 1, "", Sentence("cannot be read; save it as UTF-8"))) from None


def symbol_mistakes(file: Path) -> Iterator[str]:
    """Yield the mistakes in a file, also those that only matter in print."""
    from cardgen.artwork.own_symbols import SymbolError, check_print  # noqa: PLC0415 - few editions need it

    try:
        check_print(read_outline(file))
    except FileError as error:
        yield error.finding.sentence
    except SymbolError as error:
        yield Sentence(error.template, **error.values)


def unprintable(edition: Edition, file: EditionFile, symbols: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield cards that cannot be printed: without ink or symbol in a printed category, or with an unknown drawing.

    `symbols` are the names of those that the edition brings.
    """
    dealt = {deal.category for deal in edition.deal if deal.each} - _PRINTED
    counted = Counter(part.slug for part in file.cards)
    for kind in edition.kinds:
        if counted[kind.slug] != 1:
            continue
        for what, example in (("ink", "#C2242B"), ("symbol", "heart")) if kind.category in dealt else ():
            if not getattr(kind, what) and not kind.motif and not (what == "symbol" and kind.outline):
                yield (
                    f"cards.{kind.slug}",
                    Sentence(
                        'has no {what}, so it cannot be printed; add {what} = "{example}"', what=what, example=example
                    ),
                )
        if kind.symbol and kind.symbol not in {*SYMBOLS, *symbols}:
            there = ", ".join([*SYMBOLS, *symbols])
            yield (
                f"cards.{kind.slug}.symbol",
                Sentence("there is no symbol '{symbol}' (known: {there})", symbol=kind.symbol, there=there),
            )
        if kind.motif and kind.motif not in MOTIFS:
            yield f"cards.{kind.slug}.motif", Sentence(_NO_MOTIF, motif=kind.motif)
