"""Every problem that a page can meet has words in the reader's language."""

from __future__ import annotations

import ast
import re

import pytest

from cardgen.paper import PaperError
from cardgen.texts import TextError
from server.api.problems import of_status
from server.app.assets import WEB
from tests.sources import calls

SLUG = {"Problem": 1, "Refusal": 0}
"""Which argument is the slug."""
BARE = {of_status(status).slug for status in (400, 404, 405, 408, 413, 415, 500, 503)}
ELSEWHERE = {
    "invalid-hands": "programs that score hands",
    "not-kept": "whoever types haggle bulk",
    "taken": "the command line alone",
    "unknown-edition": "programs that score hands",
    "unreadable": "whoever types haggle bulk",
}
"""What no script of ours is told, and who is."""


def _told() -> set[str]:
    """Return the slugs that the server's source names."""
    found = set(BARE)
    for name, call in calls("server"):
        if name in SLUG and len(call.args) > 2 - (name == "Refusal"):
            slug = call.args[SLUG[name]]
            found |= {slug.value} if isinstance(slug, ast.Constant) and isinstance(slug.value, str) else set()
    return found


def _causes() -> set[str]:
    """Return the causes that the server's source names with a problem, as slug/cause."""
    found = set()
    for name, call in calls("server"):
        if name == "_wrong" and len(call.args) > 1:
            found.add(f"wrong-setting/{ast.literal_eval(call.args[0])}")
        if name == "Refusal" and len(call.args) > 2:
            members = call.args[2] if isinstance(call.args[2], ast.Dict) else ast.Dict([], [])
            for key, value in zip(members.keys, members.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == "why" and isinstance(value, ast.Constant):
                    found.add(f"{ast.literal_eval(call.args[0])}/{value.value}")
    return found | {f"cannot-print/{why}" for why in _causes_of_paper()}


def _causes_of_paper() -> set[str]:
    """Return the causes for which what is to be printed is refused by whoever draws it."""
    found = {error("").why for error in (PaperError, TextError)}
    for name, call in calls("cardgen"):
        if name in {"PaperError", "TextError", "RoomError"}:
            found |= {ast.literal_eval(named.value) for named in call.keywords if named.arg == "why"}
    return found


def _worded(language: str) -> set[str]:
    """Return the slugs that have words in some part of a language's texts."""
    found: set[str] = set()
    for file in (WEB / "texts" / language).glob("*.js"):
        for group in re.findall(
            r"^  problems: \{\n(.*?)^  \},", file.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
        ):
            found |= set(re.findall(r'^    "?([a-z/-]+)"?: ', group, re.MULTILINE))
    return found


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_every_problem_has_words(language: str) -> None:
    """Whatever the server refuses, nobody is answered in another language."""
    told = _told()
    assert {"no-photo", "internal", "not-published"} <= told
    assert told - _worded(language) - set(ELSEWHERE) == set()


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_every_cause_has_words(language: str) -> None:
    """Where a problem has several causes, each is told apart in the reader's language; none is left over."""
    causes = {cause for cause in _causes() if not cause.startswith("wrong-code/")}  # its words choose by themselves
    assert {"wrong-setting/passed", "wrong-setting/edition", "cannot-print/used-places"} <= causes
    assert causes == {worded for worded in _worded(language) if "/" in worded}


def _reasons(*errors: str) -> set[str]:
    """Return the reasons for which pictures are not read, as these errors give them."""
    raised = [call for name, call in (*calls("server"), *calls("scanner")) if name in errors and call.args]
    return {str(call.args[0].value) for call in raised if isinstance(call.args[0], ast.Constant)}


def _group(part: str, name: str) -> set[str]:
    """Return the names in a group of a part of the texts."""
    found = re.search(
        rf"^( +){name}: \{{\n(.*?)^\1\}},", (WEB / "texts" / part).read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    assert found, name
    return set(re.findall(rf'^{found[1]}  "?([a-z-]+)"?: ', found[2], re.MULTILINE))


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_every_reason_of_an_unread_picture_has_words(language: str) -> None:
    """What cannot be read is told in the reader's language: at the desk, to players, and where it is refused."""
    # A busy server tries again, and no page but the first is asked for; players' files were looked at when they came.
    scans = _reasons("PhotoError", "ScanError") - {"busy", "no-such-page"}
    assert {"truncated", "several-pages", "too-slow", "missing"} <= scans
    assert scans | _reasons("PictureError") <= _group(f"{language}/queue.js", "why")
    assert scans - {"too-many-bytes", "too-many-pages"} <= _group(f"{language}/deck.js", "reasons")
    assert _reasons("PictureError") <= _worded(language)


def test_nothing_is_left_out_for_nothing() -> None:
    """What needs no words is still a problem of the server, and has none."""
    assert set(ELSEWHERE) <= _told() - _worded("en")
