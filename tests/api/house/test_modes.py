"""What a provisional score may tell, mode by mode, in all editions: whole replies are compared, byte by byte."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from server.app.assets import WEB
from server.editions import load_edition
from server.play import house as houses
from server.scoring import Hand, Scorer, decimal
from server.scoring.edition import SEED
from server.store.tables import Game
from tests.house import new_game
from tests.players import DECKS, Player, problem, seal, set_game, some_of
from tests.worlds_of_rules import WORLDS, emptied, generous, others

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from flask import Flask
    from werkzeug.test import TestResponse

    from server.play.house import House
    from server.scoring import Edition

HANDS = {
    "eurocg-2026": {"red": 5, "blue": 2, "green": 1, "rule-5": 1, "rule-13": 1, "rule-19": 1},
    "sackson-1969": {"white": 2, "yellow": 4, "orange": 3, "rule-1": 1, "rule-13": 1, "rule-5": 1, "rule-7": 1},
    "tarot-fr": {"coeur-4": 2, "token-red": 3, "rule-4": 1, "rule-11": 1, "rule-27": 1, "rule-31": 1},
}
MODES = ["off", "inventory", "known", "total", "full"]
LANGUAGES = [None, "en", "de", "fr"]


class Case:
    """A player of an edition with a hand laid out and confirmed."""

    def __init__(self, app: Flask, house: House, slug: str) -> None:
        self.edition, self.house = load_edition(slug), house
        self.game = new_game(house, edition=slug, players=3, mode="inventory", tries=50, pause=0)
        self.player = Player(app, house, self.game, 1)
        self.cards = HANDS[slug]
        self.deck = self.player.lay(some_of(house, self.game, self.cards))

    def replies(self) -> Iterator[tuple[str, TestResponse]]:
        """Yield every reply that a player gets."""
        client = self.player.client
        yield "me", client.get("/api/v1/me")
        yield "decks", client.get(DECKS)
        yield "deck", client.get(f"{DECKS}/{self.deck}")
        yield "photo", client.get(f"{DECKS}/{self.deck}/photos/{self.photo()}")
        digest = "0" * 64
        yield "wrong list", client.post(f"{DECKS}/{self.deck}/confirm", json={"digest": digest})
        yield "wrong body", client.post(f"{DECKS}/{self.deck}/confirm", json={"digest": 1})
        yield "no deck", client.post(f"{DECKS}/{'0' * 32}/check")
        for language in LANGUAGES:
            yield f"check {language}", self.player.check(self.deck, language)

    def photo(self) -> str:
        """Return the deck's picture."""
        set_mode, mode = self.house, self.mode()
        set_game(set_mode, self.game, mode="inventory")
        photo = self.player.look(self.deck)["photos"][0]["id"]
        set_game(set_mode, self.game, mode=mode)
        return str(photo)

    def mode(self) -> str:
        """Return the game's mode."""
        with self.house.database.reading() as session:
            return session.get_one(Game, self.game).mode


@pytest.fixture(params=sorted(HANDS))
def case(request: pytest.FixtureRequest, app: Flask, house: House) -> Case:
    """Return a case of each edition."""
    return Case(app, house, request.param)


def told(case: Case, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int, bytes, dict[str, str], int]]:
    """Return all replies: name, status, body, headers, and how often the engine counted for it."""
    calls: list[object] = []
    scored = Scorer.score

    def counting(self: Scorer, *args: Any, **more: Any) -> Any:  # noqa: ANN401 - passed on as it came
        calls.append(self)
        return scored(self, *args, **more)

    found = []
    with monkeypatch.context() as patch:
        patch.setattr(Scorer, "score", counting)
        for name, reply in case.replies():
            headers = {key: value for key, value in reply.headers.items() if key not in {"Date", "X-Request-Id"}}
            found.append((name, reply.status_code, reply.data, headers, len(calls)))
    return found


