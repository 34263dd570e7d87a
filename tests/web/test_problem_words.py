"""Every problem that a page can meet has words in the reader's language."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from server.api.problems import of_status
from server.app.assets import WEB

SERVER = Path(__file__).parents[2] / "server"
SLUG = {"Problem": 1, "Refusal": 0}
"""Which argument is the slug."""
BARE = {of_status(status).slug for status in (400, 404, 405, 408, 413, 415, 500, 503)}
ELSEWHERE = {
    "forged-label": "a page of its own, for links of practice",
    "no-label": "a page of its own, for links of practice",
    "taken": "the command line alone",
}
"""What no script of ours is told, and who is."""


def _told() -> set[str]:
    """Return the slugs that the server's source names."""
    found = set(BARE)
    for file in SERVER.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
            if isinstance(node, ast.Call) and name in SLUG and len(node.args) > 2 - (name == "Refusal"):
                slug = node.args[SLUG[name]]
                found |= {slug.value} if isinstance(slug, ast.Constant) and isinstance(slug.value, str) else set()
    return found


def _causes() -> set[str]:
    """Return the causes that the server's source names with a problem, as slug/cause."""
    found = set()
    for file in SERVER.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
            if isinstance(node, ast.Call) and name == "_wrong" and len(node.args) > 1:
                found.add(f"wrong-setting/{ast.literal_eval(node.args[0])}")
            if isinstance(node, ast.Call) and name == "Refusal" and len(node.args) > 2:
                members = node.args[2] if isinstance(node.args[2], ast.Dict) else ast.Dict([], [])
                for key, value in zip(members.keys, members.values, strict=True):
                    if isinstance(key, ast.Constant) and key.value == "why" and isinstance(value, ast.Constant):
                        found.add(f"{ast.literal_eval(node.args[0])}/{value.value}")
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
    assert {"no-codes", "internal", "not-published"} <= told
    assert told - _worded(language) - set(ELSEWHERE) == set()


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_every_cause_has_words(language: str) -> None:
    """Where a problem has several causes, each is told apart in the reader's language; none is left over."""
    causes = {cause for cause in _causes() if not cause.startswith("wrong-code/")}  # its words choose by themselves
    assert {"wrong-setting/passed", "wrong-setting/edition"} <= causes
    assert causes == {worded for worded in _worded(language) if "/" in worded}


def test_nothing_is_left_out_for_nothing() -> None:
    """What needs no words is still a problem of the server, and has none."""
    assert set(ELSEWHERE) <= _told() - _worded("en")
