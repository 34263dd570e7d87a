"""Runs the programs of the set-up: their output goes to a log, and one line for each step to the terminal."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tools.paths import Paths

BUNDLES = (
    *("/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"),
    *("/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem"),
)
"""Files with the trusted certificates of various systems."""
CAUSES = {
    r"No space left on device|os error 28\b|\bENOSPC\b|quota exceeded": "the disk is full: free about 1 GB",
    r"No module named pip\b": (
        "no pip (Debian: apt install --no-install-recommends python3-pip; elsewhere: python3 -m ensurepip --user)"
    ),
    r"UnknownIssuer|CERT(IFICATE)?_VERIFY|certificate verify failed|self[- ]signed certificate|SELF_SIGNED_CERT"
    r"|invalid peer certificate|UNABLE_TO_(GET_ISSUER|VERIFY)": (
        "a server's certificate is not trusted: set SSL_CERT_FILE to the file of your proxy's"
    ),
    r"hash(es)? mismatch|do not match the hashes|\bEINTEGRITY\b": (
        "a downloaded package differs from the locked one: ask the operator of your package mirror"
    ),
    # uv mentions python-build-standalone when it downloads a Python.
    r"python-build-standalone|No interpreter found|No download found|Python downloads are": (
        "no Python 3.11 to 3.14: install one (Debian 12 and newer: apt install python3; Mac: brew install python@3.13)"
    ),
    r"no usable wheels|has no wheels with a matching|no wheels are usable": (
        "no ready-made packages for this system: Linux with glibc 2.28 or newer, or macOS 13 (Intel: 14) is needed"
    ),
    r"dns error|resolve host|name resolution|nodename nor servname|Name or service not known|timed out"
    r"|\bE(NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|TIMEDOUT)\b|Connection refused|Network is unreachable"
    r"|tcp connect error|error sending request|No matching distribution found": (
        "the package servers cannot be reached: go online (behind a proxy set HTTPS_PROXY)"
    ),
    r"Permission denied|Read-only file system|\b(EACCES|EROFS)\b": (
        "no permission to write: run this as the owner of the folder, or in your own clone"
    ),
}
"""Patterns of error messages and advice for them. The first match counts, so specific patterns come first."""


class ProblemError(Exception):
    """The set-up cannot continue; the message is one line that says what to do."""


class FailedError(Exception):
    """A program failed; the argument is its output."""


def explain(output: str) -> str:
    """Return advice for a failure with this output; without any, the last line of the output."""
    for pattern, advice in CAUSES.items():
        if re.search(pattern, output, re.IGNORECASE):
            return f"{advice}, then run this again"
    return (output.strip() or "it failed").splitlines()[-1].strip()


class Runner:
    """Runs programs for the set-up. Messages go to standard error, so that `--json` output stays valid."""

    def __init__(self, paths: Paths) -> None:
        self.paths = paths
        paths.home.mkdir(exist_ok=True)
        paths.log.write_bytes(b"")

    def say(self, text: str, end: str = "\n") -> None:
        """Print a message."""
        print(text, end=end, file=sys.stderr, flush=True)

    @contextmanager
    def step(self, title: str) -> Iterator[None]:
        """Print a step and its duration. Raises ProblemError with advice if the step fails."""
        self.say(f"  {title} ...", end=" ")
        began, ending = time.monotonic(), "stopped"
        try:
            yield
            ending = f"done ({time.monotonic() - began:.0f} s)"
        except FailedError as error:
            ending = "failed"
            raise ProblemError(f"{title}: {explain(str(error))} (details: {self.paths.log})") from error
        finally:
            self.say(ending)

    def run(self, command: Sequence[str | Path], folder: Path | None = None) -> None:
        """Run a program in `folder` (default: the checkout) and log its output; FailedError if it fails."""
        try:
            done = subprocess.run(
                command,
                cwd=folder or self.paths.root,
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                close_fds=False,  # the lock of the set-up
                check=False,
            )
            output, failed = done.stdout, done.returncode != 0
        except OSError as error:
            output, failed = str(error).encode(), True
        with self.paths.log.open("ab") as log:
            # A path may contain bytes that are invalid in the caller's locale.
            log.write(f"$ {' '.join(map(str, command))}\n".encode(errors="replace") + output)
        if failed:
            raise FailedError(output.decode(errors="replace"))

    def version(self, name: str) -> tuple[int, ...]:
        """Return the version of a program on the PATH; empty if there is none that starts."""
        try:
            # Windows finds programs such as npm.cmd only by their whole names.
            command = [shutil.which(name) or name, "--version"]
            done = subprocess.run(command, env=self._environment(), capture_output=True, text=True, check=True)
        except (OSError, subprocess.SubprocessError, ValueError):
            return ()
        found = re.search(r"(\d+)\.(\d+)", done.stdout)
        return tuple(map(int, found.groups())) if found else ()

    def _environment(self) -> dict[str, str]:
        # With either of the pip settings, which users may have set, pip refuses to install into our folder.
        own = {**self.paths.variables(), "NO_COLOR": "1", "PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0"}
        if not os.access(os.environ.get("HOME") or "/nonexistent", os.W_OK):
            cache = str(self.paths.home / "cache")
            own |= {"HOME": cache, "UV_CACHE_DIR": f"{cache}/uv", "npm_config_cache": f"{cache}/npm"}
        bundles = [path for path in (os.environ.get("SSL_CERT_FILE", ""), *BUNDLES) if Path(path).is_file()]
        if not bundles:
            return {**os.environ, **own}
        # Trust the system's certificates, such as that of a company's proxy.
        trust = {"UV_SYSTEM_CERTS": "true", "PIP_CERT": bundles[0], "NODE_EXTRA_CA_CERTS": bundles[0]}
        return {**trust, **os.environ, **own}
