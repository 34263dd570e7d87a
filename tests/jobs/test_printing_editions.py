"""Which editions can be printed, and what a game of them holds."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pypdfium2
import pytest

from cardgen.printing import PARTS
from server.jobs.choices import Choices
from server.jobs.printing import PrintError, print_game


def test_sackson_s_game_for_15_has_the_cards_of_the_article(tmp_path: Path) -> None:
    """Thirty cards of each colour, two of each sheet; ten cards and two different sheets in each envelope."""
    done = print_game("sackson-1969", 15, tmp_path / "game", seed="tests")
    printed = [card.card for card in done.printed.cards]
    kinds = Counter(card.kind for card in printed)
    assert {kinds[colour] for colour in ("yellow", "blue", "red", "orange", "white")} == {30}
    assert {kinds[f"rule-{number}"] for number in range(1, 16)} == {2}
    assert sum(kinds.values()) == 15 * 12


def test_a_smaller_game_leaves_sheets_out_as_a_variant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variant on Sackson's page, printed for 8 players: two of each of its 8 sheets, and no other."""
    page = Path(__file__).parents[2] / "docs" / "editions" / "sackson-1969.md"
    (variant,) = re.findall(r"^```toml\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    (tmp_path / "small-haggle").mkdir()
    (tmp_path / "small-haggle" / "edition.toml").write_text(variant, encoding="utf-8")
    monkeypatch.setenv("HAGGLE_EDITIONS", str(tmp_path))
    done = print_game("small-haggle", 8, tmp_path / "game", seed="tests")
    sheets = Counter(card.card.kind for card in done.printed.cards if card.card.kind.startswith("rule-"))
    assert sheets == {f"rule-{number}": 2 for number in (1, 2, 3, 6, 7, 8, 10, 15)}


def test_an_edition_whose_card_cannot_be_drawn_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line and no files."""
    monkeypatch.setattr("server.jobs.faces.MOTIFS", ("pique-1",))
    with pytest.raises(PrintError, match="tarot-fr cannot be printed: its card pique-2 has no motif"):
        print_game("tarot-fr", 40, tmp_path / "game")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("edition", ["eurocg-2026", "sackson-1969", "tarot-fr"])
def test_every_file_of_every_edition_can_be_printed(edition: str, tmp_path: Path) -> None:
    """Cards without an ink of their own, cards that come as stickers: each file is there and is a whole one."""
    pictures = {"sackson-1969": ("colour",), "eurocg-2026": ("colour",), "tarot-fr": ("tarot", "token")}[edition]
    print_game(
        edition, 6, tmp_path / "game", seed="tests", choices=Choices(backs="long", stick=pictures), parts=tuple(PARTS)
    )
    files = {path.name: path for path in (tmp_path / "game").iterdir()}
    assert set(files) == {*PARTS, "game.json"}
    for name in PARTS:
        if name.endswith(".pdf"):
            with pypdfium2.PdfDocument(files[name]) as document:
                assert len(document) > 0
