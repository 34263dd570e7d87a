"""Editions at the desk: created, edited with forms, uploaded, restored and deleted."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from server.editions.starter import edition_toml
from server.editions.uploads import zip_of
from server.games.audit import Actor
from server.games.uploaded_editions import CheckedEdition, add_version
from tests.web.axe import axe_problems
from tests.web.steps import file, scrolls_horizontally

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

    from tests.web.pages.conftest import LiveServer
    from tests.web.pages.organiser_steps import OpenPage


CHECKED = {
    "findings": [
        {"file": "edition.toml", "line": 3, "column": 1, "field": "slug", "detail": "is wrong", "hint": False},
        {"file": "edition.toml", "line": 4, "column": 0, "field": "", "detail": "may be wrong", "hint": True},
    ],
    "cards": [{"slug": "red", "name": "Red"}],
    "categories": [],
    "groups": [],
    "symbols": [],
    "facts": [],
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
CUP = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><circle cx="5" cy="5" r="4"/></svg>'


def test_an_edition_can_be_created_and_deleted(open_page: OpenPage) -> None:
    """Its short name follows from its title; it leaves out and changes rules of another edition.

    An invalid file is refused with the line of the mistake.
    """
    page = open_page("/desk/editions", organiser="Olga")
    page.get_by_role("button", name="New edition").click()
    page.get_by_label("Title", exact=True).fill("Größer & schöner!")
    expect(page.get_by_label("Short name")).to_have_value("grosser-schoner")
    page.get_by_label("Start from").select_option("variant sackson-1969")
    page.route("**/api/v1/editions/checks*", lambda route: route.fulfill(json=CHECKED))
    page.get_by_role("button", name="Create", exact=True).click()
    page.get_by_role("heading", name="Größer & schöner!").wait_for()
    change_rules_of_the_base(page)
    open_part(page, "Text")
    text = page.get_by_label("The edition as TOML")
    expect(text).to_have_value(re.compile('^extends = "sackson-1969"$', re.MULTILINE))
    page.get_by_text("1 mistake").wait_for()
    page.get_by_role("button", name="Go to line 3").click()
    place = text.evaluate("area => area.value.slice(0, area.selectionStart).split('\\n').length")
    assert (place, page.get_by_role("button", name="Save a new version").is_disabled()) == (3, True)
    page.get_by_role("img", name="Card \u201cRed\u201d").wait_for()
    page.get_by_role("cell", name="6 red").wait_for()
    assert axe_problems(page) == []
    text.fill("other")
    page.reload()
    open_part(page, "Text")
    expect(text).to_have_value("other")
    page.get_by_text("File", exact=True).click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download").click()
    assert saved.value.suggested_filename == "grosser-schoner.toml"
    page.get_by_text("File", exact=True).click()
    page.get_by_role("button", name="Discard the changes").click()
    expect(text).to_have_value(re.compile('^extends = "sackson-1969"$', re.MULTILINE))
    page.get_by_role("link", name="All editions").click()
    page.get_by_role("heading", name="Größer & schöner!").wait_for()
    page.get_by_label("Upload an edition").set_input_files([file(b'\nslug = "A"', "edition.toml", "text/plain")])
    page.get_by_text("edition.toml:2").wait_for()
    more = page.get_by_label("More for Größer & schöner!")
    more.click()
    page.get_by_role("button", name="Versions").click()
    page.get_by_role("dialog").get_by_text("Version 1").first.wait_for()
    assert axe_problems(page) == []
    page.keyboard.press("Escape")
    more.click()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    # Other tests may have editions on this server.
    expect(page.get_by_role("heading", name="Größer & schöner!")).to_have_count(0)


def test_an_edition_can_be_written_with_forms_alone(open_page: OpenPage, live_server: LiveServer) -> None:
    """An empty edition gets two kinds of cards and two rules; then a deck is scored, and a game has the cards."""
    page = open_page("/desk/editions", organiser="Olga")
    page.get_by_role("button", name="New edition").click()
    page.get_by_label("Title", exact=True).fill("Made by forms")
    page.get_by_label("Start from").select_option("empty")
    page.get_by_role("button", name="Create", exact=True).click()
    open_part(page, "Edition")
    page.get_by_role("group", name="Colour cards").get_by_label("Name", exact=True).fill("Drinks")
    expect(page.get_by_role("group", name="Drinks").get_by_label("Short name")).to_have_value("drinks")
    open_part(page, "Cards")
    page.get_by_role("button", name="Add a card").click()
    page.get_by_label("Name", exact=True).fill("Mint tea")
    worth = page.get_by_label("Worth in points")
    worth.press_sequentially("-0.05")
    expect(worth).to_have_value("-0.05")
    worth.fill("2")
    try_other_short_names(page, "mint-tea")
    open_part(page, "Rules")
    page.get_by_role("button", name="Add a common rule").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Pairs").click()
    dialog.get_by_role("button", name="Add this rule").click()
    expect(page.get_by_label("Wording on the card")).to_have_value(
        "Each pair of \u201cRed\u201d and \u201cMint tea\u201d brings {points} points."
    )
    open_part(page, "Rules")
    page.get_by_role("button", name="An empty rule").click()
    condition = page.get_by_label("Only if")
    condition.fill("mint")
    condition.press("ArrowDown")
    condition.press("Enter")
    expect(condition).to_have_value("mint_tea")
    condition.press_sequentially(" > 2")
    points = page.get_by_label("Points", exact=True)
    points.fill("6 + points + unknown")
    page.get_by_text("there is no card, number or fact 'unknown'").first.wait_for()
    expect(points).to_have_attribute("aria-invalid", "true")
    assert axe_problems(page) == []
    points.fill("6 + points")
    page.get_by_text("No mistakes.").wait_for()
    for _ in range(3):
        page.get_by_role("button", name="One Mint tea more").click()
    page.get_by_role("button", name="One Red more").click()
    page.get_by_text("19 points").wait_for()
    page.get_by_role("button", name="Save a new version").click()
    page.get_by_text("is uploaded as version 2").wait_for()
    assert live_server.picture(live_server.new_game(edition="made-by-forms"), ["mint-tea-001", "rule-2-001"])


def test_a_copy_is_shown_and_has_no_mistakes(open_page: OpenPage, live_server: LiveServer) -> None:
    """A card gets another name and look, a rule the next key, a family another name."""
    store_edition(live_server, "copies", "Copies")
    page = open_page("/desk/editions/copies", organiser="Olga")
    copy = page.get_by_role("button", name="Copy", exact=True)
    shown = page.get_by_label("Card to show")
    page.get_by_role("button", name="Blue", exact=True).click()
    copy.click()
    page.get_by_text("\u201cBlue\u201d is copied.").wait_for()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Blue 2")
    expect(page.get_by_label("Short name")).to_have_value("blue-2")
    expect(shown).to_have_value("blue-2")
    open_part(page, "Rules")
    page.locator(".edition-items button").last.click()
    copy.click()
    expect(shown).to_have_value("rule-4")
    open_part(page, "Rules")
    page.get_by_role("button", name="Add a family").click()
    page.get_by_label("Title", exact=True).fill("Kin")
    copy.click()
    page.get_by_text("More about this rule").click()
    expect(page.get_by_label("Short name")).to_have_value("kin_2")
    page.get_by_text("No mistakes.").wait_for()


def test_the_card_that_is_shown_follows_a_move(open_page: OpenPage, live_server: LiveServer) -> None:
    store_edition(live_server, "moves", "Moves")
    page = open_page("/desk/editions/moves", organiser="Olga")
    page.get_by_role("button", name="Blue", exact=True).click()
    shown = page.get_by_label("Card to show")
    expect(shown).to_have_value("blue")
    page.get_by_role("button", name="Move up").click()
    page.wait_for_load_state("networkidle")
    expect(shown).to_have_value("blue")


def test_an_answer_to_a_fact_of_the_tried_deck_can_be_taken_back(open_page: OpenPage, live_server: LiveServer) -> None:
    store_edition(live_server, "answers", "Answers")
    page = open_page("/desk/editions/answers", organiser="Olga")
    open_part(page, "Edition")
    page.get_by_role("button", name="Add a fact").click()
    page.get_by_label("Question").fill("Sang")
    page.get_by_label("Answer").select_option("yes-no")
    answer = page.get_by_role("radio", name="Yes")
    answer.check()
    answer.click()
    expect(answer).not_to_be_checked()


def test_a_rule_with_several_keys_has_no_field_for_one(open_page: OpenPage, live_server: LiveServer) -> None:
    store_edition(live_server, "keys", "Keys")
    page = open_page("/desk/editions/keys", organiser="Olga")
    key = page.get_by_label("Key", exact=True)
    # The preview beside it has buttons for the numbers of cards.
    rule = page.locator(".edition-items").get_by_role("button", name="Rainbow")
    open_part(page, "Rules")
    rule.click()
    expect(key).to_have_value("1")
    open_part(page, "Text")
    text = page.get_by_label("The edition as TOML")
    text.fill(text.input_value().replace('key = "1"', 'keys = ["1", "9"]'))
    open_part(page, "Rules")
    rule.click()
    expect(page.get_by_label("The card only hints at its rule")).to_be_visible()
    expect(key).to_have_count(0)


def test_a_restored_version_names_the_earlier_one(open_page: OpenPage, live_server: LiveServer) -> None:
    """The name is in the reader's language, like the rest of the list of versions."""
    for title in ("Restored", "Changed"):
        store_edition(live_server, "restored", title)
    page = open_page("/desk/editions", organiser="Olga", locale="de-DE")
    page.get_by_label("Mehr zu Changed").click()
    page.get_by_role("button", name="Fassungen").click()
    page.get_by_role("dialog").get_by_role("button", name="Wiederherstellen").click()
    page.get_by_text("ist als Fassung 3 wiederhergestellt").wait_for()
    page.get_by_label("Mehr zu Restored").click()
    page.get_by_role("button", name="Fassungen").click()
    page.get_by_role("dialog").get_by_text("Wie Fassung 1", exact=True).wait_for()


