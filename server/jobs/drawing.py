"""Draws a file of a print run: light enough to be called in a process of its own."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from cardgen.printing import write_part

if TYPE_CHECKING:
    from cardgen.printing import PrintRun


def draw(run: PrintRun, name: str) -> bytes:
    """Return one file of a print run; PaperError or TextError if it cannot be drawn."""
    out = io.BytesIO()
    write_part(run, name, out)
    return out.getvalue()
