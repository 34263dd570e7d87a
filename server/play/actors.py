"""Who does something."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Actor:
    """Who does something: `role` is organiser, player or server, `name` is for people and the audit."""

    role: str
    name: str


SERVER = Actor("server", "the server")
