"""Checks the rows of a game that comes in from a file: the rest of the program takes their columns without looking."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from cardgen.payload import MAX_NUMBER
from server.jobs.queue import CLAIMS
from server.jobs.readings import card_named, reading_of
from server.play.decks import CONFIRMED, DROPPED, HANDED_IN, OPEN
from server.play.game_rows import wrong
from server.play.house import edition_of
from server.play.moves import hands_by_envelope
from server.play.settings import MODES
from server.play.states import State
from server.scoring.wire import RequestPart
from server.scoring.wire_checks import check_names
from server.store.games import MAX_LABEL
from server.store.tables import Base, Card, Check, Deck, Envelope, Game, Photo, PrintRun, ResultVersion, Ruling

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from server.jobs.readings import Quad, Reading
    from server.scoring.edition import Edition

Row = dict[str, Any]

_ID = re.compile(r"[0-9a-f]{32}", re.ASCII)
_DECKS = {OPEN, CONFIRMED, HANDED_IN, DROPPED}
_PHOTOS = {"waiting", "scanning", "done", "failed"}
_SOURCES = {"player", "organiser"}
_LATENESS = {None, "accepted", "refused"}
_MOST_CLAIMS = 25 * CLAIMS
# Of a picture: far more than this version makes, should another one make more.


def check_rows(rows: Mapping[type[Base], Sequence[Row]], game: Game) -> None:
    """Refuse rows that no game can have; `game` is its own row, whose settings are checked already."""
    versions = {row["version"] for row in rows[ResultVersion]}
    if (game.published_version is not None or game.state == State.PUBLISHED) and game.published_version not in versions:
        raise wrong("the published results are missing")
    edition, kinds = edition_of(game), set(game.kinds)
    _check_runs(rows[PrintRun], edition)
    _check_envelopes(rows[Envelope], {row["number"] for row in rows[PrintRun]}, edition, kinds)
    if any(row["kind"] not in kinds or not 1 <= row["copy"] <= MAX_NUMBER for row in rows[Card]):
        raise wrong("a card is of no kind of the game, or of a copy that no code can say")
    _check_decks(rows, kinds)
    for row in rows[Photo]:
        _check_photo(row, kinds)
    try:
        for row in rows[Ruling]:
            _check_decision(row["decision"])
        for row in rows[ResultVersion]:
            _check_result(row)
    except (ValidationError, KeyError, TypeError, ValueError, AttributeError):
        raise wrong("a ruling or a result has not its form") from None


def _check_runs(runs: Sequence[Row], edition: Edition) -> None:
    if len({run["number"] for run in runs}) < len(runs):
        raise wrong("a print run stands twice")
    for run in runs:
        try:
            Fraction(run["spread"] or 0)
        except (ValueError, ZeroDivisionError):
            raise wrong(f"print run {run['number']} has a spread that is no number") from None
        last = run["first"] + run["envelopes"] - 1
        if run["first"] < 1 or run["envelopes"] < 0 or last > MAX_LABEL or not 0 <= run["spare"] <= run["envelopes"]:
            raise wrong(f"print run {run['number']} has envelopes that cannot be")
        if run["language"] not in edition.languages:
            raise wrong(f"print run {run['number']} is in a language that the edition does not have")


def _check_envelopes(envelopes: Sequence[Row], runs: set[int], edition: Edition, kinds: set[str]) -> None:
    for row in envelopes:
        number = row["number"]
        if row["run"] not in runs:
            raise wrong("a print run is missing")
        if not 1 <= number <= MAX_LABEL:
            raise wrong("an envelope has a number that no label can say")
        for mistake in check_names([row["name"]] if row["name"] is not None else []):
            raise wrong(f"the name of envelope {number} {mistake.message}")
        if row["token"] < 0 or row["lateness"] not in _LATENESS:
            raise wrong(f"envelope {number} has a link or a lateness that cannot be")
        _check_cards(row["claim"] or (), kinds, f"envelope {number}")
        for name, value in row["facts"].items():
            fact = edition.fact_of.get(name)
            if fact is None or not fact.takes(value):
                raise wrong(f"envelope {number} has a fact {name!a:.40} that the edition does not ask for")
        if any(not isinstance(key, str) or key not in edition.rule_of for key in row["cancels"] or ()):
            raise wrong(f"envelope {number} cancels something that is no rule")


def _check_decks(rows: Mapping[type[Base], Sequence[Row]], kinds: set[str]) -> None:
    decks = {row["id"]: row for row in rows[Deck]}
    for deck, row in decks.items():
        if not _ID.fullmatch(deck):
            raise wrong("a deck has a name that we never give")
        listed = row["state"] in {CONFIRMED, HANDED_IN}
        if row["state"] not in _DECKS or (listed and row["cards"] is None):
            raise wrong(f"deck {deck} is in no state that a deck has")
        _check_cards(row["cards"] or (), kinds, f"deck {deck}")
    for of in (*rows[Photo], *rows[Check]):
        if of["deck"] is not None and (of["deck"] not in decks or decks[of["deck"]]["envelope"] != of["envelope"]):
            raise wrong("a picture or a check belongs to no deck of its player")
    for row in rows[Check]:
        score, out = row["answer"].get("score"), row["answer"].get("eliminated")
        if row["mode"] not in MODES or not isinstance(score, str | None) or not isinstance(out, bool | None):
            raise wrong("a check has an answer that we never give")


def _check_photo(row: Row, kinds: set[str]) -> None:
    photo = row["id"]
    if not _ID.fullmatch(photo):
        raise wrong("a picture has a name that we never give")
    tries = row["attempts"] if row["begun"] is None else row["begun"]
    if row["state"] not in _PHOTOS or row["source"] not in _SOURCES or row["size"] < 0:
        raise wrong(f"picture {photo} is in no state that a picture has")
    # They are counted on: a number at the end of a column's range would stop the queue of the whole house.
    if not 0 <= tries <= row["attempts"] <= _MOST_CLAIMS:
        raise wrong(f"picture {photo} was tried more often than any picture is")
    if (row["source"] == "player") != (row["envelope"] is not None):
        raise wrong(f"picture {photo} is nobody's")
    if row["state"] == "done" and (row["reading"] is None or row["scanned"] is None):
        raise wrong(f"picture {photo} was read, but nothing says what")
    if row["reading"] is None:
        return
    try:
        reading = reading_of(row["reading"])
        _check_reading(reading)
    except (ValidationError, ValueError):
        raise wrong(f"the reading of picture {photo} has not its form") from None
    cards = [*(seen.card for seen in reading.seen), *(code.card for code in reading.codes if code.card is not None)]
    _check_cards(cards, kinds, f"picture {photo}")


def _check_reading(reading: Reading) -> None:
    """Raise ValueError for places that no picture has, and for what points to nothing."""
    outlines: list[Quad] = [
        *(code.quad for code in reading.codes),
        *(seen.outline for seen in reading.seen),
        *(doubt.quad for doubt in reading.doubts),
    ]
    numbers = [value for outline in outlines for point in outline for value in point]
    codes = [place for seen in reading.seen for place in seen.codes]
    cards = [place for deck in reading.decks for place in deck.cards]
    labels = [*reading.labels, *(deck.label for deck in reading.decks if deck.label is not None)]
    if (
        min(reading.width, reading.height) < 1
        or not all(map(math.isfinite, numbers))
        or not all(0 <= place < len(reading.codes) for place in codes)
        or not all(0 <= place < len(reading.seen) for place in cards)
        or not all(1 <= label <= MAX_LABEL for label in labels)
    ):
        raise ValueError


def _check_cards(cards: Iterable[object], kinds: set[str], where: str) -> None:
    """Refuse a list of cards with anything in it that is no card of the game's kinds, written as we write it."""
    for name in cards:
        try:
            card = card_named(name) if isinstance(name, str) else None
        except ValueError:
            card = None
        if card is None or card.name != name or card.kind not in kinds or not 1 <= card.copy <= MAX_NUMBER:
            raise wrong(f"{where} lists {name!a:.40}, which is no card of the game")


def _check_decision(decision: Mapping[str, Any]) -> None:
    """Raise an error unless a decision has the types of its fields."""
    envelopes = [decision.get("envelope"), *(decision.get("envelopes") or ())]
    if not isinstance(decision["do"], str) or not isinstance(decision.get("card"), str | None):
        raise TypeError
    if any(envelope is not None and type(envelope) is not int for envelope in envelopes):
        raise TypeError


def _check_result(row: Mapping[str, Any]) -> None:
    """Raise an error unless a version's columns have the form in which counts are kept."""
    inputs = row["inputs"]
    RequestPart.model_validate(inputs["game"])
    hands = hands_by_envelope(inputs, row["document"])
    if len(inputs["envelopes"]) != len(hands) or not all(type(number) is int for number in inputs["envelopes"]):
        raise ValueError
    for hand in hands.values():
        if type(hand["rank"]) is not int or not isinstance(hand["eliminated"], bool):
            raise TypeError
        for line in hand["lines"]:
            if not isinstance(line["text"], str) or not isinstance(line["points"], str):
                raise TypeError
    for envelope, why in inputs["left_out"].items():
        int(envelope), str(why)
    for point in inputs["overridden"]:
        str(point["slug"] + point["text"])
    str(inputs["override"])
