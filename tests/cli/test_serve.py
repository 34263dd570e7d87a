"""What `haggle serve` says when it listens."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from server.app import assets
from server.app.house import HouseConfig, open_checked, open_house
from server.cli import serve
from server.cli.main import main
from server.editions import editions_from
from server.play.installation import choose_password
from tests.editions.harbour import written
from tests.house import ORGANISER, new_game
from tests.server_process import free_port

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

PASSWORD = "three plain words"  # noqa: S105 - of this test's server


@pytest.fixture(autouse=True)
def _own_log() -> Iterator[None]:
    """Leave the log to other tests as it was: a command of a server begins one for its process."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    yield
    root.handlers[:] = before
    root.setLevel(level)


def _said(folder: Path, host: str) -> str:
    done = CliRunner().invoke(serve.command, ["--data", str(folder), "--host", host, "--port", "8123"])
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.parametrize(("host", "here"), [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "localhost")])  # noqa: S104 - said
def test_a_newcomer_is_led_to_the_desk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, host: str, here: str) -> None:
    """The first lines name the desk's address with the code that chooses the password; later the address alone."""

    def listen(_config: object, _host: str, port: int, *, announce: Callable[[int], Any], **_more: object) -> None:
        announce(port)

    monkeypatch.setattr(serve, "serve_house", listen)
    desk = f"http://{here}:8123/desk"
    said = _said(tmp_path / "games", host)
    assert f"The organisers' desk is at {desk}\n" in said
    code = said.partition(f"open {desk} and use this code once:\n\n")[2].split()[0]
    house = open_house(HouseConfig(tmp_path / "games"))
    choose_password(house, code, PASSWORD, ORGANISER)
    house.database.close()
    said = _said(tmp_path / "games", host)
    assert f"The organisers' desk is at {desk}\n" in said
    assert "code once" not in said


@pytest.mark.parametrize("command", ["serve", "worker"])
def test_a_place_for_pictures_that_does_not_work_is_told_at_once(
    command: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line, before anything listens, and without what the library beneath says of it."""
    open_house(HouseConfig(tmp_path)).close()
    monkeypatch.setenv("HAGGLE_PHOTOS_URL", "s3://bucket/x")
    monkeypatch.setenv("AWS_ENDPOINT", f"http://127.0.0.1:{free_port()}")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_ALLOW_HTTP"):
        monkeypatch.setenv(name, "true")
    with pytest.raises(SystemExit) as left:
        main([command, "--data", str(tmp_path), *(["--port", "0"] if command == "serve" else [])])
    assert left.value.code == 2
    said = capsys.readouterr().err
    assert re.fullmatch(r"haggle: s3://bucket/x/\w+: it cannot be reached, or does not answer in time\n", said)


def test_missing_files_of_the_pages_are_told_before_anything_begins(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line; nothing is announced, and no folder is made."""
    # As in a process that has not read them yet.
    monkeypatch.setattr(assets, "_loaded", assets._loaded.__wrapped__)
    monkeypatch.setitem(assets.VENDOR, "vendor/preact.js", "preact/gone.js")
    with pytest.raises(SystemExit) as left:
        main(["serve", "--data", str(tmp_path / "games"), "--port", "0"])
    said = capsys.readouterr()
    assert left.value.code == 2
    assert said.out == ""
    assert len(said.err.splitlines()) == 1
    assert said.err.startswith("haggle: ")
    assert "preact/gone.js" in said.err
    assert not (tmp_path / "games").exists()


def test_a_look_at_the_folder_leaves_nothing(tmp_path: Path) -> None:
    """A server that begins writes a file, and deletes it."""
    open_checked(HouseConfig(tmp_path)).close()
    assert list((tmp_path / "photos").iterdir()) == []


@pytest.mark.parametrize("logs", ["text", "json"])
def test_a_game_without_its_edition_is_named_at_the_start(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture, logs: str
) -> None:
    """In the terminal or the log, with the reason; the server starts all the same."""

    def listen(_config: object, _host: str, port: int, *, announce: Callable[[int], Any], **_more: object) -> None:
        announce(port)

    monkeypatch.setattr(serve, "serve_house", listen)
    folder = written(tmp_path / "own")
    house = open_house(HouseConfig(tmp_path / "games"))
    with editions_from(folder.parent):
        game = new_game(house, edition="harbour", players=1)
    house.database.close()
    arguments = ["--data", str(tmp_path / "games"), "--port", "8123", "--log-format", logs]
    done = CliRunner().invoke(serve.command, arguments)
    assert done.exit_code == 0, done.output
    said = caplog.text + str([vars(one) for one in caplog.records]) if logs == "json" else done.stderr
    assert game in said
    assert "unknown edition 'harbour'" in said
