"""Editions at the desk: begun, uploaded, restored and deleted."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.web.axe import problems
from tests.web.steps import file

if TYPE_CHECKING:
    from tests.web.pages.organiser_steps import Opened


CHECKED = {
    "findings": [
        {"file": "edition.toml", "line": 3, "column": 1, "field": "slug", "detail": "is wrong", "hint": False},
        {"file": "edition.toml", "line": 4, "column": 0, "field": "", "detail": "may be wrong", "hint": True},
    ],
    "cards": [{"slug": "red", "name": "Red"}],
    "card": "red",
    "face": "R0lGODlhAQABAAAAACw=",
    "rule": {
        "key": "1",
        "name": "Red",
        "words": ["Red is worth nothing."],
        "phases": [],
        "matters": True,
        "examples": [[{"deck": "6 red", "score": "0"}]],
    },
}


def test_an_edition_is_begun_and_deleted(opened: Opened) -> None:
    """Its name follows from its title; a wrong file is refused with the place of the mistake."""
    page = opened("/desk/editions", organiser="Olga")
    page.get_by_role("button", name="New edition").click()
    page.get_by_label("Title", exact=True).fill("Größer & schöner!")
    expect(page.get_by_label("Short name")).to_have_value("grosser-schoner")
    page.get_by_label("Start from").select_option("variant sackson-1969")
    page.route("**/api/v1/editions/checks*", lambda route: route.fulfill(json=CHECKED))
    page.get_by_role("button", name="Create", exact=True).click()
    page.get_by_role("heading", name="Größer & schöner!").wait_for()
    text = page.get_by_label("The edition as TOML")
    expect(text).to_have_value(re.compile('^extends = "sackson-1969"$', re.MULTILINE))
    page.get_by_text("1 mistake").wait_for()
    page.get_by_role("button", name="Go to line 3").click()
    place = text.evaluate("area => area.value.slice(0, area.selectionStart).split('\\n').length")
    assert (place, page.get_by_role("button", name="Save a new version").is_disabled()) == (3, True)
    page.get_by_role("img", name="The card \u201cRed\u201d as it is printed").wait_for()
    page.get_by_role("cell", name="6 red").wait_for()
    assert problems(page) == []
    text.fill("other")
    page.reload()
    expect(text).to_have_value("other")
    page.get_by_role("button", name="Discard the changes").click()
    page.get_by_role("link", name="All editions").click()
    page.get_by_role("heading", name="Größer & schöner!").wait_for()
    page.get_by_label("Upload an edition").set_input_files([file(b'\nslug = "A"', "edition.toml", "text/plain")])
    page.get_by_text("edition.toml:2").wait_for()
    more = page.get_by_label("More for Größer & schöner!")
    more.click()
    page.get_by_role("button", name="Versions").click()
    page.get_by_role("dialog").get_by_text("Version 1").first.wait_for()
    assert problems(page) == []
    page.keyboard.press("Escape")
    more.click()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.get_by_text("None yet.").wait_for()
