"""What must hold for people who make everything larger, or set text wider, and for the focus among bars that stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

ZOOMED = ({"width": 320, "height": 256}, {"width": 640, "height": 512})
"""A window of 1280 by 1024 that is zoomed four times, and twice: WCAG 1.4.10 and 1.4.4."""
_SPACED = """(spaced) => {
  const sheet = new CSSStyleSheet();
  // What WCAG 1.4.12 lets people set.
  sheet.replaceSync(`* {
    line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important
  } p { margin-bottom: 2em !important }`);
  document.adoptedStyleSheets = spaced ? [sheet] : [];
}"""
_COVERED = """() => {
  const seen = (element) => element.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true });
  const usable = (element) => seen(element) && !element.matches(":disabled") && !element.closest(".unseen, [inert]");
  const top = [...document.querySelectorAll("dialog[open]")].pop() ?? document.body;
  const found = [];
  for (const element of [...top.querySelectorAll("a[href], button, input, select, textarea, summary")].filter(usable)) {
    element.focus();
    if (element !== document.activeElement) continue;
    const { left, right, top: high, width, height } = element.getBoundingClientRect();
    const middle = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
    if (width < 2 || height < 2 || getComputedStyle(element).opacity === "0") continue;
    const at = [0.15, 0.5, 0.85].map((share) => document.elementFromPoint(middle, high + height * share));
    const label = (one) => one.closest("label")?.control === element;
    const itself = (one) => one && (element.contains(one) || one.contains(element) || label(one));
    if (!at.some(itself)) found.push(`${element.outerHTML.slice(0, 80)} behind ${at[1]?.className}`);
  }
  document.activeElement.blur();
  return found;
}"""


def space_out(page: Page, *, spaced: bool = True) -> None:
    """Set the text of a page as wide as people may, or as it was."""
    page.evaluate(_SPACED, spaced)


def covered(page: Page) -> list[str]:
    """Return what cannot be seen once it has the focus, because something lies over it or it is beyond the window."""
    return list(page.evaluate(_COVERED))
