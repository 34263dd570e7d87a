"""Python of editions: runs `rules.py` statement by statement, to find several mistakes, and inspects its functions.

Output of the file goes to standard error, and modules that make scores depend on chance, on the clock or on the machine
are refused. This prevents mistakes; it does not protect against malicious code.
"""

from __future__ import annotations
import __future__

import ast
import builtins
import sys
import threading
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, NoReturn

from server.scoring.errors import EditionError, line_in_file
from server.scoring.rulebook import Rulebook

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


_MACHINE_MODULES = (
    *("asyncio", "builtins", "ctypes", "importlib", "io", "multiprocessing", "os", "pathlib", "posix", "shutil"),
    *("signal", "socket", "subprocess", "sys", "tempfile", "threading", "urllib"),
)
_REFUSED_MODULES = {
    **dict.fromkeys(("random", "secrets", "uuid"), "chance"),
    **dict.fromkeys(("time", "datetime"), "the clock"),
    **dict.fromkeys(_MACHINE_MODULES, "the machine"),
}
"""Modules that rules may not import, and what scores would depend on."""


class RefusedError(EditionError):
    """A rule uses something that scores must not depend on."""


def read_rules(path: Path, report: Callable[[int, str], None] | None = None) -> tuple[Rulebook, bool]:
    """Return the functions of an edition's file, and whether all of it could be run.

    EditionError for the first mistake. With `report`, which takes line and sentence, all mistakes are reported, and
    refused modules are replaced by placeholders that fail when they are called.
    """
    runner = _StatementRunner(path, report)
    module = _module(path, strict=report is None)
    for statement in runner.statements():
        runner.run(statement, module)
    book = vars(module).get("book")
    if not isinstance(book, Rulebook):
        if not runner.failed:
            runner.report(1, "defines no 'book = Rulebook()'; add it above the rules")
        book = Rulebook()
    return book, not runner.failed


class _StatementRunner:
    """Runs the statements of a file; with `report` it continues after mistakes, but omits their consequences."""

    def __init__(self, path: Path, report: Callable[[int, str], None] | None) -> None:
        self._path = path
        self._report = report
        self.failed = False
        self._unbound: set[str] = set()
        """Names that failed statements would have bound."""

    def report(self, line: int, sentence: str, cause: BaseException | None = None) -> None:
        self.failed = True
        if self._report is None:
            raise EditionError(f"{self._path}:{line}: {sentence}") from cause
        self._report(line, sentence)

    def statements(self) -> Iterator[ast.stmt]:
        try:
            yield from parse_module(self._path.read_bytes(), str(self._path)).body
        except SyntaxError as error:
            self.report(error.lineno or 1, f"Python cannot read this: {error.msg}", error)
        except (OSError, ValueError) as error:
            self.report(1, f"cannot be read: {error}", error)

    def run(self, statement: ast.stmt, module: ModuleType) -> None:
        """Run one statement of the file; a mistake is reported with its line in the file."""
        tree = ast.Module([statement], [])
        flags = __future__.annotations.compiler_flag if "annotations" in vars(module) else 0
        try:
            code = compile(tree, str(self._path), "exec", flags=flags, dont_inherit=True)
            exec(code, vars(module))  # noqa: S102 - running the author's file is what this module is for
        except (Exception, SystemExit) as error:  # noqa: BLE001 - an author's file can fail in any way
            follows = isinstance(error, NameError) and error.name in self._unbound
            self._unbound |= _bound_names(statement)
            if isinstance(error, NameError) and error.name:
                self._unbound.add(error.name)
            if not follows:
                line = line_in_file(str(self._path), error.__traceback__) or getattr(error, "lineno", None)
                self.report(line or statement.lineno, _reason(error), error)


def _reason(error: BaseException) -> str:
    if isinstance(error, EditionError):
        return str(error)
    if isinstance(error, SyntaxError):
        return f"Python cannot read this: {error.msg}"
    if isinstance(error, AttributeError) and isinstance(error.obj, type) and error.name:
        known = [name for name in dir(error.obj) if name[0] != "_"]
        close = get_close_matches(error.name, known, 1)
        return f"{error.obj.__name__} has no {error.name}; " + (f"write {close[0]}" if close else ", ".join(known))
    if isinstance(error, NameError) and error.name == "book":
        return "there is no 'book'; write book = Rulebook() above the rules"
    return f"cannot be run: {type(error).__name__}: {error}"


def _bound_names(statement: ast.stmt) -> set[str]:
    """Return the names that a statement binds, including functions and imports."""
    names = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    names |= {
        alias.asname or alias.name
        for node in ast.walk(statement)
        for alias in getattr(node, "names", ())
        if isinstance(alias, ast.alias)
    }
    return names | ({statement.name} if isinstance(statement, ast.FunctionDef | ast.ClassDef) else set())