def test_templates_facts_and_settings_can_be_written_with_forms(open_page: OpenPage) -> None:
    """A rule about runs and a fact is scored; mistakes link to their form, and changes can be undone."""
    page = open_page("/desk/editions", organiser="Olga")
    page.get_by_role("button", name="New edition").click()
    page.get_by_label("Title", exact=True).fill("Runs")
    page.get_by_label("Start from").select_option("empty")
    page.get_by_role("button", name="Create", exact=True).click()
    similar = page.get_by_role("button", name="Many similar cards")
    similar.press("Enter")
    page.get_by_label("Which cards").press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    similar.press("Enter")
    page.get_by_label("Which cards").select_option("numbers")
    page.get_by_label("Colours", exact=True).fill("Mint, Rose")
    last = page.get_by_label("To", exact=True)
    last.fill("3")
    assert axe_problems(page) == []
    last.press("Enter")
    page.get_by_role("button", name="Mint 1 \u2026 (6 cards)").click()
    page.get_by_role("img", name="Card \u201cMint 1\u201d").wait_for()
    page.get_by_role("button", name="All cards").click()
    page.get_by_text("Rose", exact=True).click()
    page.locator("details[open]").get_by_label("Short name").fill("")
    page.get_by_role("button", name="Show").click()
    page.get_by_role("button", name="Undo").click()
    open_part(page, "Edition")
    page.get_by_role("button", name="Add a fact").click()
    page.get_by_label("Question").fill("Songs sung")
    fact = page.get_by_role("group", name="Songs sung")
    expect(fact.get_by_label("Short name")).to_have_value("songs_sung")
    fact.get_by_label("At most").fill("-1")
    page.get_by_text("a whole number needs a minimum").first.wait_for()
    open_part(page, "Rules")
    page.get_by_role("button", name="Show").first.click()
    expect(fact.get_by_label("Question")).to_be_focused()
    fact.get_by_label("At most").fill("5")
    page.get_by_role("button", name="Add a setting").click()
    setting = page.get_by_role("group", name="New setting")
    setting.get_by_label("Name", exact=True).fill("Bonus")
    open_part(page, "Rules")
    page.get_by_role("button", name="An empty rule").click()
    page.get_by_label("Points", exact=True).fill("points * longest_run(mint) + bonus * songs_sung")
    page.get_by_text("More about this rule").click()
    page.get_by_label("Bonus").check()
    page.get_by_text("No mistakes.").wait_for()
    for card in ("Mint 1", "Mint 2"):
        page.get_by_role("button", name=f"One {card} more").click()
    page.get_by_text("5 points", exact=True).wait_for()
    enter_songs(page)
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("1 mistake").wait_for()


