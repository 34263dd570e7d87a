"""The files of an edition, read but not yet checked: its TOML, merged with the edition it extends, and functions.

Items of the same name are merged field by field, and entry by entry inside `numbers`, `says`, `lists` and `define`; a
text replaces the other in all languages, and an effect all others. New items come last. Other `values` give other items
of their templates. `without` leaves items out, and
with a rule everything that only belongs to it: its rulings, its tie-breaks, and settings that no other rule uses.
"""

from __future__ import annotations

import ast
import re
import tomllib
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from server.editions.formulas.meaning import EFFECTS, MEANING
from server.editions.registry import FILE, RULES, edition_folders, folder_of, slug_of
from server.editions.rules_file import method_name, module_tree, read_rules
from server.editions.source_lines import EditionFinding, FileError, SourceLines, exact, line_of, names_of
from server.editions.templates import TemplateError, expand_templates
from server.editions.translations import Sentence
from server.scoring.errors import EditionError
from server.scoring.rulebook import Rulebook

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from server.scoring.rulebook import RuleCode


PARTS = ("categories", "groups", "families", "settings", "facts", "parts", "cards", "rules", "ties", "rulings")
"""The lists of a file whose items have names; a ruling may have one."""
_ENTRIES = ("numbers", "says", "lists", "define")
_OWN = ("extends", "without", "cases")

Table = dict[str, Any]


def excluded_names(variant: Mapping[str, Any], part: str) -> frozenset[str]:
    """Return the names of items that a variant leaves out of a list of the edition it extends."""
    tables = variant.get("without")
    names = tables.get(part) if isinstance(tables, dict) else None
    return frozenset(str(name) for name in names) if isinstance(names, list) else frozenset()


