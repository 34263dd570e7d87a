"""Where this machine is in its network."""

from __future__ import annotations

import contextlib
import socket

# An address of the block for documentation: no packet is ever sent to it, it only picks the network in use.
_ANYWHERE = ("192.0.2.1", 9)
_PATIENCE = 0.5


def network_address() -> str | None:
    """Return this machine's address in its network, or None where it has none but its own."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_ANYWHERE)
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if address.startswith("127.") or address == "0.0.0.0" else address  # noqa: S104 - compared, not bound


def phone_address(port: int) -> str | None:
    """Return where phones in the same network find a server of this machine; None where nothing listens for them."""
    host = network_address()
    if host is None:
        return None
    with contextlib.suppress(OSError), socket.create_connection((host, port), _PATIENCE):
        return f"http://{host}:{port}"
    return None
