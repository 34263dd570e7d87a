"""BoofCV as a reader, in a Java process of its own: Java and BoofCV's jar are used where they are at hand."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scanner.result import Grey, Quad

VARIABLE = "HAGGLE_BOOFCV"
"""The variable of the environment that may name BoofCV's jar."""

_SOURCE = Path(__file__).with_name("BoofCodes.java")
_START_SECONDS = 60
_HOW = f"give its jar by --boofcv FILE or {VARIABLE}=FILE; PyPI's package pyboof holds one, pyboof/PyBoof-all.jar"


class NoBoofCV(Exception):  # noqa: N818 - a state of the machine, not an error
    """BoofCV cannot be used here. The message says why, and what would help."""


class BoofCV:
    """A running BoofCV. Close it when done."""

    def __init__(self, jar: Path | None) -> None:
        """Start Java with a jar that holds BoofCV, by default the one that the environment names, or raise NoBoofCV."""
        named = jar or (Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None)
        if named is None:
            raise NoBoofCV(_HOW)
        if not named.is_file():
            raise NoBoofCV(f"{named}: no such file; {_HOW}")
        java, compiler = shutil.which("java"), shutil.which("javac")
        if java is None or compiler is None:
            raise NoBoofCV("it needs java and javac (Debian: apt install default-jdk-headless)")
        self._built = tempfile.TemporaryDirectory(prefix="haggle-boofcv-")
        try:
            _build(compiler, named, self._built.name)
        except NoBoofCV:
            self._built.cleanup()
            raise
        path = os.pathsep.join([str(named), self._built.name])
        self._java = subprocess.Popen(  # noqa: S603 - our own class
            # One thread, so that times compare.
            [java, "-XX:+UseSerialGC", "-Djava.awt.headless=true", "-cp", path, "BoofCodes"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def __call__(self, grey: Grey) -> tuple[float, list[tuple[str, Quad]]]:
        """Return the seconds that reading a picture took Java's thread, and what was read. OSError if Java is gone."""
        assert self._java.stdin is not None  # noqa: S101 - a pipe, as asked for above
        height, width = grey.shape
        self._java.stdin.write(struct.pack(">ii", width, height) + grey.tobytes())
        self._java.stdin.flush()
        nanoseconds, count = struct.unpack(">qi", self._bytes(12))
        found = []
        for _ in range(count):
            (length,) = struct.unpack(">i", self._bytes(4))
            text = self._bytes(length).decode("utf-8", "replace")
            quad = np.frombuffer(self._bytes(64), dtype=">f8").reshape(4, 2)
            found.append((text, quad.astype(np.float64)))
        return nanoseconds / 1e9, found

    def close(self) -> None:
        """End Java."""
        if self._java.stdin is not None:
            with suppress(OSError):
                self._java.stdin.close()
        try:
            self._java.wait(5)
        except subprocess.TimeoutExpired:
            self._java.kill()
            self._java.wait()
        if self._java.stdout is not None:
            self._java.stdout.close()
        self._built.cleanup()

    def _bytes(self, length: int) -> bytes:
        assert self._java.stdout is not None  # noqa: S101 - a pipe, as asked for above
        data = self._java.stdout.read(length)
        if len(data) < length:
            raise OSError("BoofCV ended; is its jar whole, and for this Java?")
        return data


def _build(compiler: str, jar: Path, folder: str) -> None:
    """Compile our class against the jar."""
    try:
        subprocess.run(  # noqa: S603 - our own class
            [compiler, "-cp", str(jar), "-d", folder, str(_SOURCE)],
            check=True,
            capture_output=True,
            timeout=_START_SECONDS,
        )
    except (subprocess.SubprocessError, OSError):
        raise NoBoofCV(f"{jar}: this file does not hold BoofCV for this Java; {_HOW}") from None
