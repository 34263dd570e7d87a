"""Games with any number of counted hands."""

from __future__ import annotations

from itertools import cycle, islice
from typing import TYPE_CHECKING, Any

from server.games.lifecycle.states import State
from server.games.results.versions import CountRequest, freeze
from tests.context import ORGANISER
from tests.played_game import fill, recorded

if TYPE_CHECKING:
    from tests.web.pages.conftest import LiveServer


def closed_game(live_server: LiveServer, hands: int, *, confirmed: bool = True, **draft: Any) -> str:  # noqa: ANN401 - any field of a draft
    """Create a closed game with a number of hands; the value of blue is the only open point unless it is `confirmed`.

    The hands of the recorded game are repeated with more red cards each time, so that few are the same.
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
    game = live_server.new_game(State.CLOSED, **{**wanted, **draft})
    fill(live_server.context, game, {**document, "hands": played, "cancels": {}})
    return game


def frozen_game(live_server: LiveServer, hands: int, **draft: Any) -> str:  # noqa: ANN401 - any field of a draft
    """Create a game with a number of hands that is counted as version 1 and not published."""
    game = closed_game(live_server, hands, **draft)
    freeze(live_server.context, game, ORGANISER, CountRequest(override="Who holds a cancel card does not matter here."))
    return game
