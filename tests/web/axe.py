"""Accessibility problems of a page, as found by axe."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Page

_AXE = Path(__file__).parents[1] / "packages" / "node_modules" / "axe-core" / "axe.min.js"
_RUN = """async (rules) => {
  // A colour on its way to another has a contrast of its own.
  const moving = document.getAnimations().filter((one) => one.effect.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(moving.map((one) => one.finished));
  const { violations } = await axe.run(document, { resultTypes: ["violations"], ...(rules && { runOnly: rules }) });
  return violations.flatMap(({ id, impact, help, nodes }) =>
    nodes.map((node) => `${id} (${impact}): ${help}: ${node.target.join(" ")}: ${node.failureSummary}`));
}"""


def problems(page: Page, *, colours_only: bool = False) -> list[str]:
    # Its 650 KB are sent and compiled once for a page, however often that is looked at.
    if not page.evaluate("'axe' in window"):
        page.evaluate(_axe())
    return list(page.evaluate(_RUN, ["color-contrast", "link-in-text-block"] if colours_only else None))


@cache
def _axe() -> str:
    if not _AXE.is_file():
        pytest.fail("axe is not installed: run ./haggle test once")
    return _AXE.read_text(encoding="utf-8")
