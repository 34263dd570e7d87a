"""The loader of editions: builds an `Edition` from the data in `edition.toml` and the functions in `rules.py`."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from server.editions.checks import NONE, contradictions, form_mistake, placeholders, printed_placeholders, suggestion
from server.editions.formula_names import formula_names, rule_names
from server.editions.formulas.compiler import compile_rule, compile_tie
from server.editions.formulas.effects import RuleText
from server.editions.repair import repair
from server.editions.schema import EditionFile
from server.editions.source import SourcePlaces, read_book, read_source, read_toml
from server.editions.source_lines import FileError
from server.editions.symbols import outlines
from server.editions.translations import Sentence
from server.scoring.breakdown import FilledValue, number_text
from server.scoring.edition import (
    Deal,
    Edition,
    Fact,
    Group,
    Instruction,
    Kind,
    PartOfDeck,
    PlayerFact,
    Ruling,
    Setting,
    Supply,
    Tie,
)
from server.scoring.errors import EditionError
from server.scoring.ranking import earlier_hand_in
from server.scoring.rulebook import RuleCode
from server.scoring.rules import POINTS_PHASES, RULE_CATEGORY, Phase, Rule, Scope

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from fractions import Fraction

    from server.editions.formulas.meaning import MeaningPart
    from server.editions.formulas.translator import Names
    from server.editions.schema import CardPart, CategoryPart, FactPart, FamilyPart, RulePart, SettingPart, TiePart
    from server.scoring.rulebook import Rulebook
    from server.scoring.rules import Points


_PHRASES = Path(__file__).parent / "phrases.toml"
_HANDOUT = Path(__file__).parent / "handout.toml"
_NO_CODE = RuleCode((), frozenset())
_EARLIER = "earlier-hand-in"
"""The tie-break that needs no formula."""


class MistakeHandler(Protocol):
    """Takes a mistake: its place in the file, a sentence, and the function or the character of a formula."""

    def __call__(
        self,
        place: str,
        sentence: str,
        function: Callable[..., Any] | None = None,
        formula: str = "",
        index: int = 0,
        /,
    ) -> None:
        """Raise EditionError, or record the mistake and return, to continue with the rest."""


def read_edition(folder: Path, language: str | None) -> Edition:
    """Return the edition in `folder`, its texts in `language`, by default in its own.

    EditionError for the first mistake in the files; `server.editions.lint` finds all of them.
    """
    source = read_source(folder)
    problems = repair(source.document).problems
    if problems:
        places = SourcePlaces(source)
        raise FileError(min(places.at(path, *problem) for path, problem in problems.items()))
    file = EditionFile.model_validate(source.document)
    if language is not None and language not in file.title:
        known = ", ".join(sorted(file.title))
        raise EditionError(f"{file.slug} has no texts in '{language}' (it has {known})")

    def refuse(
        place: str,
        sentence: str,
        function: Callable[..., Any] | None = None,
        formula: str = "",
        index: int = 0,
        /,
    ) -> None:
        raise FileError(SourcePlaces(source).finding(place, sentence, function, formula, index))

    book, _ = read_book(source)
    symbols = outlines(source.folders, [card.symbol for card in file.cards])
    edition = build_edition(file, book, language or file.language, refuse, source.absent, symbols)
    for place, sentence in contradictions(edition, source.left_out):
        refuse(place, sentence)
    return edition


def build_edition(
    file: EditionFile,
    book: Rulebook,
    language: str,
    report: MistakeHandler,
    absent: frozenset[str] = frozenset(),
    symbols: Mapping[str, str] = MappingProxyType({}),
) -> Edition:
    """Return an edition in one language from its file and functions; mistakes go to `report`.

    `absent` are the cards and categories that a variant leaves out, `symbols` the outlines of its own symbols.
    """
    builder = _EditionBuilder(report, language, book, formula_names(file, absent), symbols)
    return replace(builder.edition(file), absent=absent)


class _EditionBuilder:
    """Builds an edition in one language from a checked file and a rulebook."""

    def __init__(
        self, report: MistakeHandler, language: str, book: Rulebook, names: Names, symbols: Mapping[str, str]
    ) -> None:
        self._report = report
        self._language = language
        self._book = book
        self._names = names
        self._symbols = symbols

    def edition(self, file: EditionFile) -> Edition:
        phrases = {name: self._shared(texts) for name, texts in _phrases().items()}
        rules = _RuleBuilder(self._report, self._say, self._book, phrases, self._language, self._names).rules(file)
        for name in sorted(self._book.ties.keys() - {part.name for part in file.ties}):
            self._report(f"ties.{name}", "has a function, but no [[ties]] of that name; add it", self._book.ties[name])
        worth = {part.slug: part.worth for part in file.categories if part.worth is not None}
        return Edition(
            slug=file.slug,
            language=self._language,
            title=self._say(file.title, "title"),
            summary=self._say(file.summary, "summary"),
            players_min=file.players.min,
            players_max=file.players.max,
            kinds=self._kinds(file, rules),
            deal=tuple(self._deal(part) for part in file.categories),
            valued=frozenset(part.slug for part in file.categories if part.valued or part.worth is not None),
            settings=tuple(self._setting(part) for part in file.settings),
            rules=rules,
            rulings=tuple(
                Ruling(part.rule, self._say(part.text, f"rulings.#{index}.text"))
                for index, part in enumerate(file.rulings)
            ),
            ties=tuple(self._tie(part, file.slug) for part in file.ties),
            phrases=phrases,
            phases=_order([Phase[name.upper()] for name in file.phases]),
            factors_multiply=file.factors == "multiply",
            groups=self._groups(file),
            worths=_worths(file, worth),
            languages=(file.language, *sorted(file.title.keys() - {file.language})),
            facts=tuple(self._fact(part) for part in file.facts if part.type != "player"),
            player_facts=tuple(
                PlayerFact(part.name, self._say(part.label, f"facts.{part.name}.label"))
                for part in file.facts
                if part.type == "player"
            ),
            told_by=_told_by(file, rules),
            handout=self._handout(file),
            parts=tuple(PartOfDeck(p.slug, self._say(p.name, f"parts.{p.slug}.name")) for p in file.parts),
        )

    def _handout(self, file: EditionFile) -> tuple[Instruction, ...]:
        """Return the sections that all editions share, with the edition's own sections replacing them or added."""
        own = {
            part.name: Instruction(
                part.name,
                self._say(part.heading, f"handout.#{index}.heading"),
                self._say(part.text, f"handout.#{index}.text"),
            )
            for index, part in enumerate(file.handout)
        }
        shared = {
            name: Instruction(name, self._shared(heading), self._shared(text))
            for name, heading, text in _instructions()
        }
        added = [section for name, section in own.items() if name not in shared]
        sections = [own.get(name, section) for name, section in shared.items()]
        return (*sections[:-1], *added, sections[-1])

    def _shared(self, texts: dict[str, str]) -> str:
        """Return a text that all editions share, in English if it lacks the language."""
        return texts.get(self._language, texts["en"])

    def _say(self, texts: dict[str, str], place: str) -> str:
        """Return a text in the language of the edition."""
        try:
            return texts[self._language]
        except KeyError:
            known = ", ".join(sorted(texts))
            last = ".".join(place.split(".")[2 if ".says." in place else -1 :])
            self._report(
                place,
                Sentence(
                    "has no text in '{language}' (it has {known}); add {last}.{language}",
                    language=self._language,
                    known=known,
                    last=last,
                ),
            )
            return next(iter(texts.values()))

    def _kinds(self, file: EditionFile, rules: tuple[Rule, ...]) -> tuple[Kind, ...]:
        """Return all kinds by category, and inside a category in the order of the file."""
        kinds = [self._card(part) for part in file.cards]
        kinds += [Kind(rule.card, RULE_CATEGORY, rule.name, rule.text, number=_number(rule.key)) for rule in rules]
        order = {category.slug: index for index, category in enumerate(file.categories)}
        if rules and RULE_CATEGORY not in order:
            self._report(
                "categories", Sentence('rules need a category with slug = "{category}"; add it', category=RULE_CATEGORY)
            )
        for part in file.cards:
            if part.category not in order:
                what = Sentence(
                    "there is no category '{category}'{hint}",
                    category=part.category,
                    hint=suggestion(part.category, order),
                )
                self._report(f"cards.{part.slug}.category", what)
        return tuple(sorted(kinds, key=lambda kind: order.get(kind.category, len(order))))

    def _card(self, part: CardPart) -> Kind:
        place = f"cards.{part.slug}"
        text = self._say(part.text, f"{place}.text") if part.text else ""
        name, outline = self._say(part.name, f"{place}.name"), self._symbols.get(part.symbol or "", "")
        symbol, motif = "" if outline else part.symbol or "", part.motif or ""
        return Kind(part.slug, part.category, name, text, part.ink or "", symbol, motif=motif, outline=outline)

    def _groups(self, file: EditionFile) -> tuple[Group, ...]:
        known = {part.slug for part in file.groups}
        for card in file.cards:
            for slug in card.groups:
                if slug not in known:
                    self._report(
                        f"cards.{card.slug}.groups",
                        Sentence("there is no group '{slug}'{hint}", slug=slug, hint=suggestion(slug, known)),
                    )
        return tuple(
            Group(
                part.slug,
                self._say(part.name, f"groups.{part.slug}.name"),
                tuple(card.slug for card in file.cards if part.slug in card.groups),
            )
            for part in file.groups
        )

    def _deal(self, part: CategoryPart) -> Deal:
        supply = None
        if part.supply:
            sets = tuple((most, number) for most, number in part.supply.sets)
            supply = Supply(sets, part.supply.enough, frozenset(part.supply.single))
        name = self._say(part.name, f"categories.{part.slug}.name")
        return Deal(part.slug, name, part.each, part.different, part.each_kind, supply)

    def _setting(self, part: SettingPart) -> Setting:
        place = f"settings.{part.name}"
        label, text = self._say(part.label, f"{place}.label"), self._say(part.text, f"{place}.text")
        return Setting(part.name, label, text, part.minimum, part.maximum, part.default, part.confirm)

    def _tie(self, part: TiePart, slug: str) -> Tie:
        place = f"ties.{part.name}"
        key = self._book.ties.get(part.name, earlier_hand_in)
        if part.by is not None:
            if part.name in self._book.ties:
                self._report(place, "has a formula, and a function in rules.py; take out one or the other", key)
            key = compile_tie(part.by, self._names, slug, self._formula_report(place))
        elif part.name not in self._book.ties and part.name != _EARLIER:
            self._report(
                place,
                Sentence('has no formula; add by = "…", or write @book.tie("{name}") in rules.py', name=part.name),
            )
        return Tie(part.name, self._say(part.label, f"{place}.label"), key, part.rule, part.shares)

    def _formula_report(self, place: str) -> Callable[[str, str, str, int], None]:
        return lambda path, sentence, formula, index: self._report(f"{place}.{path}", sentence, None, formula, index)

    def _fact(self, part: FactPart) -> Fact:
        yes_no = part.type == "yes-no"
        label = self._say(part.label, f"facts.{part.name}.label")
        return Fact(part.name, label, yes_no, part.minimum or 0, 1 if yes_no else part.maximum or 0, part.start)


