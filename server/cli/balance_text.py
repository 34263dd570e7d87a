"""The tables of `haggle balance`, in the language of the edition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.table import Table

from server.cli.best_text import values_of
from server.scoring.cancels import cancelling
from server.scoring.wording import number_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from server.search.balance import Balance, RuleShare

SHARES = (("min", 0.0), ("10", 0.1), ("25", 0.25), ("median", 0.5), ("75", 0.75), ("90", 0.9), ("max", 1.0))
"""The parts of all hands whose highest score is shown, and their names: per cent, or those of phrases."""


def assumptions(found: Balance) -> Iterator[str]:
    """Yield a sentence for each thing that was drawn by chance or left out."""
    edition, phrases = found.edition, found.edition.phrases
    yield phrases["balance_seed"].format(seed=found.seed)
    if edition.parts:
        yield phrases["balance_parts"].format(parts=", ".join(part.name for part in edition.parts))
    for fact in edition.facts:
        yield phrases["balance_fact"].format(label=fact.label, values=values_of(edition, fact))
    if cancelling(edition, edition.rule_of):
        yield phrases["balance_cancels"]
    if any(rule.informs for rule in edition.rules):
        yield phrases["balance_informs"]


def scores_table(found: Balance) -> Table:
    """Return how scores spread."""
    phrases = found.edition.phrases
    title = phrases["balance_title"].format(title=found.edition.title, games=found.games, players=found.players)
    table = Table(title=title, box=box.SIMPLE, pad_edge=False)
    table.add_column(phrases["balance_hands"])
    names = [percent_text(name, phrases) if name.isdigit() else phrases[f"balance_{name}"] for name, _ in SHARES]
    for heading in (phrases["balance_mean"], phrases["balance_deviation"], *names, phrases["balance_out"]):
        table.add_column(heading, justify="right")
    for label, spread in (("balance_start", found.start), ("balance_traded", found.traded)):
        parts = [number_text(spread.share(part), phrases) for _, part in SHARES]
        moments = [_mark(f"{value:.1f}", phrases) for value in (spread.mean, spread.deviation)]
        table.add_row(phrases[label], *moments, *parts, str(spread.eliminated))
    return table


def rules_table(found: Balance, shown: Sequence[RuleShare]) -> Table:
    """Return what the rules do, below what the cards are worth without any."""
    phrases = found.edition.phrases
    number = len(found.rules)
    title = phrases["balance_rules" if len(shown) == number else "balance_rules_most"]
    table = Table(
        title=title.format(shown=len(shown), number=number, games=found.rule_games), box=box.SIMPLE, pad_edge=False
    )
    table.add_column(phrases["rule_column"], justify="right")
    table.add_column(phrases["balance_name"], overflow="fold")
    for heading in ("balance_changes", "balance_gives", "balance_lines", "balance_puts_out"):
        table.add_column(phrases[heading], justify="right")
    table.add_row(phrases["cards_row"], phrases["balance_cards"], "", "", points_text(found.cards, phrases), "")
    for share in shown:
        if share.rule.informs:
            table.add_row(share.rule.key, share.rule.name, "–", "–", "–", "")  # noqa: RUF001 - an empty cell
            continue
        gives, lines = points_text(share.gain, phrases), points_text(share.lines, phrases)
        out = percent_text(f"{share.eliminates:.1%}", phrases) if share.eliminates else ""
        acts = percent_text(f"{share.acts:.1%}", phrases)
        table.add_row(share.rule.key, share.rule.name, acts, gives, lines, out)
    return table


def points_text(points: float, phrases: Mapping[str, str]) -> str:
    """Write points with two decimals and their sign; nothing is 0.00 without a sign."""
    text = f"{points:+.2f}"
    return _mark("0.00" if float(text) == 0 else text, phrases)


def percent_text(number: str, phrases: Mapping[str, str]) -> str:
    """Write a share in per cent, given as its number, with or without the sign %."""
    return phrases["percent"].format(number=_mark(number.removesuffix("%"), phrases))


def _mark(text: str, phrases: Mapping[str, str]) -> str:
    return text.replace(".", phrases["decimal_mark"])
