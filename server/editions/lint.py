"""The check of an edition's folder: finds all mistakes at once, each with its file and line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from server.editions.checks import NONE, contradictions, lookalikes, placeholders, texts_in
from server.editions.code_checks.code_lint import code_mistakes, hard_coded_numbers
from server.editions.code_checks.trial import GAMES, Watch, run_trials
from server.editions.examples.cases import case_mistakes
from server.editions.examples.rule_context import EditionRules
from server.editions.examples.search import idle_sentence
from server.editions.loader import build_edition, shared_languages
from server.editions.registry import FILE, RULES, edition_folders, slug_of
from server.editions.repair import repair
from server.editions.rules_file import read_rules
from server.editions.source import SourcePlaces, read_book, read_source, read_toml
from server.editions.source_lines import EditionFinding, FileError
from server.editions.symbols import SYMBOLS_FOLDER, read_outline, symbol_files, symbol_mistakes, unprintable
from server.editions.translations import Sentence
from server.scoring.errors import EditionError
from server.scoring.rulebook import Rulebook

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from server.editions.code_checks.code_lint import CodeFinding
    from server.editions.schema import EditionFile
    from server.editions.source import Source
    from server.scoring.edition import Edition


_PLACE = re.compile(r"(?P<path>.*?\.(?:toml|py)):(?P<line>\d+)(?::\d+)?: (?P<sentence>.*)", re.DOTALL)
_CONSEQUENCES = {
    "cards": r"there is no card|no card, group or",
    "categories": r"there is no (category|card)|need a category",
    "groups": r"there is no (group|card)|no card, group or",
    "facts": r"asks for no fact",
    "parts": r"have no part|no card, group or part",
    "rules": r"has a function, but no wording|which does not exist|is a sentence that no|cannot change what it does",
    "settings": r"there is no setting|has no number",
    "families": r"there is no family|but no \[\[families\]\]",
    "ties": r"but no \[\[ties\]\]",
}
"""By list, the mistakes that follow if an item had to be left out. They are not reported."""
_HANDOUT = frozenset({"start", "ties"})
"""The placeholders of the hand-out."""
_LACKS = re.compile(r"has no text in '(?P<lacks>.*)' \(it has (?P<has>.*)\)")
_WITHOUT_FUNCTIONS = re.compile("but no effect|has no (effect|formula)")


def editions_in(folder: Path) -> list[Path]:
    """Return the folder if it is an edition, otherwise the editions in it; EditionError if there are none."""
    if (folder / FILE).exists():
        return [folder]
    if not folder.is_dir():
        raise EditionError(f"{folder}: there is no such folder; name that of an edition, or one with editions in it")
    inside = sorted(file.parent for file in folder.glob(f"*/{FILE}"))
    if not inside:
        raise EditionError(f"{folder}: there is no {FILE} in it, nor in a folder in it")
    return inside


def lint_edition(folder: Path, watch: Watch | None = None) -> list[EditionFinding]:
    """Return all mistakes in an edition's folder, in the order of files and lines."""
    watch = watch or Watch()
    folder = folder.absolute()
    collected: set[EditionFinding] = set()

    def keep(path: Path, line: int, sentence: str) -> None:
        collected.add(EditionFinding(path, line, "", sentence))

    read_toml(folder / FILE, lambda line, sentence: keep(folder / FILE, line, sentence))
    if collected:
        if (folder / RULES).exists() and watch.starts(RULES):
            read_rules(folder / RULES, lambda line, sentence: keep(folder / RULES, line, sentence))
        return sorted(collected)
    try:
        source = read_source(folder, report=lambda mistake: collected.add(error_finding(folder, mistake)))
    except EditionError as error:
        return [error_finding(folder, error)]
    return sorted(_EditionLint(source, watch, collected).findings(), key=lambda one: (one.file != source.file, one))


