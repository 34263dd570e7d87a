"""The tables: games and all that belongs to them. A row of `Game` is the root; what it owns goes when it goes.

Lists of cards are kept as names of cards (`red-007`), sorted. JSON columns hold plain JSON.
"""

from __future__ import annotations

from server.store.tables.base import Base, table_of
from server.store.tables.game import Card, Envelope, Game, PrintJob, PrintRun
from server.store.tables.played import Check, Deck, Photo
from server.store.tables.server import Answer, Chore, EndedSession, Installation, Release, Scanner
from server.store.tables.told import AuditEntry, Change, ResultVersion, Ruling

__all__ = [
    "Answer",
    "AuditEntry",
    "Base",
    "Card",
    "Change",
    "Check",
    "Chore",
    "Deck",
    "EndedSession",
    "Envelope",
    "Game",
    "Installation",
    "Photo",
    "PrintJob",
    "PrintRun",
    "Release",
    "ResultVersion",
    "Ruling",
    "Scanner",
    "table_of",
]
