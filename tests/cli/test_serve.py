"""`haggle serve` and `haggle password`: output at the start, errors, and passwords."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

import pytest

from server.cli import network as address
from server.cli.admin import serve
from server.cli.network import addresses, terminal_code
from server.editions.registry import editions_from
from server.games.errors import DomainError
from server.games.server_config import choose_password, load_server_config, sign_in
from server.printing.links import network_address
from server.web_app import assets
from server.web_app.settings import AppConfig
from server.web_app.stores import open_checked, open_context
from tests.context import ORGANISER, Clock, new_context, new_game
from tests.editions.harbour import written
from tests.server_process import free_port

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Haggle, Refused

PASSWORD = "three plain words"  # noqa: S105 - of this test's server


@pytest.fixture
def _listens(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace serving by the announcement of the address."""

    def listen(_config: object, _host: str, port: int, *, announce: Callable[[int], Any], **_more: object) -> None:
        announce(port)

    monkeypatch.setattr(serve, "serve_app", listen)


@pytest.mark.usefixtures("_listens")
@pytest.mark.parametrize(("host", "here"), [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "localhost")])  # noqa: S104 - text
def test_the_first_start_prints_a_link_to_choose_the_password(
    haggle: Haggle, tmp_path: Path, host: str, here: str
) -> None:
    """Later starts print the address only."""
    command = ("serve", "--data", tmp_path / "games", "--host", host, "--port", "8123")
    desk = f"http://{here}:8123/desk"
    output = haggle(*command).out
    assert f"The organisers' desk is at {desk}\n" in output
    code = output.partition(f"open {desk} and use this code once:\n\n")[2].split()[0]
    context = open_context(AppConfig(tmp_path / "games"))
    choose_password(context, code, PASSWORD, ORGANISER)
    context.database.close()
    output = haggle(*command).out
    assert f"The organisers' desk is at {desk}\n" in output
    assert "code once" not in output


@pytest.mark.parametrize("command", ["serve", "worker"])
def test_an_unusable_photo_store_is_reported_at_once(
    command: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, refused: Refused
) -> None:
    """In one line, before the server listens, and without the library's message."""
    open_checked(AppConfig(tmp_path)).close()
    # The check leaves nothing in the folder.
    assert list((tmp_path / "photos").iterdir()) == []
    monkeypatch.setenv("HAGGLE_PHOTOS_URL", "s3://bucket/x")
    monkeypatch.setenv("AWS_ENDPOINT", f"http://127.0.0.1:{free_port()}")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_ALLOW_HTTP"):
        monkeypatch.setenv(name, "true")
    output = refused(command, "--data", tmp_path, *(["--port", "0"] if command == "serve" else []))
    assert re.fullmatch(r"haggle: s3://bucket/x/\w+: it cannot be reached, or does not answer in time\n", output)


def test_missing_and_damaged_static_files_are_reported_at_the_start(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, refused: Refused
) -> None:
    # Like in a new process, without cached files.
    monkeypatch.setattr(assets, "_loaded", assets._loaded.__wrapped__)
    monkeypatch.setattr(assets, "DIST", tmp_path / "dist")
    command = ("serve", "--data", tmp_path / "games", "--port", "0")
    assert "the pages are not built" in refused(*command)
    manifest = tmp_path / "dist" / ".vite" / "manifest.json"
    manifest.parent.mkdir(parents=True)
    manifest.write_text('{"player.html": {', encoding="utf-8")
    assert "delete" in refused(*command)
    assert not (tmp_path / "games").exists()


@pytest.mark.usefixtures("_listens")
@pytest.mark.parametrize("logs", ["text", "json"])
def test_games_without_their_edition_are_reported_at_the_start(
    tmp_path: Path, haggle: Haggle, caplog: pytest.LogCaptureFixture, logs: str
) -> None:
    """In the terminal or the log, with the reason; the server starts anyway."""
    folder = written(tmp_path / "own")
    context = open_context(AppConfig(tmp_path / "games"))
    with editions_from(folder.parent):
        game = new_game(context, edition="harbour", players=1)
    context.database.close()
    done = haggle("serve", "--data", tmp_path / "games", "--port", "8123", "--log-format", logs)
    assert done.code == 0
    output = caplog.text + str([vars(one) for one in caplog.records]) if logs == "json" else done.err
    assert game in output
    assert "unknown edition 'harbour'" in output


ANYWHERE, NETWORK = "0.0.0.0", "http://192.0.2.7:80/"  # noqa: S104 - text


@pytest.mark.parametrize(
    ("network", "host", "here", "phone", "why"),
    [
        ("192.0.2.7", ANYWHERE, "http://localhost:80/", NETWORK, ""),
        ("192.0.2.7", "::", "http://localhost:80/", NETWORK, ""),
        ("192.0.2.7", "", "http://localhost:80/", NETWORK, ""),
        (None, ANYWHERE, "http://localhost:80/", None, "no address in a network"),
        ("192.0.2.7", "127.1.2.3", "http://127.1.2.3:80/", None, "--host 0.0.0.0"),
        ("192.0.2.7", "localhost", "http://localhost:80/", None, "--host 0.0.0.0"),
        ("192.0.2.7", "::1", "http://[::1]:80/", None, "--host 0.0.0.0"),
        ("192.0.2.7", "198.51.100.4", "http://198.51.100.4:80/", "http://198.51.100.4:80/", ""),
    ],
)
def test_addresses_for_this_machine_and_for_phones_are_printed(
    network: str | None, host: str, here: str, phone: str | None, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(address, "network_address", lambda: network)
    where = addresses(host, 80)
    assert (where.here, where.phone) == (here, phone)
    assert why in where.unreachable
    assert bool(why) == bool(where.unreachable)


def test_the_qr_code_in_a_terminal_sets_both_colours() -> None:
    """Every line is white on black, since light terminals would invert it; loopback addresses have no code."""
    lines = terminal_code("http://192.0.2.7:8000").splitlines()
    assert len(lines) > 12
    assert all(line.startswith("\x1b[97m\x1b[40m") and line.endswith("\x1b[0m") for line in lines)
    assert not str(network_address()).startswith("127.")


def test_a_new_password_replaces_the_old_one_and_ends_sessions(
    tmp_path: Path, haggle: Haggle, refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Weak passwords and folders without games are refused in one line, without changes."""

    def typed(password: str) -> tuple[str, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{password}\n"))
        return "password", "--data", str(tmp_path)

    assert "name the server's data folder" in refused(*typed("long enough"))
    assert list(tmp_path.iterdir()) == []
    context = new_context(tmp_path, Clock())
    before = load_server_config(context.database).session_epoch
    for password in ("first password", "second password"):
        assert "The password is set." in haggle(*typed(password)).out
    assert "Choose a password" in refused(*typed("short"))
    assert sign_in(context, "second password") == before + 2
    with pytest.raises(DomainError):
        sign_in(context, "first password")
    context.database.close()
