"""The front end's files under addresses that hold a hash of their content, so that a browser may keep them for ever.

The page's import map leads from the names that the modules use to these addresses: bare names for what others wrote,
and the plain addresses of our own modules, so that they import each other by relative paths.
"""

from __future__ import annotations

import base64
import functools
import gzip
import hashlib
import json
import mimetypes
import posixpath
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import brotli

from server.app.joining import JoiningError, join
from server.app.licences import licences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from server.app.joining import Joined

WEB = Path(__file__).parents[2] / "web"
PREFIX = "/assets/"
FOLDERS = ("icons", "shots", "app", "texts", "live")
"""What of `web/` is served, file by file."""
STYLES = ("player", "desk", "screen", "practice", "demo")
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
FOUND = ("app/shared/", "app/camera/", "texts/", "live/", "vendor/zxing-reader.")
"""How the names begin of what any page's modules find by the import map under its plain address."""
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
_IN_STYLE = re.compile(r'url\("(/assets/[^"]+)"\)')


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
        """Take the files' contents by name, such as `app/main.js`; a style may name only files before it."""
        self._by_name: dict[str, Asset] = {}
        for name, data in files.items():
            self._by_name[name] = self._asset(name, data)
        self._joined = dict(self._join())
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
        return self.url(_instead(page, f"app/{page}/main.js"))

    def first(self, page: str, language: str, *parts: str, later: Sequence[str] = ()) -> list[str]:
        """Return the addresses of the modules that a page needs at once, and of its texts; `parts` are more texts.

        What a module imports only when it is asked to, such as the live viewfinder, is not among them, but for the
        modules in `later`.
        """
        texts = [f"texts/{language}/{part}.js" for part in ("shared", page, *parts)]
        wanted = [self._joined[page].first, *texts, *(_instead(page, name) for name in later)]
        self._add_imports(page, wanted)
        return [self.entry(page), *(self.url(name) for name in wanted)]

    def all_of(self, page: str) -> list[str]:
        """Return the addresses of all that a page may ever load, but its texts and what is in `seldom`."""
        joined = self._joined[page]
        names = [joined.first, *(_instead(page, name) for name in joined.wanted), *joined.further]
        self._add_imports(page, names)
        looks = ["vendor/display.woff2", "vendor/pico.css", f"style/{page}.css"]
        icons = [name for name in self._by_name if name.startswith("icons/")]
        return [self.url(name) for name in (*names, *looks, *icons)]

    def _add_imports(self, page: str, names: list[str]) -> None:
        """Add to files all that they import, and so on."""
        for name in names:
            found = [
                _instead(page, target) if target in self._joined[page].instead else target
                for target in self._imports(name)
            ]
            names += [target for target in dict.fromkeys(found) if target not in names]

    def named(self, *starts: str) -> list[str]:
        """Return the addresses of all files whose names begin with one of these."""
        return [asset.url for name, asset in self._by_name.items() if name.startswith(starts)]

    def _join(self) -> Iterator[tuple[str, Joined]]:
        modules = {name: asset.data.decode() for name, asset in self._by_name.items() if name.endswith(".js")}
        for page in [name.split("/")[1] for name in modules if _ENTRY.fullmatch(name)]:
            try:
                joined = join(page, modules, BARE, PREFIX)
            except JoiningError as error:
                raise AssetError(f"the {page} page cannot be put together: {error}") from None
            self._by_name[joined.first] = self._asset(joined.first, joined.text.encode())
            files = joined.further | {_instead(page, name): text for name, text in joined.instead.items()}
            for name, text in files.items():
                self._by_name[name] = self._asset(name, text.encode())
            yield page, joined

    def _imports(self, name: str) -> list[str]:
        """Return the names of what a module imports."""
        found = [first or second for first, second in _IMPORT.findall(self._by_name[name].data.decode())]
        # An address stays what it is, behind the folder of which other imports are parts.
        whole = [BARE.get(one) or posixpath.join(PREFIX, posixpath.dirname(name), one) for one in found]
        return [posixpath.normpath(one).removeprefix(PREFIX) for one in dict.fromkeys(whole)]

    def import_map(self, page: str) -> str:
        """Return the import map of a page as JSON."""
        found = (*FOUND, f"app/{page}/")
        names = {bare: self.url(name) for bare, name in BARE.items()}
        own = {PREFIX + name: asset.url for name, asset in self._by_name.items() if name.startswith(found)}
        joined = self._joined[page]
        own |= {PREFIX + module: self.url(_instead(page, module)) for module in joined.instead}
        own |= {PREFIX + name: self.url(name) for name in (joined.first, *joined.further)}
        return json.dumps({"imports": names | own}, separators=(",", ":"))

    def import_map_hash(self, name: str) -> str:
        """Return the hash by which a content security policy allows a page's import map."""
        return "sha256-" + base64.b64encode(hashlib.sha256(self.import_map(name).encode()).digest()).decode()

    def _asset(self, name: str, data: bytes) -> Asset:
        suffix = Path(name).suffix
        if suffix in {".js", ".css"}:
            data = _SOURCE_MAP.sub(b"", data)
        if suffix == ".css":
            data = _IN_STYLE.sub(self._linked, data.decode()).encode()
        digest = hashlib.sha256(data).hexdigest()[:12]
        packed = {"gzip": gzip.compress(data, 9, mtime=0)} if suffix in _COMPRESSED else {}
        media_type = _TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
        return Asset(f"{PREFIX}{name[: -len(suffix)]}.{digest}{suffix}", data, media_type, packed)

    def _linked(self, found: re.Match[str]) -> str:
        return f'url("{self.url(found[1].removeprefix(PREFIX))}")'


@functools.cache
def _loaded(web: Path) -> Assets:
    return Assets(dict(_files(web)))


def _instead(page: str, name: str) -> str:
    """Return the name of what takes the place of a module that is joined with a page's others."""
    return f"first/{page}/{name}"


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
