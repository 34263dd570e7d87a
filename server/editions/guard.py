"""Checks an edition in a process of its own: a rule that never ends, or ends the program, is then only a finding.

The edition is checked twice, in two processes that sort sets differently and play the games in opposite orders: what
a rule then scores differently depends on more than the hands.
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

from server.editions.findings import findings
from server.editions.places import Finding
from server.editions.registry import RULES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from server.scoring.edition import Rule

SECONDS = 5.0
"""So long may one game of a few hands take, or running the file."""
_WHOLE = 300.0
"""Seconds after which a check is given up, whatever it does."""
_MEMORY = 4 << 30
"""Bytes that a check may use, where the system can say so."""
_WHAT = 200
"""Length of the note about what runs."""
_MOST = 20
"""So many rules that hang or end the program are told at once."""
_FRAME = re.compile(r'File "(.*)", line (\d+) in ')

Digests = dict[str, tuple[int, str, int, str]]
"""By rule: its first phase, the file and line of its function, and a digest of all its lines."""


class _Report(NamedTuple):
    """What a process has found; `stopped` says what ran when it ended too early, and how it ended."""

    found: list[Finding]
    digests: Digests
    stopped: tuple[str, Finding] | None = None


def guarded(folder: Path, seconds: float = SECONDS) -> list[Finding]:
    """Return all mistakes in an edition's folder as `findings` does, those of rules that do not end too."""
    folder = folder.absolute()
    ended: list[Finding] = []
    skipped: list[str] = []
    while True:
        report = _run(folder, skipped, seconds, backwards=False)
        if report.stopped is None or len(ended) == _MOST:
            break
        what, finding = report.stopped
        ended.append(finding)
        if what in skipped:
            break
        skipped.append(what)
    again = _run(folder, skipped, seconds, backwards=True) if report.digests else report
    found = {*report.found, *ended, *_differing(report, again)}
    return sorted(found, key=lambda one: (one.file.suffix == ".py", one))


def _differing(one: _Report, other: _Report) -> Iterator[Finding]:
    """Yield the rules of the earliest phase whose lines differ between two processes; later ones may follow."""
    keys = [key for key, digest in one.digests.items() if other.digests.get(key) != digest]
    first = min((one.digests[key][0] for key in keys), default=0)
    for key in keys:
        phase, file, line, _ = one.digests[key]
        if phase == first:
            sentence = (
                f"rule {key} does not score the same hands alike in each run; it must not read the order of a set"
            )
            yield Finding(Path(file), line, f"{sentence}, nor keep or draw anything itself")


def _run(folder: Path, skipped: Sequence[str], seconds: float, *, backwards: bool) -> _Report:
    """Check in a new process, and read what it leaves behind."""
    with tempfile.TemporaryDirectory(prefix="haggle-check-") as scratch:
        notes = Path(scratch)
        (notes / "now").write_bytes(bytes(_WHAT))
        (notes / "trace").touch()
        task = {"folder": str(folder), "skipped": list(skipped), "seconds": seconds, "backwards": backwards}
        (notes / "task").write_text(json.dumps(task), encoding="utf-8")
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path or str(Path.cwd()) for path in sys.path)}
        code = None
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = subprocess.run(  # noqa: S603 - our own module in our own Python
                [sys.executable, "-m", "server.editions.guard", scratch],
                env=environment | {"PYTHONHASHSEED": "2" if backwards else "1"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=_WHOLE,
                check=False,
            ).returncode
        return _read(notes, folder, code, seconds)


def _read(notes: Path, folder: Path, code: int | None, seconds: float) -> _Report:
    if (notes / "report").exists():
        report = json.loads((notes / "report").read_text(encoding="utf-8"))
        found = [Finding(Path(file), line, sentence, hint) for file, line, sentence, hint in report["found"]]
        return _Report(found, {key: tuple(digest) for key, digest in report["digests"].items()})
    what, _, place = (notes / "now").read_bytes().rstrip(b"\0").decode("utf-8", "replace").partition("\n")
    file, _, line = place.rpartition(":")
    trace = (notes / "trace").read_text(encoding="utf-8", errors="replace")
    frames = _FRAME.findall(trace)
    inside = next(((path, number) for path, number in frames if Path(path).name == RULES), None)
    if inside:
        file, line = inside
    name = what if what and what != RULES else "this file"
    end = f"ends the program (exit code {code}); a rule only reads the hand and writes to it"
    if trace or code is None:  # a trace is begun when time is up; the process may fail while it writes it
        end = f"does not end within {seconds:g} seconds; look for a loop that has no end"
    finding = Finding(Path(file or folder / RULES), int(line or 1), f"{name} {end}")
    return _Report([], {}, (what or RULES, finding))


# --------------------------------------------------------------------------------------- inside the other process


class _Watcher:
    """Leaves a note about what runs, and has the process ended where that takes too long."""

    def __init__(self, notes: Path, skipped: Sequence[str], seconds: float, *, backwards: bool) -> None:
        self.backwards = backwards
        self.digests: dict[str, tuple[int, str, int, dict[int, str]]] = {}
        self._skipped = skipped
        self._seconds = seconds
        self._trace = (notes / "trace").open("w", encoding="utf-8")
        with (notes / "now").open("r+b") as now:
            self._now = mmap.mmap(now.fileno(), _WHAT)

    def runs(self, what: str) -> bool:
        if what in self._skipped:
            return False
        if what == RULES:
            self.begins(RULES)
            self.game()
        return True

    def begins(self, what: str) -> None:
        self._now[:] = what.encode()[:_WHAT].ljust(_WHAT, b"\0")

    def game(self) -> None:
        # Its clock runs beside Python, so that it ends a calculation too that never comes back to Python.
        faulthandler.dump_traceback_later(self._seconds, exit=True, file=self._trace)

    def rests(self) -> None:
        faulthandler.cancel_dump_traceback_later()
        self.begins("")

    def saw(self, rule: Rule, game: int, lines: str) -> None:
        code = rule.steps[0].act.__code__
        entry = (min(rule.phases), code.co_filename, code.co_firstlineno, dict[int, str]())
        self.digests.setdefault(rule.key, entry)[3][game] = lines

    def close(self) -> None:
        self.rests()
        self._trace.close()
        self._now.close()


def _work(notes: Path) -> None:
    """Check the edition that a task names, and write a report."""
    task = json.loads((notes / "task").read_text(encoding="utf-8"))
    _limit_memory()
    watcher = _Watcher(notes, task["skipped"], task["seconds"], backwards=task["backwards"])
    found = findings(Path(task["folder"]), watcher)
    watcher.close()
    digests = {
        key: (phase, file, line, hashlib.sha256(repr(sorted(games.items())).encode()).hexdigest())
        for key, (phase, file, line, games) in watcher.digests.items()
    }
    report = {"found": [(str(one.file), *one[1:]) for one in found], "digests": digests}
    (notes / "draft").write_text(json.dumps(report), encoding="utf-8")
    (notes / "draft").rename(notes / "report")


def _limit_memory() -> None:
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:
        return
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))


if __name__ == "__main__":
    _work(Path(sys.argv[1]))