def error_finding(folder: Path, error: EditionError) -> EditionFinding:
    """Turn an error that stops reading into a finding."""
    if isinstance(error, FileError):
        return error.finding
    match = _PLACE.fullmatch(str(error))
    if match is None:
        return EditionFinding(folder / FILE, 1, "", str(error))
    return EditionFinding(type(folder)(match["path"]), int(match["line"]), "", match["sentence"])


class _EditionLint:
    """Checks an edition that can be read as TOML, and collects the mistakes."""

    def __init__(self, source: Source, watch: Watch, collected: set[EditionFinding]) -> None:
        self._source = source
        self._watch = watch
        self._collected = collected
        self._places = SourcePlaces(source)
        self._consequences: list[re.Pattern[str]] = []
        self._not_reported: set[str] = set()
        """The places of mistakes that follow from others."""
        self._own_symbols = frozenset(symbol_files(source.folders))
        self._missing: dict[str, tuple[str, list[str]]] = {}
        """By the path of a text, the languages that it has, and those that it lacks."""

    def findings(self) -> set[EditionFinding]:
        self._check_slug()
        file, problems, lost = repair(self._source.document)
        for path, (field, sentence) in problems.items():
            self._collected.add(self._places.at(path, field, sentence))
        self._consequences += [re.compile(pattern) for part, pattern in _CONSEQUENCES.items() if part in lost]
        book, whole = Rulebook(), False
        if self._watch.starts(RULES):
            book, whole = read_book(self._source, self._add_code)
            self._watch.ends()
        if not whole:
            self._consequences.append(_WITHOUT_FUNCTIONS)
        if file is not None:
            edition = self._build(file, book)
            self._check_languages(file)
            self._check_own_words(file)
            self._check_placeholders(file)
            for place, sentence in hard_coded_numbers(file):
                self._add(place, sentence)
            self._check_code(edition, file, book)
        return _without_repetitions(self._collected)

    def _add_code(self, path: Path, line: int, sentence: str) -> None:
        self._collected.add(EditionFinding(path, line, "", sentence))

    def _add(
        self,
        place: str,
        sentence: str,
        function: Callable[..., Any] | None = None,
        formula: str = "",
        index: int = 0,
        /,
    ) -> None:
        """Collect a mistake, unless it follows from another."""
        if self._is_consequence(sentence):
            self._not_reported.add(place)
            return
        lacks = _LACKS.match(sentence)
        if lacks:
            languages = self._missing.setdefault(place, (lacks["has"], []))[1]
            languages += [lacks["lacks"]] if lacks["lacks"] not in languages else []
            return
        self._collected.add(self._places.finding(place, sentence, function, formula, index))

    def _check_slug(self) -> None:
        folder = self._source.folders[0]
        slug, given = slug_of(folder), self._source.document.get("slug")
        if isinstance(given, str) and given != slug:
            self._add("slug", f"must be '{slug}', the name of the folder, not '{given}'")
        for other in edition_folders(folder.parent).get(slug, []):
            if other.resolve() != folder.resolve():
                self._add(
                    "slug",
                    Sentence("'{slug}' is taken by the edition in {other}; rename this folder", slug=slug, other=other),
                )

    def _build(self, file: EditionFile, book: Rulebook) -> Edition:
        """Build the edition in each of its languages; return it in its own."""
        symbols = self._symbols()
        absent = self._source.absent
        own = build_edition(file, book, file.language, self._add, absent, symbols)
        missing = self._added_languages(file)
        for language in sorted(file.title.keys() - {file.language} - missing):
            build_edition(file, book, language, self._add, absent, symbols)
        for place, (has, lacks) in self._missing.items():
            what = Sentence(
                "lacks a text in {languages} (it has {has}); add {fields}",
                languages=", ".join(sorted(lacks)),
                has=has,
                fields=_text_in(place, lacks),
            )
            self._add(place, what)
        family_of = {f"rules.{part.key}": f"families.{part.family}" for part in file.rules}
        for place, sentence in contradictions(own, self._source.left_out):
            if _WITHOUT_FUNCTIONS.search(sentence) and self._has_mistakes_in(place, family_of.get(place, place)):
                continue
            if isinstance(sentence, Sentence) and "touched" in sentence.values:
                touched = f"rules.{sentence.values['key']}"
                if self._has_mistakes_in(touched) or any(one.field == touched for one in self._collected):
                    continue  # its effect is missing
            rule = own.rule_of.get(place.removeprefix("rules."))
            touches = sentence.startswith("touches") and rule is not None
            self._add(place, sentence, rule.steps[0].act if rule and touches else None)
        for place, sentence in (*unprintable(own, file, self._own_symbols), *lookalikes(own.kinds)):
            if not self._has_mistakes_in(place):
                self._add(place, sentence)
        return own

    def _has_mistakes_in(self, *places: str) -> bool:
        """Return whether a mistake was found in a field of one of these tables, reported or not."""
        inside = tuple(f"{place}." for place in places)
        return any(place.startswith(inside) for place in self._not_reported | {one.field for one in self._collected})

    def _symbols(self) -> dict[str, str]:
        """Return the outlines of the symbols that the edition brings, and report bad ones."""
        found = {}
        for name, file in symbol_files(self._source.folders).items():
            shown = f"{SYMBOLS_FOLDER}/{file.name}"
            if not self._watch.starts(shown, file):
                continue
            mistakes = list(symbol_mistakes(file))
            self._collected |= {EditionFinding(file, 1, "", sentence) for sentence in mistakes}
            if not mistakes:
                found[name] = read_outline(file)
        self._watch.ends()
        return found

    def _added_languages(self, file: EditionFile) -> set[str]:
        """Report each language of a variant that the edition it extends lacks, and return these languages."""
        if len(self._source.folders) == 1:
            return set()
        base = read_source(self._source.folders[1]).document
        added = {*file.title} - {*base.get("title", {}), file.language}
        for language in added:
            lacking = sum(language not in texts for _, texts in texts_in(file.model_dump()))
            if lacking:
                what = Sentence(
                    "'{slug}' has no texts in this language; take it out, or add all {number} texts",
                    slug=base.get("slug"),
                    number=lacking,
                )
                self._add(f"title.{language}", what)
        return added

    def _check_own_words(self, file: EditionFile) -> None:
        """Hint at a language that the words of all editions lack."""
        known = shared_languages()
        for language in sorted(file.title.keys() - known):
            sentence = Sentence(
                "Haggle's own words are not in '{language}' (it has {names}): those about the worth of cards, the "
                "hand-out, labels and pages stay in English",
                language=language,
                names=", ".join(sorted(known)),
            )
            place = f"title.{language}"
            if not any(one.field == place for one in self._collected):
                self._collected.add(self._places.finding(place, sentence)._replace(hint=True))

    def _check_languages(self, file: EditionFile) -> None:
        """Report each language that some texts have, but not the title, which decides the languages of an edition."""
        if len(self._source.folders) > 1:
            return  # a variant may have fewer languages than the edition that it extends
        others: dict[str, list[str]] = {}
        for path, texts in texts_in(self._source.document):
            for language in texts.keys() - file.title.keys():
                if re.fullmatch("[a-z]{2}", language):
                    others.setdefault(language, []).append(path)
        for language, paths in others.items():
            there = Sentence(", like {number} other texts", number=len(paths) - 1) if len(paths) > 1 else ""
            sentence = Sentence(
                "is in a language that the title lacks{there}; add title.{language}", there=there, language=language
            )
            self._add(f"{paths[0]}.{language}", sentence)

    def _check_placeholders(self, file: EditionFile) -> None:
        """Report unknown placeholders in texts; those of rules are checked with their numbers."""
        for path, texts in texts_in(self._source.document):
            part = path.partition(".")[0]
            known = _HANDOUT if part == "handout" and path.endswith(".text") else frozenset()
            for language in texts.keys() & file.title.keys() if part not in {"rules", "families"} else ():
                for name in sorted((placeholders(texts[language]) or set()) - known):
                    self._add(
                        f"{path}.{language}",
                        Sentence(
                            "unknown placeholder {{{name}}} (known: {names}); take it out",
                            name=name,
                            names=", ".join(sorted(known)) or NONE,
                        ),
                    )

    def _check_code(self, edition: Edition, file: EditionFile, book: Rulebook) -> None:
        """Check the functions by static checks and by running them; report each line of Python once."""
        if any("there is no setting" in one.sentence for one in self._collected):
            self._consequences.append(re.compile("unknown placeholder|number that is not there|no number"))
        before = set(self._collected)
        for mistake in code_mistakes(edition, file, self._source.folders[0], book):
            if not mistake.file:
                self._add(mistake.place, mistake.sentence)
            elif not self._is_consequence(mistake.sentence):
                place = type(self._source.file)(mistake.file)
                self._collected.add(EditionFinding(place, mistake.line, "", mistake.sentence, mistake.hint))
        fresh = {one for one in self._collected - before if one.file.suffix == ".py"}
        reported = {(one.file, one.line) for one in before | fresh if not one.hint}
        categories = {deal.category for deal in edition.deal}
        if any(kind.category not in categories for kind in edition.kinds):
            return  # reported already; such cards cannot be dealt
        if not self._watch.starts(GAMES):
            return
        for finding in run_trials(edition, self._watch):
            self._add_trial_finding(finding, reported)
        if not any(not one.hint for one in self._collected):
            self._check_cases(edition, file)
        self._watch.ends()

    def _check_cases(self, edition: Edition, file: EditionFile) -> None:
        """Report test cases that score other points than expected, and hint at rules that matter for no deck."""
        self._watch.starts(GAMES)
        for place, sentence in case_mistakes(edition, file):
            self._add(place, sentence)
        rules = EditionRules(edition, file)
        for rule in edition.rules:
            if rule.steps:
                self._watch.starts(GAMES)
                idle = idle_sentence(rules, rule.key)
                if idle is not None:
                    self._collected.add(self._places.finding(f"rules.{rule.key}", idle)._replace(hint=True))

    def _add_trial_finding(self, finding: CodeFinding, reported: set[tuple[Path, int]]) -> None:
        """Collect a finding of the trials, unless it is reported already or follows from another mistake."""
        mistaken = any(not one.hint for one in self._collected)
        # The engine puts the rule before a sentence that the static check reports without it.
        ends = {finding.sentence, finding.sentence.partition(": ")[2]}
        if self._is_consequence(finding.sentence) or any(one.sentence in ends for one in self._collected):
            return
        if finding.file:
            where = (type(self._source.file)(finding.file), finding.line)
            if where not in reported and not (finding.follows and reported) and not (finding.hint and mistaken):
                self._collected.add(EditionFinding(*where, "", finding.sentence, finding.hint))
        elif finding.hint:
            if not mistaken:
                self._collected.add(self._places.finding(finding.place, finding.sentence)._replace(hint=True))
        elif not reported and not any(one.field.startswith(finding.place) for one in self._collected):
            self._add(finding.place, finding.sentence)

    def _is_consequence(self, sentence: str) -> bool:
        """Return whether a mistake follows from another that is reported."""
        return any(pattern.search(sentence) for pattern in self._consequences)


def _text_in(place: str, languages: list[str]) -> str:
    """Return the keys of a text in some languages, such as "name.de, name.fr"."""
    last = ".".join(place.split(".")[2 if ".says." in place else -1 :])
    return ", ".join(f"{last}.{language}" for language in sorted(languages))


def _without_repetitions(collected: set[EditionFinding]) -> set[EditionFinding]:
    """Leave out sentences that were found before in the same file."""
    first: dict[tuple[Path, str, str], EditionFinding] = {}
    for one in sorted(collected):
        first.setdefault((one.file, one.field, one.sentence), one)
    return set(first.values())
