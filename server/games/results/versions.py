"""Counts of a game as immutable versions. Publishing shows one of them to the players."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import func, select

from server.db.models import ResultVersion
from server.games.audit import audit
from server.games.errors import DomainError, not_found
from server.games.events import publish_event
from server.games.lifecycle.commands import change_state
from server.games.lifecycle.repository import edition_of_game, load_game, lock_game
from server.games.lifecycle.states import Act
from server.games.results.inputs import GameInputs, game_inputs, open_points, state_mark
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

_MAX_VERSION = 1_000_000

MAX_ATTEMPTS = 3
"""Attempts to count a game that changes while it is counted, as it does while photographs are being scanned."""


@dataclass(frozen=True)
class CountRequest:
    """An organiser's reason for counting a game, and the reason for counting although something is open."""

    reason: str = ""
    override: str = ""


@dataclass(frozen=True)
class PendingCount:
    """A count that is not saved yet. `mark` identifies the state that was counted; `act` is FREEZE or CORRECT."""

    game: str
    act: Act
    inputs: GameInputs
    document: dict[str, Any]
    open: tuple[OpenPoint, ...]
    request: CountRequest
    mark: tuple[int, ...]


def count(context: AppContext, game: str, act: Act, request: CountRequest) -> PendingCount:
    """Count a game in its current state, to freeze or to correct it. Takes long, so it runs outside of transactions.

    Raises DomainError `not-settled` while something is open and no reason to override is given, `wrong-state`, and
    `no-reason` for a correction without a reason.
    """
    with context.database.reading() as session:
        row = load_game(session, game, act)
        if act is Act.CORRECT and not request.reason.strip():
            raise DomainError("no-reason", "Say why the game is being counted again.")
        points = open_points(session, row, {name: row.settings[name] for name in row.confirmed})
        if points and not request.override.strip():
            more = f"And {len(points) - 1} more. " if len(points) > 1 else ""
            raise DomainError(
                "not-settled",
                f"{len(points)} thing{'s are' if len(points) > 1 else ' is'} still open: {points[0].text} {more}"
                "Settle what is open, or give a reason to count anyway.",
                {"open": [asdict(point) for point in points]},
            )
        inputs = _as_final(game_inputs(session, row))
        mark = state_mark(session, row.id)
    document = score_inputs(edition_of_game(row), inputs.game)
    return PendingCount(row.id, act, inputs, document, tuple(points), request, mark)


def save_count(session: Session, pending: PendingCount, actor: Actor, at: datetime) -> int:
    """Save a count as the game's next version, freeze the game if wanted, and return the version.

    Raises DomainError `conflict` if the game has changed since it was counted, `wrong-state` if it cannot be counted.
    """
    row = load_game(session, pending.game)
    lock_game(session, row, pending.act)
    if state_mark(session, row.id) != pending.mark:
        raise DomainError(
            "conflict", "The game changed while it was being counted. Count it again once nothing changes any more."
        )
    number = latest_version(session, row.id) + 1
    inputs, request = pending.inputs, pending.request
    reason, override = request.reason.strip(), request.override.strip()
    kept = {
        "game": inputs.game,
        "envelopes": list(inputs.envelopes),
        "left_out": {str(envelope): why for envelope, why in inputs.left_out.items()},
        "overridden": [asdict(point) for point in pending.open],
        "override": override,
    }
    session.add(
        ResultVersion(
            game=row.id, version=number, inputs=kept, document=pending.document, reason=reason, who=actor.name, at=at
        )
    )
    subject, after = f"version {number}", {"version": number, "hands": len(inputs.envelopes), "override": override}
    audit(session, actor, "count", game=row.id, at=at, subject=subject, reason=reason or override, after=after)
    if pending.act is Act.FREEZE:
        change_state(session, row, Act.FREEZE, actor, at, reason or override)
    publish_event(session, row.id, at, "results")
    return number


def freeze(context: AppContext, game: str, actor: Actor, request: CountRequest) -> int:
    """Count a closed game and freeze it; return the version. Raises DomainError as `count` and `save_count`."""
    return _count_and_save(context, game, actor, request, Act.FREEZE)


