"""A scan keeps to its own thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from threadpoolctl import ThreadpoolController

from scanner import passes, read_codes
from scanner.threads import on_one_thread

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def _several() -> Iterator[None]:
    """Give libraries of linear algebra two threads, which tests do without otherwise."""
    with ThreadpoolController().limit(limits=2, user_api="blas"):
        yield


def _threads() -> list[int]:
    """Return how many threads each library of linear algebra would use."""
    return [library["num_threads"] for library in ThreadpoolController().info() if library["user_api"] == "blas"]


def test_tests_use_one_thread() -> None:
    """Tests of parts of a scan find the threads as a scan leaves them to its parts."""
    assert set(_threads()) == {1}


@pytest.mark.usefixtures("_several")
def test_linear_algebra_stays_on_the_scanning_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """While a picture is searched numpy's libraries have one thread, and afterwards as many as before."""
    before, told = _threads(), []
    search = passes.run

    def run(*given: object, **named: object) -> object:
        told.append(_threads())
        return search(*given, **named)

    monkeypatch.setattr(passes, "run", run)
    read_codes(np.zeros((40, 40), np.uint8))
    assert before == [2] * len(before) != []
    assert told == [[1] * len(before)]
    assert _threads() == before


@pytest.mark.usefixtures("_several")
def test_what_fails_gives_the_threads_back() -> None:
    """An error in a scan leaves the process as it was."""
    before = _threads()
    assert before == [2] * len(before) != []

    @on_one_thread
    def fail() -> None:
        raise ValueError(str(_threads()))

    with pytest.raises(ValueError, match=r"1"):
        fail()
    assert _threads() == before
