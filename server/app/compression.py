"""Compresses pages and answers for browsers that take it. Pictures, PDFs and live events go out as they are.

What a compressed answer's length may tell is weighed in docs/security.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask_compress import Compress

if TYPE_CHECKING:
    from flask import Flask

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
