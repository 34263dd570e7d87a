"""Static checks of an edition's rules: numbers, touches, sentences and names of cards."""

from __future__ import annotations

import ast
import re
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from server.editions.checks import NONE, form_mistake, placeholders, printed_placeholders
from server.editions.rules_file import (
    called_functions,
    function_calls,
    function_nodes,
    method_name,
    module_tree,
    refusal,
    static_value,
    words_in_code,
)
from server.editions.translations import Sentence
from server.scoring.breakdown import decimal, engine_values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import FunctionType

    from server.editions.schema import EditionFile, FamilyPart, RulePart
    from server.scoring.edition import Edition
    from server.scoring.rulebook import Rulebook
    from server.scoring.rules import Points, Rule

_SENTENCE_ARGUMENTS = {
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
"""For each verb, the argument that names its sentence, and the default."""
_TOUCHING_VERBS = {"cancel", "adjust", "void", "shield"}
_NAME_VERBS = {
    *("has", "handed_in", "kinds", "worth", "cap", "multiply", "at_least"),
    *("all_most", "sole_most", "next_sole_most"),
}
_CATEGORY_VERBS = {"counts", "size", "highest", "most", "serials", "keep"}
_KIND_VERBS = {"worth", "cap", "multiply", "at_least"}
"""Verbs that take a kind of card, but no group or category."""


class CodeFinding(NamedTuple):
    """A mistake in a rule, with file and line in Python, or the `place` in the TOML if `file` is "".

    A `hint` may be no mistake. If it `follows`, it may be the consequence of another mistake.
    """

    file: str
    line: int
    place: str
    sentence: str
    hint: bool = False
    follows: bool = False


def code_mistakes(edition: Edition, file: EditionFile, folder: Path, book: Rulebook) -> Iterator[CodeFinding]:
    """Yield the mistakes in the functions of an edition's folder.

    In tie-breaks, and in functions that belong to no rule, only the names of cards can be checked.
    """
    rules_file = folder / "rules.py"
    if rules_file.exists():
        yield from _imports(rules_file)
    parts = {key: part for part in file.rules for key in part.cards}
    for rule in edition.rules:
        part = parts[rule.key]
        functions = [function for step in rule.steps for function in called_functions(step.act)]
        unknown = list(_unknown_numbers(rule, functions))
        yield from unknown
        # Otherwise a number that is used seems unused.
        if not unknown and len(rule.steps) >= _stated_steps(file, part):
            yield from _numbers(rule, part, *_wording(file, part), functions)
        own = all(Path(function.__code__.co_filename).parent == folder for function in functions)
        calls = [(function, call) for function in functions for call in function_calls(function)]
        yield from _sentences(rule, calls, frozenset(part.says), edition.language)
        yield from _placeholders(rule, calls, _says(file, part))
        if own:
            for function, call in calls:
                yield from _touches(edition, rule, function, call)
                yield from _names(edition, function, call)
    used = {step.act for rule in edition.rules for step in rule.steps}
    codes = [*book.rules.values(), *book.families.values()]
    acts: list[Callable[..., Any]] = [step.act for code in codes for step in code.steps if step.act not in used]
    acts += book.ties.values()
    for function in {inner: None for act in acts for inner in called_functions(act)}:
        if Path(function.__code__.co_filename).parent == folder:
            for call in function_calls(function):
                yield from _names(edition, function, call)


def hard_coded_numbers(file: EditionFile) -> Iterator[tuple[str, str]]:
    """Yield the path of each text of a rule that has in digits what another language takes from it, and a sentence."""
    for part in file.rules:
        texts = [("name", part.name), ("text", part.text), *((f"says.{name}", say) for name, say in part.says.items())]
        for path, by_language in texts:
            for language, sentence in _numbers_in_digits(by_language or {}, part.numbers):
                yield f"rules.{part.cards[0]}.{path}.{language}", sentence


def _numbers_in_digits(texts: dict[str, str], numbers: Mapping[str, Points]) -> Iterator[tuple[str, str]]:
    used = {language: placeholders(text) or set() for language, text in texts.items()}
    for name, number in numbers.items():
        digits = re.compile(rf"(?<![\w.,]){re.escape(decimal(number))}(?![\w]|[.,]\d)")
        for language, text in texts.items() if any(name in names for names in used.values()) else ():
            if name not in used[language] and digits.search(text):
                yield (
                    language,
                    Sentence(
                        "has the number {number} in digits, where another language has {{{name}}}; write {{{name}}}",
                        number=decimal(number),
                        name=name,
                    ),
                )


def _imports(path: Path) -> Iterator[CodeFinding]:
    """Find imports that the loader refuses, including those inside functions, and calls of print."""
    for node in ast.walk(module_tree(str(path))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        call = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
        if call == "__import__" and isinstance(node, ast.Call):
            names += [value for arg in node.args[:1] if isinstance(value := getattr(arg, "value", None), str)]
        for name in names:
            sentence = refusal(name)
            if sentence:
                yield CodeFinding(str(path), getattr(node, "lineno", 1), "", sentence)
        if call == "print":
            sentence = "prints each time the rule is applied to a hand; remove it when you no longer need it"
            yield CodeFinding(str(path), getattr(node, "lineno", 1), "", sentence, hint=True)


def _wording(file: EditionFile, part: RulePart) -> tuple[dict[str, str], dict[str, str]]:
    """Return a rule's title and wording by language, its own or its family's."""
    family = _family(file, part)
    return part.name or (family and family.title) or {}, part.text or (family and family.text) or {}


def _says(file: EditionFile, part: RulePart) -> dict[str, dict[str, str]]:
    """Return the sentences of a rule by name and language of the edition, with those of its family."""
    family = _family(file, part)
    says = {**(family.says if family else {}), **part.says}
    return {name: {lang: text for lang, text in texts.items() if lang in file.title} for name, texts in says.items()}


def _family(file: EditionFile, part: RulePart) -> FamilyPart | None:
    return next((family for family in file.families if family.name == part.family), None)


def _stated_steps(file: EditionFile, part: RulePart) -> int:
    """Return the number of steps that a rule states; those with mistakes are missing in the edition."""
    family = _family(file, part)
    meaning = family if family and not part.has_meaning else part
    return bool(meaning.verb or meaning.case) + len(meaning.also)


def _unknown_numbers(rule: Rule, functions: list[FunctionType]) -> Iterator[CodeFinding]:
    """Find numbers that a function reads from its second argument, but that the rule does not have."""
    known = [*rule.numbers, *rule.settings]
    for step in rule.steps:
        function = step.act
        if function not in functions or function.__code__.co_argcount < 2:  # noqa: PLR2004 - the hand, the numbers
            continue
        name = function.__code__.co_varnames[1]
        for node in function_nodes(function):
            of_numbers = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name
            if of_numbers and isinstance(node, ast.Attribute) and node.attr not in known:
                sentence = f"rule {rule.key} has no number '{node.attr}' (it has {', '.join(known) or 'none'})"
                yield CodeFinding(function.__code__.co_filename, node.lineno, "", sentence)


def _numbers(
    rule: Rule, part: RulePart, title: dict[str, str], text: dict[str, str], functions: list[FunctionType]
) -> Iterator[CodeFinding]:
    """Find numbers without effect on scores, and numbers that the card does not state.

    In rules without functions, and in those with lists, numbers may occur in the wording only.
    """
    used = {name for function in functions for name in words_in_code(function.__code__)}
    named = [placeholders(wording) for wording in (*title.values(), *text.values())]
    shown = set().union(*(names for names in named if names))
    wording_only = not functions or bool(rule.lists)
    # A wrong placeholder is reported elsewhere.
    sound = None not in named and shown <= rule.numbers.keys()
    hidden = used - printed_placeholders(title, text) if sound and not part.puzzle else set()
    for name in rule.numbers:
        place = f"rules.{rule.key}.numbers.{name}"
        if name in hidden:
            sentence = Sentence(
                "the card does not state this number in every language; write {{{name}}} into the text, or puzzle = "
                "true if players have to find it out",
                name=name,
            )
            yield CodeFinding("", 1, place, sentence)
        if name in used or (name in shown and (wording_only or name in part.wording_only)):
            continue
        sentence = Sentence("neither the wording nor a function of the rule uses this number; take it out")
        if name in shown:
            sentence = Sentence(
                "only the wording uses this number, so changing it changes no score; "
                'use it in a formula or function, or allow it: wording_only = ["{name}"]',
                name=name,
            )
        yield CodeFinding("", 1, place, sentence)
    for name in part.wording_only:
        if name not in rule.numbers:
            sentence = Sentence(
                "the rule has no number '{name}' (known: {names})", name=name, names=", ".join(rule.numbers) or NONE
            )
            yield CodeFinding("", 1, f"rules.{rule.key}.wording_only", sentence)


def _sentences(
    rule: Rule, calls: list[tuple[FunctionType, ast.Call]], own: frozenset[str], language: str
) -> Iterator[CodeFinding]:
    written: set[str] = set()
    sure = True
    for function, call in calls:
        verb = method_name(call)
        if verb not in _SENTENCE_ARGUMENTS:
            continue
        place, say = _SENTENCE_ARGUMENTS[verb]
        if len(call.args) > place:
            value = static_value(function, call.args[place])
            if not isinstance(value, str):
                sure = False
                continue
            say = value
        written.add(say)
        if say not in rule.says:
            sentence = f"rule {rule.key} has no sentence '{say}'; add says.{say}.{language} to it"
            yield CodeFinding(function.__code__.co_filename, call.lineno, "", sentence)
    for name in sorted(own - written) if sure and calls else ():
        sentence = "is a sentence that no function of the rule writes; take it out, or write it"
        yield CodeFinding("", 1, f"rules.{rule.key}.says.{name}", sentence)


def _placeholders(
    rule: Rule, calls: list[tuple[FunctionType, ast.Call]], says: dict[str, dict[str, str]]
) -> Iterator[CodeFinding]:
    """Find placeholders without a value in the sentences of a rule, in all languages."""
    for name, texts in says.items():
        for language, text in texts.items():
            if placeholders(text) is None:
                sentence = Sentence(
                    "a brace is missing or too many; write values as {{name}}, and a brace itself as {{{{"
                )
                yield CodeFinding("", 1, f"rules.{rule.key}.says.{name}.{language}", sentence)
            elif wrong_forms := form_mistake(text):
                yield CodeFinding("", 1, f"rules.{rule.key}.says.{name}.{language}", wrong_forms)
    for function, call in calls:
        verb = method_name(call)
        if verb not in _SENTENCE_ARGUMENTS or any(keyword.arg is None for keyword in call.keywords):
            continue
        place, say = _SENTENCE_ARGUMENTS[verb]
        written = static_value(function, call.args[place]) if len(call.args) > place else say
        known = {*rule.numbers, *rule.settings, *engine_values(verb)}
        known |= {str(keyword.arg) for keyword in call.keywords} - {"everyone"}
        texts = says.get(written, {}) if isinstance(written, str) else {}
        unfilled = {language: (placeholders(text) or set()) - known for language, text in texts.items()}
        everywhere = set.intersection(*unfilled.values()) if unfilled else set()
        wrong = [("", name) for name in everywhere]
        wrong += [(f".{language}", name) for language, names in unfilled.items() for name in names - everywhere]
        for where, name in sorted(wrong):
            wrong_name = f"unknown placeholder {{{name}}} (known: {', '.join(sorted(known))}); pass it: {name}=…"
            yield CodeFinding("", 1, f"rules.{rule.key}.says.{written}{where}", wrong_name)


def _touches(edition: Edition, rule: Rule, function: FunctionType, call: ast.Call) -> Iterator[CodeFinding]:
    if method_name(call) not in _TOUCHING_VERBS or not call.args:
        return
    keys = static_value(function, call.args[0])
    number = static_value(function, call.args[1]) if method_name(call) == "adjust" and len(call.args) > 1 else None
    for key in keys if isinstance(keys, list | tuple) else ():
        touched = edition.rule_of.get(str(key))
        sentence = ""
        if str(key) not in rule.touches:
            sentence = f"rule {rule.key} touches rule {key} without declaring it; add it to touches=[…]"
        elif touched and isinstance(number, str) and number not in {*touched.numbers, *touched.settings}:
            there = ", ".join([*touched.numbers, *touched.settings]) or "none"
            sentence = f"rule {key} has no number '{number}' to adjust (it has {there})"
        if sentence:
            yield CodeFinding(function.__code__.co_filename, call.lineno, "", sentence)


def _names(edition: Edition, function: FunctionType, call: ast.Call) -> Iterator[CodeFinding]:
    verb = method_name(call)
    if verb not in _NAME_VERBS | _CATEGORY_VERBS or not call.args:
        return
    name = static_value(function, call.args[0])
    categories = {deal.category for deal in edition.deal}
    known, what = {*edition.kind_of, *edition.group_of, *categories}, "card, group or category"
    if verb in _CATEGORY_VERBS:
        known, what = categories, "category"
    elif verb in _KIND_VERBS:
        known, what = {*edition.kind_of}, "card"
    if isinstance(name, str) and name not in known:
        close = get_close_matches(name, known, 1)
        hint = f"; did you mean '{close[0]}'?" if close else f" for me.{verb}"
        sentence = f"there is no {what} '{name}'{hint}"
        yield CodeFinding(function.__code__.co_filename, call.lineno, "", sentence)
