"""What players and organisers may be called: names that everybody can read, and tell apart."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from sqlalchemy import select

from server.db.models import Envelope
from server.games.audit import AT_MACHINE, SERVER
from server.games.errors import DomainError
from server.scoring.request_validation import check_names, plain_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy.orm import Session

LONGEST = 40
"""Characters of a name: so many fit a line on a phone and in a table."""
LONGEST_ORGANISER = 60
_MOST_MARKS = 3

# Accents on one letter. No language needs more; towers of them cover the lines above and below.
# With the number after it: how players without a name are called, in each language of the editions.
_ENVELOPE = ("Envelope", "Umschlag", "Enveloppe")
_DIGITS = str.maketrans("lo", "10")


def name_for(session: Session, game: str, envelope: int, wanted: str) -> str:
    """Return a name as it is kept; Refusal `wrong-name` for one that cannot be, `name-taken` for another player's.

    Names are the same when they differ only in spaces, in upper and lower case, in how Unicode codes them, or in
    characters that are invisible or look alike.
    """
    name = _readable(wanted, LONGEST)
    looks = _looks(name)
    if _numbers(looks) - {envelope}:
        raise DomainError("wrong-name", "That is how another player is called who has no name. Choose another name.")
    others = select(Envelope.name).where(Envelope.game == game, Envelope.number != envelope, Envelope.name.is_not(None))
    if any(looks & _looks(other or "") for other in session.scalars(others)):
        raise DomainError("name-taken", "Another player of this game has that name already. Choose another one.")
    return name


def is_nameless(name: str, envelope: int) -> bool:
    """Tell whether a player of an envelope is called by its number, in whatever language.

    What only looks so is a name: somebody has typed it.
    """
    return name in {f"{word} {envelope}" for word in _ENVELOPE}


def organiser_name(wanted: str) -> str:
    """Return an organiser's name as it is kept; Refusal `wrong-name` for what cannot be read, or names somebody else.

    It stands in the audit beside the server's own name and those of envelopes.
    """
    name = _readable(wanted, LONGEST_ORGANISER)
    looks = _looks(name)
    at_machine = tuple(_looks(AT_MACHINE))
    if _numbers(looks) or looks & _looks(SERVER.name) or any(look.endswith(at_machine) for look in looks):
        raise DomainError("wrong-name", "The record needs that name for somebody else. Choose another one.")
    return name


def check_organiser(name: str, others: Iterable[str]) -> None:
    """Raise Refusal `looks-alike` for an organiser's name that people would take for another one's."""
    looks = _looks(name)
    for other in others:
        if other != name and looks & _looks(other):
            raise DomainError(
                "looks-alike",
                f"That looks like “{other}”, the name of an organiser here. If that is you, sign in by exactly that "
                "name; else choose another one.",
                {"name": other},
            )


def _readable(wanted: str, longest: int) -> str:
    """Return a name in one form; Refusal `wrong-name` for one that people cannot read."""
    name = " ".join(unicodedata.normalize("NFC", wanted).split()) if len(wanted) <= longest * 8 else wanted
    for mistake in check_names([name]):
        raise DomainError("wrong-name", f"The name {mistake.message}.")
    if len(name) > longest:
        raise DomainError("wrong-name", f"A name has at most {longest} characters; this one has {len(name)}.")
    if _marks(name) > _MOST_MARKS:
        raise DomainError("wrong-name", "The name has too many accents on one letter. Leave some out.")
    return name


def _looks(name: str) -> set[str]:
    """Return how a name looks as it is written, and in small letters. Names that share one cannot be told apart."""
    plain = plain_name(name)
    return {_skeleton(form).casefold() for form in (plain, plain.casefold())}


def _numbers(looks: set[str]) -> set[int]:
    """Return the numbers of envelopes whose players would be taken for somebody who looks so."""
    words = "|".join(_skeleton(word.casefold()) for word in _ENVELOPE)
    found = [re.fullmatch(rf"(?:{words})\W*([\dlo]+)\W*", look) for look in looks]
    return {int(match[1].translate(_DIGITS)[:9]) for match in found if match}


def _skeleton(text: str) -> str:
    """Return a text with one character in the place of all that look alike (Unicode Technical Standard 39)."""
    prototypes = "".join(map(_prototype, unicodedata.normalize("NFD", text)))
    return unicodedata.normalize("NFD", prototypes)


@lru_cache(maxsize=10_000)
def _prototype(character: str) -> str:
    """Return what stands for a character and all that look like it.

    The library lists what looks like a character, in both directions. A prototype has many, the others it alone.
    """
    from confusable_homoglyphs.confusables import confusables_data  # noqa: PLC0415 - half a megabyte, for names alone

    alike = confusables_data.get(character, ())
    if len(alike) != 1:
        return character
    other: str = alike[0]["c"]
    is_pair = len(confusables_data[other]) == len(other) == 1
    return min(character, other) if is_pair else other


def _marks(name: str) -> int:
    """Return how many accents stand on the letter that has most."""
    most = here = 0
    for character in unicodedata.normalize("NFD", name):
        here = here + 1 if unicodedata.combining(character) or unicodedata.category(character) == "Me" else 0
        most = max(most, here)
    return most
