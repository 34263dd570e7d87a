"""Reads the functions of an edition as they are written: numbers, touches, sentences and names of cards."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from server.editions.files import EditionFile, RulePart
    from server.scoring.edition import Act, Edition, Rule

_SAY = {
    "eliminate": (0, "line"),
    "keep": (2, "line"),
    "cancel": (1, "line"),
    "adjust": (3, "line"),
    "worth": (2, "worth"),
    "cap": (2, "line"),
    "zero": (1, "line"),
    "multiply": (3, "line"),
    "at_least": (2, "line"),
    "points": (1, "line"),
    "points_for": (2, "line"),
    "points_for_others": (1, "line"),
    "double": (1, "line"),
    "void": (1, "line"),
    "shield": (2, "line"),
    "note": (0, ""),
    "unknown": (0, "unknown"),
}
"""For each verb, which argument names its sentence, and which sentence it is where that is left out."""
_GIVEN = {
    "keep": {"removed", "seed"},
    "multiply": {"factor", "cards"},
    "at_least": {"floor", "plain"},
    "double": {"factor", "before"},
    "adjust": {"moves"},
    "cancel": {"authors", "times"},
    "points_for_others": {"authors", "times", "each"},
}
"""What the engine adds to the values of a sentence."""
_ALWAYS = {"gain", "rule", "author"}
_TOUCHING = {"cancel", "adjust", "void", "shield"}
_NAMED = {
    *("has", "handed_in", "kinds", "worth", "cap", "multiply", "at_least"),
    *("all_most", "sole_most", "next_sole_most"),
}
_CATEGORY = {"counts", "size", "highest", "most", "serials", "keep"}
_CHANCE = {"random", "secrets", "time", "datetime", "uuid"}


@dataclass(frozen=True)
class CodeMistake:
    """A mistake in a line of a file of Python, or where `line` is None at a place in the TOML."""

    way: tuple[str, ...]
    file: str
    line: int | None
    sentence: str


def code_mistakes(edition: Edition, file: EditionFile, folder: Path) -> Iterator[CodeMistake]:
    """Yield the mistakes in what the functions of an edition's folder do with its rules; see this module's head."""
    rules_file = folder / "rules.py"
    if rules_file.exists():
        yield from _imports(rules_file)
    parts = {key: part for part in file.rules for key in part.cards}
    for rule in edition.rules:
        part = parts[rule.key]
        functions = [function for step in rule.steps for function in _called(step.act)]
        yield from _unused_numbers(rule, _wording(file, part), functions)
        own = all(Path(function.__code__.co_filename).parent == folder for function in functions)
        calls = [(function, call) for function in functions for call in _calls(function)]
        yield from _sentences(rule, calls, frozenset(part.says))
        if own:
            for function, call in calls:
                yield from _touches(rule, function, call)
                yield from _names(edition, function, call)


def _imports(path: Path) -> Iterator[CodeMistake]:
    """Chance goes through the engine, which draws from a stored seed; a count must not know what time it is."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        for name in names:
            if name.split(".")[0] in _CHANCE:
                sentence = f"imports {name}; the same hands must always give the same score"
                yield CodeMistake((), str(path), getattr(node, "lineno", 1), sentence)


def _wording(file: EditionFile, part: RulePart) -> set[str]:
    """Return the names of the numbers in a rule's title and wording, its own or its family's."""
    family = next((family for family in file.families if family.name == part.family), None)
    texts = [part.name or (family and family.title) or {}, part.text or (family and family.text) or {}]
    return {name for languages in texts for text in languages.values() for name in _fields(text)}


def _unused_numbers(rule: Rule, shown: set[str], functions: list[FunctionType]) -> Iterator[CodeMistake]:
    used = {name for function in functions for name in _words(function.__code__)}
    # `says` does not count: a number that only the breakdown shows decides nothing.
    for name in rule.numbers:
        if name not in used | shown:
            sentence = "is a number that neither the wording nor a function of the rule uses"
            yield CodeMistake(("rules", rule.key, "numbers", name), "", None, sentence)


