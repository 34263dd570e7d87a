"""Server processes: start, shutdown, certificates and health checks."""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click
import pytest

from server.cli.main import main
from server.cli.network import terminal_code
from server.db.models import Photo
from server.db.session import now
from server.games.lifecycle.repository import load_game
from server.games.photos.upload import PhotoTarget, accept
from server.games.transfer.backup import DataLocation, back_up, restore
from server.printing.links import network_address
from server.web_app.server import CertificateError, CertificatePair, ServeError, pair_of, serve_app
from server.web_app.settings import AppConfig
from server.web_app.stores import open_context
from tests.context import ORGANISER, new_game
from tests.demo_process import ROOT
from tests.game_server import GameServer
from tests.processes import await_ends, descendants
from tests.scan_jobs import png
from tests.server_process import START_LIMIT, STOP_LIMIT, await_answer, free_port, kill_group
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from server.games.context import AppContext

OPENSSL = shutil.which("openssl")
needs_openssl = pytest.mark.skipif(OPENSSL is None, reason="openssl is not installed: these tests make certificates")


INTERRUPTED_LOAD = """
import os, signal, time
from multiprocessing.util import Finalize
from server.web_app.server import run

def load():
    Finalize(None, print, ("closed",), {"flush": True}, exitpriority=10)
    os.killpg(0, signal.SIGINT)
    time.sleep(0.5)

if __name__ == "__main__":
    run(load, "127.0.0.1", 0)
"""


