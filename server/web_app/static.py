"""The front end's files. Their addresses contain a hash of all of them, so that browsers may cache them forever.

Scripts and styles refer to each other by `/assets/NAME`; the hash is inserted when they are loaded. Import maps would
not work in browsers from before 2023. The modules of a page are bundled into a few files.
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
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import brotli

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence


_IMPORT = re.compile(r'^import (?:\{([^}]*)\} from )?"([^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (default )?((?:async )?function\*?|const|class) (\w+)", re.MULTILINE)
_REEXPORT = re.compile(r"^export \{([^}]*)\};$", re.MULTILINE)
_LATER = re.compile(r'\bimport\("(\.[^"]+)"\)')
_COMMENT = re.compile(r"^ *//.*\n", re.MULTILINE)
_LEFT = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_OURS = "app/"

_MANY = 3
"""Modules that this many lazy modules share are in one file: a file for each set would cost too many round trips."""


class BundleError(Exception):
    """A module cannot be bundled. The message contains its name and the reason."""


@dataclass
class Bundle:
    """The bundled modules of a page: the name of the `first` file and its `text`.

    `instead` are files that replace modules, by the names of these, and `further` are files with other names. Of those
    that replace modules, browsers load only the `wanted` ones, at once or lazily.
    """

    first: str
    text: str = ""
    instead: dict[str, str] = field(default_factory=dict)
    further: dict[str, str] = field(default_factory=dict)
    wanted: list[str] = field(default_factory=list)


def bundle_page(page: str, modules: Mapping[str, str], bare: Mapping[str, str], prefix: str) -> Bundle:
    """Bundle all of our modules that `app/<page>/main.js` imports, at once or lazily; `modules` are all texts by name.

    `bare` maps the names by which modules import packages, which are not bundled, to files. `prefix` precedes names in
    addresses. Raises BundleError.
    """
    entry = f"app/{page}/main.js"
    first, parts = _parts(entry, modules, bare)
    bundle = Bundle(f"first/{page}.js", wanted=[entry])
    files: dict[str, str] = {}
    ids: dict[str, str] = {}
    for number, (place, names) in enumerate([("", first), *parts]):
        further = f"later/{page}/{number}.js" if number else bundle.first
        file = replacement_name(page, place) if place else further
        files |= dict.fromkeys(names, file)
        ids |= {name: f"m{len(ids) + at}" for at, name in enumerate(names)}
    bundler = _Bundler(page, modules, bare, prefix, ids, files)
    bundle.text = bundler.file(first)
    for place, names in parts:
        if place:
            bundle.instead[place] = bundler.file(names, place)
        else:
            bundle.further[files[names[0]]] = bundler.file(names)
    bundle.wanted += [place for place, _ in parts if place]
    # Lazy modules may also be in files of other modules.
    bundle.wanted += [name for name in _later([entry, *ids], modules) if name not in bundle.wanted]
    bundle.instead |= {name: bundler.stub(name) for name in ids if name not in bundle.instead}
    # The entry is not bundled: it may wait for lazy modules, which need the first file.
    bundle.instead[entry] = bundler.entry(entry)
    return bundle


def replacement_name(page: str, name: str) -> str:
    """Return the name of the file that replaces a bundled module for a page."""
    return f"first/{page}/{name}"


def _parts(
    entry: str, modules: Mapping[str, str], bare: Mapping[str, str]
) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """Return the modules of the first file without the entry, and those of each other file, in the order of imports.

    Each other file replaces one of its modules, or none ("").
    """
    first = _order(entry, modules, bare)[:-1]
    waiting = [name for name in _later([entry, *first], modules) if name not in first]
    users: dict[str, list[str]] = {}
    for later in waiting:
        order = [name for name in _order(later, modules, bare) if name not in first]
        for name in order:
            users.setdefault(name, []).append(later)
        waiting += [name for name in _later(order, modules) if name not in (*waiting, *first)]
    parts: dict[tuple[str, ...], list[str]] = {}
    # Modules are in the order of imports.
    for name, those in users.items():
        parts.setdefault(tuple(those) if len(those) < _MANY else (), []).append(name)
    return first, [(next((name for name in names if name in waiting), ""), names) for names in parts.values()]


def _later(names: Iterable[str], modules: Mapping[str, str]) -> list[str]:
    """Return our modules that others import lazily."""
    found = [_resolved(name, target) for name in names for target in _LATER.findall(modules[name])]
    return [name for name in dict.fromkeys(found) if name.startswith(_OURS)]


def _order(entry: str, modules: Mapping[str, str], bare: Mapping[str, str]) -> list[str]:
    """Return a module and everything that it imports, in the order in which browsers run them."""
    order: list[str] = []
    under_way: list[str] = []

    def visit(name: str) -> None:
        if name in order:
            return
        if name in under_way:
            circle = " -> ".join([*under_way[under_way.index(name) :], name])
            raise BundleError(f"modules import each other in a circle: {circle}")
        if name not in modules:
            raise BundleError(f"{under_way[-1] if under_way else 'a module'} imports {name}, which is missing")
        under_way.append(name)
        for target in _imports(name, modules[name], bare):
            visit(target)
        order.append(under_way.pop())

    visit(entry)
    return order


def _imports(name: str, text: str, bare: Mapping[str, str]) -> list[str]:
    """Return the names of our modules that a module imports."""
    targets = [found[2] for found in _IMPORT.finditer(text)]
    return list(dict.fromkeys(_resolved(name, target) for target in targets if target not in bare))


class _Bundler:
    """Writes the files of a page. `ids` are the names of the modules' objects, `files` their files, both by module."""

    def __init__(
        self,
        page: str,
        modules: Mapping[str, str],
        bare: Mapping[str, str],
        prefix: str,
        ids: Mapping[str, str],
        files: Mapping[str, str],
    ) -> None:
        self._page = page
        self._modules = modules
        self._bare = bare
        self._prefix = prefix
        self._ids = ids
        self._files = files

    def file(self, names: Sequence[str], place: str = "") -> str:
        """Return the text of a file with these modules. If it replaces the module `place`, it has the same exports."""
        outer: dict[str, str] = {}
        blocks = []
        reexports = ""
        for name in names:
            body, exports = self._body(name, outer)
            mine = self._ids[name]
            blocks.append(f"const {mine} = {{}};\n{{\n{body}\nObject.assign({mine}, {{ {', '.join(exports)} }});\n}}\n")
            if name == place:
                reexports = _reexports(mine, exports)
        ids = ", ".join(self._ids[name] for name in names)
        return f"{self._outer(outer)}{self._inner(names)}{''.join(blocks)}export {{ {ids} }};\n{reexports}"

    def entry(self, name: str) -> str:
        """Return the text of a module that is not bundled with others."""
        outer: dict[str, str] = {}
        body, _ = self._body(name, outer)
        return f"{self._outer(outer)}{self._inner([name])}{body}\n"

    def stub(self, name: str) -> str:
        """Return the text of a module that re-exports a bundled one."""
        _, exports = self._body(name, {})
        mine = self._ids[name]
        return f'import {{ {mine} }} from "{self._prefix}{self._files[name]}";\n{_reexports(mine, exports)}'

    def _outer(self, outer: Mapping[str, str]) -> str:
        """Return the imports of packages."""
        imports = ((name, self._prefix + self._bare[bare]) for bare, name in outer.items())
        return "".join(f'import * as {name} from "{url}";\n' for name, url in imports)

    def _later(self, name: str) -> str:
        """Return the address of a lazy module."""
        return self._prefix + (replacement_name(self._page, name) if name.startswith(_OURS) else name)

    def _inner(self, names: Sequence[str]) -> str:
        """Return the imports that these modules need from other bundled files."""
        wanted: dict[str, dict[str, None]] = {}
        for name in names:
            for target in _imports(name, self._modules[name], self._bare):
                if target not in names:
                    wanted.setdefault(self._files[target], {})[self._ids[target]] = None
        return "".join(f'import {{ {", ".join(ids)} }} from "{self._prefix}{file}";\n' for file, ids in wanted.items())

    def _body(self, name: str, outer: dict[str, str]) -> tuple[str, list[str]]:
        """Return a module's text without imports and exports, and its exports as properties of an object.

        Packages that the module imports are added to `outer`, which maps them to the names of their objects.
        """
        exports: list[str] = []

        def imported(found: re.Match[str]) -> str:
            if found[2] in self._bare:
                where = outer.setdefault(found[2], f"v{len(outer)}")
            else:
                where = self._ids[_resolved(name, found[2])]
            return f"const {{{(found[1] or '').replace(' as ', ': ')}}} = {where};"

        def exported(found: re.Match[str]) -> str:
            exports.append(f"default: {found[3]}" if found[1] else found[3])
            return f"{found[2]} {found[3]}"

        def reexported(found: re.Match[str]) -> str:
            pairs = [pair.split(" as ") for pair in re.split(r",\s*", found[1].strip(" ,\n"))]
            exports.extend(f"{pair[-1].strip()}: {pair[0].strip()}" for pair in pairs)
            return ""

        body = _COMMENT.sub("", self._modules[name])
        body = _REEXPORT.sub(reexported, _EXPORT.sub(exported, _IMPORT.sub(imported, body)))
        body = _LATER.sub(lambda found: f'import("{self._later(_resolved(name, found[1]))}")', body)
        if left := _LEFT.search(body):
            raise BundleError(f"{name} has a line that cannot be bundled: {left[0]}")
        return body.strip(), exports


