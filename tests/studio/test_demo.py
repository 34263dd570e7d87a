"""The demo game: made once, made again when cut short, with photographs that read as what they show."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from scanner import scan_photo
from server.editions import load_edition
from server.jobs.printing import PrintError
from server.store.games import load_game
from server.studio.demo import SAMPLES, demo_folder, sample_decks, take_photographs
from tests.processes import descendants, left_after
from tests.server_process import kill_group

MAKE = """
import sys
from pathlib import Path
from server.studio.demo import demo_folder
demo_folder(Path(sys.argv[1]), lambda words: print(words, flush=True))
"""


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a finished demo game."""
    folder = tmp_path_factory.mktemp("demo") / "game"
    demo_folder(folder, lambda _: None, join="http://localhost:8000")
    return folder


def test_every_sample_photograph_reads_as_its_deck(demo: Path) -> None:
    """A newcomer who taps any of the samples sees exactly the cards that lie there."""
    game = load_game(demo)
    listed = json.loads((demo / "photos" / "photos.json").read_text(encoding="utf-8"))
    assert len(listed) == len(SAMPLES)
    for entry, sample in zip(listed, SAMPLES, strict=True):
        assert (entry["title"], entry["note"]) == (sample.title, sample.note)
        result = scan_photo((demo / "photos" / entry["file"]).read_bytes(), game)
        assert dict(result.cards) == dict(sample.cards), sample.title


def test_no_card_lies_in_two_sample_decks(demo: Path) -> None:
    """The samples are decks of one game, and each card of it exists once."""
    decks = sample_decks(load_game(demo))
    assert max(Counter(card for deck in decks for card in deck).values()) == 1
    assert [Counter(card.kind for card in deck) for deck in decks] == [Counter(sample.cards) for sample in SAMPLES]


def test_samples_name_kinds_of_the_edition() -> None:
    """And each deck is another one."""
    kinds = {kind.slug for kind in load_edition("eurocg-2026").kinds}
    assert all(set(sample.cards) <= kinds for sample in SAMPLES)
    assert len({tuple(sorted(sample.cards.items())) for sample in SAMPLES}) == len(SAMPLES)


def test_a_finished_demo_is_used_again(demo: Path) -> None:
    """The second start makes nothing: same game, same files, not a word."""
    before = {path: path.stat().st_mtime_ns for path in demo.rglob("*")}
    said: list[str] = []
    game = demo_folder(demo, said.append)
    assert game == load_game(demo)
    assert said == []
    assert {path: path.stat().st_mtime_ns for path in demo.rglob("*")} == before


def test_a_demo_that_was_cut_short_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A start that is killed while it takes photographs leaves no demo folder, and does not hinder the next start."""

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("server.studio.demo.take_photographs", killed)
    with pytest.raises(KeyboardInterrupt):
        demo_folder(tmp_path / "game", lambda _: None)
    assert not (tmp_path / "game").exists()
    monkeypatch.setattr("server.studio.demo.take_photographs", lambda *_: None)
    assert demo_folder(tmp_path / "game", lambda _: None) == load_game(tmp_path / "game")
    assert [path.name for path in tmp_path.iterdir()] == ["game"]


def test_a_demo_that_is_killed_leaves_no_process(tmp_path: Path) -> None:
    """A hard kill while the photographs are taken ends the processes that take them, too."""
    command = [sys.executable, "-c", MAKE, tmp_path / "game"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as making:
        try:
            assert making.stdout
            while "photographs" not in making.stdout.readline():
                assert making.poll() is None
            deadline = time.monotonic() + 20
            # Two that take photographs; Python may have one more, which looks after what they share.
            while len(family := descendants(making.pid)) < 2 and time.monotonic() < deadline:
                time.sleep(0.02)
            assert len(family) >= 2
            making.kill()
            making.wait()
            assert left_after(20, family) == []
        finally:
            kill_group(making.pid)


def test_a_folder_with_other_files_is_never_touched(tmp_path: Path) -> None:
    """Whoever names a wrong folder loses nothing."""
    (tmp_path / "thesis.txt").write_text("years of work", encoding="utf-8")
    with pytest.raises(PrintError, match="holds other files: name a new or empty folder"):
        demo_folder(tmp_path, lambda _: None)
    with pytest.raises(PrintError, match="holds other files"):
        demo_folder(tmp_path / "thesis.txt", lambda _: None)
    assert (tmp_path / "thesis.txt").read_text(encoding="utf-8") == "years of work"


@pytest.mark.parametrize("damage", ["game.json", "photos/photos.json", "photos/1-nominal.jpg"])
def test_a_damaged_demo_is_put_aside_and_made_again(
    demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    """A file that cannot be read does not stop the demo for good, and nothing that lay there is deleted."""
    monkeypatch.setattr("server.studio.demo.take_photographs", lambda *_: None)
    folder = tmp_path / "game"
    shutil.copytree(demo, folder)
    (folder / "my-notes.txt").write_text("mine", encoding="utf-8")
    (folder / damage).write_text("{", encoding="utf-8")
    said: list[str] = []
    assert demo_folder(folder, said.append) == load_game(folder)
    aside = tmp_path / "game.damaged-1"
    assert said[0] == f"The demo game is damaged. It is put aside in {aside} and made again."
    assert (aside / "my-notes.txt").read_text(encoding="utf-8") == "mine"
    assert {path.name for path in tmp_path.iterdir()} == {"game", "game.damaged-1"}


def test_the_current_folder_can_hold_the_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder named by a dot is replaced by the demo."""
    monkeypatch.setattr("server.studio.demo.take_photographs", lambda *_: None)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    demo_folder(Path(), lambda _: None)
    assert (tmp_path / "here" / "game.json").exists()


def test_a_name_that_is_too_long_is_an_error_in_words(tmp_path: Path) -> None:
    """Not a traceback."""
    with pytest.raises(PrintError, match="File name too long; the demo game was not made"):
        demo_folder(tmp_path / ("x" * 300), lambda _: None)


def test_a_system_without_shared_memory_gets_its_photographs_too(
    demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where worker processes cannot talk to each other, the photographs are taken one after the other."""

    def no_shared_memory(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("server.studio.demo.ProcessPoolExecutor", no_shared_memory)
    monkeypatch.setattr("server.studio.demo.SAMPLES", SAMPLES[:1])
    take_photographs(load_game(demo), tmp_path / "photos")
    [entry] = json.loads((tmp_path / "photos" / "photos.json").read_text(encoding="utf-8"))
    assert (tmp_path / "photos" / entry["file"]).read_bytes() == (demo / "photos" / entry["file"]).read_bytes()
