"""Faces and backs of an edition's cards."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from cardgen.artwork.symbols import SYMBOLS
from cardgen.artwork.tarot import MOTIFS
from cardgen.faces.back import Back
from cardgen.faces.face import Face, Look, SecondLanguage
from cardgen.strings import wordings

if TYPE_CHECKING:
    from server.scoring.edition import Edition, Kind

_WORDED = {"rule": ("#20263a", "seal"), "special": ("#0f6b62", "gem")}
"""Ink and symbol by category. Cards of other categories have their own."""

_ACCENTS = ("#7a1f2b", "#1f5a4a", "#23407a", "#5b2a63", "#8a4b12", "#1d5f70")
"""Inks of backs, all dark enough for fine lines on cream."""


class FaceError(Exception):
    """A card of an edition cannot be drawn; the message is one line."""


def edition_faces(edition: Edition, second: Edition | None = None) -> dict[str, Face]:
    """Return the face of every kind of an edition; FaceError for a kind that cannot be drawn.

    `second` is the same edition in a second language, which is printed too.
    """
    others = {} if second is None else second.kind_of
    spoken = edition.language if second is None else second.language
    faces = {}
    for kind in edition.kinds:
        other = others.get(kind.slug)
        faces[kind.slug] = _face(edition, kind, None if other is None else _words(other, spoken))
    return faces


def edition_back(edition: Edition) -> Back:
    """Return the back of an edition's cards, in an ink that distinguishes it from most other editions."""
    digest = hashlib.sha256(edition.slug.encode()).digest()
    return Back(_typeset(edition.title), _ACCENTS[digest[0] % len(_ACCENTS)])


def edition_inks(edition: Edition) -> tuple[str, ...]:
    """Return the distinct inks of an edition's cards. Tarot cards have none."""
    inks = (_ink(kind)[0] for kind in edition.kinds)
    return tuple(dict.fromkeys(ink for ink in inks if ink))


def _ink(kind: Kind) -> tuple[str, str]:
    """Return the ink and the symbol of a kind."""
    return _WORDED.get(kind.category, (kind.ink, kind.symbol))


def _face(edition: Edition, kind: Kind, second: SecondLanguage | None) -> Face:
    ink, symbol = _ink(kind)
    if kind.motif and kind.motif not in MOTIFS:
        raise FaceError(f"{edition.slug} cannot be printed: its card {kind.slug} has no motif that can be drawn")
    if not kind.motif and (not ink or not (kind.outline or symbol in SYMBOLS)):
        raise FaceError(
            f"{edition.slug} cannot be printed yet: its card {kind.slug} has no ink and symbol that can be drawn"
        )
    words = _words(kind, edition.language)
    return Face(
        kind=kind.slug,
        name=words.name,
        label=words.label,
        text=words.text,
        ink=ink,
        symbol=symbol,
        mark=_typeset(edition.title.upper()),
        number=kind.number,
        look=_look(kind),
        second=second,
        motif=kind.motif,
        outline=kind.outline if kind.category not in _WORDED else "",
    )


def _look(kind: Kind) -> Look:
    if kind.motif:
        return "token" if kind.motif.startswith("token-") else "tarot"
    return "worded" if kind.text else "colour"


def _words(kind: Kind, language: str) -> SecondLanguage:
    label = kind.name
    if kind.category in _WORDED:
        number = kind.slug.rpartition("-")[2]
        template: str = getattr(wordings(language), kind.category)
        label = template.format(number=number if number.isdigit() else "").strip()
    return SecondLanguage(name=_typeset(kind.name), label=_typeset(label), text=_typeset(kind.text))


def _typeset(text: str) -> str:
    """Return a text with typographic apostrophes and no-break spaces of one width."""
    return text.replace("'", "\u2019").replace("\u202f", "\u00a0")