def _reexports(module: str, exports: Sequence[str]) -> str:
    """Return statements that export the properties of a bundled module's object under their own names."""
    names = [export.split(":")[0] for export in exports]
    lines = [f"const e{number} = {module}.{name};" for number, name in enumerate(names)]
    listed = ", ".join(f"e{number} as {name}" for number, name in enumerate(names))
    return "\n".join(lines) + f"\nexport {{ {listed} }};\n"


def _resolved(name: str, target: str) -> str:
    return posixpath.normpath(f"{posixpath.dirname(name)}/{target}")


HTM = "htm/LICENSE"
USED = (
    ("Source Serif 4, the font of the titles", "OFL-1.1", "@fontsource/source-serif-4/LICENSE"),
    ("Pico CSS", "MIT", "@picocss/pico/LICENSE.md"),
    ("Preact", "MIT", "preact/LICENSE"),
    ("htm", "Apache-2.0", HTM),
    ("idb", "ISC", "idb/LICENSE"),
    ("zxing-wasm", "MIT", "zxing-wasm/LICENSE"),
    ("zxing-cpp (github.com/zxing-cpp/zxing-cpp), from which zxing-wasm is built", "Apache-2.0", HTM),
)
"""Name, licence and path of its text in the installed packages; that of htm is the full text of Apache-2.0."""


