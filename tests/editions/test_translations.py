"""Mistakes in editions and rules in plain words are there in each language of the pages."""

from __future__ import annotations

import ast
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING

import pytest

from server.editions.examples.report import rule_report
from server.editions.translations import LANGUAGES, catalogue
from server.editions.uploads import check_upload
from tests.editions.test_formulas import written
from tests.editions.test_rule_examples import rules_of
from tests.editions.test_uploads import TOML

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
READING = ROOT / "server/editions/examples/reading.py"
OTHERS = ["cardgen/artwork/own_symbols.py", "server/games/uploaded_editions.py", "server/scoring/partition.py"]
TRANSLATIONS = ROOT / "server/editions/translations/__init__.py"
FILES = [file for file in sorted((ROOT / "server/editions").rglob("*.py")) if file != TRANSLATIONS]
FILES += [ROOT / name for name in OTHERS]
SENTENCES = {"Sentence", "SymbolError", "CalculationError"}
WORDS = {"say", "in_language"}
TRANSLATED = [language for language in LANGUAGES if language != "en"]
WITHOUT_WORDS = {"{0}", "{0} + {1}", "{0} / {1}", "{0} \N{MINUS SIGN} {1}", "{0} \N{MULTIPLICATION SIGN} {1}"}
OF_VALUES = {"true", "false"}


def constants(tree: ast.AST) -> set[str]:
    """Return all texts in a tree."""
    found = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return {text for text in found if isinstance(text, str)}


def texts_of(node: ast.expr, scopes: list[ast.AST]) -> set[str]:
    """Return the texts that an expression may give: a literal, a choice, or a name or an entry of a table.

    `scopes` are the function and the module, where a name gets its value. An error has its text as `template`.
    """
    found: set[str] = set()
    match node:
        case ast.Attribute(attr="template"):
            return found
        case ast.Constant(value=str(text)):
            found = {text}
        case ast.IfExp(body=one, orelse=other) | ast.Call(func=ast.Attribute(value=one, attr="get"), args=[_, other]):
            found = texts_of(one, scopes) | texts_of(other, scopes)
        case ast.Dict(values=values):
            found = set().union(*(texts_of(value, scopes) for value in values))
        case ast.Subscript(value=table):
            found = texts_of(table, scopes)
        case ast.Name(id=name):
            found = next(filter(None, (values_of(name, scope, scopes) for scope in scopes)), found)
    assert found, f"no text can be found for {ast.unparse(node)}"
    return found


def values_of(name: str, scope: ast.AST, scopes: list[ast.AST]) -> set[str]:
    """Return the texts that a name gets in a scope."""
    found: set[str] = set()
    for one in ast.walk(scope):
        targets = one.targets if isinstance(one, ast.Assign) else [one.target] if isinstance(one, ast.AnnAssign) else []
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            found |= texts_of(one.value, scopes)  # type: ignore[attr-defined] # an assignment
    return found


def sentences_in(tree: ast.Module) -> set[str]:
    """Return the texts of all sentences that a module makes."""
    found: set[str] = set()
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for scopes in ([tree], *([function, tree] for function in functions)):
        for node in ast.walk(scopes[0]):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SENTENCES:
                inside = len(scopes) == 1 and any(node in ast.walk(function) for function in functions)
                found |= set() if inside else texts_of(node.args[0], scopes)
    return found


def english_texts() -> Iterator[str]:
    """Yield the texts that are made to be translated: templates of sentences, and those of plain words."""
    for file in FILES:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        yield from sentences_in(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in WORDS:
                yield from constants(node.args[0])
    yield from (text for text in constants(ast.parse(READING.read_text(encoding="utf-8"))) if "{0}" in text)


def values_in(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", TRANSLATED)
def test_each_text_has_a_translation_with_its_values_and_no_other_is_left(language: str) -> None:
    texts = catalogue(language)
    assert set(english_texts()) - WITHOUT_WORDS - texts.keys() == set()
    known = set().union(*(constants(ast.parse(file.read_text(encoding="utf-8"))) for file in FILES))
    assert texts.keys() - known - OF_VALUES == set()
    assert [text for text, there in texts.items() if values_in(text) != values_in(there)] == []


@pytest.mark.parametrize(
    ("language", "before", "after", "sentence"),
    [
        ("de", "worth = 3", "wroth = 3", "cards.red.wroth: ist ein unbekanntes Feld; schreib worth"),
        (
            "de",
            "red > limit",
            "rad > limit",
            "rules.2.when: es gibt keine Karte, Zahl oder Angabe „rad“; meintest du „red“?",
        ),
        ("fr", "red > limit", "red + limit", "doit être une condition, comme «\u202fred > 2\u202f», et non un nombre"),
        ("fr", 'symbol = "heart"', 'symbol = "hart"', "cards.red.symbol: il n’y a pas de symbole «\u202fhart\u202f»"),
        ("de", 'slug = "red"', 'slug = "{colour}"', "es gibt keine Werte „colour“ (bekannt: keine)"),
        ("xx", "worth = 3", "wroth = 3", "cards.red.wroth: is an unknown field; write worth"),
    ],
)
def test_mistakes_are_in_the_language_that_is_asked_for(language: str, before: str, after: str, sentence: str) -> None:
    (found,) = check_upload({"edition.toml": TOML.replace(before, after, 1)}).findings
    assert sentence in str(found.in_language(language))


def test_a_failed_test_case_names_its_mistake_in_the_language_that_is_asked_for() -> None:
    toml = TOML.replace('"sets * points"', '"sets * points / (sets - 99)"')
    toml += "\n[[cases]]\nhands = [{ cards = { red = 99, blue = 99, yellow = 99 } }]\nscores = [0]\n"
    (found,) = check_upload({"edition.toml": toml}).findings
    assert found.in_language("de").detail == "lässt sich nicht auswerten (rules.1: eine Formel teilt durch 0)"


ODD = 'when = "red > 6 and odd(total)"\ngive = 1'
MOST = 'when = "red in most(colour)"\nzero = "red"'


@pytest.mark.parametrize(
    ("rule", "language", "words"),
    [
        (ODD, "de", "Wenn die Anzahl von „Red“ mehr als 6 ist und die Anzahl aller abgegebenen Karten ungerade ist: "),
        (ODD, "de", "die Hand bekommt 1 Punkt."),
        (ODD, "fr", "Si le nombre de «_Red_» dépasse 6 et le nombre total de cartes rendues est un nombre impair_: "),
        (MOST, "de", "Wenn „Red“ zu den häufigsten Sorten von „Colours“ (bei Gleichstand allen) gehört: "),
        (MOST, "de", "bei „Red“ zählt nichts."),
        (
            MOST,
            "fr",
            "les sortes les plus fréquentes parmi «_Colours_» (toutes en cas d’égalité)_: aucun point pour «_Red_».",
        ),
        ("worth.red = 1.5", "de", "Jede Karte „Red“ zählt 1,5 Punkte."),
        ("worth.red = 1.5", "fr", "Chaque carte «_Red_» vaut 1,5 point."),
    ],
)
def test_plain_words_are_in_the_language_that_is_asked_for(
    tmp_path: Path, rule: str, language: str, words: str
) -> None:
    rules = rules_of(written(tmp_path, rule))
    assert words.replace("_", "\u202f") in rule_report(rules, "11", language).words[0]
