"""Editions that organisers upload, and the games that use them."""

from __future__ import annotations

import base64
import io
import os
import re
import zipfile
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from server.editions.registry import COPIES
from server.editions.starter import edition_toml
from server.editions.uploads import unpack_upload, zip_of
from server.games.transfer.game_archive import export_game, import_game
from tests.context import ORGANISER, Clock, as_organiser, as_player, new_context, new_game
from tests.players import problem

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient

    from server.games.context import AppContext

URL = "/api/v1/editions"
TOML = edition_toml("garden", "Garden")
FACTS = """
[[facts]]
name = "songs"
label.en = "Songs?"
type = "whole"
minimum = 0
maximum = 5

[[facts]]
name = "sober"
label.en = "Sober?"
type = "yes-no"

[[facts]]
name = "friend"
label.en = "Who is the friend?"
type = "player"

[[rules]]
key = "4"
name.en = "Songs"
text.en = "Songs, sober players and yellow friends bring points."
give = "10 * songs + (50 if sober else 0) + 102 * count_of(friend, yellow)"
"""
OTHER = TOML.replace("worth = 3", "worth = 30")
_keys = count()


@pytest.fixture(autouse=True)
def _check_in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check uploads in this process, which saves a second each time."""

    def here(work: Callable[..., Any], *arguments: Any, **named: Any) -> Any:  # noqa: ANN401 - as what it stands for
        return work(*arguments, **named)

    monkeypatch.setattr("server.games.uploaded_editions.run_check", here)


def forget_copies(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Continue as another process, which has no copies of editions yet."""
    (tmp_path / "copies").mkdir(exist_ok=True)
    monkeypatch.setenv(COPIES, str(tmp_path / "copies"))


def _post(client: FlaskClient, path: str, body: dict[str, Any] | bytes) -> Any:  # noqa: ANN401 - JSON
    given: dict[str, Any] = {"json": body}
    if isinstance(body, bytes):
        given = {"data": body, "content_type": "application/octet-stream"}
    return client.post(f"{URL}{path}", headers={"Idempotency-Key": f"k{next(_keys)}"}, **given)


