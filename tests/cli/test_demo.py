"""`haggle demo` as a newcomer starts it: a real process, on a folder that goes with it, and on one that stays."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import time
import urllib.error
import urllib.request
from typing import TYPE_CHECKING

import pytest

from server.app.serving import ServeError
from server.app.serving import free_port as listen_at
from server.cli import demo as demo_command
from server.cli.main import main
from server.demo.seed import check_folder
from server.store.database import DATABASE
from tests.demo_process import STOP, DemoProcess
from tests.processes import descendants, left_at

if TYPE_CHECKING:
    from pathlib import Path


def open_at(demo: DemoProcess, path: str) -> str:
    """Open an address in a new browser; return where it leads."""
    opener = urllib.request.build_opener(NoWay())
    with pytest.raises(urllib.error.HTTPError) as reply:
        opener.open(f"{demo.url}{path}")
    reply.value.close()
    return str(reply.value.headers["Location"])


class NoWay(urllib.request.HTTPRedirectHandler):
    """Stays where it is."""

    def redirect_request(self, *_: object, **__: object) -> None:
        """Follow nothing."""


def test_a_newcomer_starts_it_and_ctrl_c_leaves_nothing(tmp_path: Path) -> None:
    """The page is there, and the desk opens by the printed link; afterwards no process, no file, no complaint."""
    place = tmp_path / "temporary"
    place.mkdir()
    with DemoProcess(tmp_path / "log", env={"TMPDIR": str(place)}) as demo:
        demo.wait()
        assert [entry.name.startswith("haggle-demo-") for entry in place.iterdir()] == [True]
        assert b'id="app"' in demo.get("/")
        told = demo.told()
        assert (told["desk"], told["phone"]) == (True, None)
        assert (told["playing"]["state"], told["played"]["state"]) == ("open", "published")
        assert open_at(demo, "/demo/desk") == "/desk"
        family = descendants(demo.process.pid)
        deadline = time.monotonic() + STOP
        assert demo.stop() == 0
        assert left_at(deadline, family) == []
    assert demo.said.splitlines()[1:5] == [
        f"  The demo:          {demo.url}/demo",
        f"  Organisers' desk:  {demo.url}/demo/desk   (on this computer alone)",
        "  Phones cannot reach it: to let in those of the same network, add --host 0.0.0.0",
        "",
    ]
    assert not re.search("warning|traceback|error", demo.said, re.IGNORECASE)
    assert list(place.iterdir()) == []
    assert listen_at("127.0.0.1", demo.port) == demo.port


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_stopped_early_it_leaves_nothing_either(tmp_path: Path, number: signal.Signals) -> None:
    """As soon as its folder is there, before anything is served; the closed window of a terminal is such a signal."""
    place = tmp_path / "temporary"
    place.mkdir()
    with DemoProcess(tmp_path / "log", env={"TMPDIR": str(place)}) as demo:
        end = time.monotonic() + 60
        while not list(place.glob(f"*/data/{DATABASE}")):
            assert time.monotonic() < end
            time.sleep(0.01)
        family = descendants(demo.process.pid)
        deadline = time.monotonic() + STOP
        demo.stop(number)
        assert left_at(deadline, family) == []
    assert not re.search("warning|traceback", demo.said, re.IGNORECASE)
    assert list(place.iterdir()) == []


def test_a_demo_that_is_kept_is_a_folder_like_others(tmp_path: Path) -> None:
    """`haggle serve` serves its games without a landing page; the next demo continues them, here open to phones."""
    data = tmp_path / "data"
    with DemoProcess(tmp_path / "log", "--data", data, "--language", "de") as first:
        first.wait()
        told = first.told()
        player = open_at(first, "/demo/player").partition("#")[2]
        first.stop()
    assert (told["playing"]["name"], told["phone"]) == ("Tauschabend am Freitag", None)
    with DemoProcess(tmp_path / "log", "--data", data, command="serve") as served:
        served.wait()
        for path in ("/demo/desk", "/demo", "/api/v1/demo", "/demo/player"):
            with pytest.raises(urllib.error.HTTPError) as error:
                served.get(path)
            assert error.value.code == 404
            error.value.close()
        assert json.loads(served.get("/api/v1/session")) == {"name": None, "ready": True}
        served.stop()
    with DemoProcess(tmp_path / "log", "--data", data, "--host", "0.0.0.0") as second:  # noqa: S104 - what is tried
        second.wait()
        again = second.told()
        assert open_at(second, "/demo/player").partition("#")[2] == player
        second.stop()
    assert again["playing"]["name"] == told["playing"]["name"]
    if again["phone"] is None:
        assert "no address in a network" in second.said
    else:
        assert again["phone"].removesuffix("demo") in second.said
        assert "▀" in second.said


def test_without_a_place_for_pictures_they_lie_with_the_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the checkout cannot be written, each demo makes its own."""
    (tmp_path / "file").touch()
    monkeypatch.setattr(demo_command, "_PHOTOS", tmp_path / "file" / "demo")
    assert demo_command._photos(tmp_path) == tmp_path / "demo"
    monkeypatch.setattr(demo_command, "_PHOTOS", tmp_path / "checkout" / "demo")
    assert demo_command._photos(tmp_path) == tmp_path / "checkout" / "demo"


