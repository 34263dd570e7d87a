"""Does a piece of heavy work in a process of its own, so that a server's other requests go on meanwhile."""

from __future__ import annotations

import contextlib
import multiprocessing
import threading
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection

P = ParamSpec("P")
R = TypeVar("R")

PLACES = 2
"""Pieces of work in hand at once."""
PATIENCE = 30.0
"""Seconds that one waits for its turn."""
SECONDS = 120.0
"""Seconds that one may take."""
LONGEST = 1800.0
"""Seconds that a long piece of work may take, which tells how far it is."""

_SPAWN = multiprocessing.get_context("spawn")
_ENDING = 5.0
_DONE, _RAISED, _TOLD = "done", "raised", "told"
_TELL = "haggle: tell"
# Stands for the function that tells, which goes through no pipe.
_LOOK = 0.25
# Seconds between two looks at whether the work is still wanted.
_places = threading.BoundedSemaphore(PLACES)


class ApartError(Exception):
    """The work was not done: too much is in hand, or its process ended or took too long."""


class StoppedError(ApartError):
    """The work was ended because nobody wants it any more."""


def run_apart(work: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> R:
    """Return what a function returns, called in a process of its own. What it raises is raised here. ApartError.

    Function, arguments and result go through a pipe: the function stands in a module, the others can be pickled.
    """
    if not _places.acquire(timeout=PATIENCE):
        raise ApartError("Much is being made right now. Wait a few seconds and try again.")
    try:
        with _process(SECONDS) as pipe:
            pipe.send((work, arguments, named))
            answer = pipe.recv()
    finally:
        _places.release()
    return cast("R", _unpacked(*answer))


def run_telling(
    work: Callable[..., R],
    *arguments: Any,  # noqa: ANN401 - the work's own
    tell: Callable[[int, int], None],
    stop: threading.Event,
) -> R:
    """Return what a long piece of work returns, called in a process of its own with an argument `tell` more.

    What the work tells is told on, and it is ended as soon as `stop` is set. The caller sees to it that not too much
    is in hand. Raises what the work raises, ApartError, or StoppedError.
    """
    with _process(LONGEST) as pipe:
        pipe.send((work, arguments, {"tell": _TELL}))
        while not stop.is_set():
            if pipe.poll(_LOOK):
                kind, answer = pipe.recv()
                if kind != _TOLD:
                    return cast("R", _unpacked(kind, answer))
                tell(*answer)
    raise StoppedError("This is not wanted any more.")


@contextlib.contextmanager
def _process(seconds: float) -> Iterator[Connection]:
    """Give the pipe to a process that does a piece of work; ApartError if it dies or takes longer."""
    ours, theirs = _SPAWN.Pipe()
    process = _SPAWN.Process(target=_work, args=(theirs,), name="haggle-apart", daemon=True)
    process.start()
    # Ours alone now: when the process dies, reading from the pipe ends instead of waiting for ever.
    theirs.close()
    # Killing the process ends every wait on the pipe.
    timer = threading.Timer(seconds, process.kill)
    timer.daemon = True
    timer.start()
    try:
        yield ours
    except (EOFError, ConnectionError):
        raise ApartError("The server stopped in the middle of this. Try again.") from None
    finally:
        timer.cancel()
        ours.close()
        process.kill()
        process.join(_ENDING)


def _unpacked(kind: str, answer: Any) -> Any:  # noqa: ANN401 - what the work returned
    if kind == _RAISED:
        raise cast("Exception", answer)
    return answer


def _work(pipe: Connection) -> None:
    work, arguments, named = pipe.recv()
    if named.get("tell") == _TELL:
        named["tell"] = lambda done, number: pipe.send((_TOLD, (done, number)))
    try:
        answer = (_DONE, work(*arguments, **named))
    except Exception as error:  # noqa: BLE001 - whatever it is, it is raised where it was called for
        answer = (_RAISED, error)
    pipe.send(answer)
