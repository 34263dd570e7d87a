"""Reports on editions that are being edited: mistakes, a card as it is printed, its rule, and the scores of decks."""

from __future__ import annotations

import base64
import io
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from cardgen.cards import SIZES, CardId, PrintedGame
from cardgen.fonts import TextError
from cardgen.pages.raster import face_images
from cardgen.payload import card_text, short_code
from server.editions.code_checks.trial import error_sentence
from server.editions.examples.report import RuleReport, rule_report
from server.editions.examples.rule_context import EditionRules
from server.editions.loader import read_edition
from server.editions.schema import EditionFile
from server.editions.source import read_source
from server.editions.symbols import read_outline, symbol_files
from server.editions.translations import translated
from server.editions.uploads import (
    UploadError,
    UploadFinding,
    check_upload,
    slug_of_files,
    unpack_upload,
    write_files,
)
from server.games.errors import DomainError
from server.printing.card_faces import FaceError, edition_faces
from server.scoring import Hand, ScoringError, score
from server.scoring.errors import EditionError
from server.scoring.result import result_document
from server.workers.process_pool import WorkerProcessError, run_check

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from server.scoring.edition import Edition, Fact, PlayerFact

R = TypeVar("R")

_DPI = 110
_PLAYERS = 10
_SIZE = "poker"
_NO_GAME = "0000"
_NO_KEY = bytes(32)


class DraftReport(NamedTuple):
    """A report on an edition: findings, its cards, categories and groups by slug and name, symbols, facts, and a card.

    `face` is an image of the card, PNG in base64; `rule` is the report on its rule. Without a usable edition there are
    only findings.
    """

    findings: tuple[UploadFinding, ...]
    cards: tuple[tuple[str, str], ...] = ()
    categories: tuple[tuple[str, str], ...] = ()
    groups: tuple[tuple[str, str], ...] = ()
    symbols: tuple[tuple[str, str], ...] = ()
    facts: tuple[Fact, ...] = ()
    player_facts: tuple[PlayerFact, ...] = ()
    card: str | None = None
    face: str | None = None
    rule: RuleReport | None = None


def check_draft(data: bytes, card: str | None, beside: Mapping[str, str], language: str) -> DraftReport:
    """Check an edition that is being edited, and show one of its cards, by default the first with a rule.

    `beside` are stored files that go with it, such as symbols. Mistakes and plain words are in the `language`, and so
    are names if the edition has it.

    Raises DomainError `busy`.
    """
    try:
        report = _run_draft(draft_report, data, beside, card, language)
    except UploadError as error:
        report = DraftReport((error.finding,))
    return report._replace(findings=tuple(finding.in_language(language) for finding in report.findings))


def draft_report(files: dict[str, str], card: str | None, language: str) -> DraftReport:
    """Return the report on an edition. The process may be busy for long, or fail, if the edition is hostile."""
    found = check_upload(files, own=True)
    if not found.usable:
        return DraftReport(found.findings)
    with _read_draft(found.slug, files, language) as (folder, edition):
        cards = tuple((kind.slug, kind.name) for kind in edition.kinds)
        categories = tuple((deal.category, deal.name) for deal in edition.deal)
        groups = tuple((group.slug, group.name) for group in edition.groups)
        symbols = tuple((name, _outline(file)) for name, file in symbol_files(read_source(folder).folders).items())
        rules = {one.card: one for one in reversed(edition.rules) if one.steps}
        shown = (
            card
            if card and card in edition.kind_of
            else next((slug for slug, _ in cards if slug in rules), cards[0][0])
        )
        rule = rules.get(shown)
        report = None
        if rule is not None:
            file = EditionFile.model_validate(read_source(folder).document)
            report = rule_report(EditionRules(edition, file), rule.key, language)
        asked = (edition.facts, edition.player_facts)
    return DraftReport(found.findings, cards, categories, groups, symbols, *asked, shown, _face(edition, shown), report)