def test_a_taken_port_is_one_clear_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It names the port and the way out."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(SystemExit) as stop:
            main(["demo", "--host", "127.0.0.1", "--port", str(port), "--data", str(tmp_path)])
    assert stop.value.code == 2
    assert capsys.readouterr().err == f"haggle: port {port} is taken by another program: name another one with --port\n"


@pytest.mark.parametrize(
    ("host", "words"),
    [
        ("nohost.invalid", "not known"),
        ("192.0.2.1", "Cannot assign|Can't assign"),
        ("a..b", "no name of a machine"),
    ],
)
@pytest.mark.parametrize("port", [[], ["--port", "8000"]])
def test_an_address_that_is_not_ours_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], host: str, words: str, port: list[str]
) -> None:
    """One line about the address, and nothing about ports that were taken."""
    with pytest.raises(SystemExit) as stop:
        main(["demo", "--host", host, "--data", str(tmp_path / "demo"), *port])
    said = capsys.readouterr().err
    assert stop.value.code == 2
    assert re.search(words, said)
    assert host in said
    assert "taken" not in said
    assert len(said.splitlines()) == 1


def test_a_taken_port_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first free port is taken, at addresses of either kind; with none free it says so."""
    with socket.socket() as first:
        first.bind(("127.0.0.1", 0))
        first.listen()
        port = first.getsockname()[1]
        monkeypatch.setattr(demo_command, "_FIRST_PORT", port)
        monkeypatch.setattr(demo_command, "_PORTS_TO_TRY", 1)
        with pytest.raises(ServeError, match=f"no free port from {port} to {port}"):
            demo_command._first_free("127.0.0.1")
        monkeypatch.setattr(demo_command, "_PORTS_TO_TRY", 20)
        assert port < demo_command._first_free("127.0.0.1") < port + 20


@pytest.mark.parametrize(
    ("name", "words"), [("mine.txt", "holds other files"), ("demo.json", "damaged"), (DATABASE, "holds other files")]
)
def test_other_folders_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str, words: str
) -> None:
    """One line, and what lies there stays as it is: above all a real server's games."""
    # Should it be taken after all, nothing is served.
    monkeypatch.setattr("server.app.serving.Granian", None)
    (tmp_path / name).touch()
    with pytest.raises(SystemExit) as stop:
        main(["demo", "--host", "127.0.0.1", "--data", str(tmp_path)])
    said = capsys.readouterr().err
    assert stop.value.code == 2
    assert words in said
    assert len(said.splitlines()) == 1
    assert [entry.name for entry in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_bytes() == b""


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Such as one below a file."""
    (tmp_path / "file").touch()
    with pytest.raises(SystemExit) as stop:
        main(["demo", "--host", "127.0.0.1", "--data", str(tmp_path / "file" / "demo")])
    assert stop.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_full_disk_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The demo was not made, and says so; the folder is not lost for it."""

    def full(*_: object) -> None:
        raise OSError(28, os.strerror(28), "/somewhere")

    monkeypatch.setattr("server.demo.site.make_demo", full)
    with pytest.raises(SystemExit) as stop:
        main(["demo", "--host", "127.0.0.1", "--data", str(tmp_path / "demo")])
    assert stop.value.code == 2
    assert "/somewhere: No space left on device; the demo was not made" in capsys.readouterr().err
    # The next start makes it in the same folder.
    check_folder(tmp_path / "demo")
