"""Static files: preloads, versions and compression."""

from __future__ import annotations

import gzip
import json
import re
from typing import TYPE_CHECKING

import brotli
import pathops
import pytest
from picosvg.svg_pathops import skia_path
from picosvg.svg_types import SVGPath

from cardgen.artwork.symbols import SYMBOLS
from server.web_app.assets import WEB, Assets
from server.web_app.releases import MAX_RELEASES, Releases

if TYPE_CHECKING:
    from pathlib import Path

    from flask.testing import FlaskClient

    from server.games.context import AppContext
    from tests.context import Clock

MANIFEST = {
    "tea.html": {"file": "assets/tea-1.js", "imports": ["_common.js"], "css": ["assets/tea-2.css"]},
    "_common.js": {"file": "assets/common-3.js"},
    "app/tea/lazy.js": {"file": "assets/lazy-4.js", "imports": ["_common.js", "_pot.js"]},
    "_pot.js": {"file": "assets/pot-5.js", "imports": ["_water.js"]},
    "_water.js": {"file": "assets/water-6.js"},
}
PAGE = '<html lang="en"><!-- preload --><script src="/assets/tea-1.js"></script><link href="/assets/common-3.js">'


@pytest.fixture
def dist(tmp_path: Path) -> Path:
    """Return a build of one page."""
    (tmp_path / ".vite").mkdir()
    (tmp_path / ".vite" / "manifest.json").write_text(json.dumps(MANIFEST))
    (tmp_path / "tea.html").write_text(PAGE)
    (tmp_path / "sw.js").write_text("")
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "tea-1.js").write_text("1")
    (tmp_path / "assets" / "tea-1.js.br").write_text("packed")
    return tmp_path


def test_a_page_preloads_modules_and_their_imports(dist: Path) -> None:
    """Those that the page names itself are not repeated; the language is the reader's."""
    page = Assets(dist).page("tea", "de", "app/tea/lazy.js")
    assert re.findall('rel="modulepreload" crossorigin href="([^"]+)"', page) == [
        "/assets/lazy-4.js",
        "/assets/pot-5.js",
        "/assets/water-6.js",
    ]
    assert page.startswith('<html lang="de">')
    assert Assets(dist).styles("tea") == ["/assets/tea-2.css"]


def test_versions_differ_with_their_files(dist: Path) -> None:
    before = Assets(dist)
    (dist / "assets" / "tea-1.js").write_text("2")
    assert before.release != Assets(dist).release
    found = before.at("/assets/tea-1.js")
    assert found
    assert (found.data, found.packed) == (b"1", {"br": b"packed"})
    assert before.at("/assets/tea-1.js.br") is None
    assert Assets.load() is Assets.load(), "read once"


def test_files_are_sent_compressed_to_clients_that_accept_it(client: FlaskClient) -> None:
    """The content of a style sheet and of wasm is the same with and without compression."""
    assets = Assets.load()
    ways = {"gzip, br": "br", "gzip": "gzip", "identity": None}
    for url in (assets.styles("player")[0], assets.url("node_modules/zxing-wasm/dist/reader/zxing_reader.wasm")):
        replies = [client.get(url, headers={"Accept-Encoding": how}) for how in ways]
        assert [reply.headers.get("Content-Encoding") for reply in replies] == list(ways.values())
        best, packed, plain = (reply.data for reply in replies)
        assert brotli.decompress(best) == gzip.decompress(packed) == plain
        assert len(best) < 0.95 * len(packed)
        assert all("Accept-Encoding" in reply.headers["Vary"] for reply in replies)


def test_other_files_of_the_folder_are_not_served(client: FlaskClient) -> None:
    for path in ("/assets/preact.js", "/assets/../index.html", "/assets/%2e%2e/package.json"):
        assert client.get(path).status_code == 404, path


def test_files_of_a_reused_version_are_kept(context: AppContext, clock: Clock, dist: Path) -> None:
    def version(number: int) -> Assets:
        for old in (dist / "assets").iterdir():
            old.unlink()
        (dist / "assets" / f"tea-{number}.js").write_text(str(number))
        return Assets(dist)

    versions = [version(number) for number in range(MAX_RELEASES + 1)]
    for number in (*range(MAX_RELEASES), 0, MAX_RELEASES):
        clock.forward(seconds=60)
        Releases(context.database, clock).store(versions[number])
    releases = Releases(context.database, clock)
    found = [releases.find(f"assets/tea-{number}.js") is not None for number in range(MAX_RELEASES + 1)]
    assert found == [True, False, *[True] * (MAX_RELEASES - 1)]


def test_one_module_calls_the_server() -> None:
    speaking = set()
    for path in (path for part in ("app", "live") for path in (WEB / part).rglob("*.[jt]s*")):
        text = path.read_text(encoding="utf-8")
        if re.search(r"\bfetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon", text):
            speaking.add(path.relative_to(WEB).as_posix())
    assert speaking == {"app/shared/http.ts", "app/player/sw.js", "live/worker.js"}


def _drawn(data: str) -> pathops.Path:
    path = SVGPath(d=data).absolute().expand_shorthand().arcs_to_cubics()
    drawn = skia_path(path.as_cmd_seq(), "evenodd")
    drawn.simplify(fix_winding=True)
    return drawn


@pytest.mark.parametrize("name", SYMBOLS)
def test_symbols_are_the_same_as_on_cards(name: str) -> None:
    """But for the rounding of numbers."""
    source = (WEB / "app/shared/cards.tsx").read_text(encoding="utf-8")
    found = re.search(rf'^  {name}:\s+"([^"]+)",$', source, re.MULTILINE)
    assert found
    page, card = _drawn(found[1]), _drawn(SYMBOLS[name]).transform(46, 0, 0, 46, 0, 0)
    assert abs(page.area) == pytest.approx(abs(card.area), rel=0.005)
    assert page.bounds == pytest.approx(card.bounds, abs=0.1)


def test_all_style_sheets_are_used() -> None:
    """Unused ones would go unnoticed."""
    sheets = list((WEB / "style").glob("*.css"))
    importing = [*sheets, *(WEB / "app").rglob("*.tsx")]
    named = {
        name
        for file in importing
        for name in re.findall(r'import "[./]+(?:style/)?(\w+)\.css"', file.read_text("utf-8"))
    }
    assert named | {"api"} == {file.stem for file in sheets}