def test_ctrl_c_while_the_serving_process_starts_closes_it_first(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(INTERRUPTED_LOAD)
    done = subprocess.run(
        [sys.executable, script],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        start_new_session=True,
    )
    assert (done.returncode, done.stdout) == (0, "closed\n")


def get(server: GameServer, path: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.request("GET", path)
    with connection.getresponse() as answer:
        found = answer.status, answer.read().decode()
    connection.close()
    return found


def test_an_invalid_address_is_reported(tmp_path: Path) -> None:
    for host, port in (("127.0.0.1", 99999), ("no.such.host.invalid", 8000), ("127.0.0.1", -1)):
        with pytest.raises(ServeError, match="choose"):
            serve_app(AppConfig(tmp_path), host, port)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(ServeError, match=f"port {port}.*--port"):
            serve_app(AppConfig(tmp_path), "127.0.0.1", port)


@pytest.mark.parametrize(("name", "words"), [("letter.txt", "haggle.db"), ("game.json", "haggle games add")])
def test_a_folder_with_other_files_is_refused(
    tmp_path: Path, name: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With exit code 2 and one line, without changes; a printed game can be added to a server's folder."""
    (tmp_path / name).write_text("Dear Ada")
    with pytest.raises(SystemExit) as left:
        main(["serve", "--data", str(tmp_path), "--port", "0"])
    output = capsys.readouterr()
    assert (left.value.code, output.out, output.err.count("\n")) == (2, "", 1)
    assert words in output.err
    assert [file.name for file in tmp_path.iterdir()] == [name]
    with pytest.raises(SystemExit):
        main(["serve", "--data", str(tmp_path / name), "--port", "0"])
    assert words in capsys.readouterr().err


@contextmanager
def haggle_serve(*arguments: str | Path, **variables: str) -> Iterator[subprocess.Popen[str]]:
    """Run `haggle serve`; kill all its processes at the end."""
    command = [sys.executable, "-m", "server", "serve", *arguments]
    with subprocess.Popen(
        command,
        env={**os.environ, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as running:
        try:
            yield running
        finally:
            kill_group(running.pid)


def test_serve_creates_a_folder_and_prints_addresses(tmp_path: Path) -> None:
    """They are the local address, and that for phones with a QR code. The folder can be restored afterwards."""
    folder, port = tmp_path / "data", free_port()
    with haggle_serve("--data", folder, "--port", str(port), "--host", "0.0.0.0") as running:  # noqa: S104 - needed for phones
        await_answer(port)
        running.send_signal(signal.SIGINT)
        output, errors = running.communicate(timeout=60)
    assert (running.returncode, errors) == (0, "")
    assert f"http://localhost:{port}/" in output
    assert re.search(r"^    [0-9A-Z]{20}$", output, re.MULTILINE), "the first organiser gets a code"
    network = network_address()
    if network is None:
        assert "no address in a network" in output
    else:
        assert f"On a phone in the same network: http://{network}:{port}/" in output
        assert click.unstyle(terminal_code(f"http://{network}:{port}/")) in output
    assert {"haggle.db", "photos"} <= {file.name for file in folder.iterdir()}
    assert folder.stat().st_mode & 0o077 == 0
    assert (folder / "haggle.db").stat().st_mode & 0o077 == 0
    context = open_context(AppConfig(folder))
    game = new_game(context)
    context.close()
    back_up(DataLocation(folder), tmp_path / "backup.zip", now())
    restore(tmp_path / "backup.zip", DataLocation(folder), overwrite=True)
    context = open_context(AppConfig(folder))
    with context.database.reading() as session:
        assert load_game(session, game).id == game
    context.close()


def test_a_server_starts_and_stops_cleanly_even_during_a_scan(tmp_path: Path) -> None:
    """SIGTERM ends it and its workers quickly without errors."""
    context = open_context(AppConfig(tmp_path / "data"))
    game = new_game(context)
    # Scans take longer than this waits, so that leftover processes are noticed.
    with GameServer(tmp_path / "data", job="slow", scan_seconds=4 * STOP_LIMIT) as running:
        found = {path: get(running, path) for path in ("/", "/healthz", "/api/v1/openapi.json", "/nothing")}
        assert [status for status, _ in found.values()] == [200, 200, 200, 404]
        assert "<h1>Haggle</h1>" in found["/"][1]
        assert json.loads(found["/healthz"][1])["status"] == "ok"
        with pytest.raises(ServeError, match="in use"):
            serve_app(AppConfig(tmp_path / "second"), "127.0.0.1", running.port)
        photos = [accept(context, PhotoTarget(game), png(number), ORGANISER).id for number in range(3)]
        # One more than there are processes, so that one is waiting.
        until(lambda: states(context, photos) == ["scanning", "scanning", "waiting"])
        assert running.process
        family = descendants(running.process.pid)
        assert len(family) >= 2
        deadline = time.monotonic() + STOP_LIMIT
        assert running.stop() == 0
        assert await_ends(deadline, family) == []
    assert states(context, photos) == ["waiting"] * 3
    # If only the first process is killed, all others end too, and the port can be used by a new server.
    with GameServer(tmp_path / "data") as running:
        until(lambda: states(context, photos) == ["done"] * 3)
        assert running.process
        family = descendants(running.process.pid)
        assert family
        deadline = time.monotonic() + STOP_LIMIT
        running.process.kill()
        running.process.wait()
        assert await_ends(deadline, family) == []
        with socket.create_server(("127.0.0.1", running.port)):
            pass
    context.database.close()


def states(context: AppContext, photos: list[str]) -> list[str]:
    with context.database.reading() as session:
        return sorted(session.get_one(Photo, photo).state for photo in photos)


def make(folder: Path, name: str, *kind: str, password: bool = False) -> CertificatePair:
    pair = CertificatePair(folder / f"{name}.crt", folder / f"{name}.key")
    protected = ["-passout", "pass:something"] if password else ["-nodes"]
    files = ["-keyout", pair.key, "-out", pair.certificate]
    kind = kind or ("ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")
    options = ["-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    command = [str(OPENSSL), "req", "-x509", "-newkey", *kind, *protected, *files, *options]
    subprocess.run(command, check=True, capture_output=True)
    return pair


@needs_openssl
def test_certificates_are_checked_at_the_start(tmp_path: Path) -> None:
    """Missing, swapped, mismatched and encrypted files are reported by name."""
    one, two, rsa = make(tmp_path, "one"), make(tmp_path, "two"), make(tmp_path, "rsa", "rsa:2048")
    for good in (one, two, rsa):
        good.check()
    wrong = {
        CertificatePair(tmp_path / "no.crt", one.key): "no.crt cannot be read",
        CertificatePair(one.key, one.certificate): "one.key holds no certificate",
        CertificatePair(one.certificate, two.key): "two.key is not the key of",
        CertificatePair(one.certificate, rsa.key): "rsa.key is not the key of",
        make(tmp_path, "locked", password=True): "locked.key has a password",
    }
    for pair, words in wrong.items():
        with pytest.raises(CertificateError, match=words):
            pair.check()
    assert pair_of(None, None) is None
    assert pair_of(one.certificate, one.key) == one
    with pytest.raises(CertificateError, match="--tls-key is missing"):
        pair_of(one.certificate, None)
    with pytest.raises(CertificateError, match="--tls-cert is missing"):
        pair_of(None, one.key)


@needs_openssl
def test_a_server_can_be_configured_by_environment_variables(tmp_path: Path) -> None:
    """It uses HTTPS, JSON logs and metrics; `haggle health` finds it."""
    pair, port, figures = make(tmp_path, "pair"), free_port(), free_port()
    variables = {
        "HAGGLE_DATA": str(tmp_path / "data"),
        "HAGGLE_HOST": "127.0.0.1",
        "HAGGLE_PORT": str(port),
        "HAGGLE_TLS_CERT": str(pair.certificate),
        "HAGGLE_TLS_KEY": str(pair.key),
        "HAGGLE_LOG": "json",
        "HAGGLE_ACCESS_LOG": "true",
        "HAGGLE_METRICS": str(figures),
    }
    trusted = ssl.create_default_context(cafile=str(pair.certificate))

    def page() -> bool:
        connection = http.client.HTTPSConnection("localhost", port, timeout=120, context=trusted)
        try:
            connection.request("GET", "/desk")
            with connection.getresponse() as answer:
                answer.read()
                return answer.status == 200
        except OSError:
            assert running.poll() is None
            return False
        finally:
            connection.close()

    with haggle_serve(**variables) as running:
        until(page, START_LIMIT)
        command = [sys.executable, "-m", "server", "health"]
        asked = {**os.environ, **variables}
        healthy = subprocess.run(command, env=asked, capture_output=True, text=True, timeout=240, check=True)
        plain = http.client.HTTPConnection("127.0.0.1", figures, timeout=120)
        plain.request("GET", "/metrics")
        with plain.getresponse() as answer:
            body = answer.read().decode()
        plain.close()
        running.send_signal(signal.SIGTERM)
        out, log = running.communicate(timeout=120)
    assert healthy.stdout == f"https://127.0.0.1:{port}/healthz: ok\n"
    assert 'haggle_request_seconds_count{method="GET",route="/desk",status="2xx"} 1.0' in body
    assert out == ""
    assert '"the server listens"' in log
    assert '"route": "/desk"' in log
    # The log does not contain the code that chooses the password.
    assert "haggle password" in log


@pytest.mark.parametrize(
    ("url", "code", "words"),
    [
        ("http://127.0.0.1:1", 1, "does not answer"),
        ("ftp://x", 2, "is not the address of a server"),
        ("nothing", 2, "is not the address of a server"),
    ],
)
def test_an_unreachable_server_is_reported(url: str, code: int, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["health", url])
    output = capsys.readouterr().err
    assert (left.value.code, output.count("\n")) == (code, 1)
    assert words in output
