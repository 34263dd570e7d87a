"""What players and organisers may be called: names that everybody can read, and tell apart."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from sqlalchemy import select

from server.play.actors import AT_MACHINE, SERVER
from server.play.refusals import Refusal
from server.scoring.wire_checks import check_names, plain_name
from server.store.tables import Envelope

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

LONGEST = 40
"""Characters of a name: so many fit a line on a phone and in a table."""
LONGEST_ORGANISER = 60
_MOST_MARKS = 3
# Accents on one letter. No language needs more; towers of them cover the lines above and below.
_ENVELOPE = ("Envelope", "Umschlag", "Enveloppe")
# With the number after it: how players without a name are called, in each language of the editions.
_NAMELESS = re.compile(rf"(?:{'|'.join(_ENVELOPE).casefold()})\W*(\d+)\W*")
# What looks so, and would be taken for such a player.


def name_for(session: Session, game: str, envelope: int, wanted: str) -> str:
    """Return a name as it is kept; Refusal `wrong-name` for one that cannot be, `name-taken` for another player's.

    Names are the same when they differ only in spaces, in upper and lower case, or in how Unicode codes them.
    """
    name = _readable(wanted, LONGEST)
    same = _same(name)
    nameless = _NAMELESS.fullmatch(same)
    if nameless and int(nameless[1][:9]) != envelope:
        raise Refusal("wrong-name", "That is how another player is called who has no name. Choose another name.")
    others = select(Envelope.name).where(Envelope.game == game, Envelope.number != envelope, Envelope.name.is_not(None))
    if any(same == _same(other or "") for other in session.scalars(others)):
        raise Refusal("name-taken", "Another player of this game has that name already. Choose another one.")
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
    same = _same(name)
    if _NAMELESS.fullmatch(same) or same == SERVER.name or same.endswith(AT_MACHINE):
        raise Refusal("wrong-name", "The record needs that name for somebody else. Choose another one.")
    return name


def _readable(wanted: str, longest: int) -> str:
    """Return a name in one form; Refusal `wrong-name` for one that people cannot read."""
    name = " ".join(unicodedata.normalize("NFC", wanted).split()) if len(wanted) <= longest * 8 else wanted
    for mistake in check_names([name]):
        raise Refusal("wrong-name", f"The name {mistake.message}.")
    if len(name) > longest:
        raise Refusal("wrong-name", f"A name has at most {longest} characters; this one has {len(name)}.")
    if _marks(name) > _MOST_MARKS:
        raise Refusal("wrong-name", "The name has too many accents on one letter. Leave some out.")
    return name


def _same(name: str) -> str:
    """Return what is the same for names that people cannot tell apart."""
    return unicodedata.normalize("NFKC", plain_name(name).casefold())


def _marks(name: str) -> int:
    """Return how many accents stand on the letter that has most."""
    most = here = 0
    for character in unicodedata.normalize("NFD", name):
        here = here + 1 if unicodedata.combining(character) or unicodedata.category(character) == "Me" else 0
        most = max(most, here)
    return most
