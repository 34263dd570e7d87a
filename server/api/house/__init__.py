"""The HTTP interface of a server that keeps games: organisers, players and the projector."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from apiflask import APIBlueprint

blueprints: tuple[APIBlueprint, ...] = ()
"""The endpoints, one blueprint a subject."""
