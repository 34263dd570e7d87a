"""`haggle bench real-decks`: benchmark sets from photographs of a printed game."""

from __future__ import annotations

import io
import json
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from benchmarks.scan.pictures import folder_sets
from cardgen.deal import deal
from cardgen.payload import card_text, label_text, short_code
from devtools.photo_simulator import photograph
from devtools.photo_simulator.cards import printed_label
from devtools.photo_simulator.profiles import SENSORS
from server.cli.main import main
from server.db.models import Card
from server.editions import load_edition
from server.games.lifecycle.repository import load_game, printed_game_of
from server.games.transfer.game_archive import export_game
from server.printing.contents import category_deals
from server.printing.game_file import save_game
from tests.context import new_game
from tests.scanner.shots import GAME, OTHER_GAME, deck, encoded, page, scene
from tests.shared_cache import SHARED_CACHE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from server.games.context import AppContext

    Make = Callable[..., tuple[int, str, str]]

HANDS = deal(category_deals(load_edition(GAME.edition), GAME.players), GAME.players, GAME.seed)
HAND, OTHER = HANDS[0], HANDS[1][0]
CARDS = [card_text(GAME, card) for card in HAND]
LABEL = label_text(GAME, 1)
WHOLE = [*CARDS, *CARDS, LABEL]
FIRST, SECOND, LAST = (short_code(GAME, HAND[place]) for place in (0, 1, -1))
FOREIGN = short_code(GAME, OTHER)


