"""The front end's files, all below one address that holds a hash of them, so that a browser may keep them for ever.

Scripts and styles refer to each other by `/assets/NAME`; the hash is inserted when they are loaded. Import maps, which
could do the same, would exclude browsers from before 2023.
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

from server.app.joining import JoiningError, join, placed
from server.app.licences import licences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from server.app.joining import Joined

WEB = Path(__file__).parents[2] / "web"
PREFIX = "/assets/"
FOLDERS = ("icons", "shots", "app", "texts", "live")
"""What of `web/` is served, file by file."""
STYLES = ("player", "desk", "screen", "demo")
"""The pages' style sheets in `web/style`; each names its parts, and is served with them as one file."""
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
"""What of the installed packages is served, and no other file of theirs. They come first: our styles name the font."""
BARE = {
    "preact": "vendor/preact.js",
    "preact/hooks": "vendor/preact-hooks.js",
    "htm": "vendor/htm.js",
    "htm/preact": "vendor/htm-preact.js",
    "idb": "vendor/idb.js",
}
"""The names by which modules import what others wrote."""
SELDOM = ("live/", "vendor/zxing-reader.")
"""How the names begin of what is large and used by few: what reads a video."""
WORKER = "live/worker.js"
"""The script of the worker that reads frames: it runs under a policy of its own."""

_TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
_COMPRESSED = {".js", ".css", ".svg", ".wasm"}
_LARGE = 200_000
"""Bytes. The last two levels make the wasm 11 % smaller and take 50 times as long as the others: 2.4 s."""
_SOURCE_MAP = re.compile(rb"^(//|/\*)# sourceMappingURL=.*$", re.MULTILINE)
_IMPORT = re.compile(r'\bfrom ?"([^"\s]+)"|^import "([^"]+)"', re.MULTILINE)
_ENTRY = re.compile(r"app/[^/]+/main\.js")
_PART = re.compile(r'^@import "(parts/[^"]+)";$', re.MULTILINE)
_BARE = re.compile(r'\b(from ?|import )"([^"./][^"]*)"')


class AssetError(Exception):
    """A file of the front end is missing; the message says what to do."""


@dataclass(frozen=True)
class Asset:
    """A file as it is served; `packed` are its compressed forms, by the names that browsers have for them."""

    url: str
    data: bytes
    media_type: str
    packed: dict[str, bytes]


class Assets:
    """All files of the front end, in memory."""

    def __init__(self, files: dict[str, bytes]) -> None:
        """Take the files' contents by name, such as `app/main.js`."""
        self._files = {name: _prepared(name, data) for name, data in files.items()}
        self._joined = dict(self._join())
        digest = hashlib.sha256()
        for name, data in sorted(self._files.items()):
            digest.update(f"{name} {len(data)} ".encode() + data)
        self.release = digest.hexdigest()[:12]
        """Names this version of the files; every address holds it."""
        self._by_name = {name: self._asset(name, data) for name, data in self._files.items()}
        self._by_url = {asset.url: asset for asset in self._by_name.values()}

    @staticmethod
    def load(web: Path = WEB) -> Assets:
        """Return the front end's files, read once in a process; AssetError if the installed packages are not there.

        A server that sees before it starts whether they are there leaves them to the process that it forks.
        """
        return _loaded(web)

    def pack(self) -> None:
        """Compress all files better, which takes a second. Until then they are sent a bit larger."""
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
        """Return the address at which a page has a module of ours, joined with others or alone."""
        return self.url(placed(page, name) if name in self._joined[page].instead else name)

    def first(self, page: str, language: str, *parts: str, later: Sequence[str] = ()) -> list[str]:
        """Return the addresses of the modules that a page needs at once, and of its texts; `parts` are more texts.

        What a module imports only when it is asked to, such as the live viewfinder, is not among them, but for the
        modules in `later`.
        """
        texts = [f"texts/{language}/{part}.js" for part in ("shared", page, *parts)]
        wanted = [self._joined[page].first, *texts, *(placed(page, name) for name in later)]
        self._add_imports(wanted)
        return [self.entry(page), *(self.url(name) for name in wanted)]

    def all_of(self, page: str) -> list[str]:
        """Return the addresses of all that a page may ever load, but its texts and what is in `seldom`."""
        joined = self._joined[page]
        names = [joined.first, *(placed(page, name) for name in joined.wanted), *joined.further]
        self._add_imports(names)
        looks = ["vendor/display.woff2", "vendor/pico.css", f"style/{page}.css"]
        icons = [name for name in self._by_name if name.startswith("icons/")]
        return [self.url(name) for name in (*names, *looks, *icons)]

    def _add_imports(self, names: list[str]) -> None:
        """Add to files all that they import, and so on."""
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
        """Return the addresses of all files whose names begin with one of these."""
        return [asset.url for name, asset in self._by_name.items() if name.startswith(starts)]

    def _join(self) -> Iterator[tuple[str, Joined]]:
        modules = {name: data.decode() for name, data in self._files.items() if name.endswith(".js")}
        for page in [name.split("/")[1] for name in modules if _ENTRY.fullmatch(name)]:
            try:
                joined = join(page, modules, BARE, PREFIX)
            except JoiningError as error:
                raise AssetError(f"the {page} page cannot be put together: {error}") from None
            files = {joined.first: joined.text, **joined.further}
            files |= {placed(page, name): text for name, text in joined.instead.items()}
            self._files |= {name: text.encode() for name, text in files.items()}
            yield page, joined

    def _imports(self, name: str) -> list[str]:
        """Return the names of what a module imports."""
        found = [first or second for first, second in _IMPORT.findall(self._files[name].decode())]
        # An address stays what it is, behind the folder of which other imports are parts.
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
    """Return a file without the address of a source map, and a package's module with addresses for bare names."""
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
        yield f"style/{name}.css", style(web / "style" / f"{name}.css")
    for folder in FOLDERS:
        for file in sorted((web / folder).rglob("*")):
            if file.suffix in {*_TYPES, ".png"}:
                yield file.relative_to(web).as_posix(), file.read_bytes()


def style(file: Path) -> bytes:
    """Return a page's style sheet with the parts that it names, in their order."""
    parts = _PART.findall(file.read_text(encoding="utf-8"))
    return b"\n".join((file.parent / part).read_bytes() for part in parts)
