"""Files of a result version: tables for spreadsheets, the input of the scoring, and a PDF to print."""

from __future__ import annotations

import csv
import io
import json
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from cardgen.documents.tables import TableColumn, TableDocument, TableRow, TableSection, write_tables
from cardgen.pages.paper import PAPERS
from server.games.results.standings import hands_by_envelope, points_by_rule, rules_of, standings_for
from server.scoring.breakdown import ADJUSTMENT, decimal

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from server.db.models import Game, ResultVersion
    from server.games.results.standings import RankedHand
    from server.scoring.edition import Edition

RANKING, MATRIX, REPLAY, PDF = "ranking.csv", "matrix.csv", "replay.json", "results.pdf"

# Spreadsheets run cells that begin with such a sign, some also with its full-width form. Excel in German and French
# expects other separators, so there a cell begins after each separator within a text.
_FORMULA = re.compile(r"(\A|[;,|\t\r\n])(?=[\s\"']*[=+\-@\uff1d\uff0b\uff0d\uff20])|\A(?=[\t\r\n])")
_CARDS_ROW = "cards"
_NOTE_MARKS = "\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"
_ONE_LANE = 40
"""Places of a ranking that fill a page; more are set side by side."""


def ranking_csv(version: ResultVersion, hidden: Collection[int] = ()) -> bytes:
    """Return the ranking as a table: rank, player, envelope, score, eliminated, decided_by, handed_in, hidden.

    `hidden` envelopes are marked: they must be left out of a public table. UTF-8 with a byte order mark, without which
    Excel assumes another encoding; names that a spreadsheet would run as formulas are escaped.
    """
    handed_in = {hand["player"]: hand.get("handed_in", "") for hand in version.inputs["game"]["hands"]}
    rows: list[Sequence[object]] = [
        ("rank", "player", "envelope", "score", "eliminated", "decided_by", "handed_in", "hidden")
    ]
    for envelope, hand in hands_by_envelope(version.inputs, version.document).items():
        player = hand["player"]
        rows.append(
            (
                hand["rank"],
                escape_formulas(player),
                envelope,
                "" if hand["score"] is None else hand["score"],
                _yes_no(hand["eliminated"]),
                hand["decided_by"] or "",
                handed_in[player],
                _yes_no(envelope in hidden),
            )
        )
    return _csv(rows)


def matrix_csv(version: ResultVersion, edition: Edition, hidden: Collection[int] = ()) -> bytes:
    """Return the points by rule and player as a table: a row for each rule, a column for each player in rank order.

    The row ± has the organisers' points, if there are any.
    Void lines count as zero. The first row of numbers is the plain worth of cards. An eliminated player's column is
    empty. The last row marks `hidden` players. Encoded as `ranking_csv`.
    """
    hands = list(version.document["hands"])
    rows: list[Sequence[object]] = [("rule", "name", *(escape_formulas(hand["player"]) for hand in hands))]
    sums = [points_by_rule(hand["lines"]) for hand in hands]
    named = [(None, ""), *((rule.key, rule.name) for rule in edition.rules)]
    if any(ADJUSTMENT in of for of in sums):
        named.append((ADJUSTMENT, edition.phrases["adjustments"]))
    for key, name in named:
        cells = [
            "" if hand["eliminated"] else decimal(of.get(key, Fraction(0)))
            for hand, of in zip(hands, sums, strict=True)
        ]
        rows.append((_CARDS_ROW if key is None else key, escape_formulas(name), *cells))
    rows.append(("score", "", *("" if hand["score"] is None else hand["score"] for hand in hands)))
    envelopes = {hand["player"]: number for number, hand in hands_by_envelope(version.inputs, version.document).items()}
    rows.append(("hidden", "", *(_yes_no(envelopes[hand["player"]] in hidden) for hand in hands)))
    return _csv(rows)


def replay_json(version: ResultVersion) -> bytes:
    """Return the game as `haggle score` reads it; scored again it gives the version's result. It holds the seed."""
    return (json.dumps(version.inputs["game"], ensure_ascii=False, indent=1) + "\n").encode()


def results_pdf(
    game: Game, version: ResultVersion, language: str | None = None, paper: str = "a4", hidden: Collection[int] = ()
) -> bytes:
    """Return the results to print: the ranking, a slip for each player with deck and every line, all rules.

    Slips can be cut apart. `hidden` players are named only on their own.
    """
    view = standings_for(game, version, language, hidden=hidden)
    own = dict(_own_slips(game, version, language, hidden))
    phrases = view.edition.phrases
    at = version.at.astimezone(ZoneInfo(game.timezone))
    # Readers take a time for their own, but games for which nobody chose a time zone are in UTC.
    date = at.strftime(phrases["date_time"]) + (" (UTC)" if game.timezone == "UTC" else "")
    caption = phrases["results_version"].format(game=game.id, version=version.version, date=date)
    sections = [_ranking_section(view.standings, phrases, caption)]
    places = len(view.standings)
    hands = dict(zip(version.inputs["envelopes"], version.inputs["game"]["hands"], strict=True))
    for standing in view.standings:
        deck = _deck(hands[standing.envelope]["cards"], view.edition)
        sections.append(_player_slip(own.get(standing.envelope, standing), phrases, places, deck))
    sections.append(_rules_section(rules_of(view.edition, version.inputs["game"]), phrases))
    results = TableDocument(
        language=view.edition.language,
        title=f"{game.name}  ·  {phrases['results']}",
        edition=view.edition.title,
        foot=caption,
        page=phrases["results_page"],
        sections=tuple(sections),
    )
    out = io.BytesIO()
    write_tables(out, results, PAPERS[paper])
    return out.getvalue()


