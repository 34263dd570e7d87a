"""Functions that differ between systems."""

from __future__ import annotations

import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.operating_system import claim_address, interrupts_deferred, replace_file


class HeldOpen(type(Path())):  # type: ignore[misc]  # Path itself cannot be extended before Python 3.12
    """A file that another program has open for the first attempts to move it, as Windows reports it."""

    attempts = 0

    def replace(self, target: str | Path) -> Path:
        self.attempts += 1
        if self.attempts < 3:
            raise PermissionError
        return Path(self).replace(target)


def test_a_file_that_another_program_holds_open_is_replaced_as_soon_as_possible(tmp_path: Path) -> None:
    source, target = HeldOpen(tmp_path / "new"), tmp_path / "old"
    target.write_text("old")
    source.write_text("new")
    with pytest.raises(PermissionError):
        replace_file(source, target, 0)
    assert target.read_text() == "old"
    replace_file(source, target, 10)
    assert (target.read_text(), source.attempts) == ("new", 3)


def test_an_address_that_another_program_listens_at_is_not_claimed() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other, socket.socket() as mine:
        claim_address(mine)
        with pytest.raises(OSError, match="in use"):
            mine.bind(other.getsockname())


@pytest.fixture
def ctrl_c_raises() -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt, which the processes of a parallel test run ignore."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c_raises")
def test_an_interrupt_waits_for_the_end_of_a_block() -> None:
    done = []

    def work() -> None:
        with interrupts_deferred():
            signal.raise_signal(signal.SIGINT)
            done.append("the block")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["the block"]
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
