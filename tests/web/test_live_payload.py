"""What the page itself tells of a code's text, beside what the server tells."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cardgen.cards import CardId
from cardgen.payload import ALPHABET, card_text, encode, join_link, label_text, tag
from scanner.sort import meaning_of
from tests.web.live import set_up

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from cardgen.cards import Game
    from tests.conftest import PrintedFolder

UNTOLD = {"forged": {"forged", "card", "label"}}
"""What the page may take a code for that the server calls forged: it cannot check a signature."""


def _texts(game: Game) -> list[str]:
    """Return codes of the game, of another, of cards that do not exist, and of a wrong character anywhere."""
    other = replace(game, game="0000" if game.game != "0000" else "1111")
    cards = [CardId(game.kinds[0], 1), CardId(game.kinds[-1], 1023), CardId(game.kinds[7], 33)]
    texts = [card_text(one, card) for one in (game, other) for card in cards]
    texts += [label_text(one, number) for one in (game, other) for number in (1, 24, 1023, 1024)]
    texts += [join_link(host, one.game, one.key, 7, 2) for one in (game, other) for host in ("", "https://x.example")]
    link = texts[-1]
    texts += [link.replace(other.game, game.game), link + "#", link + ".0", link.replace("/j#", "/big#")]
    for kind, copy in ((len(game.kinds), 1), (1023, 1), (0, 0)):
        body = "H" + game.game + encode(kind, 2) + encode(copy, 2)
        texts.append(body + tag(body, game.key))
    for text in (texts[0], label_text(game, 7)):
        texts += [
            text[:at] + wrong + text[at + 1 :] for at in range(20) for wrong in (*ALPHABET[::5], "I", "U", "h", "É")
        ]
        texts += [text.lower(), text[:-1], text + "0", " " + text, text + "\n", text * 2]
    return [*texts, "", "\n", "https://haggle.example/j/" + texts[0], "0" * 20, "H" * 20, "\N{GRINNING FACE}" * 10]


def test_the_page_sorts_codes_as_the_server_does(page: Page, printed: PrintedFolder) -> None:
    """Every text means to the page what it means to the server, but for its signature, which only the server knows."""
    game = printed.game
    set_up(page)
    texts = _texts(game)
    codes = page.evaluate(
        "([texts, game, kinds]) => payload.sorted(texts.map((text) => ({ text, quad: [] })), { game, kinds })",
        [texts, game.game, list(game.kinds)],
    )
    assert [code["text"] for code in codes] == texts
    seen = set()
    for code in codes:
        status, card, envelope = meaning_of(code["text"], game)
        seen.add(status)
        assert code["status"] in UNTOLD.get(status, {status}), code
        if card is not None:
            assert code["card"] == {"kind": card.kind, "copy": card.copy}
        if envelope is not None:
            assert code["envelope"] == envelope
    assert seen == {"card", "label", "other-game", "forged", "foreign"}


def test_a_card_that_does_not_exist_is_forged(page: Page, printed: PrintedFolder) -> None:
    """A kind that the game has not, and a copy 0, need no signature to be told: they were never printed."""
    game = printed.game
    set_up(page)
    for kind, copy, status in ((len(game.kinds) - 1, 1, "card"), (len(game.kinds), 1, "forged"), (0, 0, "forged")):
        text = "H" + game.game + encode(kind, 2) + encode(copy, 2) + 11 * "0"
        (code,) = page.evaluate(
            "([text, game, kinds]) => payload.sorted([{ text, quad: [] }], { game, kinds })",
            [text, game.game, list(game.kinds)],
        )
        assert code["status"] == status
