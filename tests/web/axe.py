"""Accessibility problems of a page, found by axe."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Page

_AXE = Path(__file__).parents[1] / "packages" / "node_modules" / "axe-core" / "axe.min.js"
_RUN = """async (rules) => {
  // Wait for transitions of colours, during which the contrast differs.
  const ends = ({ effect }) => effect.getComputedTiming().endTime !== Infinity;
  await Promise.allSettled(document.getAnimations().filter(ends).map(({ finished }) => finished));
  const { violations } = await axe.run(document, { resultTypes: ["violations"], ...(rules && { runOnly: rules }) });
  return violations.flatMap(({ id, impact, help, nodes }) =>
    nodes.map((node) => `${id} (${impact}): ${help}: ${node.target.join(" ")}: ${node.failureSummary}`));
}"""


def axe_problems(page: Page, *, colours_only: bool = False) -> list[str]:
    """Return the accessibility problems of a page, or only those of its colours."""
    # Its 650 KB are sent and compiled once for each page.
    if not page.evaluate("'axe' in window"):
        page.evaluate(_axe())
    return list(page.evaluate(_RUN, ["color-contrast", "link-in-text-block"] if colours_only else None))


@cache
def _axe() -> str:
    if not _AXE.is_file():
        pytest.fail("axe is not installed: run ./haggle test once")
    return _AXE.read_text(encoding="utf-8")
