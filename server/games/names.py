"""Names of players and organisers: everybody can read and distinguish them."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from sqlalchemy import select

from server.db.models import Envelope
from server.games.audit import LOCAL_SUFFIX, SERVER
from server.games.errors import DomainError
from server.scoring.request_validation import check_names, plain_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy.orm import Session

MAX_LENGTH = 40
"""Maximum length of a player's name, which fits in a line on a phone."""
MAX_ORGANISER_LENGTH = 60

# Accents on one letter: more than any language needs would cover the lines above and below.
_MAX_ACCENTS = 3

# Followed by a number, this denotes a player without a name, in the languages of the editions.
_ENVELOPE = ("Envelope", "Umschlag", "Enveloppe")
_DIGITS = str.maketrans("lo", "10")


def name_for(session: Session, game: str, envelope: int, wanted: str) -> str:
    """Return a player's name as it is stored. Raises DomainError `wrong-name`, or `name-taken` for another player's.

    Names are equal if they differ only in spaces, case, Unicode normalization, or in characters that are invisible or
    look alike.
    """
    name = _readable(wanted, MAX_LENGTH)
    looks = _looks(name)
    if _numbers(looks) - {envelope}:
        raise DomainError("wrong-name", "Another player, who has no name, is called that. Choose another name.")
    others = select(Envelope.name).where(Envelope.game == game, Envelope.number != envelope, Envelope.name.is_not(None))
    if any(looks & _looks(other or "") for other in session.scalars(others)):
        raise DomainError("name-taken", "Another player of this game has that name already. Choose another one.")
    return name


def is_nameless(name: str, envelope: int) -> bool:
    """Return whether a player is called by the envelope's number, in any language.

    Text that only looks like it is a name, since somebody has typed it.
    """
    return name in {f"{word} {envelope}" for word in _ENVELOPE}


def organiser_name(wanted: str) -> str:
    """Return an organiser's name as it is stored. Raises DomainError `wrong-name`.

    Names that the audit log uses for the server and for players are refused.
    """
    name = _readable(wanted, MAX_ORGANISER_LENGTH)
    looks = _looks(name)
    at_machine = tuple(_looks(LOCAL_SUFFIX))
    if _numbers(looks) or looks & _looks(SERVER.name) or any(look.endswith(at_machine) for look in looks):
        raise DomainError("wrong-name", "That name is reserved. Choose another one.")
    return name


def check_organiser(name: str, others: Iterable[str]) -> None:
    """Raise DomainError `looks-alike` for an organiser's name that is easily mistaken for one of the `others`."""
    looks = _looks(name)
    for other in others:
        if other != name and looks & _looks(other):
            raise DomainError(
                "looks-alike",
                f"That looks like “{other}”, the name of an organiser here. If that is you, sign in by exactly that "
                "name; otherwise choose another one.",
                {"name": other},
            )


def _readable(wanted: str, longest: int) -> str:
    """Return a name in its normal form. Raises DomainError `wrong-name` for one that people cannot read."""
    name = " ".join(unicodedata.normalize("NFC", wanted).split()) if len(wanted) <= longest * 8 else wanted
    for mistake in check_names([name]):
        raise DomainError("wrong-name", f"The name {mistake.message}.")
    if len(name) > longest:
        raise DomainError("wrong-name", f"A name has at most {longest} characters; this one has {len(name)}.")
    if _max_accents(name) > _MAX_ACCENTS:
        raise DomainError("wrong-name", "The name has too many accents on one letter. Leave some out.")
    return name


def _looks(name: str) -> set[str]:
    """Return the skeletons of a name, as written and in lower case. Names that share one look alike."""
    plain = plain_name(name)
    return {_skeleton(form).casefold() for form in (plain, plain.casefold())}


def _numbers(looks: set[str]) -> set[int]:
    """Return the numbers of envelopes for whose players these skeletons could be mistaken."""
    words = "|".join(_skeleton(word.casefold()) for word in _ENVELOPE)
    found = [re.fullmatch(rf"(?:{words})\W*([\dlo]+)\W*", look) for look in looks]
    return {int(match[1].translate(_DIGITS)[:9]) for match in found if match}


def _skeleton(text: str) -> str:
    """Return a text with one prototype for all characters that look alike (Unicode Technical Standard 39)."""
    prototypes = "".join(map(_prototype, unicodedata.normalize("NFD", text)))
    return unicodedata.normalize("NFD", prototypes)


@lru_cache(maxsize=10_000)
def _prototype(character: str) -> str:
    """Return the prototype of a character and all that look like it.

    The library lists similar characters in both directions: a prototype has many, all others only the prototype.
    """
    from confusable_homoglyphs.confusables import confusables_data  # noqa: PLC0415 - half a megabyte, for names alone

    alike = confusables_data.get(character, ())
    if len(alike) != 1:
        return character
    other: str = alike[0]["c"]
    is_pair = len(confusables_data[other]) == len(other) == 1
    return min(character, other) if is_pair else other


def _max_accents(name: str) -> int:
    """Return the largest number of accents on one letter."""
    most = here = 0
    for character in unicodedata.normalize("NFD", name):
        here = here + 1 if unicodedata.combining(character) or unicodedata.category(character) == "Me" else 0
        most = max(most, here)
    return most
