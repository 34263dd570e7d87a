"""The functions of an edition as they are written: their calls, values and names."""

from __future__ import annotations

import ast
import threading
from functools import lru_cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PARSING = threading.Lock()
# Python 3.11 counts how deep it is in a tree for all threads together, and takes it for a mistake of its own where two
# of them parse at once.


def parsed(data: bytes, file: str = "<unknown>") -> ast.Module:
    """Return the tree of a module's code; SyntaxError, or ValueError where it is no text. `file` is for messages."""
    with _PARSING:
        return ast.parse(data, file)


def verb_of(call: ast.Call) -> str:
    """Return the name of the method that is called, "" for anything else."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def value_of(function: FunctionType, node: ast.expr) -> Any:  # noqa: ANN401 - whatever the author wrote
    """Return the value of a literal, or of a name of the module; None where it is known only at the table."""
    if isinstance(node, ast.Name):
        return function.__globals__.get(node.id)
    try:
        return ast.literal_eval(node)
    except ValueError:
        return None


def called(act: Callable[..., Any]) -> list[FunctionType]:
    """Return a function of the rulebook and the functions of its file that it calls."""
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


def words_in(code: CodeType) -> set[str]:
    """Return the names that a function uses, and its texts: `getattr` takes the name of a number as a text."""
    texts = {constant for inner in _codes(code) for constant in inner.co_consts if isinstance(constant, str)}
    return texts | _names_in(code)


def calls_in(function: FunctionType) -> list[ast.Call]:
    """Return all calls in a function, as they are written."""
    return [node for node in nodes_in(function) if isinstance(node, ast.Call)]


def nodes_in(function: FunctionType) -> list[ast.AST]:
    """Return all parts of a function, as they are written."""
    code = function.__code__
    for node in ast.walk(tree_of(code.co_filename)):
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            lines = {node.lineno, *(decorator.lineno for decorator in node.decorator_list)}
            if code.co_firstlineno in lines:
                return [inner for part in node.body for inner in ast.walk(part)]
    return []


def tree_of(file: str) -> ast.Module:
    """Return a file's code; a file is read anew only when it has changed."""
    try:
        return _parsed(file, Path(file).stat().st_mtime_ns)
    except OSError:
        return ast.Module([], [])


@lru_cache(maxsize=16)
def _parsed(file: str, _written: int) -> ast.Module:
    try:
        return parsed(Path(file).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return ast.Module([], [])
