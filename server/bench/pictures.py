"""A picture to measure with, and the truth about it: the same form for made-up photographs and for real ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cardgen.cards import Game
    from scanner.result import Quad

Kind = Literal["profile", "curve", "any", "folder"]


@dataclass(frozen=True, eq=False)
class TrueCode:
    """A code that lies whole in a picture. `quad` and `module` (its size in pixels) are None where nobody knows."""

    text: str
    quad: Quad | None = None
    module: float | None = None


@dataclass(frozen=True, eq=False)
class TrueCard:
    """A card in a picture: what its codes say, where it lies, the share of it that can be seen.

    `module` is the size in pixels of a module of its largest whole code, None if neither is whole.
    """

    name: str
    text: str
    outline: Quad
    visible: float
    module: float | None


@dataclass(frozen=True, eq=False)
class Picture:
    """A file's bytes and the truth about it. `texts` are all that may be read without being false.

    `lines` are the lines of the one text in `codes`, where it may as well be that many codes with a line each.
    """

    name: str
    data: bytes
    codes: tuple[TrueCode, ...]
    texts: frozenset[str]
    cards: tuple[TrueCard, ...] = ()
    lines: tuple[str, ...] = ()

    def by_lines(self) -> Picture:
        """Return the picture with a code for each of its lines."""
        return replace(self, codes=tuple(map(TrueCode, self.lines)), texts=frozenset(self.lines))


@dataclass(frozen=True)
class PictureSet:
    """Pictures that are measured together. `pictures` yields them one by one, so that few are held at once.

    `group` is the profile, the curve or the folder, `value` the place on the curve. Cards count from
    `least` pixels a module on; 0 means that all with a whole code do.
    """

    name: str
    kind: Kind
    group: str
    pictures: Callable[[], Iterator[Picture]]
    photos: int
    game: Game | None = None
    value: float | None = None
    deck: int | None = None
    least: float = 0.0
