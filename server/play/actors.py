"""Who does something."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Actor:
    """Who does something: `role` is organiser, player or server, `name` is for people and the audit."""

    role: str
    name: str


SERVER = Actor("server", "the server")
AT_MACHINE = " on the server's machine"
"""How the names end of those who type commands; no organiser signs in by such a name."""
_PLAYER = re.compile(r"envelope \d+", re.ASCII)


def role_of(name: str) -> Literal["organiser", "player", "server"]:
    """Return whose name stands in the audit: organiser, player or server. No organiser signs in by another's name."""
    if name == SERVER.name:
        return "server"
    return "player" if _PLAYER.fullmatch(name) else "organiser"