def _module(path: Path, *, strict: bool) -> ModuleType:
    module = ModuleType(f"haggle_edition_{path.parent.name}")
    module.__file__ = str(path)
    instead: dict[str, Any] = {"print": _print, "__import__": _strict_import if strict else _lenient_import}
    instead |= {name: _refused_call(name) for name in ("input", "open", "exit", "quit")}
    module.__dict__["__builtins__"] = {**vars(builtins), **instead}
    sys.modules[module.__name__] = module  # dataclasses in the file look themselves up there
    return module


def _print(*values: object, file: Any = None, **how: Any) -> None:  # noqa: ANN401 - as Python's own
    """Print to standard error, as standard output is for results."""
    print(*values, file=file or sys.stderr, **how)


def _strict_import(name: str, *where: Any, **how: Any) -> Any:  # noqa: ANN401 - as Python's own
    sentence = refusal(name)
    if sentence:
        raise RefusedError(sentence)
    return builtins.__import__(name, *where, **how)


def _lenient_import(name: str, *where: Any, **how: Any) -> Any:  # noqa: ANN401 - as Python's own
    sentence = refusal(name)
    return _RefusedModule(sentence) if sentence else builtins.__import__(name, *where, **how)


class _RefusedModule:
    """A placeholder for a refused module and everything in it; calling it raises RefusedError."""

    def __init__(self, sentence: str) -> None:
        self._sentence = sentence

    def __getattr__(self, name: str) -> _RefusedModule:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *_values: object, **_named: object) -> NoReturn:
        raise RefusedError(self._sentence)


def _refused_call(name: str) -> Callable[..., NoReturn]:
    def refuse(*_values: object, **_named: object) -> NoReturn:
        raise RefusedError(f"calls {name}(); a rule only reads the hand and writes to it. Take it out")

    return refuse


def refusal(module: str) -> str | None:
    """Return why a module is refused, or None if rules may import it."""
    why = _REFUSED_MODULES.get(module.partition(".")[0])
    if why is None:
        return None
    return f"imports {module}; a count must not depend on {why}: the same hands always score the same. Take it out"


# Python 3.11 counts the recursion depth of its parser for all threads together, and fails if two of them parse at once.
PARSING = threading.Lock()
"""Held while Python parses something."""


def parse_module(data: bytes, file: str = "<unknown>") -> ast.Module:
    """Parse a module; SyntaxError, or ValueError if it is not text. `file` is for messages."""
    with PARSING:
        return ast.parse(data, file)


def compile_module(python: str, file: str) -> CodeType:
    """Compile a module that the loader has written."""
    with PARSING:
        return compile(python, file, "exec", dont_inherit=True)


def module_tree(file: str) -> ast.Module:
    """Return the parsed source of a file, cached until the file changes."""
    try:
        return _parsed(file, Path(file).stat().st_mtime_ns)
    except OSError:
        return ast.Module([], [])


@lru_cache(maxsize=16)
def _parsed(file: str, _written: int) -> ast.Module:
    try:
        return parse_module(Path(file).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return ast.Module([], [])


def function_nodes(function: FunctionType) -> list[ast.AST]:
    """Return all nodes in the source of a function."""
    code = function.__code__
    for node in ast.walk(module_tree(code.co_filename)):
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            lines = {node.lineno, *(decorator.lineno for decorator in node.decorator_list)}
            if code.co_firstlineno in lines:
                return [inner for part in node.body for inner in ast.walk(part)]
    return []


def function_calls(function: FunctionType) -> list[ast.Call]:
    """Return all calls in the source of a function."""
    return [node for node in function_nodes(function) if isinstance(node, ast.Call)]


def method_name(call: ast.Call) -> str:
    """Return the name of the method that is called, "" if it is not a method."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def static_value(function: FunctionType, node: ast.expr) -> Any:  # noqa: ANN401 - anything that the author wrote
    """Return the value of a literal or of a global name; None if it is only known at run time."""
    if isinstance(node, ast.Name):
        return function.__globals__.get(node.id)
    try:
        return ast.literal_eval(node)
    except ValueError:
        return None


def called_functions(act: Callable[..., Any]) -> list[FunctionType]:
    """Return a function of the rulebook and the functions of its file that it calls, directly or indirectly."""
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


def words_in_code(code: CodeType) -> set[str]:
    """Return the names and texts in a function, as the name of a number may be an argument of `getattr`."""
    texts = {constant for inner in _codes(code) for constant in inner.co_consts if isinstance(constant, str)}
    return texts | _names_in(code)


def _names_in(code: CodeType) -> set[str]:
    """Return the names that a function uses, attributes included."""
    return {name for inner in _codes(code) for name in inner.co_names}


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of a function and of the functions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)
