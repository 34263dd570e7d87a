"""Contents of the projector: the number of hand-ins, and the reveal of the results from the last place up."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, or_, select

from server.db.models import Envelope
from server.games.results.standings import points_by_rule
from server.scoring.breakdown import ADJUSTMENT, decimal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy.orm import Session

    from server.games.results.standings import RankedHand, StandingsView

_MAX_GAINS = 3
"""Gains shown for each place."""
_MAX_LOSSES = 2
"""Losses, and void lines, shown for each place."""
_WHOLE = 3
"""Ranks whose points are shown completely; of the others only the largest are."""


def count_hand_ins(session: Session, game: str) -> int:
    """Return the number of envelopes handed in, by phone or on paper."""
    handed = or_(Envelope.submitted_at.is_not(None), Envelope.received.is_not(None))
    return session.scalar(select(func.count()).where(Envelope.game == game, handed)) or 0


def count_open_envelopes(session: Session, game: str) -> int:
    """Return the number of envelopes in play."""
    return session.scalar(select(func.count()).where(Envelope.game == game, Envelope.opened.is_not(None))) or 0


def reveal_steps(view: StandingsView, inputs: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the reveal, from the last place up: each place with the lines that put it above the one before.

    `inputs` are those of the version. Players without a name have neither lines nor a number of cards, which could
    identify them.
    """
    names = {rule.key: rule.name for rule in view.edition.rules}
    names[ADJUSTMENT] = view.edition.phrases["adjustments"]
    sizes = {
        envelope: sum(hand["cards"].values())
        for envelope, hand in zip(inputs["envelopes"], inputs["game"]["hands"], strict=True)
    }
    inks = {
        envelope: [kind.ink for kind in view.edition.kinds if kind.ink for _ in range(hand["cards"].get(kind.slug, 0))]
        for envelope, hand in zip(inputs["envelopes"], inputs["game"]["hands"], strict=True)
    }
    shown = []
    below: RankedHand | None = None
    for standing in reversed(view.standings):
        named = standing.player is not None
        shown.append(
            {
                "rank": standing.rank,
                "player": standing.player,
                "score": standing.score,
                "eliminated": standing.eliminated,
                "decided_by": standing.decided_by,
                "cards": sizes[standing.envelope] if named else None,
                "lines": _gains(standing, below, names) if named else [],
                "losses": _losses(standing, names) if named else [],
                "void": _void(standing, names) if named else [],
                "parts": _parts(standing, names) if named and not standing.eliminated else [],
                "inks": inks[standing.envelope] if named and standing.rank <= _WHOLE else [],
            }
        )
        below = standing
    return shown


def _gains(standing: RankedHand, below: RankedHand | None, names: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the rules with the greatest gain over the place below, each with points, difference and sentences."""
    mine, theirs = points_by_rule(standing.lines), points_by_rule(below.lines) if below else {}
    gains = {key: points - theirs.get(key, Fraction(0)) for key, points in mine.items()}
    best = _ordered_by((key for key in gains if gains[key] > 0), gains, -1)[:_MAX_GAINS]
    return [_summed_line(standing, key, names, mine) | {"more": decimal(gains[key])} for key in best]


def _parts(standing: RankedHand, names: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the rules that the score consists of, those with the most points first; after the top places only some."""
    mine = points_by_rule(standing.lines)
    largest = _ordered_by((key for key in mine if mine[key]), mine, -1)
    if standing.rank > _WHOLE:
        largest = [key for key in largest if mine[key] > 0][:_MAX_GAINS]
    return [_summed_line(standing, key, names, mine) for key in largest]


def _losses(standing: RankedHand, names: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the rules that cost the most points."""
    mine = points_by_rule(standing.lines)
    worst = _ordered_by((key for key in mine if mine[key] < 0), mine, 1)[:_MAX_LOSSES]
    return [_summed_line(standing, key, names, mine) for key in worst]


def _void(standing: RankedHand, names: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the void lines worth most, each with the rule that voided it."""
    lines = [line for line in standing.lines if line["void"] and Fraction(line["points"])]
    lines.sort(key=lambda line: (-abs(Fraction(line["points"])), line["rule"] or ""))
    wanted = ("rule", "points", "voided_by", "text")
    return [{**{key: line[key] for key in wanted}, "name": names.get(line["rule"])} for line in lines[:_MAX_LOSSES]]


def _summed_line(
    standing: RankedHand, key: str | None, names: Mapping[str, str], sums: Mapping[str | None, Fraction]
) -> dict[str, Any]:
    text = " ".join(line["text"] for line in standing.lines if line["rule"] == key and not line["void"])
    return {"rule": key, "name": None if key is None else names.get(key), "points": decimal(sums[key]), "text": text}


def _ordered_by(keys: Iterable[str | None], by: Mapping[str | None, Fraction], sign: int) -> Sequence[str | None]:
    return sorted(keys, key=lambda key: (sign * by[key], key or ""))
