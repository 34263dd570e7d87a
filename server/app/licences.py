"""The licences of what others wrote and the pages are made of. Each asks that its text goes along with the work."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

HTM = "htm/LICENSE"
USED = (
    ("Source Serif 4, the font of the titles", "OFL-1.1", "@fontsource/source-serif-4/LICENSE"),
    ("Pico CSS", "MIT", "@picocss/pico/LICENSE.md"),
    ("Preact", "MIT", "preact/LICENSE"),
    ("htm", "Apache-2.0", HTM),
    ("idb", "ISC", "idb/LICENSE"),
    ("zxing-wasm", "MIT", "zxing-wasm/LICENSE"),
    ("zxing-cpp (github.com/zxing-cpp/zxing-cpp), of which zxing-wasm is made", "Apache-2.0", HTM),
)
"""Name, licence, and where its text lies among the installed packages: htm's is the whole of Apache-2.0."""


def licences(text_at: Callable[[str], str]) -> str:
    """Return all licences as one text, each once; `text_at` gives what lies at a path among the packages."""
    listed = "\n".join(f"- {name}: {licence}" for name, licence, _ in USED)
    parts = [f"Haggle's pages use, unchanged but for the line that names a source map:\n\n{listed}\n\nThe licences:"]
    for path in dict.fromkeys(path for *_, path in USED):
        names = [name.partition(" (")[0] for name, _, of in USED if of == path]
        title = ", ".join(names)
        parts.append(f"{title}\n{'=' * len(title)}\n\n{text_at(path).strip()}")
    return "\n\n\n".join(parts) + "\n"
