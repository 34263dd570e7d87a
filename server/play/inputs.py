"""What a game's final count is made from: the hands that count, and what is still open before they may be counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from server.play.house import edition_of
from server.store.tables import AuditEntry, Change, Envelope, Game

if TYPE_CHECKING:
    from sqlalchemy.orm import Session


@dataclass(frozen=True)
class GameInputs:
    """What is counted: `game` in the form that `haggle score` reads, and beside it the envelope of each hand.

    `left_out` are envelopes whose hands do not count, each with the reason as a slug.
    """

    game: dict[str, Any]
    envelopes: tuple[int, ...]
    left_out: dict[int, str]

    @property
    def player_of(self) -> dict[str, int]:
        """The envelope of each counted player, by the name in the hands."""
        names = [hand["player"] for hand in self.game["hands"]]
        return dict(zip(names, self.envelopes, strict=True))


@dataclass(frozen=True)
class OpenPoint:
    """Something that must be settled before a game is counted. `slug` is for programs, `text` says what it is."""

    slug: str
    text: str


def game_inputs(session: Session, game: Game) -> GameInputs:
    """Return what counts in a game, as everything stands now."""
    rows = session.scalars(select(Envelope).where(Envelope.game == game.id).order_by(Envelope.number)).all()
    hands, envelopes, left_out, cancels = [], [], {}, {}
    taken: set[str] = set()
    for row in rows:
        if row.opened is None:
            continue
        if row.claim is None and row.received is None:
            left_out[row.number] = "not-seen"
            continue
        if row.lateness == "refused":
            left_out[row.number] = "late"
            continue
        name = row.name if row.name and row.name not in taken else f"{row.name or 'Envelope'} ({row.number})"
        taken.add(name)
        handed_in = min(filter(None, (row.claimed, row.received)), default=None)
        hand: dict[str, Any] = {"player": name, "cards": _counted(row.claim or [])}
        if handed_in is not None:
            hand["handed_in"] = handed_in.isoformat().replace("+00:00", "Z")
        if row.facts:
            hand["facts"] = dict(row.facts)
        hands.append(hand)
        envelopes.append(row.number)
        if row.cancels:
            cancels[name] = [_key(key) for key in row.cancels]
    document: dict[str, Any] = {"hands": hands, "settings": {**game.settings, "seed": game.seed}}
    if game.active_rules is not None:
        document["active_rules"] = [_key(key) for key in game.active_rules]
    document["cancels"] = cancels
    return GameInputs(document, tuple(envelopes), left_out)


def open_points(session: Session, game: Game, confirmed: dict[str, int]) -> list[OpenPoint]:
    """Return what is still open; `confirmed` are the values of settings that the organiser has confirmed."""
    del session
    return [
        OpenPoint("confirm", f"{setting.label} is {game.settings[setting.name]}. {setting.text}")
        for setting in edition_of(game).settings
        if setting.confirm and confirmed.get(setting.name) != game.settings[setting.name]
    ]


def revision(session: Session, game: str) -> tuple[int, int]:
    """Return a mark of a game's state that no change leaves as it is."""
    audit = session.scalar(select(func.max(AuditEntry.id)).where(AuditEntry.game == game))
    change = session.scalar(select(func.max(Change.id)).where(Change.game == game))
    return audit or 0, change or 0


def _counted(cards: list[str]) -> dict[str, int]:
    """Count names of cards by kind."""
    counts: dict[str, int] = {}
    for card in cards:
        kind = card.rsplit("-", 1)[0]
        counts[kind] = counts.get(kind, 0) + 1
    return counts


def _key(key: object) -> int | str:
    """Return a rule's key as the hands' form wants it: a number where it is one."""
    text = str(key)
    return int(text) if text.isdigit() else text
