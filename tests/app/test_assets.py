"""Files under addresses that hold their hash."""

from __future__ import annotations

import gzip
import json
import re
from typing import TYPE_CHECKING

import pytest

from cardgen.art import SYMBOLS
from server.app.assets import STYLES, WEB, AssetError, Assets

if TYPE_CHECKING:
    from pathlib import Path

    from flask.testing import FlaskClient

    from cardgen.art import Draw

FILES = {
    "vendor/a.woff2": b"font",
    "style/a.css": b'@font-face { src: url("/assets/vendor/a.woff2") }\n/*# sourceMappingURL=a.css.map */',
    "app/main.js": b'import "./other.js";\n//# sourceMappingURL=main.js.map\n',
    "app/other.js": b"1",
    "vendor/preact.js": b"2",
    "vendor/preact-hooks.js": b"3",
    "vendor/htm.js": b"4",
    "vendor/htm-preact.js": b"5",
    "vendor/zxing-reader.js": b"6",
    "vendor/zxing-reader.wasm": b"7",
    "live/decoder.js": b"8",
}


def test_an_address_follows_the_content() -> None:
    """A file that changes gets another address; one that does not keeps its own."""
    before, after = Assets(FILES), Assets(FILES | {"app/other.js": b"changed"})
    assert before.url("app/other.js") != after.url("app/other.js")
    assert before.url("app/main.js") == after.url("app/main.js")
    assert re.fullmatch(r"/assets/app/main\.[0-9a-f]{12}\.js", before.url("app/main.js"))


def test_a_style_changes_with_its_font() -> None:
    """A style names its font by the address with the hash, so it changes when the font does."""
    before, after = Assets(FILES), Assets(FILES | {"vendor/a.woff2": b"other"})
    style = before.at(before.url("style/a.css"))
    assert style
    assert before.url("vendor/a.woff2").encode() in style.data
    assert before.url("style/a.css") != after.url("style/a.css")


def test_only_addresses_with_hashes_exist() -> None:
    """The plain address of a file leads nowhere."""
    assets = Assets(FILES)
    assert assets.at("/assets/app/main.js") is None
    assert assets.at(assets.url("app/main.js"))


def test_the_import_map_leads_from_names_to_addresses() -> None:
    """Bare names and the plain addresses of our own modules lead to the addresses with hashes."""
    assets = Assets(FILES)
    imports = json.loads(assets.import_map)["imports"]
    assert imports["preact"] == assets.url("vendor/preact.js")
    assert imports["/assets/app/other.js"] == assets.url("app/other.js")
    assert "/assets/vendor/preact.js" not in imports


def test_the_live_reader_is_found_but_not_loaded() -> None:
    """The import map leads to what the live viewfinder needs, and the page does not load it before."""
    assets = Assets(FILES)
    imports = json.loads(assets.import_map)["imports"]
    for name in ("vendor/zxing-reader.js", "vendor/zxing-reader.wasm", "live/decoder.js"):
        assert imports["/assets/" + name] == assets.url(name)
        assert assets.url(name) not in assets.modules
    assert assets.url("app/main.js") in assets.modules


def test_source_maps_are_not_asked_for() -> None:
    """The lines that name source maps, which are not served, are left out."""
    assets = Assets(FILES)
    for name in ("style/a.css", "app/main.js"):
        found = assets.at(assets.url(name))
        assert found
        assert b"sourceMappingURL" not in found.data


def test_missing_packages_are_told(tmp_path: Path) -> None:
    """Without the installed packages the error says what to run."""
    with pytest.raises(AssetError, match=r"run \./haggle"):
        Assets.load(tmp_path)


