"""The check of an edition in processes of its own, to report rules that hang or end the program.

It runs twice, with different hash seeds and the games in opposite order, to find scores that depend on more than the
hands.
"""

from __future__ import annotations

import contextlib
import faulthandler
import hashlib
import json
import mmap
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from server.editions.lint import lint_edition
from server.editions.registry import RULES
from server.editions.source_lines import EditionFinding
from server.editions.symbols import SYMBOLS_FOLDER
from server.operating_system import limit_memory

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from server.scoring.rules import Rule

SECONDS = 5.0
"""Time limit for a game of a few hands, and for running the file."""
_TOTAL_SECONDS = 300.0
"""Time limit for a whole check."""
_MEMORY = 4 << 30
"""Memory limit of a check in bytes, on systems that support it."""
_NOTE_BYTES = 200
"""Size of the note that names the function that runs."""
_MAX_STOPPED = 20
"""Most rules that hang or end the program that are reported at once."""
_FRAME = re.compile(r'File "(.*)", line (\d+) in ')

Digests = dict[str, tuple[int, str, int, str]]
"""By rule: its first phase, the file and line of its function, and a digest of its lines in all games."""


class _LintReport(NamedTuple):
    """The findings of a process. `stopped` is set if it ended early: the function that ran, and a finding about it."""

    found: list[EditionFinding]
    digests: Digests
    stopped: tuple[str, EditionFinding] | None = None


def lint_in_subprocess(folder: Path, seconds: float = SECONDS) -> list[EditionFinding]:
    """Return all mistakes in an edition's folder, as `lint_edition` does, including rules that do not end."""
    folder = folder.absolute()
    ended: list[EditionFinding] = []
    skipped: list[str] = []
    while True:
        report = _run_process(folder, skipped, seconds, backwards=False)
        if report.stopped is None or len(ended) == _MAX_STOPPED:
            break
        what, finding = report.stopped
        ended.append(finding)
        if what in skipped:
            break
        skipped.append(what)
    again = _run_process(folder, skipped, seconds, backwards=True) if report.digests else report
    found = {*report.found, *ended, *_differing(report, again)}
    return sorted(found, key=lambda one: (one.file.suffix == ".py", one))


def _differing(one: _LintReport, other: _LintReport) -> Iterator[EditionFinding]:
    """Yield the rules of the earliest phase whose lines differ between two processes; later ones may depend on it."""
    keys = [key for key, digest in one.digests.items() if other.digests.get(key) != digest]
    first = min((one.digests[key][0] for key in keys), default=0)
    for key in keys:
        phase, file, line, _ = one.digests[key]
        if phase == first:
            sentence = (
                f"rule {key} does not score the same hands alike in each run; it must not read the order of a set"
            )
            yield EditionFinding(Path(file), line, "", f"{sentence}, nor keep values or draw at random")


def _run_process(folder: Path, skipped: Sequence[str], seconds: float, *, backwards: bool) -> _LintReport:
    """Run the check in a new process, and read its report."""
    with tempfile.TemporaryDirectory(prefix="haggle-check-") as scratch:
        notes = Path(scratch)
        (notes / "now").write_bytes(bytes(_NOTE_BYTES))
        (notes / "trace").touch()
        task = {"folder": str(folder), "skipped": list(skipped), "seconds": seconds, "backwards": backwards}
        (notes / "task").write_text(json.dumps(task), encoding="utf-8")
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path or str(Path.cwd()) for path in sys.path)}
        code = None
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = subprocess.run(  # noqa: S603 - our own module in our own Python
                [sys.executable, "-m", "server.editions.lint_process", scratch],
                env=environment | {"PYTHONHASHSEED": "2" if backwards else "1"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=_TOTAL_SECONDS,
                check=False,
            ).returncode
        return _read_report(notes, folder, code, seconds)


def _read_report(notes: Path, folder: Path, code: int | None, seconds: float) -> _LintReport:
    if (notes / "report").exists():
        report = json.loads((notes / "report").read_text(encoding="utf-8"))
        found = [EditionFinding(Path(file), *rest) for file, *rest in report["found"]]
        return _LintReport(found, {key: tuple(digest) for key, digest in report["digests"].items()})
    what, _, place = (notes / "now").read_bytes().rstrip(b"\0").decode("utf-8", "replace").partition("\n")
    file, _, line = place.rpartition(":")
    trace = (notes / "trace").read_text(encoding="utf-8", errors="replace")
    frames = _FRAME.findall(trace)
    inside = next(((path, number) for path, number in frames if Path(path).name == RULES), None)
    if inside:
        file, line = inside
    name = what if what and what != RULES else "this file"
    end = f"ends the program (exit code {code}); a rule only reads the hand and writes to it"
    if trace or code is None:  # there is a trace, maybe incomplete, if the time was up
        end = f"does not end within {seconds:g} seconds; look for a loop that has no end"
        if name.startswith(SYMBOLS_FOLDER):
            end = f"takes more than {seconds:g} seconds to read, as its lines cross too often; unite its shapes"
    finding = EditionFinding(Path(file or folder / RULES), int(line or 1), "", f"{name} {end}")
    return _LintReport([], {}, (what or RULES, finding))


class _ProcessHooks:
    """Hooks that note the running function, and end the process if it takes too long."""

    def __init__(self, notes: Path, skipped: Sequence[str], seconds: float, *, backwards: bool) -> None:
        self.backwards = backwards
        self.digests: dict[str, tuple[int, str, int, dict[int, str]]] = {}
        self._skipped = skipped
        self._seconds = seconds
        self._trace = (notes / "trace").open("w", encoding="utf-8")
        with (notes / "now").open("r+b") as now:
            self._now = mmap.mmap(now.fileno(), _NOTE_BYTES)

    def allows(self, what: str) -> bool:
        if what in self._skipped:
            return False
        if what == RULES:
            self.note(RULES)
            self.start_timer()
        return True

    def note(self, what: str) -> None:
        self._now[:] = what.encode()[:_NOTE_BYTES].ljust(_NOTE_BYTES, b"\0")

    def start_timer(self) -> None:
        # Its timer runs in a thread of its own, so it also ends a calculation inside a single call.
        faulthandler.dump_traceback_later(self._seconds, exit=True, file=self._trace)

    def stop_timer(self) -> None:
        faulthandler.cancel_dump_traceback_later()
        self.note("")

    def record(self, rule: Rule, game: int, lines: str) -> None:
        code = rule.steps[0].act.__code__
        entry = (min(rule.phases), code.co_filename, code.co_firstlineno, dict[int, str]())
        self.digests.setdefault(rule.key, entry)[3][game] = lines

    def close(self) -> None:
        self.stop_timer()
        self._trace.close()
        self._now.close()


def _run_task(notes: Path) -> None:
    """Run a task in the subprocess, and write its report."""
    task = json.loads((notes / "task").read_text(encoding="utf-8"))
    limit_memory(_MEMORY)
    hooks = _ProcessHooks(notes, task["skipped"], task["seconds"], backwards=task["backwards"])
    found = lint_edition(Path(task["folder"]), hooks)
    hooks.close()
    digests = {
        key: (phase, file, line, hashlib.sha256(repr(sorted(games.items())).encode()).hexdigest())
        for key, (phase, file, line, games) in hooks.digests.items()
    }
    report = {"found": [(str(one.file), *one[1:]) for one in found], "digests": digests}
    (notes / "draft").write_text(json.dumps(report), encoding="utf-8")
    (notes / "draft").rename(notes / "report")


if __name__ == "__main__":
    _run_task(Path(sys.argv[1]))
