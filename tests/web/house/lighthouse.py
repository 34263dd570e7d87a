"""What Lighthouse says of pages, in one browser that may know somebody already."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser_support import browser_path
from tests.server_process import free_port
from tests.web.conftest import switches
from tools.paths import Paths

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import BrowserContext, BrowserType

ROOT = Path(__file__).parents[3]
LIGHTHOUSE = ROOT / "tests" / "packages" / "node_modules" / "lighthouse"
PROGRAM = Path(__file__).with_suffix(".mjs")
CATEGORIES = ("performance", "accessibility", "best-practices")
LEAST = 0.95
RUNS = 6
AT_ONCE = 3
PAUSE = 20.0
"""Seconds after so many runs: a machine that was busy has perhaps done by then."""
LONGEST = 7000
"""Milliseconds that a page is watched. Live events keep its network busy for ever: Lighthouse always waits so long."""
ANSWER = 180.0
"""Seconds after which a run is taken for one that never ends."""
_LOST = 3
# How often the trace of one load may be lost.
_UNUSED = ("final-screenshot", "screenshot-thumbnails", "bf-cache")
# What costs seconds and counts for no score.


@dataclass
class Lighthouse:
    """A browser at a port, with a profile that pages and Lighthouse share, and the process that judges."""

    context: BrowserContext
    port: int
    process: subprocess.Popen[str]

    @classmethod
    def begin(cls, chromium: BrowserType, folder: Path) -> Lighthouse:
        """Start the browser."""
        if not LIGHTHOUSE.is_dir():
            pytest.fail("Lighthouse is not installed: run ./haggle test once")
        port = free_port()
        args = switches([f"--remote-debugging-port={port}"])
        context = chromium.launch_persistent_context(
            folder / "profile", executable_path=browser_path(), args=args, no_viewport=True
        )
        process = subprocess.Popen(
            [node(), PROGRAM, LIGHTHOUSE], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        return cls(context, port, process)

    def close(self) -> None:
        """End the browser and the process."""
        with self.process:
            self.process.kill()
        self.context.close()

    def visit(self, url: str) -> None:
        """Open a page until it has a title, so that the browser keeps what the page gives it."""
        page = self.context.new_page()
        page.goto(url)
        page.locator("main h1").first.wait_for()
        page.close()

    def judge(
        self, url: str, *, desktop: bool = False, known: bool = False, limit: float = math.inf
    ) -> dict[str, float]:
        """Return each score, and `interactive`, where they are good, or else of the last of several runs.

        Good is below `limit` milliseconds. The browser knows nobody, but where it is `known`: then only files are
        forgotten. A busy machine is slow too, and never quicker than a page is: how quick it is is looked at again. All
        else does not hang on the machine: the first look counts.
        """
        judged: dict[str, float] = {}
        wanted = list(CATEGORIES)
        for number in range(RUNS):
            time.sleep(PAUSE if number == AT_ONCE else 0)
            if known:
                self._forget_files(url)
            judged |= self.run(url, wanted, desktop=desktop, known=known)
            slow = judged["interactive"] >= limit
            wanted = ["performance"]
            if judged["performance"] >= LEAST and not slow:
                break
        return judged

    def run(self, url: str, categories: Sequence[str], *, desktop: bool, known: bool) -> dict[str, float]:
        """Let Lighthouse look at a page; return the scores, and `interactive` with that of performance."""
        flags = {
            "port": self.port,
            "logLevel": "silent",
            "onlyCategories": categories,
            "skipAudits": _UNUSED,
            "disableFullPageScreenshot": True,
            "disableStorageReset": known,
            "maxWaitForLoad": LONGEST,
        }
        for _ in range(_LOST):
            told = self._asked({"url": url, "desktop": desktop, "flags": flags})
            # Now and then the browser loses the trace of a load, and Lighthouse itself asks to be run again.
            if "Please run Lighthouse again" not in str(told["error"]):
                break
        assert not told["error"], told["error"]
        interactive = {"interactive": told["interactive"]} if "performance" in categories else {}
        return {**told["scores"], **interactive}

    def _asked(self, wanted: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(wanted) + "\n")
        self.process.stdin.flush()
        timer = threading.Timer(ANSWER, self.process.kill)
        timer.start()
        try:
            answer = self.process.stdout.readline()
        finally:
            timer.cancel()
        assert answer, "Lighthouse has ended, or takes for ever"
        told: dict[str, Any] = json.loads(answer)
        return told

    def _forget_files(self, url: str) -> None:
        """Forget the files of a page, so that they come over the network again."""
        page = self.context.new_page()
        session = self.context.new_cdp_session(page)
        session.send("Network.clearBrowserCache")
        kept = {"origin": url, "storageTypes": "service_workers,cache_storage"}
        session.send("Storage.clearDataForOrigin", kept)
        page.close()


def node() -> str:
    """Return the path of Node.js."""
    own = Paths(ROOT).node
    found = str(own) if own.is_file() else shutil.which("node")
    if not found:
        pytest.fail("there is no Node.js: run ./haggle test once")
    return found
