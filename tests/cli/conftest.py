"""Commands run in the tests' own process: what they said, and what they change in it is put back."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from server.cli.main import main

if TYPE_CHECKING:
    from collections.abc import Iterator


class Said(NamedTuple):
    """The output of a command and its exit code."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:  # noqa: ANN401 - any JSON
        """The JSON that it printed."""
        return json.loads(self.out)


Haggle = Callable[..., Said]
Refused = Callable[..., str]
EXAMPLES = Path(__file__).parents[2] / "examples" / "editions"


@pytest.fixture(autouse=True)
def _log_as_before() -> Iterator[None]:
    """Put the log's handlers back: one that was set up by a command writes to the end of its test, and then nowhere."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    yield
    root.handlers[:] = before
    root.setLevel(level)


@pytest.fixture
def haggle(capsys: pytest.CaptureFixture[str]) -> Haggle:
    """Run a command."""

    def run(*words: object) -> Said:
        capsys.readouterr()
        code = 0
        try:
            main([str(word) for word in words])
        except SystemExit as leaving:
            code = int(leaving.code or 0)
        return Said(code, *capsys.readouterr())

    return run


@pytest.fixture
def refused(haggle: Haggle) -> Refused:
    """Run a command that is refused: exit code 2, no result, and one line, which is returned."""

    def run(*words: object) -> str:
        output = haggle(*words)
        assert (output.code, output.out, output.err.count("\n")) == (2, "", 1), output
        assert output.err.startswith("haggle: ")
        return output.err

    return run
