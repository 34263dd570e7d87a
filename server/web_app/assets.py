"""The front end's files. Their addresses contain a hash of all of them, so that browsers may cache them forever.

Scripts and styles refer to each other by `/assets/NAME`; the hash is inserted when they are loaded. Import maps would
not work in browsers from before 2023.
"""

from __future__ import annotations

import functools
import gzip
import hashlib
import io
import mimetypes
import posixpath
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import brotli

from server.web_app.bundles import Bundle, BundleError, bundle_page, replacement_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


WEB = Path(__file__).parents[2] / "web"
PREFIX = "/assets/"
FOLDERS = ("icons", "shots", "app", "texts", "live")
"""The folders of `web/` that are served."""
STYLES = {
    "player": "base photo score camera player deck preferences",
    "organiser": "base photo organiser games print envelopes photos review results preferences",
    "projector": "base projector preferences",
    "demo": "base demo preferences",
    "api": "api",
}
"""The files in `web/style` that a page's style sheet consists of, in their order."""
VENDOR = {
    "vendor/display.woff2": "@fontsource/source-serif-4/files/source-serif-4-latin-900-normal.woff2",
    "vendor/pico.css": "@picocss/pico/css/pico.min.css",
    "vendor/preact.js": "preact/dist/preact.module.js",
    "vendor/preact-hooks.js": "preact/hooks/dist/hooks.module.js",
    "vendor/htm.js": "htm/dist/htm.module.js",
    "vendor/htm-preact.js": "htm/preact/index.module.js",
    "vendor/idb.js": "idb/build/index.js",
    "vendor/zxing-reader.js": "zxing-wasm/dist/iife/reader/index.js",
    "vendor/zxing-reader.wasm": "zxing-wasm/dist/reader/zxing_reader.wasm",
}
"""The files of installed packages that are served. They come first, since our styles use the font."""
_HTM = "htm/LICENSE"
USED = (
    ("Source Serif 4, the font of the titles", "OFL-1.1", "@fontsource/source-serif-4/LICENSE"),
    ("Pico CSS", "MIT", "@picocss/pico/LICENSE.md"),
    ("Preact", "MIT", "preact/LICENSE"),
    ("htm", "Apache-2.0", _HTM),
    ("idb", "ISC", "idb/LICENSE"),
    ("zxing-wasm", "MIT", "zxing-wasm/LICENSE"),
    ("zxing-cpp (github.com/zxing-cpp/zxing-cpp), from which zxing-wasm is built", "Apache-2.0", _HTM),
)
"""Name, licence and path of its text in the installed packages; that of htm is the full text of Apache-2.0."""
BARE = {
    "preact": "vendor/preact.js",
    "preact/hooks": "vendor/preact-hooks.js",
    "htm": "vendor/htm.js",
    "htm/preact": "vendor/htm-preact.js",
    "idb": "vendor/idb.js",
}
"""The names by which modules import packages."""
SELDOM = ("live/", "vendor/zxing-reader.")
"""Prefixes of the names of large files that few people need: the reader of videos."""
CODINGS = ("br", "gzip")
"""Content codings, best first."""
WORKER = "live/worker.js"
"""The script of the worker that reads frames, which has its own content security policy."""

_TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
_COMPRESSED = {".js", ".css", ".svg", ".wasm"}

# Bytes of files for which the highest levels of compression would take too long.
_LARGE = 200_000

_SOURCE_MAP = re.compile(rb"^(//|/\*)# sourceMappingURL=.*$", re.MULTILINE)
_IMPORTED = re.compile(r'\bfrom ?"([^"\s]+)"|^import "([^"]+)"', re.MULTILINE)
_ENTRY = re.compile(r"app/[^/]+/main\.js")
_BARE = re.compile(r'\b(from ?|import )"([^"./][^"]*)"')


class AssetError(Exception):
    """A file of the front end is missing or wrong. The message says what to do."""


@dataclass(frozen=True)
class Asset:
    """A file as it is served; `packed` are its compressed forms by content coding."""

    url: str
    data: bytes
    media_type: str
    packed: dict[str, bytes]


