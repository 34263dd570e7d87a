"""Where phones reach this server, as far as a request tells."""

from __future__ import annotations

import ipaddress

from flask import request

from server.jobs.network import phone_address


def address_for_phones() -> str | None:
    """Return the address by which the organiser has come; that of this machine in its network for `localhost`."""
    host = request.host.rpartition(":")[0] if request.host.rpartition(":")[2].isdecimal() else request.host
    if not is_local(host.strip("[]")):
        return request.host_url.rstrip("/")
    port = str(request.environ.get("SERVER_PORT", ""))
    return phone_address(int(port)) if port.isdecimal() and 0 < int(port) < 1 << 16 else None


def is_local(host: str) -> bool:
    """Tell whether a host's name or address means the machine itself."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