@pytest.mark.parametrize("mode", ["off", "inventory", "known"])
@pytest.mark.parametrize("world", WORLDS)
def test_no_reply_depends_on_a_rule_that_the_player_does_not_hold(
    case: Case, mode: str, world: Callable[[Edition, Any], Edition], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a world of other rules, settings and active rules every byte, status and header is the same."""
    set_game(case.house, case.game, mode=mode)
    here = told(case, monkeypatch)
    held = set(case.cards)
    with case.house.database.reading() as session:
        values = dict(session.get_one(Game, case.game).settings)
    different = {name: value + 3 for name, value in values.items()}
    active = [rule.key for rule in case.edition.rules][::2]
    set_game(case.house, case.game, settings=different, active_rules=active)
    load = load_edition
    monkeypatch.setattr(houses, "load_edition", lambda slug, language: world(load(slug, language), held))
    assert told(case, monkeypatch) == here


@pytest.mark.parametrize("mode", MODES)
def test_no_wording_or_title_of_another_rule_is_told(case: Case, mode: str) -> None:
    """In no mode, language or error, before publication; the wordings of held rules come in `known` and `full`."""
    set_game(case.house, case.game, mode=mode)
    held = set(case.cards)
    texts = [reply.text for _, reply in case.replies()]
    for language in ("en", "de", "fr"):
        edition = load_edition(case.edition.slug, language)
        mine = {rule.text for rule in edition.rules if rule.card in held}
        shown = [text for reply in texts for text in strings(json.loads(reply))]
        for rule in others(edition, held):
            # Cards that say the same have the same words.
            if rule.text not in mine:
                assert not any(rule.text in text for text in shown), (mode, rule.key)
        is_told = any(text in mine for text in shown)
        assert is_told is (mode in {"known", "full"}), (mode, language)


def test_off_is_off_everywhere(case: Case) -> None:
    """No picture is taken, no card is named, no list confirmed, no score told; the player can still hand in."""
    set_game(case.house, case.game, mode="off")
    client, deck = case.player.client, case.deck
    photo = case.photo()
    form = {"content_type": "multipart/form-data", "headers": {"Idempotency-Key": "k"}}
    refused = [
        client.post(f"{DECKS}/{deck}/photos", **form),
        client.get(f"{DECKS}/{deck}/photos/{photo}"),
        client.post(f"{DECKS}/{deck}/confirm", json={"digest": "0" * 64}),
        case.player.check(deck),
    ]
    assert {problem(reply) for reply in refused} == {"409 off"}
    seen = case.player.look(deck)
    assert (seen["photos"], seen["cards"], seen["kinds"], seen["digest"], seen["total"]) == ([], [], [], None, 0)
    assert [seen[name] for name in ("own_label", "other_label", "dead", "pending")] == [False, False, 0, 0]
    assert case.player.me()["decks"][0] | {"cards": None, "digest": None} == case.player.me()["decks"][0]
    assert case.player.hand_in(case.player.begin()).json["cards"] is None  # type: ignore[index]  # there is JSON


def test_inventory_tells_the_cards_and_nothing_else(case: Case) -> None:
    """The kinds with their numbers; no score, no line, no wording."""
    reply = case.player.check(case.deck).json
    assert reply
    assert {kind["kind"]: kind["count"] for kind in reply["kinds"]} == case.cards
    assert (reply["score"], reply["lines"], reply["rules"], reply["unknown"]) == (None, [], {}, [])


def test_known_scores_by_the_held_rules_alone(case: Case) -> None:
    """Every rule that a line names is held, and the score is the sum of what is known."""
    set_game(case.house, case.game, mode="known")
    reply = case.player.check(case.deck).json
    assert reply
    held = {kind.removeprefix("rule-") for kind in case.cards if kind.startswith("rule-")}
    named = {key for line in reply["lines"] for key in (line["rule"], line["voided_by"]) if key}
    assert named <= held
    assert set(reply["rules"]) == held
    points = [float(line["points"] or 0) for line in reply["lines"] if not line["void"]]
    assert float(reply["score"]) == sum(points)
    expected = {"eurocg-2026": ["red", "blue", "green"], "sackson-1969": ["yellow", "white"], "tarot-fr": []}
    assert reply["unknown"] == expected[case.edition.slug]
    assert reply["spent"] is False


def test_total_is_one_number(case: Case) -> None:
    """It is the provisional score of all rules, and nothing else is told."""
    set_game(case.house, case.game, mode="total")
    reply = case.player.check(case.deck).json
    assert reply
    with case.house.database.reading() as session:
        row = session.get_one(Game, case.game)
    scorer = Scorer(case.edition, {**row.settings, SEED: row.seed})
    whole = scorer.score([Hand("deck", case.cards)], provisional=True).hands[0]
    assert reply["score"] == decimal(whole.score)
    assert (reply["lines"], reply["rules"], reply["unknown"]) == ([], {}, [])


@pytest.mark.parametrize("world", [emptied, generous])
def test_the_number_is_all_that_a_total_tells(
    case: Case, world: Callable[[Edition, Any], Edition], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With other rules the number is another one; all the rest of every reply stays as it is."""
    set_game(case.house, case.game, mode="total")
    case.player.check(case.deck)
    here = told(case, monkeypatch)
    # Another value that no rule uses: the answers of before are of other values now, and are counted again.
    set_game(case.house, case.game, active_rules=[rule.key for rule in case.edition.rules])
    load = load_edition
    monkeypatch.setattr(houses, "load_edition", lambda slug, language: world(load(slug, language), set(case.cards)))
    there = told(case, monkeypatch)
    assert [without_score(*reply) for reply in there] == [without_score(*reply) for reply in here]
    # Without the others a hand of tarot may score the same; rules that pay thousands show in any.
    assert numbers(there) != numbers(here) or world is emptied


def without_score(name: str, status: int, body: bytes, headers: dict[str, str], _calls: int) -> tuple[object, ...]:
    """Return a reply without its score and without its length."""
    document = json.loads(body) | {"score": None, "eliminated": False}
    return name, status, document, {key: value for key, value in headers.items() if key != "Content-Length"}


def numbers(replies: list[tuple[str, int, bytes, dict[str, str], int]]) -> list[object]:
    """Return the scores in replies."""
    return [json.loads(body).get("score") for _, _, body, _, _ in replies]


def test_full_tells_every_line(case: Case) -> None:
    """All lines of the count; wordings of the held rules only, until the results are published."""
    set_game(case.house, case.game, mode="full")
    reply = case.player.check(case.deck, "en").json
    assert reply
    edition = load_edition(case.edition.slug, "en")
    whole = Scorer(edition).score([Hand("deck", case.cards)], provisional=True).hands[0]
    assert [line["text"] for line in reply["lines"]] == [line.text for line in whole.lines]
    assert set(reply["rules"]) == {kind.removeprefix("rule-") for kind in case.cards if kind.startswith("rule-")}


def test_all_modes_answer_in_one_form(case: Case) -> None:
    """The same parts in the same order, whatever the mode; what is not told is empty."""
    forms = set()
    for mode in MODES[1:]:
        set_game(case.house, case.game, mode=mode)
        reply = case.player.check(case.deck)
        forms.add((reply.status_code, tuple(json.loads(reply.data)), tuple(reply.headers.keys())))
    assert len(forms) == 1


@pytest.mark.parametrize("mode", ["known", "full"])
def test_a_dead_rule_card_tells_nothing_and_counts_nothing(app: Flask, house: House, mode: str) -> None:
    """A rule card from an envelope that was not given out is neither named nor worded nor scored."""
    game = new_game(house, mode=mode)
    player, rich = Player(app, house, game, 1), Player(app, house, game, 2)
    rules = [card for card in rich.hand if card.startswith("rule")]
    seal(house, game, 2)
    own = [card for card in player.hand if not card.startswith("rule")]
    plain = player.check(player.lay(own)).json
    deck = player.begin()
    player.photograph(deck, [*own, *rules], [1])
    player.confirm(deck)
    reply = player.check(deck).json
    assert reply
    assert plain
    assert reply["rules"] == {}
    assert {**reply, "deck": ""} == {**plain, "deck": ""}
    for card in rules:
        assert card.rsplit("-", 1)[0] not in player.client.get(f"{DECKS}/{deck}").text


def test_a_list_whose_cards_have_died_is_not_scored(app: Flask, house: House) -> None:
    """An envelope may be sealed again after its cards were traded away."""
    game = new_game(house, mode="total")
    player, gone = Player(app, house, game, 1), Player(app, house, game, 2)
    deck = player.lay([*player.hand, gone.hand[0]])
    seal(house, game, 2)
    assert problem(player.check(deck)) == "409 list-changed"
    assert player.me()["provisional"]["left"] == 3


def test_no_file_of_the_page_has_a_rule(case: Case) -> None:
    """What anybody can load from the server says no wording of any rule, in no language."""
    files = [
        file for file in WEB.rglob("*") if file.suffix in {".js", ".html", ".css", ".json", ".svg", ".webmanifest"}
    ]
    assert files
    shown = "".join(file.read_text(encoding="utf-8") for file in files if "node_modules" not in file.parts)
    shown += case.player.client.get("/api/v1/openapi.json").text + case.player.client.get("/").text
    for language in ("en", "de", "fr"):
        for rule in load_edition(case.edition.slug, language).rules:
            assert rule.text not in shown


def test_chance_in_a_provisional_count_tells_nothing_of_the_real_one(app: Flask, house: House) -> None:
    """The draw comes of another seed than the final one, and not of the player's name."""
    game = new_game(house, edition="sackson-1969", players=3, mode="full")
    cards = some_of(house, game, {"red": 6, "yellow": 6, "blue": 5, "white": 2})
    player = Player(app, house, game, 1)
    deck = player.lay(cards)
    first = player.check(deck).data
    player.client.patch("/api/v1/me", json={"name": "Another"})
    assert player.check(deck).data == first
    with house.database.reading() as session:
        seed = session.get_one(Game, game).seed
    assert seed.encode() not in first


def strings(document: object) -> Iterator[str]:
    """Yield all texts in a JSON document."""
    if isinstance(document, str):
        yield document
    elif isinstance(document, dict):
        for key, value in document.items():
            yield key
            yield from strings(value)
    elif isinstance(document, list):
        for value in document:
            yield from strings(value)
