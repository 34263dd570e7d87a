"""Scoring a game: immutable versions, corrections and publication."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from server.db.models import AuditEntry, Envelope
from server.games.context import AppContext
from server.games.errors import DomainError
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.settings import change_game
from server.games.lifecycle.states import State
from server.games.results import versions
from server.games.results.standings import compare_counts, hands_by_envelope
from server.games.results.versions import (
    CountRequest,
    correct,
    freeze,
    is_outdated,
    latest_version,
    load_version,
    publish,
    unpublish,
)
from tests.context import ORGANISER, Clock
from tests.played_game import EDITIONS, counted_game, played_game, recorded_result


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_count_gives_the_recorded_result(edition: str, context: AppContext) -> None:
    game = counted_game(context, edition)
    with context.database.reading() as session:
        assert load_version(session, game, 1).document == recorded_result(edition)
        assert load_game(session, game).state == State.FROZEN
        assert not is_outdated(session, load_game(session, game))


def test_open_issues_prevent_a_count_without_a_reason(context: AppContext) -> None:
    game = played_game(context)
    with pytest.raises(DomainError, match="still open") as error:
        freeze(context, game, ORGANISER, CountRequest())
    assert [point["slug"] for point in error.value.members["open"]] == ["confirm"]
    with context.database.reading() as session:
        assert latest_version(session, game) == 0
        assert load_game(session, game).state == State.CLOSED
    with pytest.raises(DomainError, match="it is closed"):
        correct(context, game, ORGANISER, CountRequest(reason="x"))
    freeze(context, game, ORGANISER, CountRequest(override="The figure is lost."))
    with pytest.raises(DomainError, match="it is frozen"):
        freeze(context, game, ORGANISER, CountRequest())
    with context.database.reading() as session:
        inputs = load_version(session, game, 1).inputs
    assert inputs["override"] == "The figure is lost."
    assert [point["slug"] for point in inputs["overridden"]] == ["confirm"]


def test_a_correction_creates_a_new_version(context: AppContext) -> None:
    """One card less in a hand and a changed setting: scores and lines differ."""
    game = counted_game(context)
    with context.database.writing() as session:
        first = dict(load_version(session, game, 1).document)
        seat = session.get_one(Envelope, (game, 2))
        seat.submitted_cards = (seat.submitted_cards or [])[1:]
        changes = {"settings": {"blue_base": 9}, "confirmed": ["blue_base"]}
        change_game(session, load_game(session, game), changes, ORGANISER, context.clock(), "Miscounted flips.")
    with context.database.reading() as session:
        assert is_outdated(session, load_game(session, game))
    with pytest.raises(DomainError, match="Say why"):
        correct(context, game, ORGANISER, CountRequest(reason="  "))
    assert correct(context, game, ORGANISER, CountRequest(reason="A card was counted twice.")) == 2
    with context.database.reading() as session:
        one, two = (load_version(session, game, number) for number in (1, 2))
        assert one.document == first
        assert two.reason == "A card was counted twice."
        assert [version.inputs["game"]["settings"]["blue_base"] for version in (one, two)] == [4, 9]
        assert not is_outdated(session, load_game(session, game))
        moved = compare_counts(hands_by_envelope(one.inputs, one.document), hands_by_envelope(two.inputs, two.document))
    move = next(move for move in moved if move.envelope == 2)
    assert move.before
    assert move.after
    assert move.before["score"] != move.after["score"]
    assert move.gone
    assert move.come


@pytest.mark.parametrize(("times", "version"), [(2, 1), (3, None)])
def test_a_count_is_retried_twice_if_the_game_changes(
    times: int, version: int | None, context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = played_game(context, confirmed=["blue_base"])
    real = versions.score_inputs
    left = iter(range(times))

    def slow(*arguments: Any) -> dict[str, Any]:  # noqa: ANN401 - whatever the real one takes
        document = real(*arguments)
        if (turn := next(left, None)) is not None:
            with context.database.writing() as session:
                session.get_one(Envelope, (game, 1)).name = f"Name {turn}"
                versions.publish_event(session, game, context.clock(), "envelopes", 1)
        return document

    monkeypatch.setattr(versions, "score_inputs", slow)
    if version is None:
        with pytest.raises(DomainError, match="changed while it was being counted"):
            freeze(context, game, ORGANISER, CountRequest())
    else:
        assert freeze(context, game, ORGANISER, CountRequest()) == version
        with context.database.reading() as session:
            names = {hand["player"] for hand in load_version(session, game, 1).document["hands"]}
        assert f"Name {times - 1}" in names


def test_publishing_can_be_withdrawn(context: AppContext, clock: Clock) -> None:
    game = counted_game(context, published=True)
    with context.database.reading() as session:
        before = session.scalars(select(AuditEntry.id)).all(), load_game(session, game).published
    clock.forward(minutes=1)
    for version in (None, 1):
        with context.database.writing() as session:
            publish(session, load_game(session, game), version, ORGANISER, context.clock())
    with context.database.reading() as session:
        after = session.scalars(select(AuditEntry.id)).all(), load_game(session, game).published
        assert after == before, "publishing again changes nothing"
    correct(context, game, ORGANISER, CountRequest(reason="Once more."))
    with context.database.writing() as session:
        row = load_game(session, game)
        assert (row.published_version, row.state) == (1, State.PUBLISHED)
        publish(session, row, 2, ORGANISER, context.clock())
        assert row.published_version == 2
        for number in (3, 0, -1, 10**30):
            with pytest.raises(DomainError, match="no such version"):
                publish(session, row, number, ORGANISER, context.clock())
        with pytest.raises(DomainError, match="Say why"):
            unpublish(session, row, ORGANISER, context.clock(), "")
        unpublish(session, row, ORGANISER, context.clock(), "Wrong slide.")
        assert (row.published_version, row.state, row.published) == (None, State.FROZEN, None)
