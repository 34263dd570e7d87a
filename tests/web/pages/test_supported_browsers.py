"""Pages work in the oldest supported browsers."""

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
from tests.web.pages.conftest import LiveServer, OpenPage
from tests.web.steps import TIMEOUT

PACKAGES = Path(__file__).parents[2] / "packages"
ESLINT = PACKAGES / "node_modules" / "eslint" / "bin" / "eslint.js"
CONFIG = PACKAGES / "eslint.config.mjs"


UNSUPPORTED = {
    "newer/global.js": "new TextDecoderStream();",
    "newer/static.js": "AbortSignal.any([]);",
    "newer/builtin.js": "Promise.withResolvers();",
    "newer/navigator.js": "navigator.virtualKeyboard;",
    "newer/method.js": "[2, 1].toSorted();",
    "newer/syntax.js": "export class A { static { A.b = 1; } }",
    "newer/pattern.js": "export const after = /(?<=a)b/;",
    "newer/nesting.css": "a { &:hover { color: red; } }",
    "newer/value.css": "a { color: light-dark(red, blue); }",
}
"""Files that need a newer browser because of a global, a method, syntax, or a property of a style."""


def check(folder: Path, files: Mapping[str, bytes]) -> dict[str, list[str]]:
    """Return the features of each file that a supported browser lacks; other files are left out."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    command = [node(), ESLINT, "--config", CONFIG, "--format", "json", "."]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("["), done.stderr
    found = {one["filePath"]: [message["message"] for message in one["messages"]] for one in json.loads(done.stdout)}
    assert len(found) == len(files)
    return {Path(name).relative_to(folder).as_posix(): messages for name, messages in found.items() if messages}


@pytest.mark.thorough
def test_served_files_use_only_features_of_supported_browsers(live_server: LiveServer, tmp_path: Path) -> None:
    """Scripts and styles as they are sent, including those of packages, the decoder and the service worker.

    The check finds each kind of newer feature in a file that has it, and nothing in a file without.
    """
    assets = Assets.load()
    urls = [url for url in assets.urls() if url.endswith((".js", ".css"))]
    files = {url.removeprefix("/assets/"): asset.data for url in urls if (asset := assets.at(url))}
    with urllib.request.urlopen(f"{live_server.url}/sw.js") as worker:  # noqa: S310 - the test's own server
        files["sw.js"] = worker.read()
    files |= {name: text.encode() for name, text in UNSUPPORTED.items()}
    found = check(tmp_path, files | {"old.js": b"AbortSignal.abort();"})
    assert {name: messages for name, messages in found.items() if name not in UNSUPPORTED} == {}
    assert found.keys() == UNSUPPORTED.keys()


REMOVE_NEW_FEATURES = """
delete AbortSignal.any;
delete AbortSignal.timeout;
delete window.TextDecoderStream;
for (const name of ["findLast", "findLastIndex", "toSorted", "with"]) delete Array.prototype[name];
"""


def test_pages_work_in_a_browser_without_newer_features(open_page: OpenPage, live_server: LiveServer) -> None:
    """Requests and live events work without what was added after 2022."""
    page = open_page("/desk", organiser="Olga")
    page.add_init_script(REMOVE_NEW_FEATURES)
    page.goto(f"/desk/games/{live_server.new_game()}/envelopes")
    page.get_by_role("link", name="Envelope 2", exact=True).wait_for()
    page.get_by_text("live", exact=True).wait_for()


def test_the_editor_reports_a_browser_that_is_too_old(open_page: OpenPage) -> None:
    page = open_page("/desk", organiser="Olga")
    page.add_init_script("delete window.OffscreenCanvas")
    page.goto("/desk/editions/garden")
    page.get_by_role("heading", name="Browser too old for the editor").wait_for()


def test_an_error_in_a_script_is_not_reported_as_a_lost_connection(browser: Browser, live_server: LiveServer) -> None:
    """If a script uses what the browser lacks, the page reports an error, and the console has its details."""
    page = browser.new_page()
    page.add_init_script("delete window.Request;")
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(live_server.link(live_server.new_game(), 1))
    page.get_by_role("heading", name="Something went wrong on this page").wait_for(timeout=1000 * TIMEOUT)
    assert any("Request is not defined" in error for error in errors)
    assert page.get_by_text("No connection").count() == 0
    page.close()
