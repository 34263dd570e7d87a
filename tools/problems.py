"""Turns what a failed program printed into one line that says what to do."""

from __future__ import annotations

import errno
import re


class ProblemError(Exception):
    """What stopped the set-up: one line that says what to do."""


CERTIFICATE = re.compile(
    r"UnknownIssuer|CERTIFICATE_VERIFY_FAILED|invalid peer certificate|self[- ]signed certificate"
    r"|SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER|VERIFY)|certificate verify failed",
    re.IGNORECASE,
)
"""What pip, uv and npm print when they do not trust the certificate of what answered."""

NETWORK = (
    r"dns error|resolve host|name resolution|nodename nor servname|Name or service not known|timed out"
    r"|\bE(NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|TIMEDOUT)\b"
    r"|Connection refused|Network is unreachable|tcp connect error|error sending request|No matching distribution found"
)
FULL = "the disk is full: make about 1 GB of room"
NO_RIGHT = "no permission to write: work as the owner of the folder, or in a clone of your own"
CAUSES: tuple[tuple[str, str], ...] = (
    (r"No space left on device|os error 28\b|\bENOSPC\b|Disk quota exceeded", FULL),
    (
        r"No module named pip\b",
        "no pip: install it (Debian: apt install python3-pip; elsewhere: python3 -m ensurepip --user)",
    ),
    (CERTIFICATE.pattern, "a server's certificate is not trusted: set SSL_CERT_FILE to the file of your proxy's"),
    (
        r"hash(es)? mismatch|do not match the hashes|\bEINTEGRITY\b",
        "a downloaded package is not the one that is locked: ask whoever runs your package mirror",
    ),
    (
        # uv names this project when it fetches a Python.
        r"python-build-standalone|No interpreter found|No download found|Python downloads are",
        "no Python 3.11 to 3.14: install one (Debian 12 and newer: apt install python3; Mac: brew install python@3.13)",
    ),
    (
        r"no usable wheels|has no wheels with a matching|no wheels are usable",
        "no ready-made packages for this system: Linux with glibc 2.28 or newer, or macOS 13 (Intel: 14) is needed",
    ),
    (
        NETWORK,
        "no way to the package servers: go online (behind a proxy set HTTPS_PROXY)",
    ),
    (r"Permission denied|Read-only file system|\b(EACCES|EROFS)\b", NO_RIGHT),
)
"""What programs print, and what to do about it. The first that matches counts, so the more special come first."""


def explain(output: str) -> str | None:
    """Return what to do about a failed program, judged by what it printed, or None if nothing is known."""
    for pattern, advice in CAUSES:
        if re.search(pattern, output, re.IGNORECASE):
            return f"{advice}, then run this again"
    return None


def explain_os_error(error: OSError) -> str:
    """Return what to do about a file that could not be written."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"{FULL}, then run this again"
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"{error.filename}: {NO_RIGHT}"
    return f"{error.filename or 'the set-up'}: {error.strerror or error}"
