"""Finds every mistake in an edition's folder at once, each with its file and line."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cardgen.art import SYMBOLS
from cardgen.tarot import MOTIFS
from server.editions.checks import mistakes
from server.editions.code_checks import code_mistakes
from server.editions.loader import build, named
from server.editions.places import Finding, Places
from server.editions.registry import FILE, RULES, found, slug_of
from server.editions.repair import repaired
from server.editions.rules_file import read_rules
from server.editions.source import read_book, read_source
from server.editions.toml_file import read_toml
from server.editions.trial import trial
from server.editions.watching import NOBODY
from server.editions.words import placeholders, texts_in
from server.scoring.edition import EditionError
from server.scoring.rulebook import Rulebook

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from server.editions.files import EditionFile
    from server.editions.source import Source
    from server.editions.trial import Outcome
    from server.editions.watching import Watcher
    from server.scoring.edition import Edition

_PLACE = re.compile(r"(?P<path>.*?\.(?:toml|py)):(?P<line>\d+): (?P<sentence>.*)", re.DOTALL)
_PRINTED = frozenset({"rule", "special"})
"""Categories for which the printer has an ink and a symbol."""
_FOLLOWS = {
    "cards": r"there is no card|no card, group or",
    "categories": r"there is no (category|card)|need a category",
    "groups": r"there is no (group|card)|no card, group or",
    "facts": r"asks for no fact",
    "parts": r"have no part|no card, group or part",
    "rules": r"has a function, but no wording|which does not exist|is a sentence that no|phase is on the wrong side",
    "settings": r"there is no setting|has no number",
    "families": r"there is no family|but no \[\[families\]\]",
    "ties": r"but no \[\[ties\]\]",
}
"""What else is found where an item of a list had to be left out: it goes when the item is mended."""
_HANDOUT = frozenset({"start", "ties"})
"""The placeholders in the text of a section of the hand-out."""
_LACKS = re.compile(r"has no text in '(?P<lacks>.*)' \(it has (?P<has>.*)\)")
_WITHOUT_FUNCTIONS = re.compile("but no function|has no function")


def editions_in(folder: Path) -> list[Path]:
    """Return the folder if it is an edition, else the editions in it; EditionError if there is none."""
    if (folder / FILE).exists():
        return [folder]
    if not folder.is_dir():
        raise EditionError(f"{folder}: there is no such folder; name that of an edition, or one with editions in it")
    inside = sorted(file.parent for file in folder.glob(f"*/{FILE}"))
    if not inside:
        raise EditionError(f"{folder}: there is no {FILE} in it, nor in a folder in it")
    return inside


def findings(folder: Path, watcher: Watcher = NOBODY) -> list[Finding]:
    """Return all mistakes in an edition's folder, in the order of files and lines; `watcher` sees rules at work."""
    folder = folder.absolute()
    collected: set[Finding] = set()

    def keep(path: Path, line: int, sentence: str) -> None:
        collected.add(Finding(path, line, " ".join(sentence.split())))

    read_toml(folder / FILE, lambda line, sentence: keep(folder / FILE, line, sentence))
    if collected:
        if (folder / RULES).exists() and watcher.runs(RULES):
            read_rules(folder / RULES, lambda line, sentence: keep(folder / RULES, line, sentence))
        return sorted(collected)
    try:
        source = read_source(folder, keep=lambda mistake: collected.add(_of_message(folder, str(mistake))))
    except EditionError as error:
        return [_of_message(folder, str(error))]
    return sorted(_Check(source, watcher, collected).all(), key=lambda one: (one.file != source.file, one))


def _of_message(folder: Path, message: str) -> Finding:
    """Turn an error that ends all reading into a finding: its message names file and line."""
    match = _PLACE.fullmatch(message)
    if match is None:
        return Finding(folder / FILE, 1, message)
    return Finding(type(folder)(match["path"]), int(match["line"]), match["sentence"])


