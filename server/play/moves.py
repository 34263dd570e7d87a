"""What moved from one count of a game to another: places, scores and lines, envelope by envelope."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_OF_LINE = ("rule", "points", "text", "void", "voided_by")


@dataclass(frozen=True)
class Move:
    """What moved for one envelope. `before` and `after` are its hands in both counts; None: not counted there.

    `gone` and `come` are lines of the breakdown that only the first, or only the second count has.
    """

    envelope: int
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    gone: tuple[dict[str, Any], ...]
    come: tuple[dict[str, Any], ...]


def moves(before: Mapping[int, dict[str, Any]], after: Mapping[int, dict[str, Any]]) -> list[Move]:
    """Return what moved between two counts, given as hands by envelope, in the order of the newer ranking.

    A hand that is the same in both, with all its lines, has not moved.
    """
    found = []
    for envelope in [*after, *(number for number in before if number not in after)]:
        old, new = before.get(envelope), after.get(envelope)
        if old == new:
            continue
        gone, come = _lines(old), _lines(new)
        found.append(Move(envelope, _place(old), _place(new), _as_lines(gone - come), _as_lines(come - gone)))
    return found


def hands_by_envelope(inputs: Mapping[str, Any], document: Mapping[str, Any]) -> dict[int, dict[str, Any]]:
    """Return the counted hands of a version by their envelopes, in rank order."""
    names = [hand["player"] for hand in inputs["game"]["hands"]]
    envelope_of = dict(zip(names, inputs["envelopes"], strict=True))
    return {envelope_of[hand["player"]]: hand for hand in document["hands"]}


def _place(hand: dict[str, Any] | None) -> dict[str, Any] | None:
    return None if hand is None else {key: value for key, value in hand.items() if key != "lines"}


def _lines(hand: dict[str, Any] | None) -> Counter[tuple[Any, ...]]:
    """Count a hand's lines: two may be alike."""
    return Counter(tuple(line[key] for key in _OF_LINE) for line in (hand["lines"] if hand else ()))


def _as_lines(counted: Counter[tuple[Any, ...]]) -> tuple[dict[str, Any], ...]:
    return tuple(dict(zip(_OF_LINE, line, strict=True)) for line in counted.elements())
