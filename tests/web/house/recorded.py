"""What the server may write into a game's record, read off its source."""

from __future__ import annotations

import ast
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING

from server.play.items import Decision
from server.play.settings import ACTS
from tests.sources import ROOT, trees

if TYPE_CHECKING:
    from collections.abc import Iterator

ELSEWHERE = {"password", "delete"}
"""What is written for the whole server, and stands in no game's record."""


def actions() -> set[str]:
    """Return what a change may be."""
    moves = {"open", "close", "reopen", "freeze", "thaw", "publish", "unpublish"}
    found = {"join", "rename", "settle", "take-back"} | moves
    for _, _, call in _records():
        constants = [part.value for part in call.args if isinstance(part, ast.Constant)]
        found |= {text for text in constants if isinstance(text, str) and text}
    return found - ELSEWHERE


def reasons() -> set[str]:
    """Return the sentences that the server itself gives as a reason."""
    said = [keyword.value for _, _, call in _records() for keyword in call.keywords if keyword.arg == "reason"]
    return {str(part.value) for part in said if isinstance(part, ast.Constant)}


def keys() -> set[str]:
    """Return the names of what was before and after; those of editions and of envelopes are not among them."""
    found = set(ACTS) | {field.name for field in fields(Decision)} | {"reason", "who"}
    for tree, function, call in _records():
        for keyword in call.keywords:
            if keyword.arg in {"before", "after"}:
                found |= _keys(keyword.value, function, tree)
    return found


def decisions() -> set[str]:
    """Return what can be decided about an item."""
    return {ast.literal_eval(call.args[0]) for _, _, call in _calls("Choice") if call.args}


def left_out() -> set[str]:
    """Return why a hand may not count."""
    tree = ast.parse((ROOT / "server" / "play" / "closing.py").read_text(encoding="utf-8"))
    values = [
        part
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and "holding.why" in ast.unparse(node.targets[0])
        for part in ast.walk(node.value)
    ]
    return {part.value for part in values if isinstance(part, ast.Constant) and isinstance(part.value, str)} - {""}


def _calls(name: str) -> Iterator[tuple[ast.Module, ast.FunctionDef | None, ast.Call]]:
    """Yield the calls of a function, each with the module and the function in which it stands."""
    yield from ((tree, function, call) for called, tree, function, call in _all_calls() if called == name)


@cache
def _all_calls() -> tuple[tuple[str, ast.Module, ast.FunctionDef | None, ast.Call], ...]:
    """Return all calls in the server's source by the bare name of what is called, as `_calls` yields them."""
    found = []
    for tree in trees("server"):
        inside = {
            id(node): function
            for function in ast.walk(tree)
            if isinstance(function, ast.FunctionDef)
            for node in ast.walk(function)
        }
        found += [
            (getattr(node.func, "id", ""), tree, inside.get(id(node)), node)
            for node in ast.walk(tree)
            if isinstance(node, ast.Call)
        ]
    return tuple(found)


def _records() -> Iterator[tuple[ast.Module, ast.FunctionDef | None, ast.Call]]:
    for name in ("record", "record_all", "_noted"):
        yield from _calls(name)


def _keys(value: ast.expr, function: ast.FunctionDef | None, tree: ast.Module) -> set[str]:
    """Return the names in what an expression stands for: a dictionary, a name for one, or a function that makes one."""
    if isinstance(value, ast.Dict):
        found = {key.value for key in value.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)}
        inner = [part for part in value.values if not isinstance(part, ast.Name)]
        spread = [part for key, part in zip(value.keys, value.values, strict=True) if key is None]
        return found.union(*(_keys(part, function, tree) for part in (*inner, *spread)))
    if isinstance(value, ast.Name) and function:
        made = [node.value for node in ast.walk(function) if isinstance(node, ast.Assign) and _names(node, value.id)]
        return set().union(*(_keys(part, function, tree) for part in made if not isinstance(part, ast.Name)))
    if isinstance(value, ast.Call):
        bodies = [node for node in ast.walk(tree) if getattr(node, "name", "") == getattr(value.func, "id", "")]
        made = [(node.value, body) for body in bodies for node in ast.walk(body) if isinstance(node, ast.Return)]
        return set().union(
            *(_keys(part, body, tree) for part, body in made if part and isinstance(body, ast.FunctionDef))
        )
    inner = {ast.Subscript: ["value"], ast.DictComp: ["value"], ast.IfExp: ["body", "orelse"]}.get(type(value), [])
    # What a subscript leaves out are the two halves of a change.
    return set().union(*(_keys(getattr(value, name), function, tree) for name in inner)) - {"before", "after"}


def _names(node: ast.Assign, name: str) -> bool:
    return any(getattr(target, "id", "") == name for target in node.targets)
