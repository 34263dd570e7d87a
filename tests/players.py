"""Players that call the API as the player's page does."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from cardgen.cards import CardId
from server.db.models import AuditEntry, Card, Envelope, Game
from tests.context import as_player
from tests.readings import add_photo, reading

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from flask import Flask
    from werkzeug.test import TestResponse

    from server.games.context import AppContext
    from server.games.photos.readings import Reading

DECKS = "/api/v1/me/decks"


class Player:
    """A client of a player, and the cards that were dealt into the envelope."""

    def __init__(self, app: Flask, context: AppContext, game: str, envelope: int) -> None:
        self.context, self.game, self.envelope = context, game, envelope
        self.client = as_player(app, context, game, envelope)
        self.hand = dealt(context, game, envelope)

    def me(self) -> dict[str, Any]:
        """Return the JSON of /me."""
        return dict(self.client.get("/api/v1/me").json or {})

    def decks(self) -> list[dict[str, Any]]:
        """Return the JSON of the list of decks."""
        return list((self.client.get(DECKS).json or {})["decks"])

    def begin(self) -> str:
        """Create a deck; return its id."""
        reply = self.client.post(DECKS, headers={"Idempotency-Key": secrets.token_hex(8)})
        assert reply.status_code == 201, reply.text
        return str((reply.json or {})["id"])

    def photograph(self, deck: str, cards: Sequence[str] = (), labels: Sequence[int] = (), **more: Any) -> str:  # noqa: ANN401 - as `reading` takes it
        """Add a photograph of these cards; return its id."""
        return self.add(deck, reading(cards, labels, **more))

    def add(self, deck: str, found: Reading | None, **columns: Any) -> str:  # noqa: ANN401 - any column
        """Add a photograph with this scan result; None: not yet scanned."""
        return add_photo(self.context, self.game, found, envelope=self.envelope, deck=deck, **columns)

    def look(self, deck: str) -> dict[str, Any]:
        """Return the JSON of a deck."""
        return dict(self.client.get(f"{DECKS}/{deck}").json or {})

    def confirm(self, deck: str, digest: str | None = None) -> TestResponse:
        """Confirm the current list."""
        body = {"digest": digest or self.look(deck)["digest"]}
        return self.client.post(f"{DECKS}/{deck}/confirm", json=body)

    def lay(self, cards: Sequence[str] | None = None) -> str:
        """Photograph cards (None: all dealt ones) with the player's label and confirm them; return the deck's id."""
        deck = self.begin()
        self.photograph(deck, self.hand if cards is None else cards, [self.envelope])
        reply = self.confirm(deck)
        assert reply.status_code == 200, reply.text
        return deck

    def check(self, deck: str, language: str | None = None) -> TestResponse:
        """Ask for the provisional score."""
        return self.client.post(f"{DECKS}/{deck}/check", query_string={"language": language} if language else {})

    def hand_in(self, deck: str) -> TestResponse:
        """Hand in."""
        return self.client.post(f"{DECKS}/{deck}/hand-in")


def dealt(context: AppContext, game: str, envelope: int) -> list[str]:
    """Return the names of the cards that were dealt into an envelope."""
    with context.database.reading() as session:
        rows = session.scalars(select(Card).where(Card.game == game, Card.envelope == envelope)).all()
        return sorted(CardId(row.kind, row.copy).name for row in rows)


def some_of(context: AppContext, game: str, wanted: Mapping[str, int]) -> list[str]:
    """Return names of a number of cards of each kind; missing ones are dealt to envelope 2."""
    found = []
    with context.database.writing() as session:
        for kind, number in wanted.items():
            of_kind = select(Card.copy).where(Card.game == game, Card.kind == kind).order_by(Card.copy)
            copies = list(session.scalars(of_kind))
            while len(copies) < number:
                copies.append(max(copies, default=0) + 1)
                session.add(Card(game=game, kind=kind, copy=copies[-1], envelope=2, run=1))
            found += [CardId(kind, copy).name for copy in copies[:number]]
    return found


def set_game(context: AppContext, game: str, **columns: Any) -> None:  # noqa: ANN401 - any column
    """Change columns of a game directly."""
    with context.database.writing() as session:
        row = session.get_one(Game, game)
        for name, value in columns.items():
            setattr(row, name, value)


def seal(context: AppContext, game: str, envelope: int) -> None:
    """Mark an envelope as never opened."""
    with context.database.writing() as session:
        session.get_one(Envelope, (game, envelope)).opened = None


def audited(context: AppContext, game: str, action: str) -> list[AuditEntry]:
    """Return the audit entries of an action, the oldest first."""
    with context.database.reading() as session:
        found = select(AuditEntry).where(AuditEntry.game == game, AuditEntry.action == action)
        return list(session.scalars(found.order_by(AuditEntry.id)))


def problem(reply: TestResponse) -> str:
    """Return the status of a reply and the slug of its problem."""
    return f"{reply.status_code} {(reply.json or {})['type'].removeprefix('/problems/')}"
