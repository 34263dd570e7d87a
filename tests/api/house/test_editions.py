"""What games can be made of, for organisers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.editions import edition_names, load_edition
from tests.house import as_organiser

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from flask import Flask

    from server.play.house import House

URL = "/api/v1/editions"


def test_every_edition_is_offered_with_what_a_form_needs(app: Flask) -> None:
    """Bounds of players and settings, and all rules by number and name, without their wording."""
    told = as_organiser(app).get(URL).get_json()["editions"]
    assert [one["slug"] for one in told] == list(edition_names())
    eurocg = next(one for one in told if one["slug"] == "eurocg-2026")
    assert (eurocg["players_min"], eurocg["players_max"], eurocg["cards"], eurocg["rule_cards"]) == (23, 138, 13, 2)
    (blue,) = eurocg["settings"]
    assert (blue["name"], blue["minimum"], blue["maximum"], blue["confirm"]) == ("blue_base", 0, None, True)
    assert [rule["key"] for rule in eurocg["rules"] if rule["worth"]] == ["5", "6", "7", "8", "9", "10"]
    wordings = [rule.text for rule in load_edition("eurocg-2026").rules]
    assert not any(text in str(eurocg) for text in wordings)
    assert {one["slug"]: one["printable"] for one in told}["tarot-fr"] is True


def test_an_edition_whose_faces_cannot_be_drawn_is_told_as_such(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are printable all the same."""
    monkeypatch.setattr("server.jobs.faces.MOTIFS", ())
    told = as_organiser(app).get(URL).get_json()["editions"]
    assert {one["slug"]: one["printable"] for one in told} == {
        "eurocg-2026": True,
        "sackson-1969": True,
        "tarot-fr": False,
    }


def test_the_texts_come_in_the_language_that_is_asked_for(app: Flask) -> None:
    """Where the edition has it; else in the edition's own."""
    client = as_organiser(app)
    german = {one["slug"]: one for one in client.get(f"{URL}?language=de").get_json()["editions"]}
    assert german["eurocg-2026"]["rules"][4]["name"] == load_edition("eurocg-2026", "de").rules[4].name
    plain = client.get(URL).get_json()
    assert client.get(f"{URL}?language=xx").get_json() == plain
    assert client.get(f"{URL}?language=x").status_code == 422


def test_a_broken_edition_hides_no_other(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is left out."""
    (tmp_path / "mine" / "broken_one").mkdir(parents=True)
    (tmp_path / "mine" / "broken_one" / "edition.toml").write_text("slug = 3\n", encoding="utf-8")
    monkeypatch.setenv("HAGGLE_EDITIONS", str(tmp_path / "mine"))
    told = as_organiser(app).get(URL).get_json()["editions"]
    assert "broken-one" in edition_names()
    assert [one["slug"] for one in told] == [name for name in edition_names() if name != "broken-one"]


def test_the_names_of_rules_are_for_organisers(app: Flask, house: House) -> None:
    """Nobody else sees the list."""
    assert house is not None
    assert app.test_client().get(URL).status_code == 401
