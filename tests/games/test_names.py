"""Names: readable, distinct, and defaults for players without one."""

from __future__ import annotations

import pytest

from server.db.models import Envelope
from server.editions import load_edition
from server.games.audit import SERVER, role_of
from server.games.context import AppContext
from server.games.errors import DomainError
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import State
from server.games.names import MAX_LENGTH, MAX_ORGANISER_LENGTH, is_nameless, name_for, organiser_name
from server.games.results.inputs import game_inputs
from tests.context import new_game
from tests.readings import add_photo, reading


def _named(context: AppContext, name: str, other: str | None = None, own: str | None = None) -> str:
    """Return the name of envelope 1 for these names of envelopes 1 and 2."""
    game = new_game(context)
    with context.database.writing() as session:
        session.get_one(Envelope, (game, 1)).name = own
        session.get_one(Envelope, (game, 2)).name = other
        return name_for(session, game, 1, name)


def test_names_are_normalized(context: AppContext) -> None:
    asis = ("Ada", "Ngô Bảo Châu", "山田太郎", "👩\u200d🔬", "=1+1", "x" * MAX_LENGTH, "Envelope 1")
    tidied = {"  Ada   Lovelace ": "Ada Lovelace", "A\nda": "A da", "e\u0301": "é"}
    wanted = {name: name for name in asis} | tidied
    assert {name: _named(context, name) for name in wanted} == wanted
    assert _named(context, "ADA", own="Ada") == "ADA"


UNREADABLE = [
    *("", " ", "\u200b", "\u2800", "A\u202eda", "A\u2066da", "A\x00da", "A\ud800", "A\ue000"),
    *("x" * (MAX_LENGTH + 1), "x" * 100_000, "a" + "\u0301\u0302" * 4),
    *("Envelope 2", "ENVELOPE (2)", "Umschlag 02", "\u0395nvelope 2", "Umsch\u0406ag 2", "Envelope I2"),
]
LOOK_LIKE_ADA = [
    *("Ada", "ada", "\uff21\uff24\uff21", " A\u200dda", "A\ufe0fda", "Ad\u034fa", "Ada\U000e0100"),
    *("\u0410da", "Ad\u0430", "\u0391da", "A\u0501a", "\U0001d400\U0001d41d\U0001d41a"),
]


@pytest.mark.parametrize(
    ("wanted", "other", "slug"),
    [
        *((wanted, None, "wrong-name") for wanted in UNREADABLE),
        *(("Ada", other, "name-taken") for other in LOOK_LIKE_ADA),
    ],
)
def test_unreadable_and_lookalike_names_are_refused(
    context: AppContext, wanted: str, other: str | None, slug: str
) -> None:
    with pytest.raises(DomainError) as refused:
        _named(context, wanted, other)
    assert refused.value.slug == slug


def test_the_default_name_is_the_envelope(context: AppContext) -> None:
    for language in ("en", "de", "fr"):
        called = load_edition("eurocg-2026", language).phrases["nameless"].format(number=7)
        assert is_nameless(called, 7)
        assert not is_nameless(called, 8)
    for typed in ("Envelope 007 ★", "Enveloppe #7", "Umschlag 7 !!!", "ENVELOPE 7"):
        with context.database.writing() as session:
            assert name_for(session, new_game(context), 7, typed) == typed
        assert not is_nameless(typed, 7)


@pytest.mark.parametrize(
    ("language", "given", "names"),
    [
        ("en", {2: "Ada"}, ["Envelope 1", "Ada"]),
        ("de", {2: "Ada"}, ["Umschlag 1", "Ada"]),
        ("fr", {2: "Ada"}, ["Enveloppe 1", "Ada"]),
        ("en", {1: "Envelope 2"}, ["Envelope 2", "Envelope 2 (2)"]),
    ],
)
def test_names_in_a_count_are_unique(
    context: AppContext, language: str, given: dict[int, str], names: list[str]
) -> None:
    game = new_game(context, State.CLOSED, language=language)
    with context.database.writing() as session:
        for envelope, name in given.items():
            session.get_one(Envelope, (game, envelope)).name = name
    for envelope in (1, 2):
        add_photo(context, game, reading([], [envelope]))
    with context.database.reading() as session:
        hands = game_inputs(session, load_game(session, game)).game["hands"]
    assert [hand["player"] for hand in hands] == names


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_each_reason_not_to_count_has_a_text(language: str) -> None:
    phrases = load_edition("eurocg-2026", language).phrases
    for reason in ("not_seen", "absent", "late_refused", "sealed"):
        phrase = phrases["left_out"].format(envelope=7, reason=phrases[f"left_out_{reason}"])
        assert "7" in phrase
        assert phrase.endswith(".")


def test_names_of_organisers_are_readable() -> None:
    long = "x" * MAX_ORGANISER_LENGTH
    for wanted, normalized in ((" Olga  K. ", "Olga K."), (long, long), ("The envelope man", "The envelope man")):
        assert organiser_name(wanted) == normalized
        assert role_of(normalized) == "organiser"


@pytest.mark.parametrize(
    "wanted",
    [
        *("", "\u200b", "Olga\u202e", "Ol\x00ga", "x" * (MAX_ORGANISER_LENGTH + 1), "o\u0301\u0301\u0301\u0301"),
        *("the server", " The  SERVER ", "envelope 3", "Envelope 3", "Umschlag\u00a03", "root on the server's machine"),
        *("the s\u0435rver", "\u0395nvelope 3", "Olga on the server\u2019s m\u0430chine"),
    ],
)
def test_organisers_cannot_have_names_reserved_for_the_audit_log(wanted: str) -> None:
    with pytest.raises(DomainError) as refused:
        organiser_name(wanted)
    assert refused.value.slug == "wrong-name"


def test_the_audit_log_distinguishes_organisers_and_players() -> None:
    names = (SERVER.name, "envelope 12", "Olga", "root on the server's machine")
    assert [role_of(name) for name in names] == ["server", "player", "organiser", "organiser"]
