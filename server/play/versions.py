"""Counts a game, again and again: each count is a version that stays as it is. Publishing shows one to the players."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from server.play.games import move
from server.play.house import edition_of, game_row
from server.play.inputs import GameInputs, game_inputs, open_points, revision
from server.play.record import changed, record
from server.play.refusals import Refusal, not_found
from server.play.states import Act, allow
from server.scoring import ScoringError, score
from server.scoring.document import document_of
from server.scoring.mistakes import WireError
from server.scoring.wire import request_of
from server.store.tables import ResultVersion

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.editions import Edition
    from server.play.house import Actor, House
    from server.play.inputs import OpenPoint
    from server.store.tables import Game

_ROUNDS = 3
# Counts until the game stands still meanwhile. While pictures are still scanned it moves, and then waiting is right.


@dataclass(frozen=True)
class Wish:
    """What an organiser wants counted. `confirmed` are settings that the edition wants confirmed, with their values.

    `override` is the reason to count although something is open; `settings` are corrected values, confirmed thereby.
    """

    reason: str = ""
    confirmed: Mapping[str, int] = field(default_factory=dict)
    override: str = ""
    settings: Mapping[str, int] = field(default_factory=dict)


def freeze(house: House, game: str, actor: Actor, wish: Wish) -> int:
    """Count a closed game and freeze it; return the version.

    Refusal `not-settled` while something is open and no reason to override it is named, `conflict` if the game does not
    stand still, `wrong-state` unless it is closed.
    """
    return _count(house, game, actor, wish, Act.FREEZE)


def correct(house: House, game: str, actor: Actor, wish: Wish) -> int:
    """Count a frozen or published game anew; return the version. The versions before stay. Refusals as `freeze`."""
    if not wish.reason.strip():
        raise Refusal("no-reason", "Say why the game is counted again.")
    return _count(house, game, actor, wish, Act.CORRECT)


def publish(session: Session, game: Game, version: int | None, actor: Actor, at: datetime, reason: str = "") -> None:
    """Show a version (None: the newest) to the players, in place of the one that they saw before, if any."""
    allow(game, Act.PUBLISH)
    number = newest(session, game.id) if version is None else version
    if session.get(ResultVersion, (game.id, number)) is None:
        raise not_found("version of the results")
    before = game.published_version
    move(session, game, Act.PUBLISH, actor, at, reason)
    game.published_version = number
    record(
        session,
        game.id,
        actor,
        at,
        "publish-version",
        f"version {number}",
        reason=reason,
        before={"version": before},
        after={"version": number},
    )
    changed(session, game.id, at, "results")


def unpublish(session: Session, game: Game, actor: Actor, at: datetime, reason: str) -> None:
    """Take the publication back: players see nothing again. What they saw they have seen."""
    if not reason.strip():
        raise Refusal("no-reason", "Say why the publication is taken back.")
    move(session, game, Act.UNPUBLISH, actor, at, reason)
    game.published_version = None
    changed(session, game.id, at, "results")


def newest(session: Session, game: str) -> int:
    """Return the number of a game's newest version, 0 if it was never counted."""
    return session.scalar(select(func.max(ResultVersion.version)).where(ResultVersion.game == game)) or 0


def version_row(session: Session, game: str, version: int) -> ResultVersion:
    """Return a version; Refusal `not-found`."""
    row = session.get(ResultVersion, (game, version))
    if row is None:
        raise not_found("version of the results")
    return row


def stale(session: Session, game: Game) -> bool:
    """Tell whether something that counts has changed since the newest version."""
    number = newest(session, game.id)
    now = _final(game_inputs(session, game))
    return number > 0 and version_row(session, game.id, number).inputs["game"] != _json(now.game)


def _count(house: House, game: str, actor: Actor, wish: Wish, act: Act) -> int:
    for _ in range(_ROUNDS):
        # Counting takes its time, so it happens between two short transactions; the second one sees whether the game
        # is still the one that was counted.
        with house.database.reading() as session:
            row = game_row(session, game)
            counted = _ready(session, row, wish, act)
            mark = revision(session, row.id)
        document = scored(edition_of(row), counted.inputs.game)
        with house.database.writing() as session:
            row = game_row(session, game)
            allow(row, act)
            if revision(session, row.id) == mark:
                return _keep(session, row, counted, document, (actor, house.clock()), wish, act)
    raise Refusal(
        "conflict", "The game changed while it was counted. Wait until nothing moves any more and count again."
    )


