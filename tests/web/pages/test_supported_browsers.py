"""Pages ask nothing of a browser that the oldest of those that we support lacks."""

from __future__ import annotations

import json
import subprocess
import urllib.request
from collections.abc import Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from server.web_app.assets import Assets
from tests.browser_support import node
from tests.web.pages.conftest import Hall, Open
from tests.web.steps import PATIENCE

PACKAGES = Path(__file__).parents[2] / "packages"
ESLINT = PACKAGES / "node_modules" / "eslint" / "bin" / "eslint.js"
CONFIG = PACKAGES / "eslint.config.mjs"


YOUNG = {
    "young/global.js": "new TextDecoderStream();",
    "young/static.js": "AbortSignal.any([]);",
    "young/builtin.js": "Promise.withResolvers();",
    "young/navigator.js": "navigator.virtualKeyboard;",
    "young/method.js": "[2, 1].toSorted();",
    "young/syntax.js": "export class A { static { A.b = 1; } }",
    "young/pattern.js": "export const after = /(?<=a)b/;",
    "young/nesting.css": "a { &:hover { color: red; } }",
    "young/value.css": "a { color: light-dark(red, blue); }",
}
"""Files that need a younger browser: by a global, a static method, a method, syntax, or a style's properties."""


def check(folder: Path, files: Mapping[str, bytes]) -> dict[str, list[str]]:
    """Return what each file uses that one of the supported browsers lacks; files without such are left out."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    command = [node(), ESLINT, "--config", CONFIG, "--format", "json", "."]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("["), done.stderr
    found = {one["filePath"]: [message["message"] for message in one["messages"]] for one in json.loads(done.stdout)}
    assert len(found) == len(files)
    return {Path(name).relative_to(folder).as_posix(): told for name, told in found.items() if told}


@pytest.mark.thorough
def test_what_is_served_runs_in_every_supported_browser(hall: Hall, tmp_path: Path) -> None:
    """Scripts and styles as they are sent, those of packages, the decoder and the service worker included.

    What an older browser lacks would be found: in each of the files that have such, and not in one that is well.
    """
    assets = Assets.load()
    urls = [url for url in assets.urls() if url.endswith((".js", ".css"))]
    files = {url.removeprefix("/assets/"): asset.data for url in urls if (asset := assets.at(url))}
    with urllib.request.urlopen(f"{hall.url}/sw.js") as worker:  # noqa: S310 - the test's own server
        files["sw.js"] = worker.read()
    files |= {name: text.encode() for name, text in YOUNG.items()}
    found = check(tmp_path, files | {"old.js": b"AbortSignal.abort();"})
    assert {name: told for name, told in found.items() if name not in YOUNG} == {}
    assert found.keys() == YOUNG.keys()


YOUNGER = """
delete AbortSignal.any;
delete AbortSignal.timeout;
delete window.TextDecoderStream;
for (const name of ["findLast", "findLastIndex", "toSorted", "with"]) delete Array.prototype[name];
"""


def test_pages_work_without_what_is_younger(opened: Open, hall: Hall) -> None:
    """Requests and live events work in a browser that lacks what came after 2022."""
    page = opened("/desk", organiser="Olga")
    page.add_init_script(YOUNGER)
    page.goto(f"/desk/games/{hall.game()}/envelopes")
    page.get_by_role("link", name="Envelope 2", exact=True).wait_for()
    page.get_by_text("live", exact=True).wait_for()


def test_a_browser_that_is_too_old_for_the_editor_says_so(opened: Open) -> None:
    page = opened("/desk", organiser="Olga")
    page.add_init_script("delete window.OffscreenCanvas")
    page.goto("/desk/editions/garden")
    page.get_by_role("heading", name="This browser is too old for the editor").wait_for()


def test_a_mistake_of_the_page_is_not_a_lost_connection(browser: Browser, hall: Hall) -> None:
    """Where a script calls what the browser lacks, the page says that it is the page, and the console says what."""
    page = browser.new_page()
    page.add_init_script("delete window.Request;")
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(hall.link(hall.game(), 1))
    page.get_by_role("heading", name="Something went wrong on this page").wait_for(timeout=1000 * PATIENCE)
    assert any("Request is not defined" in error for error in errors)
    assert page.get_by_text("No connection").count() == 0
    page.close()
