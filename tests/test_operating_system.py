"""Functions that differ between systems."""

from __future__ import annotations

import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from server import operating_system
from server.operating_system import claim_address, interrupts_deferred, replace_file


def test_a_file_that_windows_holds_open_is_replaced_as_soon_as_possible(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other systems report an error at once."""
    source, target = tmp_path / "new", tmp_path / "old"
    target.write_text("old")
    refusals = 0
    real = Path.replace

    def replace(path: Path, other: Path) -> Path:
        nonlocal refusals
        if refusals:
            refusals -= 1
            raise PermissionError
        return real(path, other)

    monkeypatch.setattr(Path, "replace", replace)
    monkeypatch.setattr(operating_system, "_REPLACE_SECONDS", 10)
    source.write_text("new")
    refusals = 2
    replace_file(source, target)
    assert (target.read_text(), refusals) == ("new", 0)
    monkeypatch.setattr(operating_system, "_REPLACE_SECONDS", 0)
    source.write_text("newer")
    refusals = 1
    with pytest.raises(PermissionError):
        replace_file(source, target)
    assert target.read_text() == "new"


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
