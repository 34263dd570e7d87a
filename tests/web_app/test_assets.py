"""Static files: URLs with hashes, bundles and compression."""

from __future__ import annotations

import gzip
import re
from typing import TYPE_CHECKING

import brotli
import pytest

from cardgen.artwork.symbols import SYMBOLS
from server.web_app.assets import BARE, STYLES, WEB, AssetError, Assets, style
from server.web_app.pages import LANGUAGES, the_assets
from server.web_app.releases import MAX_RELEASES, Releases

if TYPE_CHECKING:
    from pathlib import Path

    from flask.testing import FlaskClient

    from cardgen.artwork.symbols import Draw
    from server.games.context import AppContext
    from tests.context import Clock

FILES = {
    "vendor/a.woff2": b"font",
    "style/a.css": b'@font-face { src: url("/assets/vendor/a.woff2") }\n/*# sourceMappingURL=a.css.map */',
    "app/tea/main.js": b'import { more } from "../shared/other.js";\n//# sourceMappingURL=main.js.map\n',
    "app/shared/other.js": b'import {\n  h,\n} from "preact";\nexport const more = () => import("./later.js");',
    "app/shared/later.js": b'import { both } from "./both.js";\nexport const later = () => import("./last.js");\n',
    "app/shared/last.js": b'import { both } from "./both.js";\nexport const last = both;\n',
    "app/shared/both.js": b"export const both = 1;\n",
    "app/coffee/main.js": b"0",
    "vendor/preact.js": b"2",
    "vendor/preact-hooks.js": b'import{options as n}from"preact";',
    "vendor/htm.js": b"4",
    "vendor/htm-preact.js": b"5",
    "vendor/idb.js": b"10",
    "vendor/zxing-reader.js": b"6",
    "vendor/zxing-reader.wasm": b"7",
    "live/decoder.js": b"8",
    "texts/en/shared.js": b"export default {};",
    "texts/en/tea.js": b"export default {};",
}


def _at(assets: Assets, url: str | None) -> bytes:
    assert url
    found = assets.at(url)
    assert found, url
    return found.data


def test_urls_depend_on_the_contents(tmp_path: Path) -> None:
    """All files share one hash, which changes with any of them; there are no other URLs."""
    before, after = Assets(FILES), Assets(FILES | {"app/shared/other.js": b"changed"})
    assert before.release != after.release
    assert re.fullmatch(r"/assets/[0-9a-f]{12}/live/decoder\.js", before.url("live/decoder.js"))
    assert before.at("/assets/app/tea/main.js") is None
    style, module = (_at(before, before.url(name)) for name in ("style/a.css", "app/tea/main.js"))
    assert before.url("vendor/a.woff2").encode() in style
    assert b"sourceMappingURL" not in style + module, "maps are not served"
    assert Assets.load() is Assets.load(), "read and packed once"
    with pytest.raises(AssetError, match=r"run \./haggle"):
        Assets.load(tmp_path)


def test_a_page_preloads_the_imports_of_its_modules() -> None:
    """Imports are URLs and need no import map; dynamic imports may be preloaded."""
    assets = Assets(FILES)
    hooks, entry = _at(assets, assets.url("vendor/preact-hooks.js")), _at(assets, assets.entry("tea"))
    assert hooks.decode() == f'import{{options as n}}from"{assets.url("vendor/preact.js")}";'
    assert f'from "{assets.url("first/tea.js")}"' in entry.decode()
    assert assets.module("tea", "app/shared/later.js") == assets.url("first/tea/app/shared/later.js")
    assert assets.module("tea", "live/decoder.js") == assets.url("live/decoder.js")
    wanted = ("first/tea.js", "texts/en/shared.js", "texts/en/tea.js", "vendor/preact.js")
    first = [assets.entry("tea"), *(assets.url(name) for name in wanted)]
    assert assets.first("tea", "en") == first
    early = [url for url in assets.first("tea", "en", later=["app/shared/later.js"]) if url not in first]
    assert early == [assets.module("tea", "app/shared/later.js"), assets.url("later/tea/1.js")]


def test_all_files_of_a_page_include_dynamic_imports() -> None:
    assets = Assets(FILES | {"style/tea.css": b"", "vendor/display.woff2": b"", "vendor/pico.css": b""})
    scripts = {url for url in assets.all_of("tea") if url.endswith(".js")}
    joined = {"first/tea/app/tea/main", "first/tea", "later/tea/1"}
    joined |= {f"first/tea/app/shared/{name}" for name in ("later", "last")}
    assert scripts == {assets.url(f"{name}.js") for name in (*joined, "vendor/preact")}


