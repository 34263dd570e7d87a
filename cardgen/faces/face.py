"""What all cards of one kind show, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Look = Literal["colour", "worded", "tarot", "token"]
"""How a face is laid out; `draw` has the drawing of each."""


@dataclass(frozen=True)
class Words:
    """A face's words in a second language; each as in Face."""

    name: str
    label: str
    text: str


@dataclass(frozen=True)
class Face:
    """What all cards of one kind show. Plain data, in the words and colours of whoever asks for the cards.

    `name` is printed large, `label` says the kind in words ("Rule 7"), `text` is the rule or the fact; a card without
    a text shows its symbol large instead. `number` stands in the symbol where there is one. `ink` is "#RRGGBB",
    `symbol` a name from art.SYMBOLS, and `mark` the edition's name. `look` says how it is laid out. `second` repeats
    the words in another language, where two stand on a card. `motif` names the drawing of a tarot card or a token, one
    of cardgen.tarot.MOTIFS, which brings its own inks: `ink` and `symbol` may then be "".
    """

    kind: str
    name: str
    label: str
    text: str
    ink: str
    symbol: str
    mark: str
    number: int | None = None
    look: Look = "worded"
    second: Words | None = None
    motif: str = ""
