"""Counting a game: versions that stay, corrections that show what moved, and publishing."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from server.play import versions
from server.play.house import House, game_row
from server.play.moves import hands_by_envelope, moves
from server.play.refusals import Refusal
from server.play.settings import change_game
from server.play.states import State
from server.play.versions import Wish, correct, freeze, newest, publish, stale, unpublish, version_row
from server.store.tables import AuditEntry, Envelope
from tests.house import ORGANISER, Clock
from tests.played import EDITIONS, counted_game, played_game, recorded_result


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_count_gives_what_the_recorded_game_gave(edition: str, house: House) -> None:
    game = counted_game(house, edition)
    with house.database.reading() as session:
        assert version_row(session, game, 1).document == recorded_result(edition)
        assert game_row(session, game).state == State.FROZEN
        assert not stale(session, game_row(session, game))


def test_what_is_open_keeps_the_game_from_being_counted_without_a_reason(house: House) -> None:
    game = played_game(house)
    with pytest.raises(Refusal, match="still open") as told:
        freeze(house, game, ORGANISER, Wish())
    assert [point["slug"] for point in told.value.members["open"]] == ["confirm"]
    with house.database.reading() as session:
        assert newest(session, game) == 0
        assert game_row(session, game).state == State.CLOSED
    with pytest.raises(Refusal, match="it is closed"):
        correct(house, game, ORGANISER, Wish(reason="x"))
    freeze(house, game, ORGANISER, Wish(override="The figure is lost."))
    with pytest.raises(Refusal, match="it is frozen"):
        freeze(house, game, ORGANISER, Wish())
    with house.database.reading() as session:
        inputs = version_row(session, game, 1).inputs
    assert inputs["override"] == "The figure is lost."
    assert [point["slug"] for point in inputs["overridden"]] == ["confirm"]


def test_a_correction_makes_a_version_and_keeps_the_old_one(house: House) -> None:
    """A card less in one hand and another value of a setting: scores and lines move."""
    game = counted_game(house)
    with house.database.writing() as session:
        first = dict(version_row(session, game, 1).document)
        seat = session.get_one(Envelope, (game, 2))
        seat.claim = (seat.claim or [])[1:]
        changes = {"settings": {"blue_base": 9}, "confirmed": ["blue_base"]}
        change_game(session, game_row(session, game), changes, ORGANISER, house.clock(), "Miscounted flips.")
    with house.database.reading() as session:
        assert stale(session, game_row(session, game))
    with pytest.raises(Refusal, match="Say why"):
        correct(house, game, ORGANISER, Wish(reason="  "))
    assert correct(house, game, ORGANISER, Wish(reason="A card was counted twice.")) == 2
    with house.database.reading() as session:
        one, two = (version_row(session, game, number) for number in (1, 2))
        assert one.document == first
        assert two.reason == "A card was counted twice."
        assert [version.inputs["game"]["settings"]["blue_base"] for version in (one, two)] == [4, 9]
        assert not stale(session, game_row(session, game))
        moved = moves(hands_by_envelope(one.inputs, one.document), hands_by_envelope(two.inputs, two.document))
    move = next(move for move in moved if move.envelope == 2)
    assert move.before
    assert move.after
    assert move.before["score"] != move.after["score"]
    assert move.gone
    assert move.come


@pytest.mark.parametrize(("times", "version"), [(2, 1), (3, None)])
def test_a_game_that_changes_during_the_count_is_counted_three_times_at_most(
    times: int, version: int | None, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = played_game(house, confirmed=["blue_base"])
    real = versions.scored
    left = iter(range(times))

    def slow(*arguments: Any) -> dict[str, Any]:  # noqa: ANN401 - whatever the real one takes
        document = real(*arguments)
        if (turn := next(left, None)) is not None:
            with house.database.writing() as session:
                session.get_one(Envelope, (game, 1)).name = f"Name {turn}"
                versions.changed(session, game, house.clock(), "envelopes", 1)
        return document

    monkeypatch.setattr(versions, "scored", slow)
    if version is None:
        with pytest.raises(Refusal, match="changed while it was counted"):
            freeze(house, game, ORGANISER, Wish())
    else:
        assert freeze(house, game, ORGANISER, Wish()) == version
        with house.database.reading() as session:
            names = {hand["player"] for hand in version_row(session, game, 1).document["hands"]}
        assert f"Name {times - 1}" in names


def test_publishing_shows_a_version_and_can_be_taken_back(house: House, clock: Clock) -> None:
    game = counted_game(house, published=True)
    with house.database.reading() as session:
        before = session.scalars(select(AuditEntry.id)).all(), game_row(session, game).published
    clock.forward(minutes=1)
    for version in (None, 1):
        with house.database.writing() as session:
            publish(session, game_row(session, game), version, ORGANISER, house.clock())
    with house.database.reading() as session:
        after = session.scalars(select(AuditEntry.id)).all(), game_row(session, game).published
        assert after == before, "publishing again changes nothing"
    correct(house, game, ORGANISER, Wish(reason="Once more."))
    with house.database.writing() as session:
        row = game_row(session, game)
        assert (row.published_version, row.state) == (1, State.PUBLISHED)
        publish(session, row, 2, ORGANISER, house.clock())
        assert row.published_version == 2
        for number in (3, 0, -1, 10**30):
            with pytest.raises(Refusal, match="no such version"):
                publish(session, row, number, ORGANISER, house.clock())
        with pytest.raises(Refusal, match="Say why"):
            unpublish(session, row, ORGANISER, house.clock(), "")
        unpublish(session, row, ORGANISER, house.clock(), "Wrong slide.")
        assert (row.published_version, row.state, row.published) == (None, State.FROZEN, None)