@pytest.fixture
def make(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Make:
    """Return a function that makes a set of `photos` by the command; it returns exit code, output and errors."""
    save_game(GAME, tmp_path)

    def run(game: str = "game.json", *more: str) -> tuple[int, str, str]:
        words = [str(tmp_path / "photos"), "--game", str(tmp_path / game), "--out", str(tmp_path / "set"), *more]
        code = 0
        try:
            main(["bench", "real-decks", *words])
        except SystemExit as leaving:
            code = int(leaving.code or 0)
        return code, *capsys.readouterr()

    return run


def take(folder: Path, name: str, texts: Iterable[str]) -> None:
    """Write a picture of codes."""
    file = folder / "photos" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    placed = [(text, 120 * (place % 6), 120 * (place // 6)) for place, text in enumerate(texts)]
    file.write_bytes(encoded(page(*placed, size=(840, 840))))


def correct(folder: Path, *lines: str) -> None:
    """Write the corrections of a.png."""
    (folder / "photos" / "corrections.toml").write_text("\n".join(['["a.png"]', *lines]), encoding="utf-8")


def truth(folder: Path, name: str) -> Counter[str]:
    """Return the codes in a photograph of the set."""
    return Counter(json.loads((folder / "set" / f"{name}.json").read_text(encoding="utf-8")))


def _photo() -> bytes:
    width, height = SENSORS[2]
    small = replace(scene("nominal"), width=width, height=height)
    return photograph(deck(len(HAND)), small, "real", [printed_label(GAME, 1)]).jpeg


def test_a_photo_becomes_a_benchmark_without_its_metadata(make: Make, tmp_path: Path) -> None:
    """The scan benchmark reads its truth: both codes of each card, and those of the label."""
    with Image.open(io.BytesIO(SHARED_CACHE.once("real deck", _photo))) as image:
        exif = image.getexif()
        exif[0x010F] = "the maker"
        exif.get_ifd(0x8825)[1] = "N"
        (tmp_path / "photos" / "lamp").mkdir(parents=True)
        image.save(tmp_path / "photos" / "lamp" / "IMG_20261123.jpg", quality=95, exif=exif)
    tagged = (tmp_path / "photos" / "lamp" / "IMG_20261123.jpg").read_bytes()
    status, out, err = make(".")
    name = f"{GAME.game}-001-1"
    assert status == 0, err
    assert f"lamp/IMG_20261123.jpg: lamp/{name}, envelope 1, 13 cards, 28 codes\n" in out
    assert sorted(path.name for path in (tmp_path / "set").rglob("*")) == [f"{name}.jpg", f"{name}.json", "lamp"]
    stored = (tmp_path / "set" / "lamp" / f"{name}.jpg").read_bytes()
    assert b"the maker" in tagged
    assert b"Exif" not in stored
    (found,) = folder_sets(tmp_path / "set", pytest.fail)
    (picture,) = found.pictures()
    # The player's secret token is cut off.
    assert Counter(code.text for code in picture.codes) == Counter([*WHOLE, "https://haggle.example/j"])


@pytest.mark.parametrize(
    ("shown", "lines", "expected"),
    [
        (WHOLE[1:], [], Counter(WHOLE)),
        (CARDS[1:], [f'missing = ["{FIRST}"]', "envelope = 1", "label = false"], Counter(CARDS[1:] * 2)),
        (
            [*WHOLE, card_text(GAME, OTHER)],
            [f'added = ["{FOREIGN.lower()}"]'],
            Counter([*WHOLE, *[card_text(GAME, OTHER)] * 2]),
        ),
        (WHOLE, [f'one_code = ["{LAST}"]'], None),
        (WHOLE[1:], [f'one_code = ["{FIRST}"]'], Counter(WHOLE[1:])),
    ],
    ids=["unread", "missing", "added", "one code, but two are read", "one code"],
)
def test_the_truth_is_the_deal_with_its_corrections(
    make: Make, tmp_path: Path, shown: list[str], lines: list[str], expected: Counter[str] | None
) -> None:
    take(tmp_path, "a.png", shown)
    correct(tmp_path, *lines)
    status, out, err = make()
    if expected is None:
        assert (status, f"a.png: it shows 2 codes of {LAST}" in err) == (2, True)
        return
    assert status == 0, err
    assert truth(tmp_path, f"{GAME.game}-001-1") == expected
    unread = (expected - Counter(shown)).total()
    assert (f"look whether these {unread}, which were not read" in out) is (unread > 0)


def test_an_exported_game_has_its_deal(make: Make, context: AppContext, tmp_path: Path) -> None:
    game = new_game(context)
    with (tmp_path / "game.zip").open("wb") as file:
        export_game(context, game, file)
    with context.database.reading() as session:
        printed = printed_game_of(load_game(session, game))
        cards = session.query(Card).filter_by(game=game, envelope=2)
        texts = [card_text(printed, card) for card in cards] * 2
    take(tmp_path, "a.png", [*texts, label_text(printed, 2)])
    status, _, err = make("game.zip")
    assert status == 0, err
    assert truth(tmp_path, f"{game}-002-1") == Counter([*texts, label_text(printed, 2)])


@pytest.mark.parametrize(
    ("shown", "lines", "message"),
    [
        (CARDS, [], "a.png: no label was read; type `envelope = NUMBER` for it into corrections.toml"),
        ([*CARDS, LABEL, label_text(GAME, 2)], [], "a.png: labels of envelopes 1, 2"),
        ([label_text(OTHER_GAME, 1)], [], "a.png: the label is of another game, or forged; --game names"),
        (WHOLE, ["envelope = 13"], f"a.png: game {GAME.game} has no envelope 13"),
        ([*WHOLE, card_text(GAME, OTHER)], [], f"a.png: it shows {FOREIGN}"),
        ([*WHOLE, "HELLO WORLD"], [], "a.png: it shows another code, 'HELLO WORLD'"),
        (WHOLE, [f'missing = ["{FIRST}"]'], f"a.png: it shows {FIRST}"),
        (WHOLE, [f'missing = ["{FOREIGN}"]'], "is not missing: envelope 1 was not dealt it"),
        (WHOLE, [f'added = ["{FIRST}"]'], "is not added: envelope 1 was dealt it"),
        (WHOLE, ['missing = ["0A-1F-0"]'], "a.png: '0A-1F-0' is no card of game"),
        (WHOLE, ["lost = 1"], 'corrections.toml: ["a.png"]["lost"]: '),
        (WHOLE, ["lost"], "corrections.toml: "),
        (WHOLE, ["", '["b.png"]'], 'corrections.toml: ["b.png"]: there is no such photograph'),
    ],
)
def test_bad_photos_and_corrections_are_named(
    make: Make, tmp_path: Path, shown: list[str], lines: list[str], message: str
) -> None:
    """Nothing is written then."""
    take(tmp_path, "a.png", shown)
    if lines:
        correct(tmp_path, *lines)
    status, _, err = make()
    assert status == 2
    assert message in err
    assert not list(tmp_path.glob("*set*"))


def test_missing_files_and_existing_folders_are_refused(make: Make, tmp_path: Path) -> None:
    photos = tmp_path / "photos"
    photos.mkdir()
    assert "no photographs in it" in make()[2]
    (photos / "a.jpg").write_bytes(b"no picture")
    (photos / "b.jpg").write_bytes(b"")
    _, _, err = make()
    assert "a.jpg: This is not a picture" in err
    assert "b.jpg: The file is empty" in err
    (tmp_path / "bad.zip").write_bytes(b"PK")
    for game, message in (("gone", "does not exist"), ("photos/a.jpg", "this is not a game file"), ("bad.zip", "ZIP")):
        assert message in make(game)[2]
    assert "gone.toml" in make("game.json", "--corrections", str(tmp_path / "gone.toml"))[2]
    (tmp_path / "set").mkdir()
    status, _, err = make()
    assert (status, f"{tmp_path / 'set'} exists already; name a new folder" in err) == (2, True)
