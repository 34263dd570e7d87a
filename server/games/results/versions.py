"""Counts a game, again and again: each count is a version that stays as it is. Publishing shows one to the players."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import func, select

from server.db.models import ResultVersion
from server.games.audit import audit, publish_event
from server.games.errors import DomainError, not_found
from server.games.lifecycle.commands import move
from server.games.lifecycle.repository import edition_of_game, load_game, lock_game
from server.games.lifecycle.states import Act, allow
from server.games.results.inputs import GameInputs, game_inputs, open_points, revision
from server.scoring import ScoringError, score
from server.scoring.errors import InputError
from server.scoring.request_schema import parse_request
from server.scoring.result import result_document

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.db.models import Game
    from server.games.audit import Actor
    from server.games.context import AppContext
    from server.games.results.inputs import OpenPoint
    from server.scoring.edition import Edition

T = TypeVar("T")

_MOST = 1_000_000

# Counts until the game stands still meanwhile. While pictures are still scanned it moves, and then waiting is right.
ROUNDS = 3


@dataclass(frozen=True)
class CountRequest:
    """Why an organiser wants a game counted. `override` is the reason to count although something is open."""

    reason: str = ""
    override: str = ""


@dataclass(frozen=True)
class Counted:
    """A count that is not kept yet. `mark` is the game's state that was counted, `act` what the count is for."""

    game: str
    act: Act
    inputs: GameInputs
    document: dict[str, Any]
    open: tuple[OpenPoint, ...]
    wish: CountRequest
    mark: tuple[int, ...]


def count(context: AppContext, game: str, act: Act, wish: CountRequest) -> Counted:
    """Count a game as it stands, to freeze or to correct it. Outside of any transaction: it takes its time.

    Refusal `not-settled` while something is open and no reason to override it is named, `wrong-state`, and for a
    correction `no-reason`.
    """
    with context.database.reading() as session:
        row = load_game(session, game)
        allow(row, act)
        if act is Act.CORRECT and not wish.reason.strip():
            raise DomainError("no-reason", "Say why the game is counted again.")
        points = open_points(session, row, {name: row.settings[name] for name in row.confirmed})
        if points and not wish.override.strip():
            more = f"And {len(points) - 1} more. " if len(points) > 1 else ""
            raise DomainError(
                "not-settled",
                f"{len(points)} point{'s are' if len(points) > 1 else ' is'} still open: {points[0].text} {more}"
                "Settle what is open, or name a reason to count all the same.",
                {"open": [asdict(point) for point in points]},
            )
        inputs = _final(game_inputs(session, row))
        mark = revision(session, row.id)
    document = scored(edition_of_game(row), inputs.game)
    return Counted(row.id, act, inputs, document, tuple(points), wish, mark)


def keep(session: Session, counted: Counted, actor: Actor, at: datetime) -> int:
    """Keep a count as the game's next version, frozen with it if that was wanted; return the version.

    Refusal `conflict` if the game has changed since it was counted, `wrong-state` if it may not be counted any more.
    """
    row = load_game(session, counted.game)
    lock_game(session, row)
    allow(row, counted.act)
    if revision(session, row.id) != counted.mark:
        raise DomainError(
            "conflict", "The game changed while it was counted. Count it again when nothing moves any more."
        )
    number = newest(session, row.id) + 1
    inputs, wish = counted.inputs, counted.wish
    reason, override = wish.reason.strip(), wish.override.strip()
    kept = {
        "game": inputs.game,
        "envelopes": list(inputs.envelopes),
        "left_out": {str(envelope): why for envelope, why in inputs.left_out.items()},
        "overridden": [asdict(point) for point in counted.open],
        "override": override,
    }
    session.add(
        ResultVersion(
            game=row.id, version=number, inputs=kept, document=counted.document, reason=reason, who=actor.name, at=at
        )
    )
    said = {"version": number, "hands": len(inputs.envelopes), "override": override}
    audit(session, row.id, actor, at, "count", f"version {number}", reason=reason or override, after=said)
    if counted.act is Act.FREEZE:
        move(session, row, Act.FREEZE, actor, at, reason or override)
    publish_event(session, row.id, at, "results")
    return number


