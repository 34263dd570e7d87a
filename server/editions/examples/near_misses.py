"""Near misses: rules that differ from a rule by one typical mistake, such as `or` for `and`, or a limit one too high.

Examples are chosen so that each near miss scores at least one of them differently.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from server.editions.formulas.meaning import EFFECTS, MeaningPart
from server.editions.formulas.parsing import FormulaError, parse_formula
from server.editions.rules_file import PARSING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from server.editions.formulas.translator import Names
    from server.scoring.rules import Points, Rule

Path = tuple[str | int, ...]

_EFFECTS_AND_CASES = frozenset({*EFFECTS, "case"})

_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Eq: (ast.GtE, ast.LtE, ast.NotEq),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Div,
    ast.Div: ast.FloorDiv,
    ast.Mod: ast.FloorDiv,
}
_FUNCTIONS = {
    "most": ("only_most", "least"),
    "only_most": ("most", "next_most"),
    "next_most": ("only_most", "most"),
    "least": ("only_least", "most"),
    "only_least": ("least", "next_least"),
    "next_least": ("only_least",),
    "has_most": ("only_has_most", "next_has_most"),
    "only_has_most": ("has_most", "next_has_most"),
    "next_has_most": ("only_has_most", "has_most"),
    "min": ("max",),
    "max": ("min",),
    "odd": ("even",),
    "even": ("odd",),
    "highest": ("lowest",),
    "lowest": ("highest",),
    "above": ("exactly",),
    "below": ("exactly",),
    "exactly": ("above", "below"),
    "kinds": ("count",),
    "count": ("kinds",),
    "highest_number": ("lowest_number",),
    "lowest_number": ("highest_number",),
    "count_of": ("kinds_of",),
    "kinds_of": ("count_of",),
    "is_mutual": ("is_named",),
    "is_named": ("is_mutual",),
    "most_of_others": ("sum_of_others",),
    "handed_in": ("count",),
    "sum_of_others": ("most_of_others",),
    "both": ("any_of",),
    "any_of": ("both",),
    "prime": ("odd",),
}
"""Functions with the same parameters that an author may confuse."""
_KINDS_OF_CARDS = 3
"""Most wrong kinds that are tried for a name."""
_TARGETS = ("worth", "cap", "at_least", "keep")


class NearMiss(NamedTuple):
    """A rule with one mistake: its meaning (None: as it is), numbers and lists. `what` describes the mistake."""

    what: str
    meaning: MeaningPart | None
    numbers: Mapping[str, Points]
    lists: Mapping[str, tuple[str, ...]]
    acts: bool = True


def near_misses(rule: Rule, meaning: MeaningPart | None, names: Names) -> Iterator[NearMiss]:
    """Yield the near misses of a rule: without any effect, with other numbers and lists, and with other formulas."""
    yield NearMiss("no effect", None, rule.numbers, rule.lists, acts=False)
    used = {word for _, formula in stated_formulas(meaning) for word in words_of(formula)} if meaning else rule.numbers
    for name, number in rule.numbers.items():
        if name not in used:
            continue
        for step in (1, -1):
            what = f"{name} = {number + step}"
            yield NearMiss(what, meaning, {**rule.numbers, name: number + step}, rule.lists)
    for name, slugs in rule.lists.items():
        for slug in dict.fromkeys((slugs[0], slugs[-1]) if slugs else ()):
            for other in alike(slug.replace("-", "_"), names)[:1]:
                instead = tuple(names.cards[other].names[0] if one == slug else one for one in slugs)
                yield NearMiss(f"{slug} -> {other}", meaning, rule.numbers, {**rule.lists, name: instead})
    if meaning is not None:
        for what, document in _documents(meaning, names):
            yield NearMiss(what, MeaningPart.model_validate(document), rule.numbers, rule.lists)


def stated_formulas(meaning: MeaningPart) -> Iterator[tuple[Path, str]]:
    """Yield the path and the text of each formula of a rule."""
    yield from _formulas(_document(meaning), ())


def words_of(formula: str) -> set[str]:
    """Return the names in a formula."""
    return set(re.findall(r"[a-z][a-z_0-9]*", formula))


def _document(meaning: MeaningPart) -> dict[str, Any]:
    """Return what a meaning states, without definitions that only sentences use, and lines without effect."""
    document = meaning.model_dump(include=set(MeaningPart.model_fields), exclude_defaults=True)
    define = document.pop("define", {})
    also = [part for part in map(_without_lines, document.pop("also", [])) if not _EFFECTS_AND_CASES.isdisjoint(part)]
    document = _without_lines(document) | ({"also": also} if also else {})
    needed = [formula for _, formula in _formulas(document, ())]
    used: dict[str, str] = {}
    while needed:
        for name in words_of(needed.pop()) & define.keys() - used.keys():
            used[name] = define[name]
            needed.append(define[name])
    return document | ({"define": used} if used else {})


def _without_lines(table: dict[str, Any]) -> dict[str, Any]:
    """Return a frame without the last cases that only write a line."""
    cases = list(table.get("case", []))
    while cases and _EFFECTS_AND_CASES.isdisjoint(cases[-1]):
        cases.pop()
    rest = {name: value for name, value in table.items() if name != "case"}
    return rest | ({"case": cases} if cases else {})


def _formulas(table: dict[str, Any], path: Path) -> Iterator[tuple[Path, str]]:
    for name, value in table.items():
        here = (*path, name)
        if name in {"say", "phase", "unknown", "prefer"}:
            continue
        if name == "number" and path[-1:] != ("multiply",):
            continue  # only shown, or the name of a number
        if isinstance(value, str):
            yield here, value
        elif isinstance(value, dict):
            yield from _formulas(value, here)
        elif name in {"case", "also"}:
            for index, item in enumerate(value):
                yield from _formulas(item, (*here, index))


def _documents(meaning: MeaningPart, names: Names) -> Iterator[tuple[str, dict[str, Any]]]:
    document = _document(meaning)
    for path, formula in stated_formulas(meaning):
        try:
            parse_formula(formula)
        except FormulaError:
            continue
        for other in changed_formulas(formula, names):
            yield f"{formula} -> {other}", _with(document, path, other)
    yield from _with_other_frames(document, (), names)


def _with(document: dict[str, Any], path: Path, value: object) -> dict[str, Any]:
    """Return a copy of a document with another value; None removes it."""
    result = copy.deepcopy(document)
    here: Any = result
    for step in path[:-1]:
        here = here[step]
    if value is None:
        del here[path[-1]]
    else:
        here[path[-1]] = value
    return result


def _with_other_frames(document: dict[str, Any], path: Path, names: Names) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield documents without a condition, an exception or a case, with cases in another order, other cards or sign."""
    table: Any = document
    for step in path:
        table = table[step]
    for name in sorted(table.keys() & {"when", "but"}):
        yield f"without {name}", _with(document, (*path, name), None)
    for one in sorted(table.keys() & {"give", "take"}):
        other = "take" if one == "give" else "give"
        changed = _with(document, (*path, one), None)
        yield f"{one} -> {other}", _with(changed, (*path, other), table[one])
    for effect in _TARGETS:
        for target in table.get(effect, {}):
            for other in alike(target, names)[:_KINDS_OF_CARDS]:
                targets = {other if name == target else name: value for name, value in table[effect].items()}
                yield f"{effect} {target} -> {other}", _with(document, (*path, effect), targets)
    for keys in [(*path, "void")] + [(*path, effect, "rules") for effect in EFFECTS]:
        yield from _with_fewer_rules(document, keys)
    yield from _with_other_cases(document, path, names)
    for index in range(len(table.get("also", []))):
        left = [one for place, one in enumerate(table["also"]) if place != index]
        yield f"without also {index + 1}", _with(document, (*path, "also"), left)
        yield from _with_other_frames(document, (*path, "also", index), names)


