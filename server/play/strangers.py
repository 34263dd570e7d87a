"""Codes that are no cards of the game, and pictures that could not be read: noticed, with nothing to decide."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from server.play.items import Item, Kind, Place, digest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from server.play.docket import Docket
    from server.play.pictures import Owned, Picture

_SENTENCES = {
    "forged": "A code of this game with a wrong signature. A real card is entered by hand.",
    "other-game": "A code of another game.",
    "foreign": "A code that is not Haggle's.",
}
_UNCOUNTED = "It counts nowhere."


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
        whole = first[status, text]
        docket.add(
            Item(
                f"code:{status}:{digest(text)}",
                Kind(status),
                f"{_SENTENCES[status]} It says: {text}",
                (),
                envelopes=whole.envelopes,
                places=tuple(where),
                settled=_UNCOUNTED,
                settled_by="uncounted",
                says=text,
                order=whole.picture.order,
            )
        )


def unscanned(picture: Picture, docket: Docket) -> None:
    """Add an item for a picture whose scan failed."""
    text = f"The picture could not be read ({picture.reason or 'unknown'}). Take it again, or enter its cards by hand."
    docket.add(
        Item(
            f"failed:{picture.digest[:16]}",
            Kind.FAILED,
            text,
            (),
            places=(Place(picture.id, None),),
            settled="It is not used.",
            settled_by="unused",
            case=picture.reason or "",
            order=picture.order,
        )
    )