def freeze(context: AppContext, game: str, actor: Actor, wish: CountRequest) -> int:
    """Count a closed game and freeze it; return the version. Refusals as `count` and `keep`."""
    return _counted(context, game, actor, wish, Act.FREEZE)


def correct(context: AppContext, game: str, actor: Actor, wish: CountRequest) -> int:
    """Count a frozen or published game anew; return the version. The versions before stay. Refusals as `freeze`."""
    return _counted(context, game, actor, wish, Act.CORRECT)


def patiently(work: Callable[[], T]) -> T:
    """Do what counts and keeps; if the game moved in between, once or twice more. Refusal `conflict` after that."""
    for _ in range(ROUNDS - 1):
        try:
            return work()
        except DomainError as refusal:
            if refusal.slug != "conflict":
                raise
    return work()


def publish(session: Session, game: Game, version: int | None, actor: Actor, at: datetime, reason: str = "") -> None:
    """Show a version (None: the newest) to the players, in place of the one that they saw before, if any.

    Where they see it already nothing happens: whoever got no answer asks again.
    """
    lock_game(session, game)
    allow(game, Act.PUBLISH)
    number = version_row(session, game.id, newest(session, game.id) if version is None else version).version
    before = game.published_version
    if game.published is not None and before == number:
        return
    move(session, game, Act.PUBLISH, actor, at, reason)
    game.published_version = number
    audit(
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
    publish_event(session, game.id, at, "results")


def unpublish(session: Session, game: Game, actor: Actor, at: datetime, reason: str) -> None:
    """Take the publication back: players see nothing again. What they saw they have seen."""
    if not reason.strip():
        raise DomainError("no-reason", "Say why the publication is taken back.")
    move(session, game, Act.UNPUBLISH, actor, at, reason)
    game.published_version = None
    publish_event(session, game.id, at, "results")


def newest(session: Session, game: str) -> int:
    """Return the number of a game's newest version, 0 if it was never counted."""
    return session.scalar(select(func.max(ResultVersion.version)).where(ResultVersion.game == game)) or 0


def version_row(session: Session, game: str, version: int) -> ResultVersion:
    """Return a version; Refusal `not-found`."""
    # Numbers that no database can hold are not there either.
    row = session.get(ResultVersion, (game, version)) if 0 < version <= _MOST else None
    if row is None:
        raise not_found("version of the results")
    return row


def stale(session: Session, game: Game) -> bool:
    """Tell whether something that counts has changed since the newest version."""
    number = newest(session, game.id)
    now = _final(game_inputs(session, game))
    return number > 0 and version_row(session, game.id, number).inputs["game"] != _json(now.game)


def _counted(context: AppContext, game: str, actor: Actor, wish: CountRequest, act: Act) -> int:
    def work() -> int:
        counted = count(context, game, act, wish)
        with context.database.writing() as session:
            return keep(session, counted, actor, context.clock())

    return patiently(work)


def _final(inputs: GameInputs) -> GameInputs:
    """Say in the inputs that the count is final: without a word, `haggle score` takes a single hand as provisional."""
    if len(inputs.envelopes) != 1 or inputs.game.get("cancels"):
        return inputs
    return replace(inputs, game={**inputs.game, "cancels": {name: [] for name in inputs.player_of}})


def scored(edition: Edition, game: dict[str, Any]) -> dict[str, Any]:
    """Return the result of a game in the form of `haggle score`, as `haggle score --json` prints it."""
    try:
        request = parse_request(edition, _json(game))
        result = score(edition, request.hands, request.settings, request.active_rules, provisional=False)
        return result_document(result)
    except InputError as error:
        place, message = error.mistakes[0]
        raise DomainError("cannot-count", f"{place}: {message}") from None
    except ScoringError as error:
        raise DomainError("cannot-count", str(error)) from None


def _json(game: dict[str, Any]) -> dict[str, Any]:
    """Return a document as it looks after it was written and read again."""
    read: dict[str, Any] = json.loads(json.dumps(game))
    return read
