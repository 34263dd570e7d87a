"""Runs other programs quietly: what they print goes to the log, and one line a step to the terminal."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tools.problems import CERTIFICATE, ProblemError, explain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tools.places import Places

BUNDLES = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
)
"""Where systems keep the certificates that they trust, in one file."""


class FailedError(Exception):
    """A program ended with an error; `output` is what it printed."""

    def __init__(self, command: str, output: str) -> None:
        super().__init__(command)
        self.output = output


class Runner:
    """Runs programs for the set-up. Messages go to standard error, so that `--json` output stays clean."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self.trust_system = False
        places.home.mkdir(exist_ok=True)
        places.log.write_bytes(b"")

    def say(self, text: str) -> None:
        """Tell the user something, in a line."""
        print(text, file=sys.stderr, flush=True)

    @contextmanager
    def step(self, what: str) -> Iterator[None]:
        """Show a step of the set-up and how long it took. A failure leaves with one line that says what to do."""
        print(f"  {what} ...", end=" ", file=sys.stderr, flush=True)
        began = time.monotonic()
        try:
            yield
        except FailedError as error:
            print("failed", file=sys.stderr, flush=True)
            lines = [line.strip() for line in error.output.splitlines() if line.strip()]
            reason = explain(error.output) or (lines[-1] if lines else f"{error} failed")
            raise ProblemError(f"{what}: {reason} (details: {self.places.log})") from error
        except BaseException:
            print("stopped", file=sys.stderr, flush=True)
            raise
        print(f"done ({time.monotonic() - began:.0f} s)", file=sys.stderr, flush=True)

    def run(
        self,
        command: Sequence[str | Path],
        *,
        folder: Path | None = None,
        more: dict[str, str] | None = None,
        limit: float | None = None,
    ) -> str:
        """Run a program in `folder` (default: the checkout) with `more` variables, for `limit` seconds at most.

        Returns what it printed; FailedError if it cannot be started, ends with an error or takes too long.
        """
        words = [str(word) for word in command]
        environment = {**os.environ, **self._own_variables(), **(more or {})}
        with self.places.log.open("ab+") as log:
            # A path may hold bytes that are no text in the caller's locale.
            log.write(f"$ {' '.join(words)}\n".encode(errors="replace"))
            log.flush()
            start = log.tell()
            try:
                done = subprocess.run(
                    words,
                    cwd=folder or self.places.root,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    timeout=limit,
                    check=False,
                )
                failed = done.returncode != 0
            except (OSError, subprocess.TimeoutExpired) as error:
                log.write(f"{error}\n".encode(errors="replace"))
                failed = True
            log.seek(start)
            output = log.read().decode(errors="replace")
        if failed:
            raise FailedError(Path(words[0]).name, output)
        return output

    def download(
        self,
        command: Sequence[str | Path],
        *,
        folder: Path | None = None,
        more: dict[str, str] | None = None,
        limit: float | None = None,
    ) -> str:
        """Run a program that uses the network; once more with the system's certificates where its own do not do."""
        try:
            return self.run(command, folder=folder, more=more, limit=limit)
        except FailedError as error:
            if self.trust_system or not CERTIFICATE.search(error.output):
                raise
        self.trust_system = True
        return self.run(command, folder=folder, more=more, limit=limit)

    def _own_variables(self) -> dict[str, str]:
        """Return what every program gets: a cache where the user has no home, and perhaps the certificates."""
        variables = {"NO_COLOR": "1"}
        home = os.environ.get("HOME", "")
        if not home or not os.access(home, os.W_OK):
            cache = str(self.places.home / "cache")
            variables |= {"HOME": cache, "UV_CACHE_DIR": f"{cache}/uv", "npm_config_cache": f"{cache}/npm"}
        if self.trust_system:
            variables |= certificate_variables()
        return variables


def certificate_variables() -> dict[str, str]:
    """Return the variables that make uv, pip and npm trust what the system trusts. The user's own settings win."""
    # uv had another name for its setting before 0.11.
    variables = {"UV_SYSTEM_CERTS": "true", "UV_NATIVE_TLS": "true", "NODE_USE_SYSTEM_CA": "1"}
    own = os.environ.get("SSL_CERT_FILE")
    bundle = next((path for path in (own, *BUNDLES) if path and Path(path).is_file()), None)
    if bundle:
        variables |= {"PIP_CERT": bundle, "NODE_EXTRA_CA_CERTS": bundle}
    return {name: value for name, value in variables.items() if name not in os.environ}
