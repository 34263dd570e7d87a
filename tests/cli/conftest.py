"""Fixtures that run commands in the test process."""

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


class CommandResult(NamedTuple):
    """The output of a command and its exit code."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:  # noqa: ANN401 - any JSON
        """The JSON that it printed."""
        return json.loads(self.out)


Haggle = Callable[..., CommandResult]
Refused = Callable[..., str]
EXAMPLES = Path(__file__).parents[2] / "examples" / "editions"


@pytest.fixture(autouse=True)
def _log_as_before() -> Iterator[None]:
    """Restore the handlers of the root logger, since those of a command write to the captured output of its test."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    yield
    root.handlers[:] = before
    root.setLevel(level)


@pytest.fixture
def haggle(capsys: pytest.CaptureFixture[str]) -> Haggle:
    """Run a command."""

    def run(*words: object) -> CommandResult:
        capsys.readouterr()
        code = 0
        try:
            main([str(word) for word in words])
        except SystemExit as leaving:
            code = int(leaving.code or 0)
        return CommandResult(code, *capsys.readouterr())

    return run


@pytest.fixture
def refused(haggle: Haggle) -> Refused:
    """Run a command that fails with exit code 2, no output and a one-line error; return the line."""

    def run(*words: object) -> str:
        output = haggle(*words)
        assert (output.code, output.out, output.err.count("\n")) == (2, "", 1), output
        assert output.err.startswith("haggle: ")
        return output.err

    return run
