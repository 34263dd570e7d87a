"""What readers see of a published count: the ranking, and a breakdown in their own language.

A version keeps its sentences in the game's language. For other languages the count is done again from what was kept
and must give the same points line by line; an edition that has changed since does not, and then the kept sentences
are shown.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from server.editions import EditionError, load_edition
from server.play.moves import hands_by_envelope
from server.play.names import is_nameless
from server.scoring import Scorer, ScoringError
from server.scoring.document import document_of, line_document
from server.scoring.mistakes import WireError
from server.scoring.wire import request_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from server.editions import Edition
    from server.scoring import HandResult, Result
    from server.store.tables import Game, ResultVersion

_KEPT = 8
_SAME = ("rule", "points", "void", "voided_by")


@dataclass(frozen=True)
class Standing:
    """A counted hand for a reader, with its lines in the reader's language.

    `player` is None for somebody whom this reader must not know.
    """

    envelope: int
    player: str | None
    rank: int
    score: str | None
    eliminated: bool
    decided_by: str | None
    lines: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class Told:
    """A version as one reader sees it, in rank order."""

    edition: Edition
    language: str
    standings: tuple[Standing, ...]


def tell(
    game: Game,
    version: ResultVersion,
    language: str | None = None,
    *,
    hidden: Collection[int] = (),
    only: int | None = None,
) -> Told:
    """Return a version in a language of its edition (another: the game's), without the names of `hidden` envelopes.

    Those are called "a player" in sentences; players without a name are called by their envelope, in that language.
    `only` leaves out the lines of all other envelopes.
    """
    edition = _edition(game, language)
    hands = hands_by_envelope(version.inputs, version.document)
    result = _counted_again(edition, game, version)
    if result is None and edition.language != game.language:
        edition = _edition(game, None)
    unnamed = edition.phrases["a_player"]
    called = _called(edition, hands) | {hand["player"]: unnamed for n, hand in hands.items() if n in hidden}
    fresh = {hand.hand.player: hand for hand in result.hands} if result else {}
    labels = {tie.name: tie.label for tie in edition.ties}
    standings = []
    for envelope, hand in hands.items():
        standings.append(
            Standing(
                envelope,
                None if envelope in hidden else called.get(hand["player"], hand["player"]),
                hand["rank"],
                hand["score"],
                hand["eliminated"],
                None if hand["decided_by"] is None else labels.get(hand["decided_by"], hand["decided_by"]),
                () if only not in (None, envelope) else _lines(edition, hand, fresh.get(hand["player"]), called),
            )
        )
    return Told(edition, edition.language, tuple(standings))


def _called(edition: Edition, hands: Mapping[int, dict[str, Any]]) -> dict[str, str]:
    """Return how players without a name are called in an edition's language, by how they were called in the count."""
    nameless = edition.phrases["nameless"]
    return {
        hand["player"]: nameless.format(number=number)
        for number, hand in hands.items()
        if is_nameless(hand["player"], number)
    }


def rules_of(edition: Edition, game: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return all rules of an edition in its language, with title and wording. `game` says which were active."""
    active = {rule.key for rule in Scorer(edition, game.get("settings"), game.get("active_rules")).active}
    return [
        {
            "key": rule.key,
            "name": rule.name,
            "text": rule.text,
            "number": int(rule.key) if rule.key.isdigit() else None,
            "active": rule.key in active,
        }
        for rule in edition.rules
    ]


def _lines(
    edition: Edition, hand: dict[str, Any], fresh: HandResult | None, called: Mapping[str, str]
) -> tuple[dict[str, Any], ...]:
    if fresh is not None:
        return tuple({**line_document(line), "kind": line.kind} for line in fresh.lines_in(edition, called))
    return tuple({**line, "text": _without(line["text"], called), "kind": None} for line in hand["lines"])


def _without(text: str, called: Mapping[str, str]) -> str:
    """Replace names in a sentence that is kept; the longest first, since one may be part of another."""
    for name in sorted(called, key=len, reverse=True):
        text = text.replace(name, called[name])
    return text


def _edition(game: Game, language: str | None) -> Edition:
    try:
        return load_edition(game.edition, language or game.language)
    except EditionError:
        return load_edition(game.edition, game.language)


# -------------------------------------------------------------------- the count again, kept for a while

_results: OrderedDict[tuple[str, int, str, str], Result | None] = OrderedDict()
_turn = threading.Lock()


def _counted_again(edition: Edition, game: Game, version: ResultVersion) -> Result | None:
    """Return the version's count with its journal; None where the edition counts otherwise by now."""
    # All players look at the same moment: one counts, the others wait for it.
    key = (game.id, version.version, version.at.isoformat(), edition.slug)
    return _kept(key, lambda: _count(edition, version))


def _kept(key: tuple[str, int, str, str], make: Callable[[], Result | None]) -> Result | None:
    with _turn:
        if key not in _results:
            _results[key] = make()
            while len(_results) > _KEPT:
                _results.popitem(last=False)
        _results.move_to_end(key)
        return _results[key]


def _count(edition: Edition, version: ResultVersion) -> Result | None:
    try:
        request = request_of(edition, json.loads(json.dumps(version.inputs["game"])))
        scorer = Scorer(edition, request.settings, request.active_rules)
        result = scorer.score(request.hands, provisional=False)
        again = document_of(result)
    except (EditionError, ScoringError, WireError):
        return None
    return result if _told(again) == _told(version.document) else None


def _told(document: Mapping[str, Any]) -> list[Any]:
    """Return a document without its sentences."""
    return [{**hand, "lines": [[line[key] for key in _SAME] for line in hand["lines"]]} for hand in document["hands"]]
