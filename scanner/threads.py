"""Keeps numpy's linear algebra on the thread that scans.

Its matrices are small, and threads that wait for each other cost several times what they save; on a busy machine they
use up a photograph's budget by spinning.
"""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from threadpoolctl import ThreadpoolController

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
R = TypeVar("R")

_LIBRARIES = ThreadpoolController()


def on_one_thread(scan: Callable[P, R]) -> Callable[P, R]:
    """Let a function that scans use one thread. The number of threads is the process's own again afterwards."""

    @wraps(scan)
    def alone(*args: P.args, **kwargs: P.kwargs) -> R:
        with _LIBRARIES.limit(limits=1, user_api="blas"):
            return scan(*args, **kwargs)

    return alone