@cache
def _phrases() -> dict[str, dict[str, str]]:
    return read_toml(_PHRASES)


def shared_languages() -> frozenset[str]:
    """Return the languages of the sentences that all editions share."""
    return frozenset.intersection(*(frozenset(texts) for texts in _phrases().values()))


@cache
def _instructions() -> tuple[tuple[str, dict[str, str], dict[str, str]], ...]:
    """Return name, heading and text of the shared sections of the hand-out, the texts by language."""
    return tuple((one["name"], one["heading"], one["text"]) for one in read_toml(_HANDOUT)["handout"])


def _order(stated: list[Phase]) -> tuple[Phase, ...]:
    """Return the order of a count: the phases about cards, then those about points as stated, then the others."""
    cards = [phase for phase in Phase if phase not in POINTS_PHASES]
    return (*cards, *stated, *(phase for phase in POINTS_PHASES if phase not in stated))


def _worths(file: EditionFile, worth: dict[str, int | Fraction]) -> dict[str, Points]:
    """Return the worth of each kind that its card, or else its category, states."""
    return {
        card.slug: card.worth if card.worth is not None else worth[card.category]
        for card in file.cards
        if card.worth is not None or card.category in worth
    }


def _told_by(file: EditionFile, rules: Iterable[Rule]) -> dict[str, tuple[str, ...]]:
    """Return the rules that state the worth of each kind: those that its card names, or else all that inform."""
    informing = tuple(rule.key for rule in rules if rule.informs)
    return {card.slug: tuple(card.told_by) or informing for card in file.cards if card.told_by or informing}


