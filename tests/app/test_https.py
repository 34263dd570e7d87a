"""A server with a certificate of its own, and its figures, as an operator starts it."""

from __future__ import annotations

import http.client
import os
import shutil
import signal
import ssl
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from server.app.certificates import CertificateError, Pair, pair_of
from tests.server_process import free_port, kill_group

if TYPE_CHECKING:
    from pathlib import Path

OPENSSL = shutil.which("openssl")
pytestmark = pytest.mark.skipif(OPENSSL is None, reason="openssl is not installed: these tests make certificates")
RSA, CURVE = ("rsa:2048",), ("ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")


def make(folder: Path, name: str, *kind: str, password: bool = False) -> Pair:
    """Return a fresh certificate and its key."""
    pair = Pair(folder / f"{name}.crt", folder / f"{name}.key")
    protected = ["-passout", "pass:something"] if password else ["-nodes"]
    files = ["-keyout", pair.key, "-out", pair.certificate]
    options = ["-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    command = [str(OPENSSL), "req", "-x509", "-newkey", *kind, *protected, *files, *options]
    subprocess.run(command, check=True, capture_output=True)
    return pair


def until_it_is_healthy(
    command: list[str], variables: dict[str, str], server: subprocess.Popen[str]
) -> subprocess.CompletedProcess[str]:
    """Return what `haggle health` said when it found the server well, on however slow a machine."""
    deadline = time.monotonic() + 240
    while True:
        done = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=240, check=False)
        if done.returncode == 0:
            return done
        assert server.poll() is None, done.stderr
        assert time.monotonic() < deadline, done.stderr


def test_a_pair_is_looked_at_before_anything_starts(tmp_path: Path) -> None:
    """Files that are missing, swapped, of two pairs, or locked by a password are told by name."""
    one, two, curve = make(tmp_path, "one", *RSA), make(tmp_path, "two", *RSA), make(tmp_path, "curve", *CURVE)
    for good in (one, two, curve):
        good.check()
    locked = make(tmp_path, "locked", *RSA, password=True)
    wrong = {
        Pair(tmp_path / "no.crt", one.key): "no.crt cannot be read",
        Pair(one.key, one.certificate): "one.key holds no certificate",
        Pair(one.certificate, two.key): "two.key is not the key of",
        Pair(one.certificate, curve.key): "curve.key is not the key of",
        locked: "locked.key has a password",
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


def test_the_environment_describes_a_server(tmp_path: Path) -> None:
    """By variables alone a server runs over https, logs in JSON, and tells figures; `haggle health` finds it."""
    pair, port, figures = make(tmp_path, "pair", *CURVE), free_port(), free_port()
    variables = {
        **os.environ,
        "HAGGLE_DATA": str(tmp_path / "data"),
        "HAGGLE_HOST": "127.0.0.1",
        "HAGGLE_PORT": str(port),
        "HAGGLE_TLS_CERT": str(pair.certificate),
        "HAGGLE_TLS_KEY": str(pair.key),
        "HAGGLE_LOG": "json",
        "HAGGLE_ACCESS_LOG": "true",
        "HAGGLE_METRICS": str(figures),
    }
    haggle = [sys.executable, "-m", "server"]
    with subprocess.Popen(
        [*haggle, "serve"],
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as running:
        try:
            # The pages come last: once they answer, all else is there.
            healthy = until_it_is_healthy([*haggle, "health"], variables, running)
            trusted = ssl.create_default_context(cafile=str(pair.certificate))
            page = http.client.HTTPSConnection("localhost", port, timeout=120, context=trusted)
            page.request("GET", "/desk")
            with page.getresponse() as answer:
                assert answer.status == 200
                answer.read()
            page.close()
            plain = http.client.HTTPConnection("127.0.0.1", figures, timeout=120)
            plain.request("GET", "/metrics")
            with plain.getresponse() as answer:
                said = answer.read().decode()
            plain.close()
            running.send_signal(signal.SIGTERM)
            out, log = running.communicate(timeout=120)
        finally:
            kill_group(running.pid)
    assert healthy.stdout == f"https://127.0.0.1:{port}/healthz: ok\n"
    assert 'haggle_request_seconds_count{method="GET",route="/desk",status="2xx"} 1.0' in said
    assert out == ""
    assert '"the server listens"' in log
    assert '"route": "/desk"' in log
    # A log is kept and read by many: the code that chooses the password is not in it.
    assert "haggle password" in log


@pytest.mark.parametrize(
    ("url", "code", "words"),
    [("http://127.0.0.1:1", 1, "does not answer"), ("ftp://x", 2, "is no address"), ("nothing", 2, "is no address")],
)
def test_a_server_that_is_away_is_told(url: str, code: int, words: str) -> None:
    """`haggle health` ends with an exit code and one line."""
    command = [sys.executable, "-m", "server", "health", url]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == code
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
