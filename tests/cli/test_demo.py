"""`haggle demo`: demo processes with temporary and permanent folders."""

from __future__ import annotations

import errno
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

from server.cli import demo as demo_command
from server.cli.main import main
from server.db.session import DATABASE
from server.demo.seed import check_folder
from server.web_app.server import free_port as listen_at
from tests.demo_process import STOP, DemoProcess
from tests.processes import await_ends, descendants
from tests.waiting import until

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Refused


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Does not follow redirects."""

    def redirect_request(self, *_: object, **__: object) -> None:
        """Do not redirect."""


def open_at(demo: DemoProcess, path: str) -> str:
    """Open an address in a new session; return the target of its redirect."""
    with pytest.raises(urllib.error.HTTPError) as reply:
        urllib.request.build_opener(NoRedirect()).open(f"{demo.url}{path}")
    reply.value.close()
    return str(reply.value.headers["Location"])


def test_the_demo_starts_and_ctrl_c_leaves_nothing(tmp_path: Path) -> None:
    """Pages and the printed link to the organiser's page work; afterwards there are no processes, files or warnings."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    with DemoProcess(tmp_path / "log", env={"TMPDIR": str(folder)}) as demo:
        demo.wait()
        assert [entry.name.startswith("haggle-demo-") for entry in folder.iterdir()] == [True]
        assert b'id="app"' in demo.get("/")
        result = demo.info()
        assert (result["desk"], result["phone"]) == (True, None)
        assert (result["playing"]["state"], result["played"]["state"]) == ("open", "published")
        assert open_at(demo, "/demo/desk") == "/desk"
        family = descendants(demo.process.pid)
        deadline = time.monotonic() + STOP
        assert demo.stop() == 0
        assert await_ends(deadline, family) == []
    assert demo.output.splitlines()[1:5] == [
        f"  The demo:          {demo.url}/demo",
        f"  Organisers' desk:  {demo.url}/demo/desk   (on this computer only)",
        "  Phones cannot reach it: to let in phones on the same network, add --host 0.0.0.0",
        "",
    ]
    assert not re.search("warning|traceback|error", demo.output, re.IGNORECASE)
    assert list(folder.iterdir()) == []
    assert listen_at("127.0.0.1", demo.port) == demo.port


def test_a_closed_pipe_ends_the_demo_without_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after `haggle demo | head`."""

    def serve(*_: object, **__: object) -> None:
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    monkeypatch.setattr(demo_command, "serve_demo", serve)
    with pytest.raises(SystemExit):
        main(["demo", "--data", str(tmp_path / "demo")])
    assert capsys.readouterr().err == ""


def test_a_hangup_during_the_start_leaves_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    with DemoProcess(tmp_path / "log", env={"TMPDIR": str(folder)}) as demo:
        until(lambda: bool(list(folder.glob(f"*/data/{DATABASE}"))))
        family = descendants(demo.process.pid)
        deadline = time.monotonic() + STOP
        demo.stop(signal.SIGHUP)
        assert await_ends(deadline, family) == []
    assert not re.search("warning|traceback", demo.output, re.IGNORECASE)
    assert list(folder.iterdir()) == []


@pytest.mark.thorough
def test_a_permanent_demo_is_an_ordinary_data_folder(tmp_path: Path) -> None:
    """`haggle serve` serves its games without the landing page; another demo continues them, here for phones."""
    data = tmp_path / "data"
    with DemoProcess(tmp_path / "log", "--data", data, "--language", "de") as first:
        first.wait()
        result = first.info()
        player = open_at(first, "/demo/player").partition("#")[2]
        first.stop()
    assert (result["playing"]["name"], result["phone"]) == ("Tauschabend am Freitag", None)
    with DemoProcess(tmp_path / "log", "--data", data, command="serve") as served:
        served.wait()
        for path in ("/demo/desk", "/demo", "/api/v1/demo", "/demo/player"):
            with pytest.raises(urllib.error.HTTPError, match="404") as error:
                served.get(path)
            error.value.close()
        assert json.loads(served.get("/api/v1/session")) == {"name": None, "ready": True}
        served.stop()
    with DemoProcess(tmp_path / "log", "--data", data, "--host", "0.0.0.0") as second:  # noqa: S104 - what is tried
        second.wait()
        again = second.info()
        assert open_at(second, "/demo/player").partition("#")[2] == player
        second.stop()
    assert again["playing"]["name"] == result["playing"]["name"]
    if again["phone"] is None:
        assert "no address in a network" in second.output
    else:
        assert again["phone"].removesuffix("demo") in second.output
        assert "▀" in second.output


def test_a_used_port_is_reported_or_skipped(tmp_path: Path, refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    """A port from the command line is reported; otherwise the next free port is used, if there is one."""
    here = ("demo", "--host", "127.0.0.1", "--data", tmp_path)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        words = f"haggle: port {port} is taken by another program: name another one with --port\n"
        assert refused(*here, "--port", port) == words
        monkeypatch.setattr(demo_command, "_FIRST_PORT", port)
        assert port < demo_command._first_free("127.0.0.1") < port + 20
        monkeypatch.setattr(demo_command, "_PORTS_TO_TRY", 1)
        assert f"no free port from {port} to {port}" in refused(*here)


@pytest.mark.parametrize(
    ("host", "words"),
    [
        ("nohost.invalid", "not known"),
        ("192.0.2.1", "Cannot assign|Can't assign"),
        ("a..b", "not the name of a machine"),
    ],
)
def test_foreign_addresses_are_reported_without_ports(tmp_path: Path, refused: Refused, host: str, words: str) -> None:
    for port in ([], ["--port", "8000"]):
        output = refused("demo", "--host", host, "--data", tmp_path / "demo", *port)
        assert re.search(words, output)
        assert host in output
        assert "taken" not in output


@pytest.mark.parametrize(
    ("name", "words"), [("mine.txt", "holds other files"), ("demo.json", "damaged"), (DATABASE, "holds other files")]
)
def test_other_folders_are_refused_and_unchanged(
    tmp_path: Path, refused: Refused, monkeypatch: pytest.MonkeyPatch, name: str, words: str
) -> None:
    """In particular data folders of real servers."""
    # Do not serve if the folder is accepted by mistake.
    monkeypatch.setattr("server.demo.site.run", None)
    (tmp_path / name).touch()
    assert words in refused("demo", "--host", "127.0.0.1", "--data", tmp_path)
    assert [(entry.name, entry.read_bytes()) for entry in tmp_path.iterdir()] == [(name, b"")]
    refused("demo", "--host", "127.0.0.1", "--data", tmp_path / name / "below")


def test_a_full_disk_is_one_line_and_the_folder_remains_usable(
    tmp_path: Path, refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, os.strerror(28), "/somewhere")

    monkeypatch.setattr("server.demo.site.make_demo", full)
    output = refused("demo", "--host", "127.0.0.1", "--data", tmp_path / "demo")
    assert "/somewhere: No space left on device; the demo was not made" in output
    # The next start completes it.
    check_folder(tmp_path / "demo")