def correct(context: AppContext, game: str, actor: Actor, request: CountRequest) -> int:
    """Count a frozen or published game again; return the version. Earlier versions stay. Raises as `freeze`."""
    return _count_and_save(context, game, actor, request, Act.CORRECT)


def retry_on_conflict(work: Callable[[], T]) -> T:
    """Call a function that counts and saves, again if the game changed in between, up to `MAX_ATTEMPTS` times."""
    for _ in range(MAX_ATTEMPTS - 1):
        try:
            return work()
        except DomainError as error:
            if error.slug != "conflict":
                raise
    return work()


def publish(session: Session, game: Game, version: int | None, actor: Actor, at: datetime, reason: str = "") -> None:
    """Show a version (None: the newest) to the players, instead of the one published before, if any.

    Publishing the same version again does nothing: a client without an answer may repeat its request.
    """
    lock_game(session, game, Act.PUBLISH)
    number = load_version(session, game.id, latest_version(session, game.id) if version is None else version).version
    if game.published is not None and game.published_version == number:
        return
    subject, before, after = f"version {number}", {"version": game.published_version}, {"version": number}
    change_state(session, game, Act.PUBLISH, actor, at, reason)
    game.published_version = number
    action = "publish-version"
    audit(session, actor, action, game=game.id, at=at, subject=subject, reason=reason, before=before, after=after)
    publish_event(session, game.id, at, "results")


def unpublish(session: Session, game: Game, actor: Actor, at: datetime, reason: str) -> None:
    """Take the publication back: players no longer see any results."""
    if not reason.strip():
        raise DomainError("no-reason", "Say why the results are being unpublished.")
    change_state(session, game, Act.UNPUBLISH, actor, at, reason)
    game.published_version = None
    publish_event(session, game.id, at, "results")


def latest_version(session: Session, game: str) -> int:
    """Return the number of a game's newest version, 0 if it was never counted."""
    return session.scalar(select(func.max(ResultVersion.version)).where(ResultVersion.game == game)) or 0


def load_version(session: Session, game: str, version: int) -> ResultVersion:
    """Return a version; raises DomainError `not-found`."""
    # Larger numbers may not fit into the database's integers.
    row = session.get(ResultVersion, (game, version)) if 0 < version <= _MAX_VERSION else None
    if row is None:
        raise not_found("version of the results")
    return row


def is_outdated(session: Session, game: Game) -> bool:
    """Return whether anything that counts has changed since the newest version."""
    number = latest_version(session, game.id)
    now = _as_final(game_inputs(session, game))
    return number > 0 and load_version(session, game.id, number).inputs["game"] != _through_json(now.game)


def _count_and_save(context: AppContext, game: str, actor: Actor, request: CountRequest, act: Act) -> int:
    def work() -> int:
        pending = count(context, game, act, request)
        with context.database.writing() as session:
            return save_count(session, pending, actor, context.clock())

    return retry_on_conflict(work)


def _as_final(inputs: GameInputs) -> GameInputs:
    """Mark inputs as a final count: by default, `haggle score` takes a single hand as provisional."""
    if len(inputs.envelopes) != 1 or inputs.game.get("cancels"):
        return inputs
    return replace(inputs, game={**inputs.game, "cancels": {name: [] for name in inputs.player_of}})


def score_inputs(edition: Edition, game: dict[str, Any]) -> dict[str, Any]:
    """Return the result of inputs in the form that `haggle score --json` prints."""
    try:
        request = parse_request(edition, _through_json(game))
        result = score(edition, request.hands, request.settings, request.active_rules, provisional=False)
        return result_document(result)
    except InputError as error:
        place, message = error.mistakes[0]
        raise DomainError("cannot-count", f"{place}: {message}") from None
    except ScoringError as error:
        raise DomainError("cannot-count", str(error)) from None


def _through_json(game: dict[str, Any]) -> dict[str, Any]:
    """Return a document as it is after writing and reading it as JSON."""
    read: dict[str, Any] = json.loads(json.dumps(game))
    return read