def test_files_are_sent_compressed_to_clients_that_accept_it(client: FlaskClient) -> None:
    """The content of a style sheet and of wasm is the same with and without compression."""
    with client.application.app_context():
        the_assets().pack()
    ways = {"gzip, br": "br", "gzip": "gzip", "identity": None}
    for name in ("style/player.css", "vendor/zxing-reader.wasm"):
        replies = [client.get(Assets.load().url(name), headers={"Accept-Encoding": how}) for how in ways]
        assert [reply.headers.get("Content-Encoding") for reply in replies] == list(ways.values())
        best, packed, plain = (reply.data for reply in replies)
        assert brotli.decompress(best) == gzip.decompress(packed) == plain
        assert len(best) < 0.95 * len(packed)
        assert all("Accept-Encoding" in reply.headers["Vary"] for reply in replies)


def test_files_are_available_before_the_best_compression() -> None:
    """After a start they are compressed quickly; no request waits for the best compression."""
    assets = Assets(FILES)
    asset = assets.at(assets.url("app/shared/other.js"))
    assert asset
    assert set(asset.packed) == {"gzip"}
    assets.pack()
    assert set(asset.packed) == {"gzip", "br"}


def test_other_files_of_the_folder_are_not_served(client: FlaskClient) -> None:
    for path in ("/assets/vendor/preact.js", "/assets/../index.html", "/assets/%2e%2e/package.json"):
        assert client.get(path).status_code == 404, path


def test_files_of_a_reused_version_are_kept(context: AppContext, clock: Clock) -> None:
    versions = [Assets({"style/a.css": b"/* %d */" % number}) for number in range(MAX_RELEASES + 1)]
    for number in (*range(MAX_RELEASES), 0, MAX_RELEASES):
        clock.forward(seconds=60)
        Releases(context.database, clock).keep(versions[number])
    releases = Releases(context.database, clock)
    found = [releases.find(version.release, "style/a.css") is not None for version in versions]
    assert found == [True, False, *[True] * (MAX_RELEASES - 1)]


def test_modules_import_served_files_and_one_calls_the_server() -> None:
    speaking = set()
    for path in (path for part in ("app", "live") for path in (WEB / part).rglob("*.js")):
        text = path.read_text(encoding="utf-8")
        for target in re.findall(r'from "([^"]+)"|^import "([^"]+)"', text, re.MULTILINE):
            name = target[0] or target[1]
            assert name in BARE or (path.parent / name).resolve().is_file(), (path, name)
        if re.search(r"\bfetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon", text):
            speaking.add(path.relative_to(WEB).as_posix())
    assert speaking == {"app/shared/http.js", "live/worker.js"}


class Outline:
    """A reportlab path that is recorded as an SVG path, with y downwards, rounded to a tenth."""

    def __init__(self) -> None:
        self.path = ""

    def moveTo(self, x: float, y: float) -> None:  # noqa: N802 - the drawing library's name
        """Start a new outline."""
        self.path += f"M{_numbers(x, -y)}"

    def lineTo(self, x: float, y: float) -> None:  # noqa: N802 - the drawing library's name
        """Add a line."""
        self.path += f"L{_numbers(x, -y)}"

    def curveTo(self, *points: float) -> None:  # noqa: N802 - the drawing library's name
        """Add a Bézier curve."""
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


def _parts(path: str) -> list[str | float]:
    return [part if part.isalpha() else float(part) for part in re.findall(r"[A-Za-z]|-?[\d.]+", path)]


@pytest.mark.parametrize(("name", "draw"), SYMBOLS.items())
def test_symbols_are_the_same_as_on_cards(name: str, draw: Draw) -> None:
    outline = Outline()
    draw(outline, 0, 0, 46)
    source = (WEB / "app/shared/cards.js").read_text(encoding="utf-8")
    found = re.search(rf'^  {name}: "([^"]+)",$', source, re.MULTILINE)
    assert found
    assert _parts(found[1]) == _parts(outline.path)


def test_all_parts_of_style_sheets_are_used() -> None:
    """Each page's style sheet has its parts in order; unused parts would go unnoticed."""
    assert {name for parts in STYLES.values() for name in parts.split()} == {
        file.stem for file in (WEB / "style").iterdir()
    }
    player = style("player")
    order = [player.index(mark) for mark in (b"@font-face", b".masthead", b".line blockquote", b".offer")]
    assert order == sorted(order)


def test_the_languages_have_the_same_files() -> None:
    texts = WEB / "texts"
    found = {tuple(sorted(path.name for path in (texts / language).rglob("*.js"))) for language in LANGUAGES}
    assert len(found) == 1