def _number(key: str) -> int | None:
    """Return the number printed on the card of a rule; None if it has a name instead."""
    return int(key) if key.isdigit() else None


class _RuleBuilder:
    """Builds the rules of a checked file in one language; `say` returns a text in that language."""

    def __init__(
        self,
        report: MistakeHandler,
        say: Callable[[dict[str, str], str], str],
        book: Rulebook,
        phrases: Mapping[str, str],
        language: str,
        names: Names,
    ) -> None:
        self._report = report
        self._say = say
        self._book = book
        self._phrases = phrases
        self._language = language
        self._names = names
        self._slug = ""

    def rules(self, file: EditionFile) -> tuple[Rule, ...]:
        """Return all rules: by number if all have one, otherwise in the order of the file."""
        self._slug = file.slug
        families = {part.name: part for part in file.families}
        cards = [(key, part) for part in file.rules for key in part.cards]
        if all(key.isdigit() for key, _ in cards):
            cards.sort(key=lambda card: int(card[0]))
        for key in sorted(self._book.rules.keys() - {key for key, _ in cards}):
            what = f'has a function, but no wording; add [[rules]] with key = "{key}"'
            self._report(f"rules.{key}", what, self._book.rules[key].steps[0].act)
        for name in sorted(self._book.families.keys() - families.keys()):
            what = "has a function, but no [[families]] of that name; add it"
            self._report(f"families.{name}", what, self._book.families[name].steps[0].act)
        for name in sorted(families.keys() - self._book.families.keys()):
            if not families[name].has_meaning:
                does = 'has no effect; add one such as give = "…", or write @book.family("{name}", Phase.…) in rules.py'
                self._report(f"families.{name}", Sentence(does, name=name))
        for key, part in cards:
            if part.family is not None and part.family not in families:
                hint = suggestion(part.family, families)
                missing = Sentence("there is no family '{family}'{hint}", family=part.family, hint=hint)
                self._report(f"rules.{key}.family", missing)
        return tuple(
            self._rule(index, key, part, families.get(part.family or "")) for index, (key, part) in enumerate(cards)
        )

    def _rule(self, position: int, key: str, part: RulePart, family: FamilyPart | None) -> Rule:
        where = f"rules.{key}"
        title, text = part.name or (family and family.title), part.text or (family and family.text)
        for name, texts in (("name", title), ("text", text)):
            if not texts:
                lacks = "has no {name}, and no family with one; add {name}.{language}"
                self._report(where, Sentence(lacks, name=name, language=self._language))
        says = {**family.says, **part.says} if family else part.says
        code, default_says = self._code(key, part, family, says)
        return Rule(
            key=key,
            position=position,
            name=self._filled(title or {}, part, f"{where}.name"),
            text=self._filled(text or {}, part, f"{where}.text"),
            numbers=part.numbers,
            settings=tuple(part.settings),
            says=default_says | {name: self._say(texts, f"{where}.says.{name}") for name, texts in says.items()},
            touches=code.touches,
            steps=code.steps,
            scope=Scope(part.acts or (family.acts if family else "always")),
            effect=part.effect or key,
            lists={name: tuple(slugs) for name, slugs in part.lists.items()},
            informs=part.informs,
            puzzle=_is_puzzle(part, title or {}, text or {}) or any(step.reads_points for step in code.steps),
        )

    def _code(
        self, key: str, part: RulePart, family: FamilyPart | None, says: Mapping[str, dict[str, str]]
    ) -> tuple[RuleCode, dict[str, str]]:
        """Return the functions of a rule, from rules.py or its meaning, and sentences where it has none."""
        code = self._book.rules.get(key) or self._book.families.get(part.family or "", _NO_CODE)
        where, meaning = f"rules.{key}", _meaning(part)
        if meaning is None and key not in self._book.rules and family is not None and family.has_meaning:
            where, meaning = f"families.{family.name}", family
        if meaning is None or where.partition(".")[2] in self._book.instead:
            return code, {}
        if code.steps:
            what = "has an effect, and a function in rules.py; take out one or the other"
            self._report(where, what, code.steps[0].act)
        numbers = frozenset({*part.numbers, *part.settings})
        text = RuleText(
            sentences={name: _placeholders(texts) for name, texts in says.items()},
            numbers=numbers,
            title=(part.name or {}).get(self._language, key),
            unknown=self._phrases["unknown_others"],
        )
        names = rule_names(self._names, numbers, part.lists)
        mistakes: list[str] = []

        def report(path: str, sentence: str, formula: str, index: int) -> None:
            mistakes.append(path)
            for language in _languages_with(path, sentence, says):
                self._report(f"{where}.{path}{language}".rstrip("."), sentence, None, formula, index)

        acts = Scope(part.acts or (family.acts if family else "always"))
        parts = [inner for frame in (meaning, *meaning.also) for inner in (frame, *frame.case)]
        if acts is not Scope.HOLDER and any(inner.cancel is not None and inner.cancel.chosen for inner in parts):
            sentence = Sentence('never acts, as only holders of the card choose rules; add acts = "holder"')
            self._report(f"{where}.cancel", sentence)
        code = compile_rule(meaning, names, text, self._slug, report)
        for name in sorted(part.says.keys() - text.used) if not mistakes else ():
            self._report(
                f"rules.{key}.says.{name}", Sentence("is a sentence that no effect of the rule writes; take it out")
            )
        return code, text.says

    def _filled(self, texts: dict[str, str], part: RulePart, where: str) -> str:
        """Fill in the printed numbers of a title or wording."""
        wording = self._say(texts, where) if texts else ""
        if self._language not in texts:
            return wording  # in another language, which is reported already
        where = f"{where}.{self._language}"
        if wrong_forms := form_mistake(wording):
            self._report(where, wrong_forms)
            return wording
        try:
            return wording.format_map(
                {
                    name: FilledValue.of_number(number_text(number, self._phrases), number, self._language)
                    for name, number in part.numbers.items()
                }
            )
        except KeyError as error:
            there = ", ".join(part.numbers) or NONE
            self._report(
                where, Sentence("the rule has no number '{name}' (known: {names})", name=error.args[0], names=there)
            )
        except (ValueError, IndexError, AttributeError):
            self._report(
                where, Sentence("a brace is missing or too many; write numbers as {{name}}, and a brace itself as {{{{")
            )
        return wording


def _meaning(part: MeaningPart) -> MeaningPart | None:
    return part if part.has_meaning else None


def _placeholders(texts: Mapping[str, str]) -> frozenset[str]:
    """Return the placeholders of a sentence in all languages."""
    return frozenset().union(*(placeholders(text) or set() for text in texts.values()))


def _languages_with(path: str, sentence: str, says: Mapping[str, dict[str, str]]) -> list[str]:
    """Return "" for a mistake in all languages, or the languages of a sentence that have the wrong placeholder."""
    wrong = re.match(r"unknown placeholder {(\w+)}", sentence)
    texts = says.get(path.removeprefix("says."), {}) if wrong else {}
    languages = [language for language, text in texts.items() if wrong and wrong[1] in (placeholders(text) or set())]
    return [""] if len(languages) == len(texts) else [f".{language}" for language in languages]


def _is_puzzle(part: RulePart, title: dict[str, str], text: dict[str, str]) -> bool:
    """Return whether a rule depends on something that its card does not state, such as a setting or a number."""
    return part.puzzle or bool(part.settings) or bool(part.numbers.keys() - printed_placeholders(title, text))
