"""The front end's files, as Vite built them from `web/` into `web/dist`. A wheel contains the result.

Names of files contain a hash of their content, so that browsers may cache them forever.
"""

from __future__ import annotations

import functools
import hashlib
import io
import json
import mimetypes
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from server.installation import CHECKOUT, REPAIR

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

WEB = CHECKOUT / "web" if CHECKOUT else Path(__file__).with_name("web")
DIST = WEB / "dist"
CODINGS = {"br": ".br", "gzip": ".gz"}
"""Content codings, best first, and the suffixes of the compressed files."""

_ADVICE = "run ./haggle once" if CHECKOUT else REPAIR
_LANGUAGE = '<html lang="en">'
_PRELOADS = "<!-- preload -->"
_SERVICE_WORKER = "sw.js"
_TYPES = {
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}


class AssetError(Exception):
    """A file of the front end is missing. The message says what to do."""


@dataclass(frozen=True)
class Asset:
    """A file as it is served; `packed` are its compressed forms by content coding."""

    data: bytes
    media_type: str
    packed: dict[str, bytes]


class Assets:
    """All files of the front end, in memory. Sources are named by their paths in `web/`."""

    def __init__(self, dist: Path) -> None:
        """Read a build; OSError if a file is missing, ValueError if one is damaged."""
        self._manifest: dict[str, dict[str, Any]] = json.loads((dist / ".vite" / "manifest.json").read_bytes())
        self._pages = {path.stem: path.read_text("utf-8") for path in dist.glob("*.html")}
        self.service_worker = (dist / _SERVICE_WORKER).read_text("utf-8")
        self._files = dict(_files(dist))
        digest = hashlib.sha256()
        for name, file in sorted(self._files.items()):
            digest.update(f"{name} {len(file.data)} ".encode() + file.data)
        self.release = digest.hexdigest()[:12]
        """The name of this version: a hash of all files."""

    @staticmethod
    def load() -> Assets:
        """Return the front end's files, read once in a process and its forks; AssetError if they are not built."""
        return _loaded(DIST)

    def url(self, source: str) -> str:
        """Return the address of the file that was built from a source."""
        return f"/{self._manifest[source]['file']}"

    def styles(self, page: str) -> list[str]:
        """Return the addresses of a page's style sheets."""
        return [f"/{name}" for name in self._manifest[f"{page}.html"]["css"]]

    def at(self, url: str) -> Asset | None:
        """Return the file at an address, or None."""
        return self._files.get(url.removeprefix("/"))

    def page(self, name: str, language: str, *preloaded: str) -> str:
        """Return a page in a language, which preloads these modules and what they import."""
        page = self._pages[name]
        urls = [f"/{self._manifest[key]['file']}" for key in self._imports(preloaded)]
        links = [f'<link rel="modulepreload" crossorigin href="{url}">' for url in urls if url not in page]
        page = page.replace(_LANGUAGE, f'<html lang="{language}">')
        return page.replace(_PRELOADS, "\n    ".join(links))

    def archive(self) -> bytes:
        """Return all files in a ZIP archive, by their names."""
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for name, file in self._files.items():
                archive.writestr(name, file.data)
        return buffer.getvalue()

    def urls(self) -> list[str]:
        """Return all addresses."""
        return [f"/{name}" for name in self._files]

    def _imports(self, sources: Iterable[str]) -> list[str]:
        """Return modules and all their direct and indirect imports, which are not lazy."""
        found = list(sources)
        for name in found:
            found += [target for target in self._manifest[name].get("imports", ()) if target not in found]
        return found


def media_type(name: str) -> str:
    """Return the media type of a file by its name."""
    return _TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"


@functools.cache
def _loaded(dist: Path) -> Assets:
    try:
        return Assets(dist)
    except FileNotFoundError as error:
        raise AssetError(f"the pages are not built ({error.filename} is missing): {_ADVICE}") from None
    except ValueError:
        raise AssetError(f"the built pages are damaged: delete {dist} and {_ADVICE}") from None


def _files(dist: Path) -> Iterator[tuple[str, Asset]]:
    for file in sorted((dist / "assets").iterdir()):
        if file.suffix not in CODINGS.values():
            packed = {coding: Path(f"{file}{suffix}") for coding, suffix in CODINGS.items()}
            read = {coding: path.read_bytes() for coding, path in packed.items() if path.is_file()}
            yield f"assets/{file.name}", Asset(file.read_bytes(), media_type(file.name), read)
