"""An upgrade with two servers of different versions behind a load balancer."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from server.web_app.settings import AppConfig
from server.web_app.stores import open_context
from tests.demo_process import ROOT, DemoProcess
from tests.server_process import await_answer, free_port, kill_group
from tests.web.conftest import PHONE, CheckedPage
from tests.web.pages.conftest import LiveServer
from tests.web.steps import TIMEOUT
from tools.install import build_pages
from tools.paths import Paths
from tools.runner import Runner

CADDY = shutil.which("caddy") or shutil.which(Paths(ROOT).caddy)
CADDYFILE = """{{
	admin off
	auto_https off
}}
http://127.0.0.1:{port} {{
	reverse_proxy {old} {new} {{
		lb_policy round_robin
	}}
}}
"""
OLD_TEXT = "Menu"
NEW_TEXT = "New menu"
VISITS = 4
CACHED_PAGE = """async () => {
  await Promise.race([navigator.serviceWorker.ready, new Promise((resolve) => setTimeout(resolve, 5000))]);
  if (!navigator.serviceWorker.controller) return null;
  const name = (await caches.keys()).find((name) => name.startsWith("haggle-shell-"));
  const cache = await caches.open(name);
  const urls = (await cache.keys()).map(({ url }) => url);
  return [await (await cache.match("/")).text(), urls.join(" ")];
}"""


@pytest.fixture(scope="module")
def two_versions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """Serve the same games by two versions in turn behind one address."""
    folder = tmp_path_factory.mktemp("versions")
    context = open_context(AppConfig(folder / "data"))
    options = ["--data", folder / "data", "--scanners", "0"]
    with (
        DemoProcess(folder / "old.log", *options, command="serve") as old,
        DemoProcess(folder / "new.log", *options, command="serve", checkout=newer_version(folder / "new")) as new,
    ):
        old.wait()
        new.wait()
        port = free_port()
        text = CADDYFILE.format(port=port, old=old.url.removeprefix("http://"), new=new.url.removeprefix("http://"))
        (folder / "Caddyfile").write_text(text, encoding="utf-8")
        command = [str(CADDY), "run", "--config", folder / "Caddyfile", "--adapter", "caddyfile"]
        with (folder / "caddy.log").open("wb") as log:
            caddy = subprocess.Popen(command, stderr=log, start_new_session=True)
        try:
            await_answer(port)
            old.port = port
            yield LiveServer(old, context)
        finally:
            kill_group(caddy.pid)
            caddy.wait()
            context.database.close()


def newer_version(folder: Path) -> Path:
    """Copy the product to a folder, and change a text of its pages."""
    for part in ("cardgen", "scanner", "server", "web"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("node_modules", "__pycache__"))
    # A checkout has this file.
    shutil.copy(ROOT / "pyproject.toml", folder)
    (folder / "web" / "node_modules").symlink_to(ROOT / "web" / "node_modules")
    words = folder / "web" / "texts" / "en" / "player.json"
    words.write_text(words.read_text(encoding="utf-8").replace(OLD_TEXT, NEW_TEXT), encoding="utf-8")
    paths = Paths(folder)
    paths.home.mkdir()
    build_pages(Runner(paths), dev=False)
    return folder


@pytest.mark.thorough
@pytest.mark.skipif(CADDY is None and not os.environ.get("CI"), reason="there is no Caddy (as root: apt install caddy)")
def test_pages_of_two_versions_work_and_the_cache_is_consistent(browser: Browser, two_versions: LiveServer) -> None:
    """Whichever server sent a page, all of its files load, and the offline cache has the page of its own files."""
    link = two_versions.link(two_versions.new_game(), 1)
    versions: set[str | None] = set()
    for visit in range(3 * VISITS):
        if visit >= VISITS and versions == {OLD_TEXT, NEW_TEXT}:
            break
        context = browser.new_context(viewport=PHONE)
        context.set_default_timeout(1000 * TIMEOUT)
        checked = CheckedPage(context.new_page(), two_versions.url)
        page = checked.page
        if visit % 2:
            # A visit may take an even number of requests; this one makes the next visit begin with the other server.
            context.request.get(two_versions.url)
        page.goto(link)
        menu = page.get_by_role("button", name=re.compile("[Mm]enu$"))
        versions.add(menu.get_attribute("aria-label"))
        menu.click()
        page.get_by_role("heading", name="Menu").wait_for()
        assert checked.errors() == []
        # A service worker that got the other version's page tries again at the next visit.
        for _ in range(8):
            if cached := page.evaluate(CACHED_PAGE):
                break
            page.goto(two_versions.url)
        assert cached
        text, urls = cached
        named = set(re.findall('/assets/[^"]+', text)) - {"/assets/licences.txt"}
        assert named <= set(re.findall("/assets/[^ ]+", urls))
        context.close()
    assert versions == {OLD_TEXT, NEW_TEXT}
