"""The Python that formulas are translated to: small functions, as an author could have written them in `rules.py`."""

from __future__ import annotations

from contextlib import contextmanager
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from server.editions.formulas import calculation
from server.editions.formulas.functions import FUNCTIONS, Cards, held
from server.editions.rules_file import compile_module
from server.scoring.rules import PlayerName, RuleKey

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

V = TypeVar("V")
_CACHED = 10_000
"""Most characters of a function that is kept."""


class Lazy:
    """A value that is calculated when it is called first. It is `known` after that."""

    __slots__ = ("_act", "known")

    def __init__(self, act: Callable[[], Any]) -> None:
        self._act = act
        self.known: Any = None

    def __call__(self) -> Any:  # noqa: ANN401 - any value of a formula
        """Return the value."""
        if self.known is None:
            self.known = self._act()
        return self.known


_GLOBALS: Mapping[str, Any] = MappingProxyType(
    {
        "__builtins__": {"abs": abs, "max": max, "min": min, "int": int, "len": len, "tuple": tuple},
        **{f"{name}_": function.act for name, function in FUNCTIONS.items()},
        **{name: getattr(calculation, name) for name in ("modulo", "divide", "floor_divide", "bounded", "prime")},
        "held": held,
        "Cards": Cards,
        "Calculation": calculation.Calculation,
        "Fraction": Fraction,
        "Lazy": Lazy,
        "Term": calculation.Term,
        "PlayerName": PlayerName,
        "RuleKey": RuleKey,
    }
)
"""All that a function can reach."""


class Writer:
    """Writes a Python function: lines in blocks, and names for values, which are calculated once in a block."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.constants: dict[str, str] = {}
        """Names of values that are the same for all hands, by their Python."""
        self._scopes: list[dict[str, str]] = [{}]
        self._values: list[dict[object, Any]] = [{}]
        self._bound = 0

    def line(self, text: str) -> None:
        """Write a line into the current block."""
        self.lines.append("    " * len(self._scopes) + text)

    @contextmanager
    def block(self, header: str) -> Iterator[None]:
        """Write a block; what is bound inside is unknown after it."""
        self.line(header)
        self._scopes.append({})
        self._values.append({})
        written = len(self.lines)
        yield
        if len(self.lines) == written:
            self.line("pass")
        self._scopes.pop()
        self._values.pop()

    def bind(self, python: str, *, lazy: bool = False) -> str:
        """Return the name of a value, which is calculated here unless it was before; a `lazy` one when it is needed."""
        known = self.bound(python)
        if known is not None:
            return known
        name = self.new_name("v")
        self.line(f"{name} = Lazy(lambda: {python})" if lazy else f"{name} = {python}")
        self._scopes[-1][python] = name + "()" * lazy
        return self._scopes[-1][python]

    def new_name(self, letter: str) -> str:
        """Return a name that is used nowhere else."""
        self._bound += 1
        return f"{letter}{self._bound}"

    def bound(self, python: str) -> str | None:
        """Return the name of a value, or None if it has none here."""
        return next((scope[python] for scope in self._scopes if python in scope), None)

    def remember(self, key: object, make: Callable[[], V]) -> V:
        """Return what `make` has written and returned in this block, or in one around it."""
        for values in self._values:
            if key in values:
                found: V = values[key]
                return found
        made = self._values[-1][key] = make()
        return made

    def constant(self, python: str) -> str:
        """Return the name of a value that is the same for all hands."""
        return self.constants.setdefault(python, f"C{len(self.constants)}")

    def function(self, parameters: str, file: str) -> Callable[..., Any]:
        """Return the function; `file` names its edition in errors."""
        constants = [f"{name} = {python}" for python, name in self.constants.items()]
        python = "\n".join([*constants, f"def act({parameters}):", *self.lines])
        return (_executed if len(python) <= _CACHED else _executed.__wrapped__)(python, file)


# Editions are loaded once for each language. Longer functions would fill the memory.
@lru_cache(maxsize=1024)
def _executed(python: str, file: str) -> Callable[..., Any]:
    scope = dict(_GLOBALS)
    exec(compile_module(python, file), scope)  # noqa: S102 - all of it was written here
    act: Callable[..., Any] = scope["act"]
    return act
