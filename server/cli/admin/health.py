"""`haggle health`: checks whether a server works, for containers and monitoring."""

from __future__ import annotations

import ipaddress
import json
import os
import ssl
import sys
import urllib.request
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import urlsplit

import click

_SECONDS = 8
_EVERYWHERE = {"", "0.0.0.0", "::"}  # noqa: S104 - compared with, not bound to


@click.command(name="health")
@click.argument("url", default="")
def command(url: str) -> None:
    """Check whether a server works: exit code 0 if it does, 1 and one line if not.

    URL is the server's address, such as http://127.0.0.1:8000. Without one it is the server that the environment of
    this command describes (HAGGLE_HOST, HAGGLE_PORT, HAGGLE_TLS_CERT), on this machine.
    """
    try:
        address = address_of(url) if url else own_address()
    except ValueError:
        raise click.ClickException(f"{url} is not the address of a server: write http://127.0.0.1:8000") from None
    problem = check_server(address)
    if problem:
        print(f"{address}: {problem}", file=sys.stderr)
        sys.exit(1)
    print(f"{address}: ok")


def own_address() -> str:
    """Return the address of the server that this environment describes."""
    host = os.environ.get("HAGGLE_HOST", "")
    host = "127.0.0.1" if host in _EVERYWHERE else host
    scheme = "https" if os.environ.get("HAGGLE_TLS_CERT") else "http"
    return address_of(f"{scheme}://{f'[{host}]' if ':' in host else host}:{os.environ.get('HAGGLE_PORT') or 8000}")


def address_of(url: str) -> str:
    """Return the address of a server's health check; ValueError for an invalid address."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.port == 0:
        raise ValueError(url)
    return f"{parts.scheme}://{parts.netloc}/healthz"


def check_server(address: str) -> str:
    """Return what is wrong with the server at an address, or an empty string."""
    try:
        with urllib.request.urlopen(address, timeout=_SECONDS, context=_trust(address)) as answer:  # noqa: S310 - http or https, see above
            document = json.loads(answer.read(10_000))
    except HTTPError as error:
        return f"it answers {error.code}"
    except (ValueError, HTTPException):
        return "it does not answer as a Haggle server does"
    except OSError as error:
        return f"it does not answer ({getattr(error, 'reason', error)})"
    works = isinstance(document, dict) and document.get("status") == "ok"
    return "" if works else "it does not answer as a Haggle server does"


def _trust(address: str) -> ssl.SSLContext | None:
    """Return the check of its certificate: none on this machine, for whose address there are no certificates."""
    host = urlsplit(address).hostname or ""
    context = ssl.create_default_context()
    try:
        here = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        here = False
    if here:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context
