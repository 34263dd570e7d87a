"""The HTTP interface of a server that keeps games: organisers, players and the projector."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.api import events, health, scores, session
from server.api.organiser import (
    archives,
    audit,
    editions,
    envelopes,
    games,
    photos,
    print_jobs,
    printing,
    projector,
    questions,
    results,
    review,
)
from server.api.player import decks, profile
from server.api.player import results as player_results

if TYPE_CHECKING:
    from apiflask import APIBlueprint

blueprints: tuple[APIBlueprint, ...] = (
    health.blueprint,
    session.blueprint,
    events.blueprint,
    editions.blueprint,
    games.blueprint,
    printing.blueprint,
    printing.previews_blueprint,
    print_jobs.blueprint,
    envelopes.blueprint,
    profile.blueprint,
    decks.blueprint,
    results.blueprint,
    scores.blueprint,
    projector.blueprint,
    archives.blueprint,
    player_results.blueprint,
    photos.blueprint,
    review.blueprint,
    review.cards_blueprint,
    questions.blueprint,
    audit.blueprint,
)
"""The endpoints, one blueprint a subject."""