@pytest.mark.parametrize("name", ["style/haggle.css", "vendor/zxing-reader.wasm"])
def test_files_are_sent_packed_to_who_takes_them(client: FlaskClient, name: str) -> None:
    """A style and the wasm come packed or plain, as the browser asks, with the same content."""
    url = Assets.load().url(name)
    packed = client.get(url, headers={"Accept-Encoding": "br, gzip"})
    plain = client.get(url, headers={"Accept-Encoding": "identity"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert gzip.decompress(packed.data) == plain.data
    assert "Accept-Encoding" in packed.headers["Vary"]


@pytest.mark.parametrize("path", ["/assets/vendor/preact.js", "/assets/../index.html", "/assets/%2e%2e/package.json"])
def test_nothing_else_of_the_folder_is_served(client: FlaskClient, path: str) -> None:
    """Files that are not listed cannot be fetched."""
    assert client.get(path).status_code == 404


def test_own_modules_import_only_what_is_served() -> None:
    """Every import in our modules is a bare name of the import map or a module of ours."""
    own = {path.relative_to(WEB).as_posix(): path for part in ("app", "live") for path in (WEB / part).rglob("*.js")}
    bare = {"htm/preact", "preact/hooks"}
    for path in own.values():
        for target in re.findall(r'from "([^"]+)"|^import "([^"]+)"', path.read_text(encoding="utf-8"), re.MULTILINE):
            name = target[0] or target[1]
            assert name in bare or (path.parent / name).resolve().is_file(), (path, name)


def test_only_one_module_speaks_with_the_server() -> None:
    """Requests are made in api.js; beside it only the live reader's worker loads something, its own wasm."""
    speaking = {
        path.relative_to(WEB).as_posix()
        for part in ("app", "live")
        for path in (WEB / part).rglob("*.js")
        if re.search(r"\bfetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon", path.read_text(encoding="utf-8"))
    }
    assert speaking == {"app/api.js", "live/worker.js"}


class Outline:
    """Writes what a symbol draws as an SVG path, y downwards, to a tenth."""

    def __init__(self) -> None:
        self.path = ""

    def moveTo(self, x: float, y: float) -> None:  # noqa: N802 - the drawing library's name
        """Start a new outline."""
        self.path += f"M{_numbers(x, -y)}"

    def lineTo(self, x: float, y: float) -> None:  # noqa: N802 - the drawing library's name
        """Go straight on."""
        self.path += f"L{_numbers(x, -y)}"

    def curveTo(self, *points: float) -> None:  # noqa: N802 - the drawing library's name
        """Go on by a Bézier curve."""
        self.path += f"C{_numbers(*(value if n % 2 == 0 else -value for n, value in enumerate(points)))}"

    def circle(self, x: float, y: float, r: float) -> None:
        """Add a circle."""
        half = f"a{_numbers(r, r)} 0 1 0 "
        self.path += f"M{_numbers(x - r, -y)}{half}{_numbers(2 * r, 0)}{half}{_numbers(-2 * r, 0)}z"

    def close(self) -> None:
        """End the outline."""
        self.path += "z"


def _numbers(*values: float) -> str:
    return " ".join(f"{round(value, 1) + 0:g}" for value in values)


@pytest.mark.parametrize(("name", "draw"), SYMBOLS.items())
def test_the_symbols_are_those_of_the_cards(name: str, draw: Draw) -> None:
    """Each drawing on the page is the one that is printed."""
    outline = Outline()
    draw(outline, 0, 0, 46)
    source = (WEB / "app/symbols.js").read_text(encoding="utf-8")
    found = re.search(rf'^  {name}: "([^"]+)",$', source, re.MULTILINE)
    assert found
    assert _parts(found[1]) == _parts(outline.path)


def _parts(path: str) -> list[str | float]:
    """Split a path into letters and numbers, so that how a number is written does not matter."""
    return [part if part.isalpha() else float(part) for part in re.findall(r"[A-Za-z]|-?[\d.]+", path)]


def test_every_part_of_the_style_sheet_is_served() -> None:
    """A part that nobody named would be lost without a word."""
    assert {f"{part}.css" for part in STYLES} == {file.name for file in (WEB / "style").iterdir()}
    asset = Assets.load().at(Assets.load().url("style/haggle.css"))
    assert asset is not None
    order = [
        asset.data.index(mark) for mark in (b"@font-face", b".masthead", b".line blockquote", b"prefers-reduced-motion")
    ]
    assert order == sorted(order)
