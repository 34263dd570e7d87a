"""What the system knows of the connections of this process: how much has come, and how much has gone.

Linux tells it of every socket, whatever is spoken over it. Other systems do not, or in ways of their own: there no
connection is found.
"""

from __future__ import annotations

import contextlib
import os
import socket
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_OPEN = Path("/proc/self/fd")
_FACTS = struct.Struct("@8B24I4Q3I")
# The beginning of `struct tcp_info`, to which Linux only ever adds at its end.
_UNACKNOWLEDGED, _STILL, _ACKNOWLEDGED, _RECEIVED, _UNSENT = 8 + 4, 8 + 11, 8 + 24 + 2, 8 + 24 + 3, 8 + 24 + 4 + 2


@dataclass(frozen=True)
class Connection:
    """A connection at one moment. Bytes: `received` in all, `taken` by the other side in all, and if any are `due`.

    `still`: seconds since something came.
    """

    number: int
    peer: tuple[str, int]
    received: int
    taken: int
    due: bool
    still: float = 0.0

    @property
    def address(self) -> str:
        """The address of the other side, as the server tells it to the application."""
        return self.peer[0].partition("%")[0]

    def cut(self) -> None:
        """End it, so that whoever waits for it or writes to it goes on; nothing if it is another one by now."""
        with contextlib.suppress(OSError), socket.socket(fileno=os.dup(self.number)) as held:
            if held.getpeername()[:2] == self.peer:
                held.shutdown(socket.SHUT_RDWR)


def connections(port: int) -> Iterator[Connection]:
    """Yield the connections that came in at a port and are open."""
    for number in _sockets():
        # Any of them may be closed meanwhile.
        with contextlib.suppress(OSError):
            one = socket.socket(fileno=number)
            try:
                found = _connection(one, port)
            finally:
                one.detach()
            if found:
                yield found


def _sockets() -> Iterator[int]:
    with contextlib.suppress(OSError):
        for entry in list(_OPEN.iterdir()):
            with contextlib.suppress(OSError):
                if str(entry.readlink()).startswith("socket:"):
                    yield int(entry.name)


def _connection(one: socket.socket, port: int) -> Connection | None:
    if one.family not in {socket.AF_INET, socket.AF_INET6} or one.type != socket.SOCK_STREAM:
        return None
    if one.getsockname()[1] != port:
        return None
    host, remote, *_ = one.getpeername()
    told = one.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _FACTS.size)
    # Linux before 4.6 tells less; some sandboxes that pass for it, too.
    if len(told) < _FACTS.size:
        return None
    facts = _FACTS.unpack(told)
    due = bool(facts[_UNACKNOWLEDGED] or facts[_UNSENT])
    return Connection(one.fileno(), (host, remote), facts[_RECEIVED], facts[_ACKNOWLEDGED], due, facts[_STILL] / 1000)