def _with_other_cases(document: dict[str, Any], path: Path, names: Names) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield documents without a case, with cases in another order, or with another case."""
    table: Any = document
    for step in path:
        table = table[step]
    cases = table.get("case", [])
    for index, case in enumerate(cases):
        if len(cases) > 1:
            left = [one for place, one in enumerate(cases) if place != index]
            yield f"without case {index + 1}", _with(document, (*path, "case"), left)
        if index > 0 and "when" in case:
            order = [*cases[: index - 1], case, cases[index - 1], *cases[index + 1 :]]
            yield f"case {index + 1} first", _with(document, (*path, "case"), order)
        yield from _with_other_frames(document, (*path, "case", index), names)


def _with_fewer_rules(document: dict[str, Any], path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    table: Any = document
    for step in path:
        table = table.get(step) if isinstance(table, dict) else table[step] if isinstance(step, int) else None
    if isinstance(table, list) and len(table) > 1:
        for key in table[:_KINDS_OF_CARDS]:
            yield f"without rule {key}", _with(document, path, [one for one in table if one != key])


def changed_formulas(formula: str, names: Names) -> Iterator[str]:
    """Yield formulas with one typical mistake."""
    plain = re.sub(r"\s", " ", re.sub(r"\bmod\b", " % ", formula)).strip()
    with PARSING:
        tree = ast.parse(plain, mode="eval")
    nodes = list(ast.walk(tree))
    seen = {_unparsed(tree)}
    for index, node in enumerate(nodes):
        for change in _changes(node, names):
            changed = copy.deepcopy(tree)
            parent, place = _parent(changed, index)
            instead = change(list(ast.walk(changed))[index])
            if instead is None:
                continue
            if place is None:
                changed.body = instead  # type: ignore[assignment] # expressions only
            elif isinstance(place, tuple):
                getattr(parent, place[0])[place[1]] = instead
            else:
                setattr(parent, place, instead)
            text = _unparsed(changed)
            if text not in seen:
                seen.add(text)
                yield text


def _unparsed(tree: ast.AST) -> str:
    return ast.unparse(tree).replace(" % ", " mod ")


def _parent(tree: ast.Expression, index: int) -> tuple[ast.AST, str | tuple[str, int] | None]:
    """Return the parent of a node, the field in which it is, and its place in a list."""
    target = list(ast.walk(tree))[index]
    for node in ast.walk(tree):
        for field, value in ast.iter_fields(node):
            if value is target:
                return node, None if node is tree else field
            if isinstance(value, list):
                for place, item in enumerate(value):
                    if item is target:
                        return node, (field, place)
    return tree, None


_Change = Callable[[Any], ast.AST | None]


def _changes(node: ast.AST, names: Names) -> Iterator[_Change]:
    """Yield functions that change a node."""
    if isinstance(node, ast.Compare | ast.BoolOp | ast.BinOp):
        yield from _operator_changes(node)
    elif isinstance(node, ast.UnaryOp):
        yield lambda one: one.operand
    elif isinstance(node, ast.IfExp):
        yield lambda one: one.body
        yield lambda one: one.orelse
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield lambda one: ast.Constant(one.value + 1)
        if node.value > 0:
            yield lambda one: ast.Constant(one.value - 1)
    elif isinstance(node, ast.Name):
        for name in (*alike(node.id, names)[:_KINDS_OF_CARDS], *_FUNCTIONS.get(node.id, ())):
            yield partial(_renamed, name)


def _operator_changes(node: ast.Compare | ast.BoolOp | ast.BinOp) -> Iterator[_Change]:
    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            for other in _COMPARISONS.get(type(operator), ()):
                yield partial(_with_comparison, place, other())
    elif isinstance(node, ast.BoolOp):
        word = ast.Or if isinstance(node.op, ast.And) else ast.And
        yield lambda one: _replaced(one, "op", word())
        for place in range(len(node.values)):
            yield partial(_without_value, place)
    elif type(node.op) in _OPERATORS:
        operator_type = _OPERATORS[type(node.op)]
        yield lambda one: _replaced(one, "op", operator_type())
        yield lambda one: one.left
        yield lambda one: one.right


def _renamed(name: str, _node: ast.Name) -> ast.AST:
    return ast.Name(name)


def _replaced(node: ast.AST, field: str, value: object) -> ast.AST:
    setattr(node, field, value)
    return node


def _with_comparison(place: int, operator: ast.cmpop, node: ast.Compare) -> ast.AST:
    node.ops[place] = operator
    return node


def _without_value(place: int, node: ast.BoolOp) -> ast.AST:
    values = [value for index, value in enumerate(node.values) if index != place]
    return values[0] if len(values) == 1 else ast.BoolOp(node.op, values)


def alike(name: str, names: Names) -> list[str]:
    """Return names that an author may confuse with the name of cards: kinds, groups or categories like it."""
    cards = names.cards.get(name)
    if cards is None:
        facts = [other for other, yes_no in names.facts.items() if other != name and yes_no == names.facts.get(name)]
        return facts if name in names.facts else []
    kinds = [part for part in names.cards.values() if part.category and set(cards.kinds) <= set(part.kinds)]
    within = set(kinds[0].kinds) if kinds else set()
    same = [
        other
        for other, its in names.cards.items()
        if other != name
        and bool(its.category) == bool(cards.category)
        and its.is_list == cards.is_list
        and (len(its.kinds) > 1) == (len(cards.kinds) > 1)
        and its.kinds
        and its.kinds != cards.kinds
        and (cards.category or cards.is_list or set(its.kinds) <= within)
    ]
    later = [other for other in same if other > name]
    return [*later, *(other for other in same if other < name)]
