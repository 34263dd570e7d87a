"""Gives the scanner hostile files: `python -m tools.fuzz --seconds 3600`, in the environment of the tests.

Each file is scanned in a process of its own kind, as the server does it: with bounded memory and time. A result or one
of our own sentences is right; anything else is told at once and kept as a file in `tests/scanner/findings`, where the
tests try it again for ever. A case's number makes the same file again. Other programs go first on the processor.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import math
import os
import re
import select
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from pathlib import Path
from typing import IO, TYPE_CHECKING

import cv2
from rich.console import Console

from scanner import Limits, PhotoError, scan_photo
from scanner.photo import page_count
from server.jobs.memory import bound_memory
from server.jobs.scan_worker import silenced
from tools.fuzz_cases import case, game, texts

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

FINDINGS = Path(__file__).resolve().parents[1] / "tests" / "scanner" / "findings"
LIMITS = Limits(max_pixels=4_000_000, seconds=1.0, decodes=3)
"""Smaller than the usual ones, so that more files are tried in the same time."""

SLOW = 4.0
"""Processor seconds beyond which a file of a few kilobytes took too long."""

PATIENCE = 25.0
"""Seconds on the clock after which the process is ended, as the server does."""

_OURS = re.compile(
    r"The file (is empty|has )|The picture (is damaged|has |needs )|This is not a picture|This JPEG is stored"
    r"|This PDF cannot be opened|Page \d+ |The PDF has "
)
_SLOWLY = "took"
_MEMORY = 400_000_000
# Bytes beyond a process that is ready: far more than four megapixels take.


def verdict(data: bytes) -> tuple[str, str]:
    """Scan a file; return `read` or the reason of a refusal, and what was wrong with that, if anything."""
    worked = time.thread_time()
    wrong = ""
    try:
        with silenced():
            page_count(data, LIMITS)
            result = scan_photo(data, game(), limits=LIMITS)
    except PhotoError as error:
        outcome, message = error.reason, str(error)
        if not (_OURS.match(message) and message.endswith(".") and "\n" not in message):
            wrong = f"says: {message}"
    except Exception as error:  # noqa: BLE001 - that is what is looked for
        outcome, wrong = "raised", f"{type(error).__name__}: {error}"
    else:
        outcome = "read"
        misread = {code.text for code in result.codes if code.card is not None} - texts()
        if misread:
            wrong = f"misread {sorted(misread)}"
    if not wrong and time.thread_time() - worked > SLOW:
        wrong = f"{_SLOWLY} {time.thread_time() - worked:.1f} s"
    return outcome, wrong


class Victim:
    """A process that scans one file after the other. What it prints beyond its answers counts as wrong."""

    def __init__(self) -> None:
        self._words: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as this object
        self._process = self._started()

    def __enter__(self) -> Victim:  # noqa: PYI034 - typing has no Self where this file is checked for
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._end()
        self._words.close()

    def scan(self, data: bytes) -> tuple[str, str]:
        """Return what `verdict` says, or how the process ended."""
        if self._process.poll() is not None:
            self._process = self._started()
        pipes = self._process
        assert pipes.stdin is not None  # noqa: S101 - it was opened with pipes
        assert pipes.stdout is not None  # noqa: S101 - as above
        before = os.fstat(self._words.fileno()).st_size
        with contextlib.suppress(BrokenPipeError):
            pipes.stdin.write(b"%d\n" % len(data) + data)
            pipes.stdin.flush()
        ready, _, _ = select.select([pipes.stdout], [], [], PATIENCE)
        line = pipes.stdout.readline() if ready else b""
        if not line:
            hung = not ready
            self._end()
            # Out of memory ends PDFium's process; the server then says in words that the picture stopped it.
            return "ended", f"hung for {PATIENCE:.0f} s" if hung else f"died: {self._said(before)[-300:]!r}"
        outcome, wrong = json.loads(line)
        return outcome, wrong or self._said(before)

    def _said(self, start: int) -> str:
        size = os.fstat(self._words.fileno()).st_size
        return os.pread(self._words.fileno(), size - start, start).decode("utf-8", "replace").strip()

    def _started(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-W", "error", "-m", "tools.fuzz", "--victim"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._words,
            cwd=FINDINGS.parents[2],
        )
        assert process.stdout is not None  # noqa: S101 - it was opened with pipes
        process.stdout.readline()
        return process

    def _end(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


def serve() -> None:
    """Scan the files that come in, each after a line with its length, and answer each with a line."""
    cv2.setNumThreads(1)
    warnings.simplefilter("error")
    verdict(case(0))
    bound_memory(_MEMORY)
    print("ready", flush=True)
    while line := sys.stdin.buffer.readline():
        print(json.dumps(verdict(sys.stdin.buffer.read(int(line)))), flush=True)


def fuzz(
    first: int, seconds: float, keep: Path | None = None, tell: Callable[[str], None] | None = None
) -> tuple[Counter[str], list[str]]:
    """Try cases by number for so many seconds; return how they ended and a line for each finding.

    A finding is kept as a file in the folder `keep`, and `tell` is given its line at once.
    """
    outcomes: Counter[str] = Counter()
    findings: list[str] = []
    number = first
    with Victim() as victim:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            data = case(number)
            outcome, wrong = victim.scan(data)
            if wrong.startswith(_SLOWLY):
                # A busy machine may have been at fault; a slow file is slow again.
                outcome, wrong = victim.scan(data)
            outcomes[outcome] += 1
            if wrong:
                findings.append(f"case {number} ({outcome}): {wrong}")
                if keep is not None:
                    keep.mkdir(parents=True, exist_ok=True)
                    (keep / f"{hashlib.sha256(data).hexdigest()[:12]}.bin").write_bytes(data)
                if tell is not None:
                    tell(findings[-1])
            number += 1
    return outcomes, findings


def _seconds(value: str) -> float:
    """Return a time above 0; what the parser takes for a mistake otherwise."""
    with contextlib.suppress(ValueError):
        seconds = float(value)
        if 0 < seconds < math.inf:
            return seconds
    raise argparse.ArgumentTypeError(f"'{value}' is no time; write seconds above 0, such as 60")


def _make_writable(folder: Path) -> None:
    """Try to write into a folder, and leave none behind that was not there: a mistake must show at the beginning."""
    new = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    finally:
        for path in new:
            if path.exists():
                path.rmdir()


def main() -> None:
    """Run from the command line; ends with 1 if anything was found."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description="Give the scanner hostile files.")
    parser.add_argument("--seconds", type=_seconds, default=60.0, help="how long (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="number of the first case (default: %(default)s)")
    parser.add_argument("--keep", type=Path, default=FINDINGS, help="folder for what goes wrong (default: %(default)s)")
    parser.add_argument("--victim", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.victim:
        serve()
        return
    try:
        _make_writable(options.keep)
    except OSError as error:
        parser.error(f"--keep {options.keep}: {error.strerror}; name a folder that can be written")
    os.nice(19)
    console = Console(highlight=False, soft_wrap=True)
    outcomes, findings = fuzz(
        options.first, options.seconds, options.keep, lambda line: console.print(line, markup=False)
    )
    console.print(
        f"{outcomes.total():,} files: " + ", ".join(f"{count:,} {name}" for name, count in outcomes.most_common())
    )
    console.print(f"{len(findings)} findings" + (f", kept in {options.keep}" if findings else ""))
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
