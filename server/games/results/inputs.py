"""What a game's final count is made from: the hands that count, and what is still open before they may be counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from server.db.models import AuditEntry, Envelope, Game, GameEvent
from server.games.lifecycle.repository import edition_of_game
from server.games.review.evidence import reconcile_game
from server.games.review.questions import active_rules, cancel_mistakes, kinds_of, part_mistakes_in, questions
from server.scoring.request_schema import MAX_NAME
from server.scoring.request_validation import plain_name

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

_LONGEST_NUMBER = 10


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
    """Return what counts in a game, as everything stands now.

    A hand that does not count is left out with its reason: not-seen, absent, late-refused, or sealed. A choice of rules
    to cancel, or parts, that do not fit the hands (any more) count as none; `open_points` tells of it.
    """
    whole = reconcile_game(session, game)
    hands = {number: hand for number, hand in whole.hands.items() if hand.counts}
    edition, active = edition_of_game(game), active_rules(game)
    entries, cancels = [], {}
    taken: set[str] = set()
    for number, hand in hands.items():
        row = session.get_one(Envelope, (game.id, number))
        name = _name(row, edition.phrases["nameless"], taken)
        entry: dict[str, Any] = {"player": name, "cards": kinds_of(hand.cards)}
        if hand.handed_in is not None:
            entry["handed_in"] = hand.handed_in.isoformat().replace("+00:00", "Z")
        if facts := {name: value for name, value in row.facts.items() if name in edition.fact_of}:
            entry["facts"] = facts
        entries.append(entry)
        if row.parts and not part_mistakes_in(edition, entry["cards"], row.parts):
            entry["parts"] = row.parts
        if row.cancels and not cancel_mistakes(edition, active, hands, number, row.cancels):
            cancels[name] = [_key(key) for key in row.cancels]
    document: dict[str, Any] = {"hands": entries, "settings": {**game.settings, "seed": game.seed}}
    if game.active_rules is not None:
        document["active_rules"] = [_key(key) for key in game.active_rules]
    document["cancels"] = cancels
    left_out = {
        number: hand.exclusion
        for number, hand in whole.hands.items()
        if not hand.counts and (hand.exclusion != "sealed" or hand.photos or hand.cards)
    }
    return GameInputs(document, tuple(hands), left_out)


def open_points(session: Session, game: Game, confirmed: dict[str, int]) -> list[OpenPoint]:
    """Return what is still open; `confirmed` are the values of settings that the organiser has confirmed."""
    points = [
        OpenPoint("confirm", f"{setting.label} is {game.settings[setting.name]}. {setting.text}")
        for setting in edition_of_game(game).settings
        if setting.confirm and confirmed.get(setting.name) != game.settings[setting.name]
    ]
    whole = reconcile_game(session, game)
    if whole.waiting:
        points.append(OpenPoint("pictures", f"{len(whole.waiting)} pictures are still to be read."))
    points += [OpenPoint(item.kind.value, item.text) for item in whole.open_issues]
    for asked in questions(session, game):
        if asked.open:
            said = "; ".join(asked.mistakes) or "facts, parts or rules to cancel are still to be entered"
            points.append(OpenPoint("question", f"Envelope {asked.envelope}: {said}."))
    return points


def _name(row: Envelope, nameless: str, taken: set[str]) -> str:
    """Return the name under which a hand is counted; names that look the same are told apart by the envelope."""
    name = row.name or nameless.format(number=row.number)
    if plain_name(name) in taken:
        name = f"{name[: MAX_NAME - _LONGEST_NUMBER]} ({row.number})"
    taken.add(plain_name(name))
    return name


def revision(session: Session, game: str) -> tuple[int, ...]:
    """Return a mark of a game's state that no change leaves as it is."""
    # Not by the newest number alone: of changes that are made side by side a lower one may be seen later.
    audit = session.scalar(select(func.count()).select_from(AuditEntry).where(AuditEntry.game == game))
    counted = select(func.count(), func.min(GameEvent.id), func.max(GameEvent.id)).where(GameEvent.game == game)
    changes, first, last = session.execute(counted).one()
    return audit or 0, changes, first or 0, last or 0


def _key(key: object) -> int | str:
    """Return a rule's key as the hands' form wants it: a number where it is one."""
    text = str(key)
    return int(text) if text.isdigit() else text