def test_rule_families_and_the_hand_out_can_be_written_with_forms(open_page: OpenPage, live_server: LiveServer) -> None:
    """On a phone: a rule of the family has its own cards and is scored, and a section replaces one of the hand-out."""
    store_edition(live_server, "kin", "Kin")
    page = open_page("/desk/editions/kin", organiser="Olga", viewport={"width": 390, "height": 844})
    open_part(page, "Rules")
    page.get_by_role("button", name="Add a family").click()
    page.get_by_label("Title", exact=True).fill("Enough of a kind")
    page.get_by_role("button", name="Add a rule", exact=True).click()
    page.get_by_label("New list").fill("of")
    page.get_by_role("button", name="Add", exact=True).nth(1).click()
    page.get_by_role("group", name="of", exact=True).get_by_label("Blue").check()
    expect(page.get_by_label("Effect")).to_have_value("")
    page.get_by_role("button", name="All rules").click()
    page.get_by_role("button", name="Enough of a kind").last.click()
    condition = page.get_by_label("Only if")
    condition.press_sequentially("o")
    page.get_by_role("option", name="of group").click()
    condition.press_sequentially(" > limit")
    page.get_by_text("there is no card, number or fact 'limit'").first.wait_for()
    expect(condition).to_have_attribute("aria-invalid", "true")
    condition.fill("of > 2")
    page.get_by_text("More about this rule").click()
    slug = page.get_by_label("Short name")
    slug.fill("")
    slug.press_sequentially("kin")
    slug.press("Enter")
    page.get_by_text("No mistakes.").wait_for()
    open_part(page, "Edition")
    page.get_by_role("button", name="Add a section").click()
    section = page.get_by_role("group", name="New section")
    section.get_by_label("Instead of").select_option("fair")
    section.get_by_label("Text").fill("Be kind.\n{tea}")
    page.get_by_text("unknown placeholder {tea}").first.wait_for()
    section.get_by_label("Text").fill("Be kind.")
    section.get_by_label("Heading").fill("Fair")
    place = page.get_by_label("Instead of")
    place.select_option(label="nothing, a further section")
    expect(place).to_have_value("fair-own")
    place.select_option("fair")
    page.get_by_text("No mistakes.").wait_for()
    for name in ("Edition", "Rules"):
        open_part(page, name)
        assert not scrolls_horizontally(page)
    open_part(page, "Preview")
    for _ in range(3):
        page.get_by_role("button", name="One Blue more").click()
    page.get_by_text("17 points", exact=True).wait_for()
    open_part(page, "Text")
    text = page.get_by_label("The edition as TOML")
    expect(text).to_have_value(re.compile(r'name = "kin"(.|\n)*family = "kin"'))
    expect(text).to_have_value(re.compile(r'\[\[handout\]\]\nname = "fair"'))