def test_games_keep_their_version_of_an_edition(
    app: Flask, context: AppContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a later version nor deletion changes them, in any process, nor in an archive."""
    client = as_organiser(app)
    first = _post(client, "/uploaded", TOML.encode()).get_json()
    assert (first["slug"], first["version"], first["title"], first["hints"]) == ("garden", 1, "Garden", [])
    game = new_game(context, edition="garden")
    second = _post(client, "/uploaded?after=1", OTHER.encode()).get_json()
    assert second["version"] == 2
    listed = {one["slug"]: one["offered"] for one in client.get(URL).get_json()["editions"] if one["uploaded"]}
    assert listed == {first["name"]: False, second["name"]: True}
    later = new_game(context, edition=second["name"])
    assert client.delete(f"{URL}/uploaded/garden").status_code == 204
    forget_copies(monkeypatch, tmp_path)
    scores = {}
    for one in (game, later):
        found = client.get(f"/api/v1/games/{one}").get_json()
        assert found["title"] == "Garden"
        hands = {"hands": [{"player": "Ada", "cards": {"red": 1}}]}
        reply = client.post(f"/api/v1/scores?edition={found['edition']}", json=hands)
        scores[one] = reply.get_json()["hands"][0]["score"]
    assert scores == {game: "3", later: "30"}
    assert as_player(app, context, game, 1).get("/api/v1/me").status_code == 200
    file = io.BytesIO()
    export_game(context, game, file)
    other = new_context(tmp_path / "other", Clock())
    monkeypatch.setenv(COPIES, str(tmp_path / "data"))
    try:
        assert import_game(other, file, ORGANISER) == game
        assert (tmp_path / "data" / first["name"] / "edition.toml").exists()
    finally:
        other.close()


def test_versions_are_listed_restored_and_downloaded(app: Flask) -> None:
    client = as_organiser(app)
    _post(client, "/uploaded?after=0&reason=new", TOML.encode())
    _post(client, "/uploaded", OTHER.encode())
    assert problem(_post(client, "/uploaded?after=1", TOML.encode())) == "409 other-version"
    assert _post(client, "/uploaded/garden/restore", {"version": 1}).get_json()["version"] == 3
    (edition,) = client.get(f"{URL}/uploaded").get_json()["editions"]
    assert (edition["slug"], edition["games"]) == ("garden", 0)
    third, second, first = edition["versions"]
    assert [(one["version"], one["reason"], one["who"]) for one in (third, second, first)] == [
        (3, "", "Olga"),
        (2, "", "Olga"),
        (1, "new", "Olga"),
    ]
    assert third["name"] == first["name"] != second["name"], "the same files"
    reply = client.get(f"{URL}/garden/file?version=2")
    assert (reply.text, reply.mimetype) == (OTHER, "application/toml")
    assert client.get(f"{URL}/garden/file").text == TOML
    assert 'slug = "sackson-1969"' in client.get(f"{URL}/sackson-1969/file").text
    assert problem(client.get(f"{URL}/garden/file?version=9")) == "404 not-found"
    assert problem(_post(client, "/uploaded/gone/restore", {"version": 1})) == "404 not-found"
    assert problem(client.delete(f"{URL}/uploaded/gone")) == "404 not-found"


def test_the_texts_beside_an_edition_stay_if_only_its_toml_changes(app: Flask) -> None:
    client = as_organiser(app)
    _post(client, "/uploaded", zip_of({"edition.toml": TOML, "README.md": "Ours."}))
    assert client.get(f"{URL}/garden/file?files=false").text == TOML
    _post(client, "/uploaded?after=1&keep_files=true", OTHER.encode())
    assert unpack_upload(client.get(f"{URL}/garden/file").data) == {"edition.toml": OTHER, "README.md": "Ours."}


CUP = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0H9V9H0z"/></svg>'


def test_an_edition_with_symbols_is_checked_changed_and_copied_with_them(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = as_organiser(app)
    monkeypatch.setattr("server.games.edition_drafts.run_check", lambda work, *arguments: work(*arguments))
    toml = TOML.replace('symbol = "heart"', 'symbol = "cup"')
    _post(client, "/uploaded", zip_of({"edition.toml": toml, "symbols/cup.svg": CUP}))
    changed = toml.replace("worth = 3", "worth = 30")
    assert _post(client, "/checks?slug=garden", changed.encode()).get_json()["findings"] == []
    assert _post(client, "/checks", changed.encode()).get_json()["findings"] != []
    draft = {"text": changed, "decks": [{"red": 1}], "slug": "garden"}
    assert [deck["score"] for deck in _post(client, "/checks/scores", draft).get_json()["decks"]] == ["30"]
    _post(client, "/uploaded?after=1&keep_files=true", changed.encode())
    assert unpack_upload(client.get(f"{URL}/garden/file").data) == {"edition.toml": changed, "symbols/cup.svg": CUP}
    _post(client, "", {"slug": "orchard", "title": "Orchard", "base": "garden"})
    assert "symbols/cup.svg" in unpack_upload(client.get(f"{URL}/orchard/file").data)


def test_files_that_are_too_large_together_are_refused(app: Flask) -> None:
    client = as_organiser(app)
    _post(client, "/uploaded", zip_of({"edition.toml": TOML, "README.md": "x" * 490_000}))
    reply = _post(client, "/uploaded?after=1&keep_files=true", (TOML + "# " + "y" * 20_000).encode())
    assert (problem(reply), "too large" in reply.get_json()["detail"]) == ("422 invalid-edition", True)


def test_pages_and_the_editor_have_the_symbols_that_an_edition_brings(
    app: Flask, context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages get their path data; the editor, which sends the TOML only, can check and save it."""
    monkeypatch.setattr("server.games.edition_drafts.run_check", lambda work, *given: work(*given))
    client = as_organiser(app)
    toml = TOML.replace('symbol = "heart"', 'symbol = "cup"')
    cup = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0H8V6H0z"/></svg>'
    name = _post(client, "/uploaded", zip_of({"edition.toml": toml, "symbols/cup.svg": cup})).get_json()["name"]
    kinds = as_player(app, context, new_game(context, edition=name), 1).get("/api/v1/me").get_json()["game"]["kinds"]
    assert {kind["slug"]: kind["symbol"] for kind in kinds}[
        "red"
    ] == "M -38.4 -28.8 L 38.4 -28.8 L 38.4 28.8 L -38.4 28.8 Z"
    listed = next(one for one in client.get(URL).get_json()["editions"] if one["slug"] == name)
    assert {kind["slug"]: kind["symbol"] for kind in listed["kinds"]}["red"].startswith("M -38.4 -28.8")
    changed = toml.replace("worth = 3", "worth = 30").encode()
    found = _post(client, "/checks?slug=garden", changed).get_json()
    assert (found["findings"], [symbol["name"] for symbol in found["symbols"]]) == ([], ["cup"])
    exported = _post(client, "/garden/file", changed)
    with zipfile.ZipFile(io.BytesIO(exported.data)) as file:
        assert {name: file.read(name) for name in file.namelist()} == {
            "edition.toml": changed,
            "symbols/cup.svg": cup.encode(),
        }
    assert _post(client, "/other/file", changed).data == changed
    odd = _post(client, "/a%0A%22b/file", changed)
    assert (odd.status_code, odd.headers["Content-Disposition"]) == (200, 'attachment; filename="ab.toml"')
    assert _post(client, "/uploaded?slug=bed", exported.data).get_json()["slug"] == "bed"
    assert _post(client, "/uploaded?after=1&keep_files=true", changed).get_json()["version"] == 2
    assert problem(_post(client, "/uploaded?after=2", changed)) == "422 invalid-edition"


def test_a_wrong_edition_is_refused_with_all_mistakes(app: Flask) -> None:
    client = as_organiser(app)
    broken = TOML.replace("{points} points.", "{pionts} points.", 1).replace('"heart"', '"hart"')
    reply = _post(client, "/uploaded", broken.encode())
    assert problem(reply) == "422 invalid-edition"
    errors = reply.get_json()["errors"]
    assert [(one["file"], one["line"], one["field"]) for one in errors] == [
        ("edition.toml", 31, "cards.red.symbol"),
        ("edition.toml", 54, "rules.1.text.en"),
    ]
    assert not any(os.sep in one["detail"] for one in errors)
    assert client.get(f"{URL}/uploaded").get_json() == {"editions": []}


@pytest.mark.parametrize(
    ("base", "variant"), [(None, False), ("eurocg-2026", True), ("sackson-1969", False), ("garden", False)]
)
def test_an_edition_begins_as_an_example_a_variant_or_a_copy(app: Flask, base: str | None, *, variant: bool) -> None:
    client = as_organiser(app)
    _post(client, "/uploaded", TOML.encode())
    body = {"slug": "mine", "title": 'My "own"', "base": base, "variant": variant}
    found = _post(client, "", body).get_json()
    assert (found["slug"], found["version"], found["title"]) == ("mine", 1, 'My "own"')
    assert problem(_post(client, "", body)) == "409 other-version"
    titles = {one["slug"]: one["title"] for one in client.get(URL).get_json()["editions"]}
    assert titles[found["name"]] == 'My "own"'
    assert problem(_post(client, "", {**body, "slug": "eurocg-2026"})) == "422 invalid-edition"
    assert problem(_post(client, "", {**body, "slug": "x", "base": "gone"})) == "404 not-found"
    assert problem(_post(client, "", {**body, "slug": "x", "title": "{x.y}"})) == "422 invalid-edition"


def test_a_draft_is_checked_and_shown_without_being_stored(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """The card is drawn; its rule comes in plain words, with decks on either side of its boundary."""
    monkeypatch.setattr("server.games.edition_drafts.run_check", lambda work, *given: work(*given))
    client = as_organiser(app)
    found = _post(client, "/checks?card=rule-2", TOML.encode()).get_json()
    assert (found["findings"], found["card"]) == ([], "rule-2")
    assert {"slug": "red", "name": "Red"} in found["cards"]
    assert _post(client, "/checks", TOML.encode()).get_json()["card"] == "rule-1"
    assert base64.b64decode(found["face"]).startswith(b"\x89PNG")
    assert found["rule"]["name"] == "Too much red"
    scores = [{one["deck"]: one["score"] for one in pair} for pair in found["rule"]["examples"]]
    assert {"5 \N{MULTIPLICATION SIGN} Red": "15", "6 \N{MULTIPLICATION SIGN} Red": "0"} in scores
    broken = _post(client, "/checks", TOML.replace("red > limit", "red >").encode()).get_json()
    assert "rules.2.when" in [one["field"] for one in broken["findings"]]
    assert (broken["cards"], broken["face"]) == ([], None)
    assert {"slug": "colour", "name": "Colour cards"} in found["categories"]
    assert client.get(f"{URL}/uploaded").get_json() == {"editions": []}


def test_mistakes_and_plain_words_are_in_the_language_that_is_asked_for(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So are names, if the edition has the language."""
    client = as_organiser(app)
    reply = _post(client, "/uploaded?language=fr", TOML.replace("worth = 3", "wroth = 3").encode())
    assert reply.get_json()["errors"][0]["detail"] == "est un champ inconnu\u202f; écris worth"
    monkeypatch.setattr("server.games.edition_drafts.run_check", lambda work, *given: work(*given))
    german = re.sub(r"^(.*)\.en = (.*)$", r"\1.en = \2\n\1.de = \2", TOML, flags=re.MULTILINE)
    german = german.replace('name.de = "Red"', 'name.de = "Rot"')
    found = _post(client, "/checks?card=rule-2&language=de", german.encode()).get_json()
    assert found["rule"]["words"] == ["Wenn die Anzahl von „Rot“ mehr als 5 ist: bei „Rot“ zählt nichts."]
    assert {"slug": "red", "name": "Rot"} in found["cards"]


def test_decks_are_scored_by_a_draft(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are at one table; cards that the draft does not have, and a draft with mistakes, score nothing."""
    monkeypatch.setattr("server.games.edition_drafts.run_check", lambda work, *given: work(*given))
    client = as_organiser(app)
    decks = [{"red": 6, "blue": 1, "tea": 4}, {"yellow": 2}]
    found = _post(client, "/checks/scores", {"text": TOML, "decks": decks}).get_json()["decks"]
    assert [one["score"] for one in found] == ["12", "2"]
    assert {"3", "2", None} == {line["rule"] for line in found[0]["lines"]}
    for text in (TOML.replace("red > limit", "red >"), "a", ""):
        assert _post(client, "/checks/scores", {"text": text, "decks": decks}).get_json() == {"decks": []}
    refused = _post(client, "/checks/scores", {"text": TOML, "decks": [{"red": -1}]})
    assert refused.status_code == 422


def test_decks_are_scored_with_facts(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fact may name another deck by its number; values that it does not take count as if nothing were entered."""
    monkeypatch.setattr("server.games.edition_drafts.run_check", lambda work, *given: work(*given))
    client = as_organiser(app)
    text = TOML + FACTS
    asked = _post(client, "/checks", text.encode()).get_json()["facts"]
    assert [(one["name"], one["yes_no"], one["player"]) for one in asked] == [
        ("songs", False, False),
        ("sober", True, False),
        ("friend", False, True),
    ]
    assert (asked[0]["label"], asked[0]["minimum"], asked[0]["maximum"]) == ("Songs?", 0, 5)

    def scores(*facts: dict[str, Any]) -> list[str]:
        body = {"text": text, "decks": [{}, {"yellow": 1}], "facts": facts}
        return [one["score"] for one in _post(client, "/checks/scores", body).get_json()["decks"]]

    assert scores() == ["0", "1"]
    assert scores({"songs": 2, "sober": True, "friend": 2}, {"friend": 1}) == ["172", "1"]
    assert scores({"songs": 6, "sober": 1, "friend": 1, "gone": 1}, {"songs": True, "friend": 7}) == ["0", "1"]
    assert scores({}, {"songs": 1}, {"songs": 1}) == ["0", "11"]
    refused: list[list[dict[str, Any]]] = [[{}] * 5, [{"songs": "2"}], [{"songs": None}]]
    for facts in refused:
        answer = _post(client, "/checks/scores", {"text": text, "decks": [{}], "facts": facts})
        assert answer.status_code == 422


def test_an_edition_can_begin_almost_empty(app: Flask) -> None:
    """It has one card and no rules, and no mistakes."""
    client = as_organiser(app)
    assert _post(client, "", {"slug": "plain", "title": "New", "empty": True}).status_code == 201
    text = client.get(f"{URL}/plain/file").get_data()
    assert text.count(b"[[cards]]") == 1
    assert b"[[rules]]" not in text
    assert _post(client, "/uploaded", text + b"# changed\n").status_code == 201


def test_a_copy_of_an_edition_with_a_program_is_refused_without_its_path(
    app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "coded").mkdir()
    (tmp_path / "coded" / "edition.toml").write_text(
        f'{TOML.replace("garden", "coded")}\n[[ties]]\nname = "own"\nlabel.en = "own"\n'
    )
    (tmp_path / "coded" / "rules.py").write_text("")
    monkeypatch.setenv("HAGGLE_EDITIONS", str(tmp_path))
    answer = _post(as_organiser(app), "", {"slug": "mine", "title": "Mine", "base": "coded", "variant": False})
    assert problem(answer) == "422 invalid-edition"
    (finding,) = answer.get_json()["errors"]
    assert finding["detail"].startswith("'coded' cannot be used without its rules.py: has no formula")
    assert finding["field"] == "ties.own"
    assert finding["line"] > 1
    assert "/" not in finding["detail"]


def test_a_rule_that_fails_for_a_deck_is_named_in_the_language_that_is_asked_for(app: Flask) -> None:
    text = TOML.replace('"sets * points"', '"sets * points / (sets - 9)"')
    deck = {"red": 9, "blue": 9, "yellow": 9}
    answer = _post(as_organiser(app), "/checks/scores", {"text": text, "decks": [deck], "language": "de"})
    assert problem(answer) == "422 invalid-edition"
    assert answer.get_json()["detail"] == "rules.1: eine Formel teilt durch 0."


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ({"slug": "sackson-1969"}, "„sackson-1969“ heißt schon eine installierte Edition; nimm einen anderen Namen"),
        ({"title": "{0}"}, "hat einen Platzhalter, der kein Name ist: {0}"),
        ({"base": "garden", "variant": True}, "nur eine installierte Edition kann Varianten haben; kopiere diese"),
    ],
)
def test_a_new_edition_is_refused_in_the_language_that_is_asked_for(
    app: Flask, body: dict[str, Any], detail: str
) -> None:
    client = as_organiser(app)
    _post(client, "/uploaded", TOML.encode())
    answer = _post(client, "", {"slug": "mine", "title": "Mine", "language": "de", **body})
    assert problem(answer) == "422 invalid-edition"
    assert answer.get_json()["detail"].endswith(f"{detail}.")
    assert [finding["detail"] for finding in answer.get_json()["errors"]] == [detail]