class _Check:
    """Checks one edition that can be read as TOML, and collects what it finds."""

    def __init__(self, source: Source, watcher: Watcher, collected: set[Finding]) -> None:
        self._source = source
        self._watcher = watcher
        self._collected = collected
        self._places = Places(source)
        self._follows: list[re.Pattern[str]] = []
        self._missing: dict[str, tuple[str, list[str]]] = {}
        """By the place of a text, which languages it has and lacks."""

    def all(self) -> set[Finding]:
        self._name()
        file, problems, lost = repaired(self._source.document)
        for way, sentence in problems:
            self._collected.add(self._places.at(way, sentence))
        self._follows += [re.compile(pattern) for part, pattern in _FOLLOWS.items() if part in lost]
        book, whole = Rulebook(), False
        if self._watcher.runs(RULES):
            book, whole = read_book(self._source, self._keep_code)
            self._watcher.rests()
        if not whole:
            self._follows.append(_WITHOUT_FUNCTIONS)
        if file is not None:
            edition = self._built(file, book)
            self._languages(file)
            self._stray_placeholders(file)
            self._code(edition, file, book)
        return _once(self._collected)

    def _keep_code(self, path: Path, line: int, sentence: str) -> None:
        self._collected.add(Finding(path, line, " ".join(sentence.split())))

    def _keep(self, place: str, sentence: str, function: Callable[..., Any] | None = None, /) -> None:
        """Collect a mistake, unless it only follows from another."""
        if self._is_followed(sentence):
            return
        lacks = _LACKS.match(sentence)
        if lacks:
            languages = self._missing.setdefault(place, (lacks["has"], []))[1]
            languages += [lacks["lacks"]] if lacks["lacks"] not in languages else []
            return
        sentence = f"{named(place)}: {sentence}"
        if function is not None and hasattr(function, "__code__"):
            self._collected.add(self._places.of_function(function, sentence))
        else:
            self._collected.add(self._places.at(place.split("."), sentence))

    def _name(self) -> None:
        folder = self._source.folders[0]
        slug, said = slug_of(folder), self._source.document.get("slug")
        if isinstance(said, str) and said != slug:
            self._keep("slug", f"must be '{slug}', the name of the folder, not '{said}'")
        for other in found(folder.parent).get(slug, []):
            if other.resolve() != folder.resolve():
                self._keep("slug", f"'{slug}' is taken by the edition in {other}; rename this folder")

    def _built(self, file: EditionFile, book: Rulebook) -> Edition:
        """Build the edition in each of its languages; return it in its own."""
        own = replace(build(file, book, file.language, self._keep), absent=self._source.absent)
        missing = self._added_languages(file)
        for language in sorted(file.title.keys() - {file.language} - missing):
            build(file, book, language, self._keep)
        for place, (has, lacks) in self._missing.items():
            what = f"lacks a text in {', '.join(sorted(lacks))} (it has {has}); add {_text_in(place, lacks)}"
            self._keep(place, what)
        for place, sentence in mistakes(own, self._source.left_out):
            rule = own.rule_of.get(place.removeprefix("rules."))
            touches = sentence.startswith("touches") and rule is not None
            self._keep(place, sentence, rule.steps[0].act if rule and touches else None)
        for place, sentence in _unprintable(own, file):
            if not any(one.sentence.startswith(f"{place}.") for one in self._collected):
                self._keep(place, sentence)
        return own

    def _added_languages(self, file: EditionFile) -> set[str]:
        """Tell once of each language that a variant speaks but the edition that it extends does not; return them."""
        if len(self._source.folders) == 1:
            return set()
        base = read_source(self._source.folders[1]).document
        added = {*file.title} - {*base.get("title", {}), file.language}
        for language in added:
            lacking = sum(language not in texts for _, texts in texts_in(file.model_dump()))
            if lacking:
                what = f"'{base.get('slug')}' has no texts in this language; take it out, or add all {lacking} texts"
                self._keep(f"title.{language}", what)
        return added

    def _languages(self, file: EditionFile) -> None:
        """Tell once of each language that is not the edition's, as its title says, but in which some texts stand."""
        if len(self._source.folders) > 1:
            return  # a variant may speak fewer languages than the edition that it extends
        others: dict[str, list[str]] = {}
        for way, texts in texts_in(self._source.document):
            for language in texts.keys() - file.title.keys():
                if re.fullmatch("[a-z]{2}", language):
                    others.setdefault(language, []).append(way)
        for language, ways in others.items():
            there = f", as do {len(ways) - 1} other texts" if len(ways) > 1 else ""
            sentence = f"speaks a language that the title does not{there}; add title.{language}"
            self._keep(f"{ways[0]}.{language}", sentence)

    def _stray_placeholders(self, file: EditionFile) -> None:
        """Find placeholders in texts that nothing fills; those of rules are checked with their numbers."""
        for way, texts in texts_in(self._source.document):
            part = way.partition(".")[0]
            known = _HANDOUT if part == "handout" and way.endswith(".text") else frozenset()
            for language in texts.keys() & file.title.keys() if part not in {"rules", "families"} else ():
                for name in sorted((placeholders(texts[language]) or set()) - known):
                    there = f"there is {', '.join(sorted(known)) or 'none'}"
                    self._keep(f"{way}.{language}", f"unknown placeholder {{{name}}} ({there}); take it out")

    def _code(self, edition: Edition, file: EditionFile, book: Rulebook) -> None:
        """Check what the functions do: as they are written, and by running them; each line of Python once."""
        if any("there is no setting" in one.sentence for one in self._collected):
            self._follows.append(re.compile("unknown placeholder|number that is not there|no number"))
        before = set(self._collected)
        for mistake in code_mistakes(edition, file, self._source.folders[0], book):
            if mistake.line is None:
                self._keep(".".join(mistake.way), mistake.sentence)
            elif not self._is_followed(mistake.sentence):
                place = type(self._source.file)(mistake.file)
                self._collected.add(Finding(place, mistake.line, mistake.sentence, mistake.hint))
        fresh = {one for one in self._collected - before if one.file.suffix == ".py"}
        told = {(one.file, one.line) for one in before | fresh if not one.hint}
        categories = {deal.category for deal in edition.deal}
        if any(kind.category not in categories for kind in edition.kinds):
            return  # told already; such cards cannot be laid on a table
        for outcome in trial(edition, self._watcher):
            self._tried(outcome, told)
        self._watcher.rests()

    def _tried(self, outcome: Outcome, told: set[tuple[Path, int]]) -> None:
        """Collect what a trial has shown, unless it is told already in another way, or follows from what is told."""
        mistaken = any(not one.hint for one in self._collected)
        # At work the engine puts the rule in front of a sentence that the check of the code tells without.
        ends = {outcome.sentence, outcome.sentence.partition(": ")[2]}
        if self._is_followed(outcome.sentence) or any(one.sentence in ends for one in self._collected):
            return
        if outcome.file:
            where = (type(self._source.file)(outcome.file), outcome.line)
            if where not in told and not (outcome.follows and told) and not (outcome.hint and mistaken):
                self._collected.add(Finding(*where, outcome.sentence, outcome.hint))
        elif not told and not any(one.sentence.startswith(outcome.place) for one in self._collected):
            self._keep(outcome.place, outcome.sentence)

    def _is_followed(self, sentence: str) -> bool:
        """Tell whether a mistake only follows from another that is told."""
        return any(pattern.search(sentence) for pattern in self._follows)


