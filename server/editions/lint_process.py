"""The check of an edition in processes of its own, to report rules that hang or end the program.

It runs twice, with different hash seeds and the games in opposite order, to find scores that depend on more than the
hands.
"""

from __future__ import annotations

import contextlib
import faulthandler
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from server.editions.code_checks.trial import Watch
from server.editions.lint import lint_edition
from server.editions.registry import FILE, RULES
from server.editions.source_lines import EditionFinding
from server.operating_system import limit_memory

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SECONDS = 5.0
"""Time limit for a game of a few hands, and for running the file."""
_TOTAL_SECONDS = 300.0
"""Time limit for a whole check."""
_MEMORY = 4 << 30
"""Memory limit of a check in bytes, on systems that support it."""
_MAX_STOPPED = 20
"""Most times that a check ends early, because of the file, a game or a symbol, and goes on without it."""
_FRAME = re.compile(r'File "(.*)", line (\d+) in ')

Digests = dict[str, tuple[int, str, int, str]]
"""By rule: its first phase, the file and line of its function, and a digest of its lines in all games."""


class _LintReport(NamedTuple):
    """The findings of a process. `stopped` is set if it ended early: what ran, and a finding about it."""

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
    what, file = (notes / "now").read_text(encoding="utf-8").split("\n") if (notes / "now").exists() else (RULES, "")
    trace = (notes / "trace").read_text(encoding="utf-8", errors="replace")
    place, line = next((frame for frame in _FRAME.findall(trace) if Path(frame[0]).name == RULES), (file, "1"))
    end = f"ends the program (exit code {code}); rules only read the hand and write to it"
    if trace or code is None:  # there is a trace, maybe incomplete, if the time was up
        end = f"does not end within {seconds:g} seconds; look for a loop that has no end"
        if file:
            end = f"takes more than {seconds:g} seconds to read, as its lines cross too often; unite its shapes"
    name = what if file else "this file" if what == RULES else "a rule"
    main = folder / (RULES if (folder / RULES).exists() else FILE)
    finding = EditionFinding(Path(place or main), int(line), "", f"{name} {end}")
    return _LintReport([], {}, (what, finding))


class _TimedWatch(Watch):
    """Notes what runs, and ends the process if it takes too long."""

    def __init__(self, notes: Path, skipped: Sequence[str], seconds: float, *, backwards: bool) -> None:
        super().__init__(frozenset(skipped), backwards)
        self._notes = notes
        self._seconds = seconds
        self._trace = (notes / "trace").open("w", encoding="utf-8")

    def starts(self, what: str, file: Path | None = None) -> bool:
        if what in self.skipped:
            return False
        # Otherwise the timer of what ran before could end the process while the note is half written.
        self.ends()
        (self._notes / "now").write_text(f"{what}\n{file or ''}", encoding="utf-8")
        # Its timer runs in a thread of its own, so it also ends a calculation inside a single call.
        faulthandler.dump_traceback_later(self._seconds, exit=True, file=self._trace)
        return True

    def ends(self) -> None:
        faulthandler.cancel_dump_traceback_later()


def _run_task(notes: Path) -> None:
    """Run a task in the subprocess, and write its report."""
    task = json.loads((notes / "task").read_text(encoding="utf-8"))
    limit_memory(_MEMORY)
    watch = _TimedWatch(notes, task["skipped"], task["seconds"], backwards=task["backwards"])
    found = lint_edition(Path(task["folder"]), watch)
    watch.ends()
    digests = {
        key: (phase, file, line, hashlib.sha256(repr(sorted(games.items())).encode()).hexdigest())
        for key, (phase, file, line, games) in watch.digests.items()
    }
    report = {"found": [(str(one.file), *one[1:]) for one in found], "digests": digests}
    (notes / "draft").write_text(json.dumps(report), encoding="utf-8")
    (notes / "draft").rename(notes / "report")


if __name__ == "__main__":
    _run_task(Path(sys.argv[1]))
