"""Trial games with sample hands: find rules that fail, rules with unstable scores, and touches that never happen."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from server.editions.code_checks.code_lint import CodeFinding
from server.editions.translations import Sentence
from server.scoring import Hand, score
from server.scoring.edition import Setting
from server.scoring.errors import CalculationError, EditionError
from server.scoring.hand import cancelling_rules
from server.scoring.rules import Rule, Verb

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
    from fractions import Fraction
    from pathlib import Path
    from types import CodeType

    from server.scoring import Result
    from server.scoring.edition import Edition, Tie


GAMES = "games"
"""The name of the trial games for a Watch."""
_GAMES = 40
_MORE_GAMES = 400
"""Further games to look for touches that have not happened yet."""
_MAX_COPIES = 13
"""Most copies of a kind in a sample hand."""
_TOUCHES = (Verb.CANCEL, Verb.ADJUST, Verb.VOID, Verb.SHIELD)
_PLACE = re.compile(r"(.*\.py):(\d+): (.*)")
_NO_NUMBER = "fails: AttributeError: the rule has no number"


@dataclass
class Watch:
    """Watches a check of an edition, of which a process may limit the time.

    With `backwards` the last game is played first, which reveals state that a rule keeps between games. `digests` have,
    for each rule, its first phase, the file and line of its function, and a digest of its lines in each game.
    """

    skipped: frozenset[str] = frozenset()
    backwards: bool = False
    digests: dict[str, tuple[int, str, int, dict[int, str]]] = field(default_factory=dict)

    def starts(self, what: str, file: Path | None = None) -> bool:  # noqa: ARG002 - for classes that note the file
        """Return whether to run something now: RULES, GAMES or the name of a symbol, in a file."""
        return what not in self.skipped

    def ends(self) -> None:
        """End the time limit."""


def run_trials(edition: Edition, watch: Watch) -> Iterator[CodeFinding]:
    """Yield the mistakes in rules and tie-breaks. After a failure the rest is tried without the failed one."""
    tried = _with_settings(edition)
    numbers = list(range(_GAMES))[:: -1 if watch.backwards else 1]
    games = {number: sample_hands(tried, number) for number in numbers}
    for hands in games.values():
        tried = yield from _failures(tried, hands, watch)
    while True:
        culprit = _unstable(tried, games, watch)
        if culprit is None:
            break
        rule, sentence = culprit
        yield _rule_finding(rule, f"rule {rule.key} {sentence}")
        tried = _without(tried, rule)
    yield from _untouched(tried, games, watch)


def _failures(edition: Edition, hands: list[Hand], watch: Watch) -> Generator[CodeFinding, None, Edition]:
    """Yield the rules and tie-breaks that fail in a game; return the edition without them."""
    while True:
        try:
            _play(edition, hands, watch)
        except EditionError as error:
            culprit = _culprit(edition, str(error))
            yield _error_finding(edition, error)
        except Exception as error:
            culprit = next(
                (rule for rule in edition.rules if rule.steps and _plays(_without(edition, rule), hands, watch)), None
            )
            if culprit is None:
                raise
            what = f"{type(error).__name__}: {error}"
            sentence = (
                f"rule {culprit.key} writes something that cannot be scored ({what}); check the names that it uses"
            )
            yield _rule_finding(culprit, sentence, follows=True)
        else:
            return edition
        if culprit is None:  # nothing else can be tried if the rule is unknown
            return replace(edition, rules=tuple(replace(rule, steps=()) for rule in edition.rules), ties=())
        edition = _without(edition, culprit)


def _play(edition: Edition, hands: Sequence[Hand], watch: Watch) -> None:
    """Score a game, one of its hands alone, and an empty game, with all sentences."""
    watch.starts(GAMES)
    alone = [replace(hand, cancels=()) for hand in hands[:1]]
    for game in (hands, alone, []):
        for hand in score(edition, game).hands:
            hand.lines  # noqa: B018 - reading makes the sentences


def _plays(edition: Edition, hands: list[Hand], watch: Watch) -> bool:
    try:
        _play(edition, hands, watch)
    except Exception as error:  # noqa: BLE001 - an author's function can fail in any way
        return isinstance(error, EditionError)
    return True


def _error_finding(edition: Edition, error: EditionError) -> CodeFinding:
    """Turn an error, whose message begins with its place, into a finding."""
    message = str(error)
    match = _PLACE.fullmatch(message)
    if match:
        sentence = match[3].replace(_NO_NUMBER, "asks for a number that is not there: the rule has no number")
        return CodeFinding(match[1], int(match[2]), "", sentence)
    place, sentence = error_sentence(edition, error)
    of_formula = isinstance(sentence, Sentence)
    shown = sentence if of_formula else f"{sentence}; take it out, or let the function pass it"
    return CodeFinding("", 1, place, shown)


def error_sentence(edition: Edition, error: EditionError) -> tuple[str, str]:
    """Return the place in the TOML of a rule that fails, and a sentence, which can be translated for a formula."""
    place, _, sentence = str(error).removeprefix(f"{edition.slug}: ").partition(": ")
    cause = error.__cause__
    if isinstance(cause, CalculationError):
        sentence = Sentence(cause.template, **cause.values)
    return place.replace("rule ", "rules."), sentence


def _culprit(edition: Edition, message: str) -> Rule | Tie | None:
    """Return the rule or tie-break of a message: the one whose function fails, or that it names first."""
    match = _PLACE.fullmatch(message)
    working = [rule for rule in edition.rules if rule.steps]
    ones: list[Rule | Tie] = [*working, *edition.ties]
    for one in ones:
        acts: list[Callable[..., object]] = [step.act for step in one.steps] if isinstance(one, Rule) else [one.key]
        codes = [act.__code__ for act in acts if hasattr(act, "__code__")]
        if (
            match
            and any(_contains_line(code, match[1], int(match[2])) for code in codes)
            and f"{_display_name(one)} " in message
        ):
            return one
    places = [
        (found.start(), one)
        for one in ones
        for found in [
            re.search(rf"(?<![\w-])({re.escape(_display_name(one))}|{re.escape(_toml_place(one))})(?![\w-])", message)
        ]
        if found
    ]
    return min(places, key=lambda place: place[0])[1] if places else None


def _toml_place(one: Rule | Tie) -> str:
    return f"rules.{one.key}" if isinstance(one, Rule) else f"ties.{one.name}"


def _contains_line(code: CodeType, file: str, line: int) -> bool:
    lines = [number for _, _, number in code.co_lines() if number]
    return code.co_filename == file and min(lines) <= line <= max(lines)


def _unstable(edition: Edition, games: dict[int, list[Hand]], watch: Watch) -> tuple[Rule, str] | None:
    """Return the first rule to act that scores the same hands differently, and a sentence about it; or None."""
    watch.digests.clear()
    for number, hands in games.items():
        watch.starts(GAMES)
        first, second = _lines(score(edition, hands)), _lines(score(edition, hands))
        if differing := _differing(edition, first, second):
            sentence = "scores the same hands differently each time; it must not keep values or draw at random"
            return _first(differing), sentence
        turned = _lines(score(edition, hands[::-1]))
        if differing := _differing(edition, _points(first), _points(turned)):
            return _first(
                differing
            ), "depends on the order in which the hands come; compare the cards of the hands instead"
        for rule in edition.rules:
            if rule.steps:
                digest = hashlib.sha256(repr(first.get(rule.key)).encode()).hexdigest()
                code = _code(rule)
                entry = (min(rule.phases), code.co_filename, code.co_firstlineno, dict[int, str]())
                watch.digests.setdefault(rule.key, entry)[3][number] = digest
    return None


_LinesByRule = dict[str, list[tuple[str, "Fraction", str]]]
"""For each rule, the player, points and text of its lines."""


def _lines(result: Result) -> _LinesByRule:
    found: _LinesByRule = {}
    for hand in result.hands:
        for line in hand.lines:
            found.setdefault(line.rule or "", []).append((hand.hand.player, line.points, line.text))
    return found


def _points(lines: _LinesByRule) -> dict[str, list[tuple[str, Fraction]]]:
    return {rule: sorted((player, points) for player, points, _ in found) for rule, found in lines.items()}


def _differing(edition: Edition, one: Mapping[str, object], other: Mapping[str, object]) -> list[Rule]:
    return [rule for rule in edition.rules if rule.steps and one.get(rule.key) != other.get(rule.key)]


def _first(rules: Iterable[Rule]) -> Rule:
    """Return the rule that acts first, as the others may depend on it."""
    return min(rules, key=lambda rule: (min(rule.phases), rule.position))


def _untouched(edition: Edition, games: dict[int, list[Hand]], watch: Watch) -> Iterator[CodeFinding]:
    """Yield a hint for each touch that happened in no game. Rules that share a function count as one."""
    waiting = {
        (_code(rule), key) for rule in edition.rules if rule.steps for key in rule.touches if key in edition.rule_of
    }
    played = 0
    for number in (*games, *range(_GAMES, _GAMES + _MORE_GAMES)):
        if not waiting:
            return
        watch.starts(GAMES)
        played += 1
        result = score(edition, games.get(number) or sample_hands(edition, number))
        for hand in result.hands:
            waiting -= {
                (_code(entry.rule), key)
                for entry in hand.seat.journal
                if entry.verb in _TOUCHES
                for key in entry.targets
            }
    for rule in edition.rules:
        for key in sorted(rule.touches):
            if rule.steps and (_code(rule), key) in waiting:
                waiting.discard((_code(rule), key))
                sentence = Sentence(
                    "rule {key} declares that it touches rule {touched}, but never did in {number} random games; "
                    "take it out of touches=[…] if it cannot",
                    key=rule.key,
                    touched=key,
                    number=played,
                )
                yield _rule_finding(rule, sentence, hint=True)


def _code(rule: Rule) -> CodeType:
    return rule.steps[0].act.__code__


def _with_settings(edition: Edition) -> Edition:
    """Add settings that rules name but that do not exist, a mistake that is reported elsewhere."""
    known = {setting.name for setting in edition.settings}
    missing = dict.fromkeys(name for rule in edition.rules for name in rule.settings if name not in known)
    added = tuple(Setting(name, name, "", 0, None, 1, confirm=False) for name in missing)
    return replace(edition, settings=edition.settings + added)


def _without(edition: Edition, one: Rule | Tie) -> Edition:
    """Return the edition without the functions of a rule, or without a tie-break."""
    rules = tuple(replace(rule, steps=()) if rule.key == getattr(one, "key", None) else rule for rule in edition.rules)
    return replace(edition, rules=rules, ties=tuple(tie for tie in edition.ties if tie != one))


def _rule_finding(rule: Rule, sentence: str, *, hint: bool = False, follows: bool = False) -> CodeFinding:
    code = _code(rule)
    if not code.co_filename.endswith(".py"):
        return CodeFinding("", 1, f"rules.{rule.key}", sentence, hint, follows)
    return CodeFinding(code.co_filename, code.co_firstlineno, "", sentence, hint, follows)


def sample_hands(edition: Edition, game: int) -> list[Hand]:
    """Return one to five hands. The games include an empty hand and a hand with one card of each kind."""
    hands = list(_hands(edition, game))
    active = edition.rule_of
    cards = {rule.card: rule.key for rule in edition.rules}
    in_play = {cards[kind] for hand in hands for kind, number in hand.cards.items() if number and kind in cards}
    choosing = cancelling_rules(edition, active)
    for seat, hand in enumerate(hands):
        held = [rule for rule in choosing if hand.cards.get(rule.card)]
        targets = sorted(in_play & set().union(*(rule.touches for rule in held)))
        if targets and len(hands) > 1:
            hands[seat] = replace(hand, cancels=(targets[_random_choice(len(targets), game, seat, "cancels")],))
    return hands


def _hands(edition: Edition, game: int) -> Iterator[Hand]:
    players = 1 + game % 5
    for seat in range(players):
        cards = {}
        for kind in edition.kinds:
            most = 1 + (game + seat) % (2 if kind.category == "rule" else _MAX_COPIES)
            number = _random_choice(2 * most + 1, game, seat, kind.slug) - most
            cards[kind.slug] = 1 if (game, seat) == (1, 0) else max(number, 0)
        if (game, seat) == (0, 0):
            cards = {}
        parts: dict[str, dict[str, int]] = {part.slug: {} for part in edition.parts}
        for slug, count in cards.items():
            for copy in range(count if parts else 0):
                part = parts[edition.parts[_random_choice(len(parts), game, seat, slug, copy)].slug]
                part[slug] = part.get(slug, 0) + 1
        facts = {
            fact.name: bool(_random_choice(2, game, seat, fact.name))
            if fact.yes_no
            else fact.minimum + _random_choice(fact.maximum - fact.minimum + 1, game, seat, fact.name)
            for fact in edition.facts
        }
        others = [f"Player {other + 1}" for other in range(players) if other != seat]
        named = {
            fact.name: others[_random_choice(len(others), game, seat, fact.name)]
            for fact in edition.player_facts
            if others and _random_choice(4, game, seat, fact.name, "named")
        }
        yield Hand(f"Player {seat + 1}", cards, facts=facts, parts=parts, named=named)


def _random_choice(choices: int, *what: object) -> int:
    digest = hashlib.sha256("/".join(map(str, what)).encode()).digest()
    return int.from_bytes(digest[:8], "big") % choices


def _display_name(one: Rule | Tie) -> str:
    """Return the name of a rule or a tie-break in sentences."""
    return f"rule {one.key}" if isinstance(one, Rule) else f"tie-break {one.name}"
