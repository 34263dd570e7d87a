"""Codes in organisers' pictures that are no cards of the game, and pictures that could not be read in full."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from server.play.items import Choice, Item, Kind, Place, digest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from server.play.docket import Docket
    from server.play.pictures import Owned, Picture

_IGNORE = (Choice("ignore", "The code counts nowhere."),)
_SENTENCES = {
    "forged": "A code of this game with a wrong signature: it counts nowhere. A real card is entered by hand.",
    "other-game": "A card of another game: it counts nowhere.",
    "foreign": "A code that is no card of Haggle: it counts nowhere.",
}
_IGNORE_PICTURE = (
    Choice("ignore", "The picture is not used: other pictures show what is in it, or it was entered by hand."),
)


def strangers(used: Iterable[Owned], docket: Docket) -> None:
    """Add an item for each code that is no card of the game. The same code in many pictures is one item."""
    places: dict[tuple[str, str], list[Place]] = defaultdict(list)
    first: dict[tuple[str, str], Owned] = {}
    for whole in used:
        reading = whole.picture.reading
        for code in reading.strange if reading else ():
            places[code.status, code.text].append(Place(whole.picture.id, code.quad, "code"))
            first.setdefault((code.status, code.text), whole)
    for (status, text), where in places.items():
        key = f"code:{status}:{digest(text)}"
        docket.ruled(key, _IGNORE)
        whole = first[status, text]
        docket.add(
            Item(
                key,
                Kind(status),
                f"{_SENTENCES[status]} It says: {text}",
                _IGNORE,
                envelopes=whole.envelopes,
                places=tuple(where),
                says=text,
                order=whole.picture.order,
            )
        )


def unscanned(picture: Picture, docket: Docket) -> None:
    """Add an item for a picture whose scan failed."""
    key = f"failed:{picture.digest[:16]}"
    docket.ruled(key, _IGNORE_PICTURE)
    text = f"The picture could not be read ({picture.reason or 'unknown'}). Take it again, or enter its cards by hand."
    place = Place(picture.id, None)
    case = picture.reason or ""
    docket.add(Item(key, Kind.FAILED, text, _IGNORE_PICTURE, places=(place,), case=case, order=picture.order))