def _text_in(place: str, languages: list[str]) -> str:
    """Write the names under which the texts of a place stand in some languages."""
    last = ".".join(place.split(".")[2 if ".says." in place else -1 :])
    return ", ".join(f"{last}.{language}" for language in sorted(languages))


def _once(collected: set[Finding]) -> set[Finding]:
    """Leave out what is told of the same file in the same words, but further down."""
    first: dict[tuple[Path, str], Finding] = {}
    for one in sorted(collected):
        first.setdefault((one.file, one.sentence), one)
    return set(first.values())


def _unprintable(edition: Edition, file: EditionFile) -> Iterator[tuple[str, str]]:
    """Yield the cards that are dealt one by one, so that the printer makes them, but have no face.

    A symbol that there is not is wrong wherever it stands, also where the card's category is wrong.
    """
    dealt = {deal.category for deal in edition.deal if deal.each} - _PRINTED
    counted = Counter(part.slug for part in file.cards)
    for kind in edition.kinds:
        if counted[kind.slug] != 1:
            continue
        for what, example in (("ink", "#C2242B"), ("symbol", "heart")) if kind.category in dealt else ():
            if not getattr(kind, what) and not kind.motif:
                yield f"cards.{kind.slug}", f'has no {what}, so it cannot be printed; add {what} = "{example}"'
        if kind.symbol and kind.symbol not in SYMBOLS:
            there = ", ".join(SYMBOLS)
            yield f"cards.{kind.slug}.symbol", f"there is no symbol '{kind.symbol}' (there is {there})"
        if kind.motif and kind.motif not in MOTIFS:
            there = "pique-1 to pique-10, pique-valet, -cavalier, -dame and -roi, so with coeur, carreau and trefle;"
            there += " atout-1 to atout-21, excuse; token-red, token-white and token-blue"
            yield f"cards.{kind.slug}.motif", f"there is no motif '{kind.motif}' (there is {there})"
