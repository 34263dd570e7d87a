"""Security headers, on every answer."""

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
"""What an answer has that says nothing else. Pages say what they load in a policy of their own."""
WORKER_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
"""What the script of the live reader's worker comes with: a worker runs under the policy of its own answer.

Wasm may be compiled there and nowhere else: the worker has no document, and the page stays without any `unsafe`.
"""

OFFLINE_POLICY = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
"""What the service worker comes with: it fetches from us, and does nothing else."""

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
"""The policy of a page: only what we serve, and nothing inline.

Pictures may be blobs, for the preview of a photograph, and data, for the style sheet's small icons.
"""


def secure(app: Flask) -> None:
    """Add the headers to every answer of an application."""

    @app.after_request
    def _add(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        response.headers.setdefault("Cache-Control", "no-store")
        return response


CODINGS = ("br", "gzip")
"""How files and answers are compressed, by the names that browsers have for it, the best first."""
TYPES = ("text/html", "text/csv", "text/javascript", "application/json", "application/manifest+json")
"""What is compressed."""
_LEAST = 1000
"""Bytes; a smaller answer is one packet anyway."""


def compress_answers(app: Flask) -> None:
    """Compress an application's answers from now on. What is compressed already, as our files are, stays as it is."""
    app.config.update(
        COMPRESS_ALGORITHM=list(CODINGS),
        COMPRESS_MIMETYPES=list(TYPES),
        COMPRESS_MIN_SIZE=_LEAST,
        COMPRESS_STREAMS=False,
    )
    Compress(app)