def test_the_editor_works_on_a_phone(open_page: OpenPage, live_server: LiveServer) -> None:
    """Cards are imported from a spreadsheet; changes are undone by key and by button; comments are kept."""
    text = store_edition(live_server, "on-a-phone", "On a phone")
    page = open_page("/desk/editions/on-a-phone", organiser="Olga", viewport={"width": 390, "height": 844})
    page.get_by_role("button", name="Cards from a spreadsheet").click()
    page.get_by_label("Or pasted cells").fill("Name;Value;Symbol\nMint;4;clover\nChai;;\n")
    page.get_by_role("button", name="Add 2 cards").click()
    page.get_by_role("button", name="Mint", exact=True).click()
    expect(page.get_by_label("Worth in points")).to_have_value("4")
    page.get_by_role("button", name="Delete").click()
    page.keyboard.press("Control+z")
    page.get_by_role("button", name="Mint", exact=True).wait_for()
    for name in ("Edition", "Rules", "Preview"):
        open_part(page, name)
        assert axe_problems(page) == []
        assert not scrolls_horizontally(page)
    open_part(page, "Text")
    shown = page.get_by_label("The edition as TOML")
    expect(shown).to_have_value(re.compile(r'slug = "mint"(.|\n)*slug = "chai"(.|\n)*# A rule: the number on its card'))
    page.get_by_role("button", name="Undo").click()
    expect(shown).to_have_value(text)
    page.get_by_role("button", name="Redo").click()
    page.reload()
    page.get_by_role("button", name="Chai", exact=True).wait_for()


