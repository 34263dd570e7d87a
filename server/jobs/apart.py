"""Does a piece of heavy work in a process of its own, so that a server's other requests go on meanwhile."""

from __future__ import annotations

import multiprocessing
import threading
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

P = ParamSpec("P")
R = TypeVar("R")

PLACES = 2
"""Pieces of work in hand at once."""
PATIENCE = 30.0
"""Seconds that one waits for its turn."""
SECONDS = 120.0
"""Seconds that one may take."""

_SPAWN = multiprocessing.get_context("spawn")
_ENDING = 5.0
_places = threading.BoundedSemaphore(PLACES)


class ApartError(Exception):
    """The work was not done: too much is in hand, or its process ended or took too long."""


def run_apart(work: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> R:
    """Return what a function returns, called in a process of its own. What it raises is raised here. ApartError.

    Function, arguments and result go through a pipe: the function stands in a module, the others can be pickled.
    """
    if not _places.acquire(timeout=PATIENCE):
        raise ApartError("Much is being made right now. Wait a few seconds and try again.")
    try:
        done, answer = _run(work, arguments, named)
    finally:
        _places.release()
    if not done:
        raise cast("Exception", answer)
    return cast("R", answer)


def _run(work: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]) -> tuple[bool, Any]:
    ours, theirs = _SPAWN.Pipe()
    process = _SPAWN.Process(target=_work, args=(theirs,), name="haggle-apart", daemon=True)
    process.start()
    # Ours alone now: when the process dies, reading from the pipe ends instead of waiting for ever.
    theirs.close()
    # Killing the process ends every wait on the pipe.
    timer = threading.Timer(SECONDS, process.kill)
    timer.daemon = True
    timer.start()
    try:
        ours.send((work, arguments, named))
        answer: tuple[bool, Any] = ours.recv()
    except (EOFError, OSError):
        raise ApartError("The server stopped in the middle of this. Try again.") from None
    finally:
        timer.cancel()
        ours.close()
        process.kill()
        process.join(_ENDING)
    return answer


def _work(pipe: Connection) -> None:
    work, arguments, named = pipe.recv()
    try:
        answer = (True, work(*arguments, **named))
    except Exception as error:  # noqa: BLE001 - whatever it is, it is raised where it was called for
        answer = (False, error)
    pipe.send(answer)
