"""`haggle demo` as a newcomer starts it: a real process, a real page, a real photograph."""

from __future__ import annotations

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from server.app.serving import ServeError
from server.app.serving import free_port as listen_at
from server.cli import demo as demo_command
from server.cli.main import main

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import PrintedFolder

ROOT = Path(__file__).parents[2]
PATIENCE = 90
"""Seconds to wait for the first start: it prints a game and takes six photographs."""


@dataclass
class Demo:
    """A running demo and what it has printed."""

    process: subprocess.Popen[str]
    port: int
    log: Path
    data: Path

    def get(self, path: str) -> bytes:
        """Fetch a path of the demo's page."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=30) as reply:
            body: bytes = reply.read()
            return body

    def wait(self) -> None:
        """Wait until the demo answers."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            assert self.process.poll() is None, self.log.read_text(encoding="utf-8")
            try:
                assert json.loads(self.get("/healthz")) == {"status": "ok"}
            except (OSError, http.client.HTTPException):
                time.sleep(0.1)
            else:
                return
        pytest.fail(f"the demo did not start: {self.log.read_text(encoding='utf-8')}")


def free_port() -> int:
    """Return a port that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(data: Path, log: Path) -> Demo:
    """Start a demo on this machine alone."""
    port = free_port()
    command = [sys.executable, "-m", "server", "demo", "--host", "127.0.0.1", "--port", str(port), "--data", str(data)]
    with log.open("w", encoding="utf-8") as out:
        process = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT, text=True)
    return Demo(process, port, log, data)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """Run a demo for the tests of this module."""
    folder = tmp_path_factory.mktemp("demo")
    running = start(folder / "data", folder / "log")
    try:
        running.wait()
        yield running
    finally:
        running.process.send_signal(signal.SIGINT)
        try:
            running.process.wait(timeout=20)
        finally:
            running.process.kill()


def test_a_newcomer_scans_a_sample_and_sees_the_score(demo: Demo) -> None:
    """The first sample photograph goes up as it came down, and comes back as 42 points with its lines."""
    game = json.loads(demo.get("/api/v1/game"))
    sample = game["samples"][0]
    picture = demo.get(sample["url"])
    boundary = "photograph"
    body = (
        (
            f'--{boundary}\r\nContent-Disposition: form-data; name="photo"; filename="deck.jpg"\r\n'
            "Content-Type: image/jpeg\r\n\r\n"
        ).encode()
        + picture
        + f"\r\n--{boundary}--\r\n".encode()
    )
    request = urllib.request.Request(
        f"http://127.0.0.1:{demo.port}/api/v1/scans",
        data=body,
        headers={"Content-Type": f"multipart/form-data; boundary={boundary}"},
    )
    with urllib.request.urlopen(request, timeout=60) as reply:  # noqa: S310 - our own server
        scan = json.loads(reply.read())
    assert scan["cards"] == {"red": 4, "blue": 1, "rule-7": 1}
    assert len(scan["seen"]) == 6
    hand = scan["result"]
    assert hand["score"] == "42"
    assert sum(int(line["points"]) for line in hand["lines"] if not line["void"]) == 42


def test_the_printed_sheets_can_be_downloaded_and_the_key_cannot(demo: Demo) -> None:
    """Sheets and labels are offered; the game file and the list of codes are nowhere."""
    urls = [download["url"] for download in json.loads(demo.get("/api/v1/game"))["downloads"]]
    assert len(urls) == 2
    for url in urls:
        assert demo.get(url).startswith(b"%PDF")
    for path in (
        "/demo/game.json",
        "/demo/cards.csv",
        "/game.json",
        "/demo/photos/../game.json",
        "/demo/..%2fgame.json",
    ):
        with pytest.raises(urllib.error.HTTPError) as error:
            demo.get(path)
        assert error.value.code == 404
        error.value.close()


def test_the_terminal_shows_the_address_and_its_code(demo: Demo) -> None:
    """In words, and as a QR code of block characters."""
    said = demo.log.read_text(encoding="utf-8")
    assert f"http://127.0.0.1:{demo.port}" in said
    assert "Printing a demo game for 24 players" in said
    assert "█▀▀" in said or "▄▄▄▄▄" in said
    assert "Ctrl-C stops the demo" in said


def test_a_second_start_is_quick_and_says_nothing_of_printing(demo: Demo, tmp_path: Path) -> None:
    """The game is there already; the second demo runs beside the first on its own port."""
    second = start(demo.data, tmp_path / "log")
    try:
        second.wait()
        assert "Printing" not in second.log.read_text(encoding="utf-8")
        assert json.loads(second.get("/api/v1/game"))["game"] == json.loads(demo.get("/api/v1/game"))["game"]
    finally:
        second.process.send_signal(signal.SIGINT)
        code = second.process.wait(timeout=20)
    assert code == 0
    assert "Traceback" not in second.log.read_text(encoding="utf-8")
    assert listen_at("127.0.0.1", second.port) == second.port


def test_a_taken_port_is_one_clear_line(demo: Demo, capsys: pytest.CaptureFixture[str]) -> None:
    """It names the port and the way out."""
    with pytest.raises(SystemExit) as stop:
        main(["demo", "--host", "127.0.0.1", "--port", str(demo.port), "--data", str(demo.data)])
    assert stop.value.code == 2
    assert (
        capsys.readouterr().err
        == f"haggle: port {demo.port} is taken by another program: name another one with --port\n"
    )


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


def test_a_demo_that_does_not_fit_is_refused(
    printed: PrintedFolder, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A game that this version cannot serve is one line and exit code 2."""
    unfit = replace(printed.game, settings={"blue_base": -1})
    monkeypatch.setattr(demo_command, "demo_folder", lambda *_, **__: unfit)
    # Should it be taken after all, nothing is served.
    monkeypatch.setattr("server.app.serving.Granian", None)
    with pytest.raises(SystemExit) as stop:
        main(["demo", "--host", "127.0.0.1"])
    said = capsys.readouterr().err
    assert stop.value.code == 2
    assert "blue_base" in said
    assert len(said.splitlines()) == 1


def test_a_folder_of_other_files_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line, and the files stay."""
    (tmp_path / "mine.txt").touch()
    with pytest.raises(SystemExit) as stop:
        main(["demo", "--host", "127.0.0.1", "--data", str(tmp_path)])
    assert stop.value.code == 2
    assert "holds other files" in capsys.readouterr().err
    assert (tmp_path / "mine.txt").exists()
