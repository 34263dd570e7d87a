"""The states of a game: what each allows, and which one follows. `docs/organisers.md` shows the table."""

from __future__ import annotations

from enum import StrEnum


class State(StrEnum):
    """The state of a game."""

    DRAFT = "draft"
    """Being set up; nothing is printed."""
    PRINTED = "printed"
    """Cards exist, but are not valid yet."""
    OPEN = "open"
    """The game is played: cards are valid, players ask for scores and hand in."""
    CLOSED = "closed"
    """The deadline has passed: envelopes are photographed and doubts decided. Late hand-ins are accepted and marked."""
    FROZEN = "frozen"
    """The result is final. A correction creates a new version."""
    PUBLISHED = "published"
    """Every player sees the ranking and the breakdown of the player's own score."""


class Act(StrEnum):
    """An act on a game. The API uses the names; the values complete the sentence "To ..., the game must be"."""

    EDIT_GAME = "change the edition or the number of players"
    EDIT_RULES = "change which rules count"
    EDIT_SETTINGS = "change the edition's settings"
    EDIT_PLAY = "change the deadline, the provisional score, the attempts or the expected cards"
    EDIT_NAMES = "change names, languages or how long photographs are kept"
    PRINT = "print cards"
    OPEN = "open the game"
    CLOSE = "close the game"
    REOPEN = "open the game again"
    FREEZE = "freeze the game"
    THAW = "thaw the game"
    PUBLISH = "publish the results"
    UNPUBLISH = "unpublish the results"
    OPEN_ENVELOPE = "open an envelope"
    SEAL_ENVELOPE = "seal an envelope"
    REVOKE = "end an envelope's link"
    JOIN = "join"
    PHOTOGRAPH = "photograph a deck"
    CHECK = "ask for a provisional score"
    HAND_IN = "hand in"
    RECEIVE = "photograph envelopes"
    SETTLE = "settle doubts"
    ASK = "enter facts and cancel choices"
    ADJUST = "give or take points"
    CORRECT = "correct a counted hand"
    DELETE = "delete the game"


_DRAFT, _PRINTED, _OPEN, _CLOSED, _FROZEN, _PUBLISHED = State
_ALL = frozenset(State)

ALLOWED: dict[Act, frozenset[State]] = {
    Act.EDIT_GAME: frozenset({_DRAFT}),
    Act.EDIT_RULES: frozenset({_DRAFT, _PRINTED}),
    Act.EDIT_SETTINGS: frozenset({_DRAFT, _PRINTED, _OPEN, _CLOSED}),
    Act.EDIT_PLAY: frozenset({_DRAFT, _PRINTED, _OPEN, _CLOSED}),
    Act.EDIT_NAMES: _ALL,
    Act.PRINT: frozenset({_DRAFT, _PRINTED, _OPEN}),
    Act.OPEN: frozenset({_PRINTED}),
    Act.CLOSE: frozenset({_OPEN}),
    Act.REOPEN: frozenset({_CLOSED}),
    Act.FREEZE: frozenset({_CLOSED}),
    Act.THAW: frozenset({_FROZEN}),
    Act.PUBLISH: frozenset({_FROZEN, _PUBLISHED}),
    Act.UNPUBLISH: frozenset({_PUBLISHED}),
    Act.OPEN_ENVELOPE: frozenset({_PRINTED, _OPEN}),
    Act.SEAL_ENVELOPE: frozenset({_PRINTED, _OPEN, _CLOSED}),
    Act.REVOKE: frozenset({_PRINTED, _OPEN, _CLOSED, _FROZEN, _PUBLISHED}),
    Act.JOIN: frozenset({_PRINTED, _OPEN, _CLOSED, _FROZEN, _PUBLISHED}),
    Act.PHOTOGRAPH: frozenset({_OPEN, _CLOSED}),
    Act.CHECK: frozenset({_OPEN}),
    Act.HAND_IN: frozenset({_OPEN, _CLOSED}),
    Act.RECEIVE: frozenset({_OPEN, _CLOSED}),
    Act.SETTLE: frozenset({_OPEN, _CLOSED}),
    Act.ASK: frozenset({_CLOSED}),
    Act.ADJUST: frozenset({_OPEN, _CLOSED, _FROZEN, _PUBLISHED}),
    Act.CORRECT: frozenset({_FROZEN, _PUBLISHED}),
    Act.DELETE: frozenset({_DRAFT, _PRINTED, _PUBLISHED}),
}
"""The states in which each act is allowed."""

NEXT: dict[Act, State] = {
    Act.OPEN: State.OPEN,
    Act.CLOSE: State.CLOSED,
    Act.REOPEN: State.OPEN,
    Act.FREEZE: State.FROZEN,
    Act.THAW: State.CLOSED,
    Act.PUBLISH: State.PUBLISHED,
    Act.UNPUBLISH: State.FROZEN,
}
"""The next state, for acts that change it. The first print run changes draft to printed."""
