"""Games with as many counted hands as a hall needs."""

from __future__ import annotations

from itertools import cycle, islice
from typing import TYPE_CHECKING, Any

from server.games.lifecycle.states import State
from server.games.results.versions import CountRequest, freeze
from tests.context import ORGANISER
from tests.played_game import fill, recorded

if TYPE_CHECKING:
    from tests.web.pages.conftest import Hall


def closed_game(hall: Hall, hands: int, *, confirmed: bool = True, **draft: Any) -> str:  # noqa: ANN401 - any field of a draft
    """Make a closed game with so many envelopes, all settled but for the value of blue unless it is `confirmed`.

    The hands are those of the recorded game, over and over with more and more red cards, so that few are alike.
    """
    document = recorded("eurocg-2026")
    played = []
    for place, hand in enumerate(islice(cycle(document["hands"]), hands)):
        cards = dict(hand["cards"])
        if more := place // len(document["hands"]):
            cards["red"] = cards.get("red", 0) + more
        played.append({**hand, "player": f"Player {place + 1}", "cards": cards})
    settings = {name: value for name, value in document["settings"].items() if name != "seed"}
    wanted = {"players": hands, "settings": settings, "confirmed": list(settings) if confirmed else []}
    game = hall.game(State.CLOSED, **{**wanted, **draft})
    fill(hall.context, game, {**document, "hands": played, "cancels": {}})
    return game


def frozen_game(hall: Hall, hands: int, **draft: Any) -> str:  # noqa: ANN401 - any field of a draft
    """Make a game with so many hands that is counted as version 1 and published to nobody."""
    game = closed_game(hall, hands, **draft)
    freeze(hall.context, game, ORGANISER, CountRequest(override="Who holds a cancel card does not matter here."))
    return game