def _sentences(rule: Rule, calls: list[tuple[FunctionType, ast.Call]], own: frozenset[str]) -> Iterator[CodeMistake]:
    written: set[str] = set()
    sure = True
    for function, call in calls:
        verb = _verb(call)
        if verb not in _SAY:
            continue
        place, say = _SAY[verb]
        if len(call.args) > place:
            value = _value(function, call.args[place])
            if not isinstance(value, str):
                sure = False
                continue
            say = value
        written.add(say)
        if say not in rule.says:
            sentence = f"rule {rule.key} has no sentence '{say}' (says.{say})"
            yield CodeMistake((), function.__code__.co_filename, call.lineno, sentence)
            continue
        if any(keyword.arg is None for keyword in call.keywords):
            continue
        known = {*rule.numbers, *rule.settings, *_ALWAYS, *_GIVEN.get(verb, ())}
        known |= {str(keyword.arg) for keyword in call.keywords} - {"everyone"}
        for name in sorted(_fields(rule.says[say]) - known):
            sentence = f"unknown placeholder {{{name}}} (there is {', '.join(sorted(known))})"
            yield CodeMistake(("rules", rule.key, "says", say), "", None, sentence)
    for name in sorted(own - written) if sure and calls else ():
        sentence = "is a sentence that no function of the rule writes"
        yield CodeMistake(("rules", rule.key, "says", name), "", None, sentence)


def _touches(rule: Rule, function: FunctionType, call: ast.Call) -> Iterator[CodeMistake]:
    if _verb(call) in _TOUCHING and call.args:
        keys = _value(function, call.args[0])
        for key in keys if isinstance(keys, list | tuple) else ():
            if str(key) not in rule.touches:
                sentence = f"rule {rule.key} touches rule {key} without declaring it; add it to touches=[…]"
                yield CodeMistake((), function.__code__.co_filename, call.lineno, sentence)


def _names(edition: Edition, function: FunctionType, call: ast.Call) -> Iterator[CodeMistake]:
    verb = _verb(call)
    if verb not in _NAMED | _CATEGORY or not call.args:
        return
    name = _value(function, call.args[0])
    categories = {deal.category for deal in edition.deal}
    known = categories if verb in _CATEGORY else {*edition.kind_of, *edition.group_of, *categories}
    if isinstance(name, str) and name not in known:
        what = "category" if verb in _CATEGORY else "card, group or category"
        yield CodeMistake((), function.__code__.co_filename, call.lineno, f"there is no {what} '{name}'")


def _fields(template: str) -> set[str]:
    try:
        return {name.partition(".")[0] for _, name, _, _ in Formatter().parse(template) if name}
    except ValueError:
        return set()


def _verb(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _value(function: FunctionType, node: ast.expr) -> Any:  # noqa: ANN401 - whatever the author wrote
    """Return the value of a literal, or of a name of the module; None where it is known only at the table."""
    if isinstance(node, ast.Name):
        return function.__globals__.get(node.id)
    try:
        return ast.literal_eval(node)
    except ValueError:
        return None


def _called(act: Act) -> list[FunctionType]:
    """Return a rule's function and the functions of its file that it calls."""
    found: dict[FunctionType, None] = {}
    waiting: list[Any] = [act]
    while waiting:
        function = waiting.pop()
        if not isinstance(function, FunctionType) or function in found:
            continue
        found[function] = None
        here = function.__code__.co_filename
        others = (function.__globals__.get(name) for name in _names_in(function.__code__))
        waiting += [one for one in others if isinstance(one, FunctionType) and one.__code__.co_filename == here]
    return list(found)


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield a function's code and that of the functions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _names_in(code: CodeType) -> set[str]:
    """Return the names that a function uses, of attributes too."""
    return {name for inner in _codes(code) for name in inner.co_names}


def _words(code: CodeType) -> set[str]:
    """Return the names that a function uses, and its texts: `getattr` takes the name of a number as a text."""
    texts = {constant for inner in _codes(code) for constant in inner.co_consts if isinstance(constant, str)}
    return texts | _names_in(code)


def _calls(function: FunctionType) -> list[ast.Call]:
    """Return all calls in a function, as they are written."""
    code = function.__code__
    for node in ast.walk(_tree(code.co_filename)):
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            lines = {node.lineno, *(decorator.lineno for decorator in node.decorator_list)}
            if code.co_firstlineno in lines:
                return [call for part in node.body for call in ast.walk(part) if isinstance(call, ast.Call)]
    return []


@cache
def _tree(file: str) -> ast.Module:
    try:
        return ast.parse(Path(file).read_text(encoding="utf-8"))
    except (OSError, SyntaxError):
        return ast.Module([], [])
