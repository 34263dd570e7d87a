"""Provisional scores: contents by mode, and secrets that must not leak before publication."""

from __future__ import annotations

import base64
import json
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardgen.payload import join_token
from server.api.auth import projector_token
from server.api.rate_limit import limiter
from server.db.models import Envelope, Game
from server.editions import load_edition
from server.editions.registry import editions_from
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.settings import MODES
from server.games.lifecycle.states import State
from server.scoring import Hand, Scorer, decimal
from server.scoring.edition import SEED
from server.web_app.assets import DIST
from tests.api.endpoints import endpoints
from tests.context import new_game
from tests.editions.harbour import written
from tests.players import DECKS, Player, problem, seal, set_game, some_of
from tests.readings import reading

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask
    from werkzeug.test import TestResponse

    from server.games.context import AppContext

HANDS = {
    "eurocg-2026": {"red": 5, "blue": 2, "green": 1, "rule-5": 1, "rule-13": 1, "rule-19": 1},
    "sackson-1969": {"white": 2, "yellow": 4, "orange": 3, "rule-1": 1, "rule-13": 1, "rule-5": 1, "rule-7": 1},
    "tarot-fr": {"coeur-4": 2, "token-red": 3, "rule-4": 1, "rule-11": 1, "rule-27": 1, "rule-31": 1},
}
LANGUAGES = ("en", "de", "fr")
# Length of a piece of text that is unlikely to appear elsewhere by chance.
FRAGMENT = 24


def _all_responses(app: Flask, context: AppContext, game: str, cards: list[str]) -> str:
    """Let a player confirm cards and hand in; return all responses until the count, with headers."""
    player = Player(app, context, game, 1)
    deck = player.begin()
    strangers = [("foreign", "a poster"), ("forged", "H" * 20)]
    found = reading(cards, [1], doubts=["glare"], strangers=strangers)
    photo = player.add(deck, found, name="beach.jpg")
    replies = [player.client.post(f"{DECKS}/{deck}/confirm", json={"digest": digest}) for digest in ("0" * 64, 1)]
    seen = player.look(deck)
    replies.append(player.confirm(deck, seen["digest"] or "0" * 64))
    replies += [player.check(which, language) for which in (deck, "0" * 32) for language in (None, *LANGUAGES)]
    replies.append(player.hand_in(deck))
    with context.database.reading() as session:
        row = load_game(session, game)
        screen = app.test_client()
        screen.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {projector_token(row.id, row.key)}"
    for state in (State.OPEN, State.CLOSED, State.FROZEN):
        set_game(context, game, state=state)
        for who, client in (("player", player.client), ("projector", screen)):
            mine = [one for one in endpoints(app) if one.access == (who,) and one.method == "GET"]
            urls = [one.url(deck=deck, photo=photo) for one in mine if not one.rule.endswith("/events")]
            replies += [client.get(url) for url in urls if not url.endswith("/image")]
    # JSON escapes non-ASCII characters.
    parts = ((one.status, one.headers, one.text, json.dumps(one.json, ensure_ascii=False)) for one in replies)
    return "\n".join(str(part) for reply in parts for part in reply)


@pytest.mark.parametrize("mode", MODES)
def test_no_secret_is_sent_before_publication(app: Flask, context: AppContext, mode: str) -> None:
    game = new_game(context, mode=mode)
    with context.database.writing() as session:
        for number in range(1, 7):
            session.get_one(Envelope, (game, number)).name = f"Zebedee {number}"
    text_sent = _all_responses(app, context, game, Player(app, context, game, 1).hand)
    with context.database.reading() as session:
        row = load_game(session, game)
        links = [join_token(row.id, row.key, number) for number in range(1, row.players + 1)]
        keys = [row.key.hex(), base64.b64encode(row.key).decode().rstrip("="), row.seed]
    assert "Zebedee 1" in text_sent
    unwanted = [*links, *keys, *(f"Zebedee {number}" for number in range(2, 7)), "beach.jpg", "a poster", "H" * 20]
    assert not [one for one in unwanted if one in text_sent]


@pytest.mark.parametrize(
    ("slug", "mode"), [*(("eurocg-2026", mode) for mode in MODES), ("sackson-1969", "full"), ("tarot-fr", "known")]
)
def test_only_texts_of_photographed_cards_are_sent(app: Flask, context: AppContext, slug: str, mode: str) -> None:
    """In all modes, languages and errors; texts of held rules are in `known` and `full`."""
    game = new_game(context, edition=slug, players=3, mode=mode, tries=50, pause=0)
    text_sent = _all_responses(app, context, game, some_of(context, game, HANDS[slug]))
    pieces = _pieces(text_sent)
    for language in LANGUAGES:
        rules = load_edition(slug, language).rules
        own = [_escaped(rule.text) for rule in rules if rule.card in HANDS[slug]]
        assert any(text in text_sent for text in own) is (mode in {"known", "full"}), language
        for rule in rules:
            text = _escaped(rule.text)
            # Lines of a full count may have words in common, and cards with the same effect have the same text.
            result = text in text_sent if mode == "full" else _pieces(text) & pieces - _pieces("\n".join(own))
            assert not result or text in own, (rule.key, result)


