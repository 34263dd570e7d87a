"""The HTTP interface of a server that keeps games: organisers, players and the projector."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.api.house import events, health, me, me_decks, session

if TYPE_CHECKING:
    from apiflask import APIBlueprint

blueprints: tuple[APIBlueprint, ...] = (
    health.blueprint,
    session.blueprint,
    events.blueprint,
    me.blueprint,
    me_decks.blueprint,
)
"""The endpoints, one blueprint a subject."""
