"""Names that people can read and tell apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from server.editions import load_edition
from server.play.actors import SERVER, role_of
from server.play.names import LONGEST, LONGEST_ORGANISER, is_nameless, name_for, organiser_name
from server.play.refusals import Refusal
from server.store.tables import Envelope
from tests.house import new_game

if TYPE_CHECKING:
    from server.play.house import House


def named(house: House, name: str, other: str | None = None) -> str:
    """Return the name that envelope 1 gets if envelope 2 has the other one."""
    game = new_game(house)
    with house.database.writing() as session:
        session.get_one(Envelope, (game, 2)).name = other
        return name_for(session, game, 1, name)


@pytest.mark.parametrize(
    ("wanted", "kept"),
    [
        ("Ada", "Ada"),
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("A\nda", "A da"),
        ("e\u0301", "é"),
        ("Ngô Bảo Châu", "Ngô Bảo Châu"),
        ("山田太郎", "山田太郎"),
        ("👩\u200d🔬", "👩\u200d🔬"),
        ("=1+1", "=1+1"),
        ("x" * LONGEST, "x" * LONGEST),
        ("Envelope 1", "Envelope 1"),
    ],
)
def test_a_readable_name_is_kept_in_one_form(house: House, wanted: str, kept: str) -> None:
    """Spaces are tidied, letters composed; any script, sign or emoji will do."""
    assert named(house, wanted) == kept


@pytest.mark.parametrize(
    "wanted",
    [
        "",
        " ",
        "\u200b",
        "\u2800",
        "A\u202eda",
        "A\u2066da",
        "A\x00da",
        "A\ud800",
        "A\ue000",
        "x" * (LONGEST + 1),
        "x" * 100_000,
        "a" + "\u0301\u0302" * 4,
        "Envelope 2",
        "ENVELOPE (2)",
        "Umschlag 02",
        "\u0395nvelope 2",
        "Umsch\u0406ag 2",
        "Envelope I2",
    ],
)
def test_an_unreadable_name_is_refused(house: House, wanted: str) -> None:
    """Empty ones, hidden and turning characters, towers of accents, and what nameless players are called."""
    with pytest.raises(Refusal) as told:
        named(house, wanted)
    assert told.value.slug == "wrong-name"


@pytest.mark.parametrize(
    "other",
    [
        *("Ada", "ada", "\uff21\uff24\uff21", " A\u200dda", "A\ufe0fda", "Ad\u034fa", "Ada\U000e0100"),
        *("\u0410da", "Ad\u0430", "\u0391da", "A\u0501a", "\U0001d400\U0001d41d\U0001d41a"),
    ],
)
def test_two_players_never_look_the_same(house: House, other: str) -> None:
    """Case, width, what nobody sees, and letters of other scripts that look alike make no other name."""
    with pytest.raises(Refusal) as told:
        named(house, "Ada", other)
    assert told.value.slug == "name-taken"


def test_a_player_may_keep_the_own_name(house: House) -> None:
    """A name is not taken by the player who has it."""
    game = new_game(house)
    with house.database.writing() as session:
        session.get_one(Envelope, (game, 1)).name = "Ada"
        assert name_for(session, game, 1, "ADA") == "ADA"


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_a_player_without_a_name_is_known_in_every_language(language: str) -> None:
    """By what the editions call such a player, and by its own number alone."""
    called = load_edition("eurocg-2026", language).phrases["nameless"].format(number=7)
    assert is_nameless(called, 7)
    assert not is_nameless(called, 8)


@pytest.mark.parametrize("typed", ["Envelope 007 ★", "Enveloppe #7", "Umschlag 7 !!!", "ENVELOPE 7"])
def test_what_somebody_typed_is_a_name(house: House, typed: str) -> None:
    """What only looks like a player without a name was given by somebody, and is shown as it was given."""
    game = new_game(house)
    with house.database.writing() as session:
        assert name_for(session, game, 7, typed) == typed
    assert not is_nameless(typed, 7)


@pytest.mark.parametrize(
    ("wanted", "kept"),
    [
        (" Olga  K. ", "Olga K."),
        ("x" * LONGEST_ORGANISER, "x" * LONGEST_ORGANISER),
        ("The envelope man", "The envelope man"),
    ],
)
def test_an_organiser_has_a_name_that_can_be_read(wanted: str, kept: str) -> None:
    """Names are kept in one form, and the audit tells them as organisers'."""
    assert organiser_name(wanted) == kept
    assert role_of(kept) == "organiser"


@pytest.mark.parametrize(
    "wanted",
    [
        "",
        "\u200b",
        "Olga\u202e",
        "Ol\x00ga",
        "x" * (LONGEST_ORGANISER + 1),
        "o\u0301\u0301\u0301\u0301",
        "the server",
        " The  SERVER ",
        "envelope 3",
        "Envelope 3",
        "Umschlag\u00a03",
        "root on the server's machine",
        "the s\u0435rver",
        "\u0395nvelope 3",
        "Olga on the server\u2019s m\u0430chine",
    ],
)
def test_no_organiser_is_called_what_cannot_be_told_apart(wanted: str) -> None:
    """Invisible and turning characters, towers of accents, and the names that the audit needs for others."""
    with pytest.raises(Refusal) as refused:
        organiser_name(wanted)
    assert refused.value.slug == "wrong-name"


@pytest.mark.parametrize(
    ("who", "role"),
    [
        (SERVER.name, "server"),
        ("envelope 12", "player"),
        ("Olga", "organiser"),
        ("root on the server's machine", "organiser"),
    ],
)
def test_the_audit_tells_whose_a_name_is(who: str, role: str) -> None:
    """The server, players and organisers have names that no other one has."""
    assert role_of(who) == role