def _escaped(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _pieces(text: str) -> set[str]:
    return {text[at : at + FRAGMENT] for at in range(len(text) - FRAGMENT + 1)}


def _responses(player: Player, deck: str, mode: str, language: str | None) -> list[object]:
    """Return all responses to a player, without the number of mode `total`."""
    replies = [
        player.check(deck, language),
        player.client.get("/api/v1/me"),
        player.client.get(f"{DECKS}/{deck}"),
        player.confirm(deck, "0" * 64),
    ]
    found: list[object] = []
    for reply in replies:
        headers = {name: value for name, value in reply.headers.items() if name not in {"Date", "X-Request-Id"}}
        body: object = reply.data
        if mode == "total":
            body = json.loads(reply.data) | {"score": None, "eliminated": False}
            del headers["Content-Length"]
        found.append((reply.status_code, body, headers))
    return found


@pytest.mark.parametrize("slug", ["harbour", *HANDS])
def test_the_response_depends_only_on_the_cards(
    app: Flask, context: AppContext, slug: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other settings, rules, random seeds and players change no byte, status or header."""
    monkeypatch.setattr(limiter, "enabled", False)
    with ExitStack() as own:
        if slug == "harbour":
            written(tmp_path / "own")
            own.enter_context(editions_from(tmp_path / "own"))
        edition = load_edition(slug)
        game = new_game(context, edition=slug, players=4, mode="known", tries=50, pause=0)
        players = [Player(app, context, game, number) for number in (1, 2)]
        rules = [rule.card for rule in edition.rules]
        plain = [kind.slug for kind in edition.kinds if kind.category != "rule"]
        worlds = st.fixed_dictionaries(
            {
                "settings": st.fixed_dictionaries({one.name: st.integers(0, 9) for one in edition.settings}),
                "active_rules": st.none() | st.lists(st.sampled_from([one.key for one in edition.rules]), unique=True),
                "seed": st.text("abc", max_size=3),
            }
        )

        @settings(max_examples=6, suppress_health_check=[HealthCheck.too_slow])
        @given(
            mode=st.sampled_from(["known", "total", "inventory"]),
            held=st.sets(st.sampled_from(rules), max_size=6),
            cards=st.dictionaries(st.sampled_from(plain), st.integers(1, 8), min_size=1, max_size=6),
            one=worlds,
            other=worlds,
            language=st.sampled_from([None, *LANGUAGES]),
        )
        def compare_variants(
            mode: str,
            held: set[str],
            cards: dict[str, int],
            one: dict[str, Any],
            other: dict[str, Any],
            language: str | None,
        ) -> None:
            set_game(context, game, mode="known")
            names = some_of(context, game, cards | dict.fromkeys(held, 1))
            player, somebody = players
            deck, theirs = player.lay(names), somebody.lay(names)
            set_game(context, game, mode=mode, **one)
            player.check(deck)  # costs an attempt
            here = _responses(player, deck, mode, language)
            set_game(context, game, **other)
            somebody.check(theirs)
            assert _responses(player, deck, mode, language) == here

        compare_variants()


UNKNOWN = {"eurocg-2026": ["red", "blue", "green"], "sackson-1969": ["yellow", "white"], "tarot-fr": []}


@pytest.mark.parametrize("slug", HANDS)
def test_each_mode_has_its_contents(app: Flask, context: AppContext, slug: str) -> None:
    """`inventory` the cards, `known` what held rules say, `total` one number, `full` all lines."""
    edition, cards = load_edition(slug, "en"), HANDS[slug]
    held = {kind.removeprefix("rule-") for kind in cards if kind.startswith("rule-")}
    game = new_game(context, edition=slug, players=3, mode="inventory", tries=50, pause=0)
    player = Player(app, context, game, 1)
    deck = player.lay(some_of(context, game, cards))
    replies: list[TestResponse] = []
    for mode in MODES[1:]:
        set_game(context, game, mode=mode)
        replies.append(player.check(deck, "en"))
    forms = {(one.status_code, tuple(json.loads(one.data)), tuple(one.headers.keys())) for one in replies}
    assert len(forms) == 1
    inventory, known, total, full = (one.json for one in replies)
    with context.database.reading() as session:
        row = session.get_one(Game, game)
    scorer = Scorer(edition, {**row.settings, SEED: row.seed})
    whole = scorer.score([Hand("deck", cards)], provisional=True).hands[0]

    nothing: tuple[object, ...] = [], {}, []
    assert {kind["kind"]: kind["count"] for kind in inventory["kinds"]} == cards
    assert (inventory["score"], *(inventory[name] for name in ("lines", "rules", "unknown"))) == (None, *nothing)
    assert {key for line in known["lines"] for key in (line["rule"], line["voided_by"]) if key} <= held
    assert float(known["score"]) == sum(float(line["points"] or 0) for line in known["lines"] if not line["void"])
    assert (set(known["rules"]), known["unknown"], known["spent"]) == (held, UNKNOWN[slug], False)
    assert (total["score"], *(total[name] for name in ("lines", "rules", "unknown"))) == (
        decimal(whole.score),
        *nothing,
    )
    assert [line["text"] for line in full["lines"]] == [line.text for line in whole.lines]
    assert set(full["rules"]) == held


def test_mode_off_has_no_score_anywhere(app: Flask, context: AppContext) -> None:
    game = new_game(context, mode="known")
    player = Player(app, context, game, 1)
    deck = player.lay()
    photo = player.look(deck)["photos"][0]["id"]
    set_game(context, game, mode="off")
    form = {"content_type": "multipart/form-data", "headers": {"Idempotency-Key": "k"}}
    refused = [
        player.client.post(f"{DECKS}/{deck}/photos", **form),
        player.client.get(f"{DECKS}/{deck}/photos/{photo}"),
        player.confirm(deck, "0" * 64),
        player.check(deck),
    ]
    assert {problem(reply) for reply in refused} == {"409 off"}
    seen = player.look(deck)
    assert [seen[name] for name in ("photos", "cards", "kinds", "digest", "total")] == [[], [], [], None, 0]
    assert [seen[name] for name in ("own_label", "other_label", "dead", "pending")] == [False, False, 0, 0]
    (summary,) = player.me()["decks"]
    assert (summary["cards"], summary["digest"]) == (None, None)
    assert player.hand_in(player.begin()).json["cards"] is None


def test_values_that_a_card_only_hints_at_are_unknown(app: Flask, context: AppContext) -> None:
    """Neither the solution of a puzzle nor a setting is sent; a held rule counts even if it is not active."""
    game = new_game(context, players=2, mode="known", settings={"blue_base": 77}, active_rules=["1"])
    player = Player(app, context, game, 1)
    for colour, rule in {"red": "rule-5", "blue": "rule-6", "green": "rule-7", "orange": "rule-8"}.items():
        reply = player.check(player.lay(some_of(context, game, {colour: 3, "yellow": 1, rule: 1})), "en").json
        assert (reply["score"], reply["unknown"]) == ("0", [colour, "yellow"])
        assert all(line["points"] is None for line in reply["lines"])
        (line,) = [line for line in reply["lines"] if line["rule"]]
        assert (line["rule"], line["void"], line["open"]) == (rule.removeprefix("rule-"), False, False)
        assert line["text"] == "Not counted here: the card does not say all that is needed for it."
        result = str([reply["lines"], reply["rules"]])
        assert not [answer for answer in ("77", "42", "1993", "every face is") if answer in result], colour
    reply = player.check(player.lay(some_of(context, game, {"rule-9": 1, "yellow": 2, "green": 3}))).json
    assert reply["score"] == "6"


def test_an_invalid_rule_card_has_no_effect(app: Flask, context: AppContext) -> None:
    game = new_game(context, mode="known")
    player, rich = Player(app, context, game, 1), Player(app, context, game, 2)
    rules = [card for card in rich.hand if card.startswith("rule")]
    own = [card for card in player.hand if not card.startswith("rule")]
    seal(context, game, 2)
    plain, deck = player.lay(own), player.lay([*own, *rules])
    for mode in ("known", "full"):
        set_game(context, game, mode=mode)
        reply = player.check(deck).json
        assert reply["rules"] == {}
        assert {**reply, "deck": ""} == {**player.check(plain).json, "deck": ""}
    for card in rules:
        assert card.rsplit("-", 1)[0] not in player.client.get(f"{DECKS}/{deck}").text


def test_a_list_with_invalid_cards_is_not_scored(app: Flask, context: AppContext) -> None:
    """An envelope may be sealed after its cards were traded."""
    game = new_game(context, mode="total")
    player, gone = Player(app, context, game, 1), Player(app, context, game, 2)
    deck = player.lay([*player.hand, gone.hand[0]])
    seal(context, game, 2)
    assert problem(player.check(deck)) == "409 list-changed"
    assert player.me()["provisional"]["left"] == 3


def test_static_files_contain_no_rules(app: Flask) -> None:
    served = {".js", ".html", ".css", ".json", ".svg", ".webmanifest"}
    files = [file for file in DIST.rglob("*") if file.suffix in served]
    assert files
    shown = "".join(file.read_text(encoding="utf-8") for file in files)
    shown += app.test_client().get("/api/v1/openapi.json").text + app.test_client().get("/").text
    rules = [rule for slug in HANDS for language in LANGUAGES for rule in load_edition(slug, language).rules]
    assert not [rule.key for rule in rules if rule.text in shown]


def test_provisional_scores_use_another_random_seed(app: Flask, context: AppContext) -> None:
    """The seed differs from that of the final count and does not depend on the player's name."""
    game = new_game(context, edition="sackson-1969", players=3, mode="full")
    player = Player(app, context, game, 1)
    deck = player.lay(some_of(context, game, {"red": 6, "yellow": 6, "blue": 5, "white": 2}))
    first = player.check(deck).data
    player.client.patch("/api/v1/me", json={"name": "Another"})
    assert player.check(deck).data == first
    with context.database.reading() as session:
        assert session.get_one(Game, game).seed.encode() not in first
