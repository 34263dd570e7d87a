"""A rule that fails while it scores: one line that names its place in the author's file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.scoring.edition import EditionError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Any


def failure(what: str, function: Callable[..., Any], error: Exception | SystemExit) -> EditionError:
    """Return the error to raise when `function`, which is `what`, has failed: file and line, then the reason."""
    place = place_of(function, error.__traceback__)
    if isinstance(error, SystemExit):
        reason = f"{what} ends the program (SystemExit), which no rule may; take that out"
    elif isinstance(error, KeyError):
        reason = f"{what} fails: there is no {error} (KeyError)"
    elif not isinstance(error, EditionError):
        reason = f"{what} fails: {type(error).__name__}: {error}"
    else:
        reason = str(error) if str(error).startswith(f"{what} ") else f"{what}: {error}"
    return EditionError(" ".join(f"{place}: {reason}".split()))


def place_of(function: Callable[..., Any], trace: TracebackType | None) -> str:
    """Return file and line of the innermost call in the file that defines the function."""
    code = getattr(function, "__code__", None)
    if code is None:
        return f"{function!r}"
    return f"{code.co_filename}:{place_in(code.co_filename, trace) or code.co_firstlineno}"


def place_in(file: str, trace: TracebackType | None) -> int | None:
    """Return the line of the innermost call in a file; None if none is there."""
    line = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