def score_draft(
    text: str,
    decks: Sequence[Mapping[str, int]],
    facts: Sequence[Mapping[str, bool | int]],
    beside: Mapping[str, str],
    language: str,
) -> list[dict[str, Any]]:
    """Score decks at one table by the edition that is being edited: a document for each, in their order.

    `facts` are those of each deck; one that names a player has the number of a deck, from 1. Cards and facts that the
    edition does not have are left out, and so are values that a fact does not take. An edition with mistakes scores
    nothing. Raises DomainError `busy`, or `invalid-edition` for a rule that fails for these decks.
    """
    try:
        tables = [dict(deck) for deck in decks], [dict(entered) for entered in facts]
        return _run_draft(draft_scores, text.encode(), beside, *tables, language)
    except (UploadError, UnicodeEncodeError):
        return []
    except EditionError as error:
        raise DomainError("invalid-edition", f"{error}.") from None


def draft_scores(
    files: dict[str, str],
    decks: Sequence[Mapping[str, int]],
    facts: Sequence[Mapping[str, bool | int]],
    language: str,
) -> list[dict[str, Any]]:
    """Return the scores of decks; EditionError in the language. The process may be busy for long if it is hostile."""
    found = check_upload(files, own=True, lint=False)
    if not found.usable:
        return []
    with _read_draft(found.slug, files, language) as (_, edition):
        hands = [
            _hand(edition, number, deck, entered, len(decks))
            for number, (deck, entered) in enumerate(zip(decks, [*facts, *({} for _ in decks)], strict=False), 1)
        ]
        try:
            scores = result_document(score(edition, hands, provisional=False))["hands"]
        except ScoringError:
            return []
        except EditionError as error:
            place, sentence = error_sentence(edition, error)
            raise EditionError(f"{place}: {translated(sentence, language)}") from None
    return sorted(scores, key=lambda hand: int(hand["player"]))


def _hand(
    edition: Edition, number: int, deck: Mapping[str, int], entered: Mapping[str, bool | int], players: int
) -> Hand:
    """Return the hand of a deck, with what the edition takes of its cards and facts."""
    others = {other: str(other) for other in range(1, players + 1) if other != number}
    return Hand(
        str(number),
        {kind: count for kind, count in deck.items() if count and kind in edition.kind_of},
        facts={fact.name: entered[fact.name] for fact in edition.facts if fact.takes(entered.get(fact.name))},
        named={
            fact.name: others[entered[fact.name]] for fact in edition.player_facts if entered.get(fact.name) in others
        },
    )


def _run_draft(function: Callable[..., R], data: bytes, beside: Mapping[str, str], *arguments: object) -> R:
    """Call a function with the files of an edition in a process with limits. Raises DomainError `busy`, UploadError."""
    files = {**beside, **unpack_upload(data)}
    slug_of_files(files)
    try:
        return run_check(function, files, *arguments)
    except WorkerProcessError:
        raise DomainError("busy", "The edition took too long. Try again in a moment.", retry=5) from None


@contextmanager
def _read_draft(slug: str, files: dict[str, str], language: str) -> Iterator[tuple[Path, Edition]]:
    """Load an edition from a folder that is there meanwhile, in a language if it has it, otherwise in its own."""
    with tempfile.TemporaryDirectory(prefix="haggle-draft-") as scratch:
        folder = Path(scratch) / slug
        write_files(folder, files)
        edition = read_edition(folder, None)
        yield folder, read_edition(folder, language) if language in edition.languages else edition


def _outline(file: Path) -> str:
    """Return the outline of a symbol, empty if it cannot be used."""
    try:
        return read_outline(file)
    except EditionError:
        return ""


def _face(edition: Edition, kind: str) -> str | None:
    """Return the image of a card whose codes belong to no game; None if it cannot be drawn."""
    kinds = tuple(one.slug for one in edition.kinds)
    game = PrintedGame(_NO_GAME, edition.slug, _NO_KEY, kinds, _PLAYERS, "", {}, SIZES[_SIZE])
    card = CardId(kind, 1)
    try:
        drawn = (edition_faces(edition)[kind], card_text(game, card), short_code(game, card))
        (image,) = face_images([drawn], game.geometry, _DPI)
    except (EditionError, FaceError, TextError, ValueError):
        return None
    out = io.BytesIO()
    image.save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode()
