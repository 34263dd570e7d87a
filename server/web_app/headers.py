"""Security headers and compression of responses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask_compress import Compress

if TYPE_CHECKING:
    from flask import Flask, Response


HEADERS = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""Default headers; pages have a Content-Security-Policy of their own."""
WORKER_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
"""The policy of the live scanner's worker script, the only place where WebAssembly may be compiled.

A worker runs under the policy of its own script, so the pages need no `wasm-unsafe-eval`.
"""

OFFLINE_POLICY = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
"""The policy of the service worker, which only fetches from this server."""

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
"""The policy of pages: only files from this server, and nothing inline.

Images may be blobs, for previews of photos, and data URLs, for small icons in style sheets.
"""


def add_security_headers(app: Flask) -> None:
    """Add the default headers to all responses of an application."""

    @app.after_request
    def _add(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        response.headers.setdefault("Cache-Control", "no-store")
        return response


CODINGS = ("br", "gzip")
"""Content codings, best first."""
TYPES = ("text/html", "text/csv", "text/javascript", "application/json", "application/manifest+json")
"""Media types that are compressed."""
_MIN_BYTES = 1000
"""Bytes; smaller responses fit into one packet anyway."""


def compress_responses(app: Flask) -> None:
    """Compress the responses of an application, except those that are compressed already."""
    app.config.update(
        COMPRESS_ALGORITHM=list(CODINGS),
        COMPRESS_MIMETYPES=list(TYPES),
        COMPRESS_MIN_SIZE=_MIN_BYTES,
        COMPRESS_STREAMS=False,
    )
    Compress(app)
