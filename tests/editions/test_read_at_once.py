"""Editions are read by many threads at once: a server that has just started gets many requests."""

from __future__ import annotations

import ast
import gc
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from server.editions.registry import RULES, folder_of
from server.editions.source_code import parsed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MOMENT = 0.05
"""Seconds: longer than it takes to parse."""
OFTEN = 50
"""Objects after which memory is tidied up: that is when threads may take turns in the middle of a parse."""
TURNS = 3


@contextmanager
def _others(work: Callable[[], object]) -> Iterator[list[threading.Thread]]:
    """Have other threads do some work while this one is in the middle of its own; give these threads."""
    threads: list[threading.Thread] = []
    mine = threading.current_thread()

    def turn(phase: str, _: object) -> None:
        if phase == "start" and len(threads) < TURNS and threading.current_thread() is mine:
            threads.append(threading.Thread(target=work))
            threads[-1].start()
            threads[-1].join(MOMENT)

    usual = gc.get_threshold()
    gc.callbacks.append(turn)
    gc.set_threshold(OFTEN)
    try:
        yield threads
    finally:
        gc.set_threshold(*usual)
        gc.callbacks.remove(turn)
        for thread in threads:
            thread.join()


def test_a_thread_that_parses_disturbs_no_other() -> None:
    """Also where it comes in the middle of the other's."""
    code = (folder_of("eurocg-2026") / RULES).read_bytes()
    with _others(lambda: parsed(code)) as others:
        tree = parsed(code)
    assert others
    assert ast.dump(tree) == ast.dump(ast.parse(code))
