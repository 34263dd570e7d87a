"""Example games in a language, so that every main screen has content."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any

from server.api.auth import COOKIE
from server.db.session import now
from server.games.lifecycle.states import State
from tests.played_game import counted_game
from tests.players import dealt, set_game

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import APIRequestContext

    from tests.web.pages.conftest import LiveServer

NAMES = ("Ada Lovelace", "Blaise Pascal", "Émilie du Châtelet", "Carl Friedrich Gauß", "Hypatia")
SCAN_TIMEOUT = 60.0
"""Seconds in which the server must have read all pictures."""
CARDS = 9
"""Number of cards in each picture."""


@dataclass
class ExampleGames:
    """Games of a server, each created on first use. `request` calls the server without a page."""

    live_server: LiveServer
    request: APIRequestContext
    language: str
    edition: str = "eurocg-2026"

    @cached_property
    def empty(self) -> str:
        """An open game without players, whose deadline is in some hours."""
        return self._game(State.OPEN)

    @cached_property
    def open(self) -> str:
        """An open game: Ada's deck is photographed, the second player's is confirmed, the third has handed in."""
        game = self._game(State.OPEN)
        for envelope, name in enumerate(NAMES, start=1):
            self.call("PATCH", "/me", (game, envelope), {"name": name})
        for envelope in (1, 2, 3):
            deck = self.photograph(game, envelope)
            if envelope > 1:
                self.call("POST", f"/me/decks/{deck['id']}/confirm", (game, envelope), {"digest": deck["digest"]})
            if envelope > 2:
                self.call("POST", f"/me/decks/{deck['id']}/hand-in", (game, envelope), {})
        return game

    @cached_property
    def closed(self) -> str:
        """A closed game with pictures: one without a label, and one with a card of another envelope."""
        game = self._game(State.OPEN)
        for envelope, name in enumerate(NAMES, start=1):
            self.call("PATCH", "/me", (game, envelope), {"name": name})
        self._organise("POST", f"/games/{game}/acts", {"act": "close", "reason": "The end"})
        hands = {envelope: dealt(self.live_server.context, game, envelope)[:CARDS] for envelope in (1, 2, 3, 4)}
        hands[2] = [*hands[2][:-1], hands[1][0]]
        for envelope, cards in hands.items():
            jpeg = self.live_server.picture(game, cards, None if envelope == 4 else envelope, f"example {envelope}")
            self._organise("POST", f"/games/{game}/photos?batch=1&place={envelope}", None, jpeg)
        self._wait_while(lambda: self._organise("GET", f"/games/{game}/photos")["states"], "waiting", "scanning")
        return game

    @cached_property
    def frozen(self) -> str:
        """A game that is counted, and not published."""
        return counted_game(self.live_server.context, name=self._name, language=self.language)

    @cached_property
    def published(self) -> str:
        """A game whose results are published."""
        game = counted_game(
            self.live_server.context, self.edition, published=True, name=self._name, language=self.language
        )
        self.call("PATCH", "/me", (game, 1), {"hidden": False})
        return game

    def photograph(self, game: str, envelope: int, name: str = "deck", deck: str = "") -> dict[str, Any]:
        """Upload a picture of a player's deck, by default of a new one; return the deck after it was read."""
        deck = deck or str(self.call("POST", "/me/decks", (game, envelope), {})["id"])
        jpeg = self.live_server.picture(
            game, dealt(self.live_server.context, game, envelope)[:CARDS], envelope, f"{name} {envelope}"
        )
        self.call("POST", f"/me/decks/{deck}/photos", (game, envelope), None, jpeg)
        return self._wait_while(lambda: self.call("GET", f"/me/decks/{deck}", (game, envelope)), "pending")

    def call(
        self, method: str, path: str, who: tuple[str, int], body: object = None, jpeg: bytes | None = None
    ) -> dict[str, Any]:
        """Call the API as a player; return the JSON response."""
        token = self.live_server.link(*who).partition("#")[2]
        return self._request(method, path, {"Authorization": f"Bearer {token}"}, body, jpeg)

    @property
    def _name(self) -> str:
        return {"de": "Kartentauschabend im Schützenhaus", "fr": "Soirée de troc du colloque"}.get(
            self.language, "The Friday night trade"
        )

    def _game(self, state: State) -> str:
        game = self.live_server.new_game(
            state, name=self._name, edition=self.edition, players=8, language=self.language, mode="full"
        )
        set_game(self.live_server.context, game, deadline=now() + timedelta(hours=2, minutes=44))
        return game

    def _organise(self, method: str, path: str, body: object = None, jpeg: bytes | None = None) -> dict[str, Any]:
        headers = {"Cookie": f"{COOKIE}={self.live_server.session_cookie()}", "Origin": self.live_server.url}
        return self._request(method, path, headers, body, jpeg)

    def _request(
        self, method: str, path: str, headers: dict[str, str], body: object, jpeg: bytes | None
    ) -> dict[str, Any]:
        more: dict[str, Any] = {} if body is None else {"data": body}
        if jpeg is not None:
            more["multipart"] = {"photo": {"name": "deck.jpg", "mimeType": "image/jpeg", "buffer": jpeg}}
        keyed = headers | ({"Idempotency-Key": f"{method} {path} {time.monotonic_ns()}"} if method == "POST" else {})
        response = self.request.fetch(f"{self.live_server.url}/api/v1{path}", method=method, headers=keyed, **more)
        assert response.ok, (method, path, response.text())
        return dict(response.json())

    def _wait_while(self, fetch: Callable[[], dict[str, Any]], *names: str) -> dict[str, Any]:
        """Repeat a request until none of these members of its response is true; return the response."""
        end = time.monotonic() + SCAN_TIMEOUT
        while True:
            response = fetch()
            if not any(response.get(name) for name in names):
                return response
            assert time.monotonic() < end, response
            time.sleep(0.2)