class Assets:
    """All files of the front end, in memory."""

    def __init__(self, files: dict[str, bytes]) -> None:
        """Prepare files, given by names such as `app/player/main.js`."""
        self._files = {name: _prepared(name, data) for name, data in files.items()}
        self._bundles = dict(self._bundle_pages())
        digest = hashlib.sha256()
        for name, data in sorted(self._files.items()):
            digest.update(f"{name} {len(data)} ".encode() + data)
        self.release = digest.hexdigest()[:12]
        """The hash of all files, which all addresses contain."""
        self._by_name = {name: self._asset(name, data) for name, data in self._files.items()}
        self._by_url = {asset.url: asset for asset in self._by_name.values()}

    @staticmethod
    def load(web: Path = WEB) -> Assets:
        """Return the front end's files, read once in a process and its forks; AssetError if packages are missing."""
        return _loaded(web)

    def pack(self) -> None:
        """Compress all files with brotli, which takes a second. Until then they are sent with gzip."""
        for asset in self._by_name.values():
            if asset.packed:
                quality = 11 if len(asset.data) < _LARGE else 9
                asset.packed["br"] = brotli.compress(asset.data, quality=quality)

    def url(self, name: str) -> str:
        """Return the address of a file."""
        return self._by_name[name].url

    def at(self, url: str) -> Asset | None:
        """Return the file at an address, or None."""
        return self._by_url.get(url)

    def entry(self, page: str) -> str:
        """Return the address of the module with which a page begins."""
        return self.module(page, f"app/{page}/main.js")

    def module(self, page: str, name: str) -> str:
        """Return the address of a module of ours for a page, bundled or not."""
        return self.url(replacement_name(page, name) if name in self._bundles[page].replacements else name)

    def first(self, page: str, language: str, *parts: str, later: Sequence[str] = ()) -> list[str]:
        """Return the addresses of the modules and texts that a page needs at once, including the texts in `parts`.

        Lazy modules, such as the live viewfinder, are not included, except for those in `later`.
        """
        texts = [f"texts/{language}/{part}.js" for part in ("shared", page, *parts)]
        wanted = [self._bundles[page].main, *texts, *(replacement_name(page, name) for name in later)]
        self._add_imports(wanted)
        return [self.entry(page), *(self.url(name) for name in wanted)]

    def all_of(self, page: str) -> list[str]:
        """Return the addresses of all files that a page may load, except texts and those of `SELDOM`."""
        bundle = self._bundles[page]
        names = [bundle.main, *(replacement_name(page, name) for name in bundle.loaded), *bundle.shared]
        self._add_imports(names)
        looks = ["vendor/display.woff2", "vendor/pico.css", f"style/{page}.css"]
        icons = [name for name in self._by_name if name.startswith("icons/")]
        return [self.url(name) for name in (*names, *looks, *icons)]

    def _add_imports(self, names: list[str]) -> None:
        """Add all direct and indirect imports of files."""
        for name in names:
            names += [target for target in self._imports(name) if target not in names]

    def archive(self) -> bytes:
        """Return all files in a ZIP archive, by their names."""
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for name, asset in self._by_name.items():
                archive.writestr(name, asset.data)
        return buffer.getvalue()

    def named(self, *starts: str) -> list[str]:
        """Return the addresses of all files whose names begin with one of these prefixes."""
        return [asset.url for name, asset in self._by_name.items() if name.startswith(starts)]

    def _bundle_pages(self) -> Iterator[tuple[str, Bundle]]:
        modules = {name: data.decode() for name, data in self._files.items() if name.endswith(".js")}
        for page in [name.split("/")[1] for name in modules if _ENTRY.fullmatch(name)]:
            try:
                bundle = bundle_page(page, modules, BARE, PREFIX)
            except BundleError as error:
                raise AssetError(f"the {page} page cannot be bundled: {error}") from None
            files = {bundle.main: bundle.text, **bundle.shared}
            files |= {replacement_name(page, name): text for name, text in bundle.replacements.items()}
            self._files |= {name: text.encode() for name, text in files.items()}
            yield page, bundle

    def _imports(self, name: str) -> list[str]:
        """Return the names of the files that a module imports."""
        found = [first or second for first, second in _IMPORTED.findall(self._files[name].decode())]
        # Relative imports are relative to the module's folder; `join` leaves absolute ones as they are.
        whole = [posixpath.join(PREFIX, posixpath.dirname(name), one) for one in found]
        return [posixpath.normpath(one).removeprefix(PREFIX) for one in dict.fromkeys(whole)]

    def _asset(self, name: str, data: bytes) -> Asset:
        own = f"{PREFIX}{self.release}/"
        if name.endswith((".js", ".css")):
            data = data.replace(PREFIX.encode(), own.encode())
        packed = {"gzip": gzip.compress(data, 9, mtime=0)} if Path(name).suffix in _COMPRESSED else {}
        return Asset(own + name, data, media_type(name), packed)


def media_type(name: str) -> str:
    """Return the media type of a file by its name."""
    return _TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"


def _prepared(name: str, data: bytes) -> bytes:
    """Return a file without its source map, and a package's module with addresses instead of bare names."""
    if name.endswith((".js", ".css")):
        data = _SOURCE_MAP.sub(b"", data)
    if name in BARE.values():
        data = _BARE.sub(lambda found: f'{found[1]}"{PREFIX}{BARE[found[2]]}"', data.decode()).encode()
    return data


@functools.cache
def _loaded(web: Path) -> Assets:
    return Assets(dict(_files(web)))


def _files(web: Path) -> Iterator[tuple[str, bytes]]:
    def package(path: str) -> bytes:
        file = web / "node_modules" / path
        if not file.is_file():
            raise AssetError(f"the front end's packages are not installed ({path} is missing): run ./haggle once")
        return file.read_bytes()

    for name, path in VENDOR.items():
        yield name, package(path)
    yield "licences.txt", licences(lambda path: package(path).decode()).encode()
    for name in STYLES:
        yield f"style/{name}.css", style(name, web)
    for folder in FOLDERS:
        for file in sorted((web / folder).rglob("*")):
            if file.suffix in {*_TYPES, ".png"}:
                yield file.relative_to(web).as_posix(), file.read_bytes()


def licences(text_at: Callable[[str], str]) -> str:
    """Return all licences as one text; `text_at` returns the file at a path in the packages."""
    listed = "\n".join(f"- {name}: {licence}" for name, licence, _ in USED)
    parts = [f"Haggle's pages use, unchanged but for the line that names a source map:\n\n{listed}\n\nThe licences:"]
    for path in dict.fromkeys(path for *_, path in USED):
        names = [name.partition(" (")[0] for name, _, of in USED if of == path]
        title = ", ".join(names)
        parts.append(f"{title}\n{'=' * len(title)}\n\n{text_at(path).strip()}")
    return "\n\n\n".join(parts) + "\n"


def style(page: str, web: Path = WEB) -> bytes:
    """Return a page's style sheet."""
    return b"\n".join((web / "style" / f"{name}.css").read_bytes() for name in STYLES[page].split())
