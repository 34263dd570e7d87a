"""The HTTP interface of a server that keeps games: organisers, players and the projector."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.api.house import (
    audit,
    big_screen,
    cards,
    editions,
    envelopes,
    events,
    exports,
    games,
    health,
    me,
    me_decks,
    my_result,
    photos,
    previews,
    prints,
    questions,
    queue,
    results,
    runs,
    scores,
    session,
)

if TYPE_CHECKING:
    from apiflask import APIBlueprint

blueprints: tuple[APIBlueprint, ...] = (
    health.blueprint,
    session.blueprint,
    events.blueprint,
    editions.blueprint,
    games.blueprint,
    runs.blueprint,
    previews.blueprint,
    prints.blueprint,
    envelopes.blueprint,
    me.blueprint,
    me_decks.blueprint,
    results.blueprint,
    scores.blueprint,
    big_screen.blueprint,
    exports.blueprint,
    my_result.blueprint,
    photos.blueprint,
    queue.blueprint,
    cards.blueprint,
    questions.blueprint,
    audit.blueprint,
)
"""The endpoints, one blueprint a subject."""
