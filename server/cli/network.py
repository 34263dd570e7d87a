"""The addresses that a server on this machine has, and how to show one to a phone."""

from __future__ import annotations

import io
from dataclasses import dataclass

import click
import qrcode

from server.printing.links import network_address

_EVERYWHERE = {"0.0.0.0", "::", ""}  # noqa: S104 - compared with, not bound to
_LOCAL = ("127.", "localhost", "::1")


@dataclass(frozen=True)
class Addresses:
    """The addresses of the page for this machine and for phones, or the reason why phones cannot reach it."""

    here: str
    phone: str | None
    unreachable: str = ""


def addresses(host: str, port: int, scheme: str = "http") -> Addresses:
    """Return the addresses of a server that listens at `host`, over http or https."""
    if host in _EVERYWHERE:
        here, network = _url("localhost", port, scheme), network_address()
        if network:
            return Addresses(here, _url(network, port, scheme))
        return Addresses(here, None, "Phones cannot reach it: this machine has no address in a network.")
    here = _url(host, port, scheme)
    if host.startswith(_LOCAL):
        return Addresses(here, None, "Phones cannot reach it: to let in phones on the same network, add --host 0.0.0.0")
    return Addresses(here, here)


def terminal_code(text: str) -> str:
    """Return a QR code drawn in block characters, for terminals with light or dark ground alike."""
    code = qrcode.QRCode(border=2)
    code.add_data(text)
    drawn = io.StringIO()
    code.print_ascii(out=drawn, invert=True)
    # Light modules are drawn with the text's colour, so both colours are set: on a light ground it would be inverted.
    return "\n".join(click.style(line, fg="bright_white", bg="black") for line in drawn.getvalue().splitlines() if line)


def _url(host: str, port: int, scheme: str) -> str:
    return f"{scheme}://[{host}]:{port}/" if ":" in host else f"{scheme}://{host}:{port}/"