def test_a_version_conflict_can_be_resolved_with_either_version(open_page: OpenPage, live_server: LiveServer) -> None:
    """An organiser takes the version that another has saved, or saves on top of it; a ZIP file replaces both.

    Text that is typed while a version is saved is kept.
    """
    first = store_edition(live_server, "shared", "First", "Otto")
    page = open_page("/desk/editions/shared", organiser="Olga")
    open_part(page, "Text")
    text = page.get_by_label("The edition as TOML")
    text.fill(f"# Mine.\n{first}")
    second = store_edition(live_server, "shared", "Second", "Otto")
    save = page.get_by_role("button", name="Save a new version")
    save.click()
    page.get_by_role("button", name="Take the newest version").click()
    expect(text).to_have_value(second)
    text.fill(f"# Mine.\n{second}")
    store_edition(live_server, "shared", "Third", "Otto")
    page.reload()
    open_part(page, "Text")
    page.get_by_text("Another organiser has saved one").wait_for()
    assert axe_problems(page) == []
    page.get_by_role("button", name="Keep mine").click()

    def type_while_saving(route: Route) -> None:
        text.fill(f"# Mine, and more.\n{second}")
        route.continue_()

    page.route("**/api/v1/editions/uploaded?*", type_while_saving, times=1)
    save.click()
    page.get_by_text("is uploaded as version 4").wait_for()
    page.reload()
    open_part(page, "Text")
    expect(text).to_have_value(f"# Mine, and more.\n{second}")
    files = {"edition.toml": edition_toml("shared", "From a ZIP file"), "symbols/cup.svg": CUP}
    page.get_by_label("Replace with a file").set_input_files([file(zip_of(files), "a.zip", "application/zip")])
    page.get_by_text("is uploaded as version 5").wait_for()
    expect(text).to_have_value(files["edition.toml"])
    page.get_by_text("File", exact=True).click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download").click()
    assert saved.value.suggested_filename == "shared.zip"


def enter_songs(page: Page) -> None:
    """Enter a fact of a deck: too many songs, then four. Another deck has none yet."""
    songs = page.get_by_label("Songs sung")
    songs.fill("6")
    expect(songs).to_have_attribute("aria-invalid", "true")
    songs.fill("4")
    page.get_by_text("9 points", exact=True).wait_for()
    page.get_by_role("button", name="Other deck").click()
    expect(songs).to_have_value("")


def store_edition(live_server: LiveServer, slug: str, title: str, organiser: str = "Olga") -> str:
    """Store the example that a new edition begins with, as the next version of an edition; return its text."""
    text = edition_toml(slug, title)
    with live_server.context.database.writing() as session:
        checked = CheckedEdition(slug, title, {"edition.toml": text}, ())
        add_version(session, checked, Actor("organiser", organiser), live_server.context.clock())
    return text


def open_part(page: Page, name: str) -> None:
    """Open a tab of the editor."""
    page.get_by_role("button", name=name, exact=True).click()


def try_other_short_names(page: Page, name: str) -> None:
    """Type a short name that is taken, and an empty one: each leaves the name as it was."""
    slug = page.get_by_label("Short name")
    expect(slug).to_have_value(name)
    slug.fill("red")
    page.get_by_text("This name is taken.").wait_for()
    slug.press("Tab")
    page.get_by_role("status").get_by_text("This name is taken.").wait_for()
    expect(slug).to_have_value(name)
    slug.fill("")
    slug.press("Tab")
    expect(slug).to_have_value(name)


def change_rules_of_the_base(page: Page) -> None:
    """Leave out a rule of the edition that a variant extends, change another, and put both back.

    A new rule has a key that the other edition does not have: otherwise it would change that edition's rule.
    """
    open_part(page, "Rules")
    page.get_by_role("button", name="Leave out \u201cToo much white\u201d").click()
    with page.expect_request(re.compile(r"/editions/checks\?.*card=rule-5$")):
        page.get_by_role("button", name="Change \u201cOrange needs blue\u201d").click()
    expect(page.get_by_label("Title (English)")).to_have_value("Orange needs blue")
    open_part(page, "Rules")
    page.get_by_role("button", name="An empty rule").click()
    page.get_by_text("More about this rule").click()
    expect(page.get_by_label("Key", exact=True)).to_have_value("16")
    page.get_by_role("button", name="Delete", exact=True).click()
    assert axe_problems(page) == []
    text = page.get_by_label("The edition as TOML")
    open_part(page, "Text")
    expect(text).to_have_value(
        re.compile(r'^\[without\]\nrules = \["4"\](.|\n)*\[\[rules\]\]\nkey = "5"\n', re.MULTILINE)
    )
    open_part(page, "Rules")
    for rule in ("Too much white", "Orange needs blue"):
        page.get_by_role("button", name=f"Put back \u201c{rule}\u201d").click()
        page.get_by_role("button", name=f"Leave out \u201c{rule}\u201d").wait_for()
    open_part(page, "Text")
    expect(text).not_to_have_value(re.compile(r"^\[(without|\[rules)\]", re.MULTILINE))