@dataclass(frozen=True)
class _Counted:
    inputs: GameInputs
    confirmed: dict[str, int]
    open: list[OpenPoint]
    settings: dict[str, int]


def _ready(session: Session, row: Game, wish: Wish, act: Act) -> _Counted:
    """Return what is to be counted; Refusal if something is open or does not fit the game."""
    allow(row, act)
    settings = _corrected(edition_of(row), row, wish, act)
    session.expunge(row)  # what is written into it now is for this count alone
    row.settings = settings
    confirmed = {**_confirmed_before(session, row), **wish.confirmed, **wish.settings}
    points = open_points(session, row, confirmed)
    if points and not wish.override.strip():
        raise Refusal(
            "not-settled",
            f"{len(points)} point{'s are' if len(points) > 1 else ' is'} still open: {points[0].text} "
            "Settle what is open, or name a reason to count all the same.",
            {"open": [asdict(point) for point in points]},
        )
    return _Counted(_final(game_inputs(session, row)), confirmed, points, settings)


def _final(inputs: GameInputs) -> GameInputs:
    """Say in the inputs that the count is final: without a word, `haggle score` takes a single hand as provisional."""
    if len(inputs.envelopes) != 1 or inputs.game.get("cancels"):
        return inputs
    return replace(inputs, game={**inputs.game, "cancels": {name: [] for name in inputs.player_of}})


def _corrected(edition: Edition, row: Game, wish: Wish, act: Act) -> dict[str, int]:
    if not wish.settings:
        return dict(row.settings)
    if act is not Act.CORRECT:
        raise Refusal("wrong-setting", "Change the settings of the game first, then freeze it.")
    settings = {**row.settings, **wish.settings}
    scored(edition, {"hands": [], "settings": settings})
    return settings


def _confirmed_before(session: Session, row: Game) -> dict[str, int]:
    """Return what was confirmed for the newest version: it need not be confirmed again."""
    number = newest(session, row.id)
    return dict(version_row(session, row.id, number).inputs["confirmed"]) if number else {}


def _keep(
    session: Session,
    row: Game,
    counted: _Counted,
    document: dict[str, Any],
    by: tuple[Actor, datetime],
    wish: Wish,
    act: Act,
) -> int:
    """Write the version, and whatever goes with it."""
    actor, at = by
    number = newest(session, row.id) + 1
    before = dict(row.settings)
    inputs = counted.inputs
    kept = {
        "game": inputs.game,
        "envelopes": list(inputs.envelopes),
        "left_out": {str(envelope): why for envelope, why in inputs.left_out.items()},
        "confirmed": counted.confirmed,
        "overridden": [asdict(point) for point in counted.open],
        "override": wish.override.strip(),
    }
    reason = wish.reason.strip()
    session.add(
        ResultVersion(game=row.id, version=number, inputs=kept, document=document, reason=reason, who=actor.name, at=at)
    )
    if counted.settings != before:
        row.settings = counted.settings
        old, new = {"settings": before}, {"settings": counted.settings}
        record(session, row.id, actor, at, "correct-settings", reason=reason, before=old, after=new)
    said = {"version": number, "hands": len(inputs.envelopes), "override": wish.override.strip()}
    record(session, row.id, actor, at, "count", f"version {number}", reason=reason, after=said)
    if act is Act.FREEZE:
        move(session, row, act, actor, at, reason)
    changed(session, row.id, at, "results")
    return number


def scored(edition: Edition, game: dict[str, Any]) -> dict[str, Any]:
    """Return the result of a game in the form of `haggle score`, as `haggle score --json` prints it."""
    try:
        request = request_of(edition, _json(game))
        result = score(edition, request.hands, request.settings, request.active_rules, provisional=False)
        return document_of(result)
    except WireError as error:
        place, message = error.mistakes[0]
        raise Refusal("cannot-count", f"{place}: {message}") from None
    except ScoringError as error:
        raise Refusal("cannot-count", str(error)) from None


def _json(game: dict[str, Any]) -> dict[str, Any]:
    """Return a document as it looks after it was written and read again."""
    read: dict[str, Any] = json.loads(json.dumps(game))
    return read