def licences(text_at: Callable[[str], str]) -> str:
    """Return all licences as one text; `text_at` returns the file at a path in the packages."""
    listed = "\n".join(f"- {name}: {licence}" for name, licence, _ in USED)
    parts = [f"Haggle's pages use, unchanged but for the line that names a source map:\n\n{listed}\n\nThe licences:"]
    for path in dict.fromkeys(path for *_, path in USED):
        names = [name.partition(" (")[0] for name, _, of in USED if of == path]
        title = ", ".join(names)
        parts.append(f"{title}\n{'=' * len(title)}\n\n{text_at(path).strip()}")
    return "\n\n\n".join(parts) + "\n"


WEB = Path(__file__).parents[2] / "web"
PREFIX = "/assets/"
FOLDERS = ("icons", "shots", "app", "texts", "live")
"""The folders of `web/` that are served."""
STYLES = ("player", "desk", "screen", "demo", "api")
"""The pages' style sheets in `web/style`; each is served as one file with the parts that it imports."""
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
_LARGE = 200_000
"""Bytes of files for which the highest levels of compression would take too long."""
_SOURCE_MAP = re.compile(rb"^(//|/\*)# sourceMappingURL=.*$", re.MULTILINE)
_IMPORTED = re.compile(r'\bfrom ?"([^"\s]+)"|^import "([^"]+)"', re.MULTILINE)
_ENTRY = re.compile(r"app/[^/]+/main\.js")
_PART = re.compile(r'^@import "(parts/[^"]+)";$', re.MULTILINE)
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
        return self.url(replacement_name(page, name) if name in self._bundles[page].instead else name)

    def first(self, page: str, language: str, *parts: str, later: Sequence[str] = ()) -> list[str]:
        """Return the addresses of the modules and texts that a page needs at once, including the texts in `parts`.

        Lazy modules, such as the live viewfinder, are not included, except for those in `later`.
        """
        texts = [f"texts/{language}/{part}.js" for part in ("shared", page, *parts)]
        wanted = [self._bundles[page].first, *texts, *(replacement_name(page, name) for name in later)]
        self._add_imports(wanted)
        return [self.entry(page), *(self.url(name) for name in wanted)]

    def all_of(self, page: str) -> list[str]:
        """Return the addresses of all files that a page may load, except texts and those of `SELDOM`."""
        bundle = self._bundles[page]
        names = [bundle.first, *(replacement_name(page, name) for name in bundle.wanted), *bundle.further]
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
            files = {bundle.first: bundle.text, **bundle.further}
            files |= {replacement_name(page, name): text for name, text in bundle.instead.items()}
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
        yield f"style/{name}.css", style(web / "style" / f"{name}.css")
    for folder in FOLDERS:
        for file in sorted((web / folder).rglob("*")):
            if file.suffix in {*_TYPES, ".png"}:
                yield file.relative_to(web).as_posix(), file.read_bytes()


def style(file: Path) -> bytes:
    """Return a page's style sheet: the parts that it imports, in their order."""
    parts = _PART.findall(file.read_text(encoding="utf-8"))
    return b"\n".join((file.parent / part).read_bytes() for part in parts)