def unknown_exclusions(base: Mapping[str, Any], variant: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the list and name of each item that a variant leaves out, but that does not exist."""
    for part in PARTS:
        known = {name for item in base.get(part, []) for name in _excluded_by(part, item)}
        for name in sorted(excluded_names(variant, part) - known):
            yield part, name


def merge_variant(base: Mapping[str, Any], variant: Mapping[str, Any]) -> Table:
    """Return the document of a variant; `base` is the whole document of the edition that it extends."""
    document = {name: value for name, value in base.items() if name not in _OWN}
    _leave_out(document, variant)
    for name, value in variant.items():
        if (name in PARTS and isinstance(value, list)) or (name == "handout" and isinstance(value, list)):
            document[name] = _merge_items(document.get(name, []), value)
        elif name in {"players", "values"} and isinstance(value, dict):
            document[name] = {**document.get(name, {}), **value}
        else:
            document[name] = value
    return document


def _merge_items(base: list[Any], items: list[Any]) -> list[Any]:
    """Return the items of both lists; items of the same name are merged in place of the first."""
    result = list(base)
    place = {name: index for index, item in enumerate(base) for name in names_of(item)[:1]}
    for item in items:
        index = next((place[name] for name in names_of(item)[:1] if name in place), None)
        if index is None:
            result.append(item)
        else:
            result[index] = _merge_item(result[index], item)
    return result


def _merge_item(base: Table, item: Table) -> Table:
    replaced = set(MEANING) if not MEANING.isdisjoint(item) else set[str]()
    if replaced and _effects(item) != _effects(base):
        replaced |= {"number", "phase", "prefer"}
    merged = {name: value for name, value in base.items() if name not in replaced} | item
    for entry in _ENTRIES:
        if isinstance(base.get(entry), dict) and isinstance(item.get(entry), dict):
            merged[entry] = {**base[entry], **item[entry]}
    return merged


def _effects(item: Table) -> set[str]:
    """Return the effects that an item states, in its cases too."""
    cases = item.get("case")
    parts = [item, *(case for case in (cases if isinstance(cases, list) else ()) if isinstance(case, dict))]
    return {effect for part in parts for effect in EFFECTS if effect in part}


def _leave_out(document: Table, variant: Mapping[str, Any]) -> None:
    before = set(_settings(document))
    for part in PARTS:
        excluded = excluded_names(variant, part)
        if excluded:
            items = [item for item in document.get(part, []) if part != "rulings" or item.get("rule") not in excluded]
            document[part] = [left for item in items if (left := _without_names(item, excluded))]
    rules = excluded_names(variant, "rules")
    for part in ("rulings", "ties"):
        document[part] = [item for item in document.get(part, []) if item.get("rule") not in rules]
    unused = before - set(_settings(document))
    document["settings"] = [item for item in document.get("settings", []) if item.get("name") not in unused]
    _prune_lists(document, excluded_names(variant, "cards") | excluded_names(variant, "groups"))


def _excluded_by(part: str, item: object) -> list[str]:
    """Return the names in `without` that leave an item out; a ruling also has that of its rule."""
    rule = item.get("rule") if part == "rulings" and isinstance(item, dict) else None
    return [*names_of(item), *([rule] if isinstance(rule, str) else [])]


def _without_names(item: Table, excluded: frozenset[str]) -> Table | None:
    """Return the rest of an item, from which one of several cards may be left out; None if nothing is left."""
    if not excluded.intersection(names_of(item)):
        return item
    keys = [key for key in item.get("keys", []) if key not in excluded]
    return {**item, "keys": keys} if keys and item.get("effect") not in excluded else None


def _prune_lists(document: Table, kinds: frozenset[str]) -> None:
    """Take cards and groups that are left out from the lists of all rules."""
    if kinds and isinstance(document.get("rules"), list):
        document["rules"] = [_pruned(rule, kinds) for rule in document["rules"]]


def _pruned(rule: Table, kinds: frozenset[str]) -> Table:
    lists = {name: [slug for slug in slugs if slug not in kinds] for name, slugs in rule.get("lists", {}).items()}
    return {**rule, "lists": lists} if lists else rule


def _settings(document: Mapping[str, Any]) -> Iterable[str]:
    return (name for rule in document.get("rules", []) for name in rule.get("settings", []))


_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_MAX_MISTAKES = 20
"""Most mistakes of one file that are reported at once."""
_TOML_ERRORS = (
    ("Cannot overwrite a value", Sentence("this is defined twice in the same table; keep one")),
    (
        r"Cannot declare .* twice",
        Sentence("this table is defined twice; write it in [[ ]] if it is one of a list, or join the two"),
    ),
    (
        r"Illegal character '\\n'|Unterminated string|Expected \"['\"]",
        Sentence('a text has no end; close it with a " in its line'),
    ),
    ("Invalid value", Sentence("after = a value is missing or has no quotation marks")),
    ("Expected '='", Sentence("a name and its value need a = between them")),
)
"""Mistakes in a single line, after which the rest can be read: patterns of the message, and our sentences."""
_OTHER_TOML_ERROR = Sentence(
    "a bracket, a comma or a quotation mark is missing or too many, here or in the line before"
)


def read_toml(path: Path, report: Callable[[int, str], None] | None = None) -> dict[str, Any]:
    """Return a TOML file as data; numbers with decimals are exact.

    EditionError for the first mistake. With `report`, which takes line and sentence, as many mistakes as possible are
    reported, and their lines are left out.
    """
    try:
        text = path.read_bytes().decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        return _failed(path, report, line, Sentence("is not UTF-8; save the file in that encoding"), error)
    except OSError as error:
        return _failed(path, report, 1, f"cannot be read: {error.strerror}", error)
    lines = text.split("\n")
    for _ in range(_MAX_MISTAKES):
        try:
            return tomllib.loads("\n".join(lines), parse_float=exact)
        except tomllib.TOMLDecodeError as error:
            found = _PLACE.search(str(error))
            number = int(found[1]) if found and found[1] else len("\n".join(lines).rstrip().split("\n"))
            what = _PLACE.sub("", str(error))
            sentence = next((ours for pattern, ours in _TOML_ERRORS if re.search(pattern, what)), _OTHER_TOML_ERROR)
            _failed(
                path,
                report,
                number,
                Sentence("{sentence}: {line}", sentence=sentence, line=lines[number - 1].strip()[:60]),
                error,
            )
            if sentence == _OTHER_TOML_ERROR:
                break
            lines[number - 1] = ""
        except (ValueError, RecursionError) as error:
            return _failed(
                path, report, 1, Sentence("has a number that is too long, or too many brackets in each other"), error
            )
    return {}


def _failed(
    path: Path, report: Callable[[int, str], None] | None, line: int, sentence: str, cause: Exception
) -> dict[str, Any]:
    if report is None:
        raise FileError(EditionFinding(path, line, "", sentence)) from cause
    report(line, sentence)
    return {}


@dataclass(frozen=True)
class Source:
    """The document of an edition, its folder, and the folders of the editions that it extends.

    `left_out` are the keys of rules, and `absent` the cards and categories, that it or one of these leaves out.
    `values` are those of its templates.
    """

    document: dict[str, Any]
    folders: tuple[Path, ...]
    left_out: frozenset[str] = frozenset()
    absent: frozenset[str] = frozenset()
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def file(self) -> Path:
        """The edition's own TOML."""
        return self.folders[0] / FILE


def read_source(
    folder: Path,
    above: tuple[Path, ...] = (),
    report: Callable[[EditionError], None] | None = None,
    values: Mapping[str, Any] = MappingProxyType({}),
) -> Source:
    """Read the document in a folder; `above` are the folders of the variants that led here, `values` are theirs.

    EditionError for the first mistake. With `report`, mistakes in `without` go there, and the rest is read.
    """
    path = folder / FILE
    document = read_toml(path)
    own: Mapping[str, Any] = document["values"] if isinstance(document.get("values"), dict) else {}
    source = None
    if "extends" in document:
        below = _base_folder(folder, document["extends"], above)
        source = read_source(below, (folder, *above), values={**own, **values})
    stated = {**source.values, **own} if source else own
    document, absent = _expanded(path, document, stated, values)
    if source is None:
        return Source(document, (folder,), absent=absent, values={**stated, **values})
    for part, name in unknown_exclusions(source.document, document):
        mistake = _refusal(
            path,
            ("without", part),
            Sentence("'{edition}' has no '{name}'; take it out", edition=document["extends"], name=name),
        )
        if report is None:
            raise mistake
        report(mistake)
    left_out = source.left_out | excluded_names(document, "rules")
    absent |= source.absent | excluded_names(document, "cards") | excluded_names(document, "categories")
    merged = merge_variant(source.document, document)
    return Source(merged, (folder, *source.folders), left_out, absent, {**stated, **values})


def _refusal(path: Path, key_path: tuple[str, ...], sentence: str) -> EditionError:
    return FileError(EditionFinding(path, line_of(path, key_path), ".".join(key_path), sentence))


def _base_folder(folder: Path, base: object, above: tuple[Path, ...]) -> Path:
    """Return the folder of the edition that the one in `folder` extends."""
    path = folder / FILE
    if not isinstance(base, str):
        raise _refusal(path, ("extends",), Sentence('must be the name of an edition, such as "eurocg-2026"'))
    try:
        below = folder_of(base, beside=folder.parent)
    except EditionError as error:
        if base in edition_folders(folder.parent):
            raise _refusal(path, ("extends",), str(error)) from None
        known = ", ".join(sorted(edition_folders(folder.parent).keys() - {slug_of(folder)}))
        raise _refusal(
            path, ("extends",), Sentence("there is no edition '{base}' (known: {known})", base=base, known=known)
        ) from None
    if below.resolve() in (place.resolve() for place in (folder, *above)):
        raise _refusal(path, ("extends",), Sentence("'{base}' extends this edition itself; name another", base=base))
    return below


def _expanded(
    path: Path, document: Table, stated: Mapping[str, Any], values: Mapping[str, Any]
) -> tuple[Table, frozenset[str]]:
    """Return a document with the items of its templates, and those that it lacks as a variant has other values."""
    try:
        whole = expand_templates(document, {**stated, **values})
        absent = _slugs(expand_templates(document, stated)) - _slugs(whole) if values else frozenset[str]()
    except TemplateError as error:
        raise _refusal(path, error.path, error.args[0]) from None
    _prune_lists(whole, absent)
    return whole, absent


def _slugs(document: Table) -> frozenset[str]:
    """Return the names of all cards and groups."""
    items = (item for part in ("cards", "groups") for item in document.get(part, []))
    return frozenset(name for item in items for name in names_of(item))


def read_book(source: Source, report: Callable[[Path, int, str], None] | None = None) -> tuple[Rulebook, bool]:
    """Return the functions of an edition and of those that it extends, and whether all files could be run.

    Functions for items that a variant leaves out are left out too. For `report`, which also gets the file, see
    `read_rules`.
    """
    book, whole = Rulebook(), True
    for folder in reversed(source.folders):
        path = folder / RULES
        stated = _stated(read_toml(folder / FILE)) if len(source.folders) > 1 else set[str]()
        book.rules = _without(book.rules, stated)
        book.families = _without(book.families, stated)
        book.instead -= stated
        if path.exists():
            above, complete = read_rules(path, report and partial(report, path))
            whole = whole and complete
            if len(source.folders) > 1:
                book.instead |= (above.rules.keys() | above.families.keys()) - stated
            book.rules |= above.rules
            book.families |= above.families
            book.ties |= above.ties
        if folder in source.folders[1:2]:
            for part, functions in (("rules", book.rules), ("families", book.families), ("ties", book.ties)):
                for name in functions.keys() - _names(source, part):
                    del functions[name]
    return book, whole


def _without(functions: dict[str, RuleCode], names: Collection[str]) -> dict[str, RuleCode]:
    return {name: code for name, code in functions.items() if name not in names}


def _stated(document: Mapping[str, Any]) -> set[str]:
    """Return the keys of rules and the names of families that say in the TOML what they do."""
    items = [item for part in ("rules", "families") for item in _listed(document, part) if isinstance(item, dict)]
    return {name for item in items if not MEANING.isdisjoint(item) for name in names_of(item)}


def _names(source: Source, part: str) -> set[str]:
    return {name for item in _listed(source.document, part) for name in names_of(item)}


def _listed(table: Mapping[str, Any], name: str) -> list[Any]:
    """Return a list in a table; an empty one for a wrong type, which the schema reports."""
    found = table.get(name)
    return found if isinstance(found, list) else []


def readable_place(place: str) -> str:
    """Format a place for people: "#0", the first item of a list without names, becomes "no. 1"."""
    return ".".join(f"no. {int(step[1:]) + 1}" if step.startswith("#") else step for step in place.split("."))


_REGISTERING = {"rules": "rule", "families": "family", "ties": "tie"}
"""By list of the document, the method of the rulebook that registers a function."""


def _in_formula(found: EditionFinding, formula: str, index: int) -> EditionFinding:
    """Return a finding with the line and column of a character in a formula."""
    lines = found.file.read_text(encoding="utf-8").splitlines()
    for number in range(found.line, len(lines) + 1):
        column = lines[number - 1].find(f'"{formula}"')
        if column >= 0:
            return found._replace(line=number, column=column + index + 2)
    return found


class SourcePlaces:
    """Finds the file and line of values and functions in an edition and those that it extends."""

    def __init__(self, source: Source) -> None:
        self._source = source
        files = [folder / FILE for folder in source.folders]
        self._lines = [(file, SourceLines(file.read_text(encoding="utf-8"))) for file in files]

    def at(self, key_path: Sequence[str], field: str, sentence: str) -> EditionFinding:
        """Return a finding about a value, in the file that has most of its path; the edition's own file comes first."""
        steps, line, file = 0, 1, self._source.file
        for path, lines in self._lines:
            length, number = lines.find(self._named(list(key_path), lines))
            if length > steps:
                steps, line, file = length, number, path
        return EditionFinding(file, line, field, sentence)

    def finding(
        self, place: str, sentence: str, function: Callable[..., Any] | None = None, formula: str = "", index: int = 0
    ) -> EditionFinding:
        """Return a finding about a place such as "rules.7", or about the `function` that is registered for it.

        A function of another file, such as one of the engine, is found where the author registers it. A `formula` is
        found by its text, from the line of the place on, and then the column of the character at `index`.
        """
        field = readable_place(place)
        if function is None:
            found = self.at(place.split("."), field, sentence)
            return found if not formula else _in_formula(found, formula, index)
        files = [folder / RULES for folder in self._source.folders]
        code = getattr(function, "__code__", None)
        if code is not None and Path(code.co_filename) in files:
            return EditionFinding(Path(code.co_filename), code.co_firstlineno, field, sentence)
        part, _, name = place.partition(".")
        for file in files:
            for node in ast.walk(module_tree(str(file))):
                if isinstance(node, ast.Call) and node.args and method_name(node) == _REGISTERING.get(part):
                    argument = node.args[0]
                    if isinstance(argument, ast.Constant) and str(argument.value) == name:
                        return EditionFinding(file, node.lineno, field, sentence)
        return self.at(place.split("."), field, sentence)

    def _named(self, key_path: list[str], lines: SourceLines) -> list[str]:
        """Replace the index of an item in the merged document by its name, or else by its index in a file."""
        items = self._source.document.get(key_path[0]) if len(key_path) > 1 else None
        place = key_path[1].removeprefix("#") if len(key_path) > 1 else ""
        if not isinstance(items, list) or place == key_path[1] or int(place) >= len(items):
            return key_path
        names = names_of(items[int(place)])
        duplicate = bool(names) and any(names[:1] == names_of(item)[:1] for item in items[: int(place)])
        if names and not duplicate:
            return [key_path[0], names[0], *key_path[2:]]
        if duplicate:  # its index is only right in the same file
            return key_path
        own = lines.place_of(key_path[0], items[int(place)])
        return [key_path[0], own, *key_path[2:]] if own is not None else []