def escape_formulas(text: str) -> str:
    """Return a text with an apostrophe wherever a spreadsheet might find a formula."""
    return _FORMULA.sub(r"\1'", text)


def _own_slips(
    game: Game, version: ResultVersion, language: str | None, hidden: Collection[int]
) -> Iterable[tuple[int, RankedHand]]:
    """Yield the standings of hidden players as they see themselves."""
    for envelope in hidden:
        view = standings_for(game, version, language, hidden=set(hidden) - {envelope}, only=envelope)
        yield from ((standing.envelope, standing) for standing in view.standings if standing.envelope == envelope)


def _ranking_section(standings: Sequence[RankedHand], phrases: Mapping[str, str], caption: str) -> TableSection:
    labels = dict.fromkeys(standing.decided_by for standing in standings if standing.decided_by)
    marks = dict(zip(labels, _NOTE_MARKS, strict=False))
    notes = [f"{mark} {phrases['results_tie'].format(label=label)}" for label, mark in marks.items()]
    columns = (
        TableColumn(phrases["rank"], 12, right=True),
        TableColumn(phrases["player"], 0),
        TableColumn(phrases["score"], 20, right=True),
    )
    rows = []
    for standing in standings:
        name = standing.player or phrases["a_player"]
        mark = marks.get(standing.decided_by or "", "")
        rows.append(TableRow((str(standing.rank), f"{name} {mark}".strip(), _score(standing, phrases))))
    heading = phrases["results_ranking"]
    continued = phrases["results_continued"].format(player=heading)
    lanes = 1 if len(rows) <= _ONE_LANE else 2
    return TableSection(heading, continued, (caption, *notes), columns, tuple(rows), lanes=lanes)


def _deck(cards: Mapping[str, int], edition: Edition) -> str:
    """Return the cards of a deck by kind, such as "3 \u00d7 Red, Blue, Rule 8"."""
    rule = edition.phrases["rule_column"]
    counts = (
        (cards.get(kind.slug, 0), f"{rule} {kind.number}" if kind.text and kind.number else kind.name)
        for kind in edition.kinds
    )
    return ", ".join((f"{count} \u00d7 " if count > 1 else "") + name for count, name in counts if count)


def _player_slip(standing: RankedHand, phrases: Mapping[str, str], places: int, deck: str) -> TableSection:
    player = standing.player or phrases["a_player"]
    place = phrases["results_place"].format(rank=standing.rank, hands=places, envelope=standing.envelope)
    notes = []
    if standing.decided_by:
        notes.append(phrases["results_tie"].format(label=standing.decided_by))
    if standing.eliminated:
        notes.append(phrases["eliminated_verdict"])
    if not standing.lines:
        notes.append(phrases["no_lines"])
    if deck:
        notes.append(deck)
    columns = (
        TableColumn(phrases["rule_column"], 18),
        TableColumn(phrases["points_column"], 17, right=True),
        TableColumn(phrases["why"], 0),
    )
    rows = [_line_row(line, phrases) for line in standing.lines]
    rows.append(TableRow(("", _score(standing, phrases), phrases["results_sum"]), strong=True))
    heading = phrases["hand"].format(player=player, score=_score(standing, phrases))
    continued = phrases["results_continued"].format(player=player)
    return TableSection(heading, continued, tuple(notes), columns, tuple(rows), slip=True, beside=place)


def _line_row(line: Mapping[str, Any], phrases: Mapping[str, str]) -> TableRow:
    rule = phrases["cards_row"] if line["rule"] is None else line["rule"]
    if line["void"]:
        return TableRow((rule, phrases["void"], line["text"]), void=True)
    points = str(line["points"]).replace(".", phrases["decimal_mark"])
    signed = points.replace("-", "\u2212") if points == "0" or points.startswith("-") else f"+{points}"
    return TableRow((rule, signed, line["text"]))


def _rules_section(rules: Iterable[Mapping[str, Any]], phrases: Mapping[str, str]) -> TableSection:
    rows = [TableRow((rule["key"], rule["name"], rule["text"])) for rule in rules if rule["active"]]
    heading = phrases["results_rules"]
    columns = (TableColumn(phrases["rule_column"], 20), TableColumn("", 45), TableColumn("", 0))
    return TableSection(heading, phrases["results_continued"].format(player=heading), (), columns, tuple(rows))


def _score(standing: RankedHand, phrases: Mapping[str, str]) -> str:
    if standing.score is None:
        return phrases["eliminated"]
    return standing.score.replace(".", phrases["decimal_mark"])


def _yes_no(value: bool) -> str:  # noqa: FBT001 - a cell
    return "yes" if value else "no"


def _csv(rows: Iterable[Sequence[object]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    return text.getvalue().encode("utf-8-sig")
