"""Inputs of a game's final count: the hands that count, and the points still open before it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from server.db.models import AuditEntry, Envelope, Game, GameEvent
from server.games.lifecycle.repository import edition_of_game
from server.games.players.decks import count_kinds
from server.games.review.questions import active_rules, cancel_errors, load_questions, part_errors
from server.games.review.reconcile import reconcile_game
from server.scoring.request_schema import MAX_NAME
from server.scoring.request_validation import plain_name

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

_SUFFIX_LENGTH = 10


@dataclass(frozen=True)
class GameInputs:
    """Inputs of a count: `game` in the form that `haggle score` reads, and the envelope of each hand.

    `left_out` holds the envelopes whose hands do not count, with the slug of the reason.
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
    """Something that must be settled before a game is counted: a slug for programs and a sentence."""

    slug: str
    text: str


def game_inputs(session: Session, game: Game) -> GameInputs:
    """Return the inputs of a count of the game in its current state.

    A hand that does not count is left out, with its reason: not-seen, absent, late-refused, or sealed. Cancelled rules
    and parts that do not fit the hands are ignored; `open_points` reports them.
    """
    whole = reconcile_game(session, game)
    hands = {number: hand for number, hand in whole.hands.items() if hand.counts}
    edition, active = edition_of_game(game), active_rules(game)
    entries, cancels = [], {}
    taken: set[str] = set()
    rows = {number: session.get_one(Envelope, (game.id, number)) for number in hands}
    names = {number: _unique_name(row, edition.phrases["nameless"], taken) for number, row in rows.items()}
    for number, hand in hands.items():
        row, name = rows[number], names[number]
        entry: dict[str, Any] = {"player": name, "cards": count_kinds(hand.cards)}
        if hand.handed_in is not None:
            entry["handed_in"] = hand.handed_in.isoformat().replace("+00:00", "Z")
        facts = {name: value for name, value in row.facts.items() if name in edition.fact_of}
        for fact in edition.player_facts:
            if row.facts.get(fact.name) in names:
                facts[fact.name] = names[row.facts[fact.name]]
        if facts:
            entry["facts"] = facts
        if row.adjustments:
            entry["adjustments"] = [{"points": one["points"], "reason": one["reason"]} for one in row.adjustments]
        entries.append(entry)
        if row.parts and not part_errors(edition, entry["cards"], row.parts):
            entry["parts"] = row.parts
        if row.cancels and not cancel_errors(edition, active, hands, number, row.cancels):
            cancels[name] = [_rule_key(key) for key in row.cancels]
    document: dict[str, Any] = {"hands": entries, "settings": {**game.settings, "seed": game.seed}}
    if game.active_rules is not None:
        document["active_rules"] = [_rule_key(key) for key in game.active_rules]
    document["cancels"] = cancels
    left_out = {
        number: hand.exclusion
        for number, hand in whole.hands.items()
        if not hand.counts and (hand.exclusion != "sealed" or hand.photos or hand.cards)
    }
    return GameInputs(document, tuple(hands), left_out)


def open_points(session: Session, game: Game, confirmed: dict[str, int]) -> list[OpenPoint]:
    """Return the points still open; `confirmed` are the values of settings that an organiser has confirmed."""
    points = [
        OpenPoint("confirm", f"{setting.label} is {game.settings[setting.name]}. {setting.text}")
        for setting in edition_of_game(game).settings
        if setting.confirm and confirmed.get(setting.name) != game.settings[setting.name]
    ]
    whole = reconcile_game(session, game)
    if whole.waiting:
        points.append(OpenPoint("pictures", f"{len(whole.waiting)} pictures have not been read yet."))
    points += [OpenPoint(item.kind.value, item.text) for item in whole.open_issues]
    for asked in load_questions(session, game):
        if asked.open:
            mistakes = "; ".join(asked.mistakes) or "facts, parts or rules to cancel have not been entered yet"
            points.append(OpenPoint("question", f"Envelope {asked.envelope}: {mistakes}."))
    return points


def _unique_name(row: Envelope, nameless: str, taken: set[str]) -> str:
    """Return the name under which a hand is counted, with the envelope added if another name looks the same."""
    name = row.name or nameless.format(number=row.number)
    if plain_name(name) in taken:
        name = f"{name[: MAX_NAME - _SUFFIX_LENGTH]} ({row.number})"
    taken.add(plain_name(name))
    return name


def state_mark(session: Session, game: str) -> tuple[int, ...]:
    """Return a mark of a game's state that every change alters."""
    # The newest number alone is not enough: of concurrent changes, a lower number may become visible later.
    audit = session.scalar(select(func.count()).select_from(AuditEntry).where(AuditEntry.game == game))
    counted = select(func.count(), func.min(GameEvent.id), func.max(GameEvent.id)).where(GameEvent.game == game)
    changes, first, last = session.execute(counted).one()
    return audit or 0, changes, first or 0, last or 0


def _rule_key(key: object) -> int | str:
    """Return a rule's key as `haggle score` reads it: an integer if it is one."""
    text = str(key)
    return int(text) if text.isdigit() else text
