"""`haggle editions`: lists the editions, describes, checks or begins one."""

from __future__ import annotations

import json
import shlex
import sys
import tomllib
from dataclasses import asdict
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from server.cli.options import editions_option
from server.editions import edition_names, load_edition
from server.editions.examples.cases import is_recorded, parsed_score, record_case, scores_text
from server.editions.examples.report import recorded, rule_reports
from server.editions.lint import editions_in
from server.editions.lint_process import lint_in_subprocess
from server.editions.loader import read_edition
from server.editions.registry import users_folder
from server.editions.starter import create_edition
from server.printing.card_check import card_findings
from server.scoring.edition import Edition
from server.scoring.errors import EditionError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from server.editions.examples.report import DeckReport
    from server.editions.source_lines import EditionFinding
    from server.scoring import Edition
    from server.scoring.edition import Deal


_WORDS = Path(__file__).with_suffix(".toml")


def summary(edition: Edition) -> dict[str, Any]:
    """Return an edition's entry in the list of editions."""
    return {
        "edition": edition.slug,
        "title": edition.title,
        "summary": edition.summary,
        "players": {"min": edition.players_min, "max": edition.players_max},
        "language": edition.language,
        "languages": list(edition.languages),
    }


def described(edition: Edition) -> dict[str, Any]:
    """Return everything about an edition."""
    return {
        **summary(edition),
        "deal": [_deal(edition, deal) for deal in edition.deal],
        "cards": [
            {"kind": kind.slug, "category": kind.category, "name": kind.name, "text": kind.text}
            for kind in edition.kinds
        ],
        "rules": [{"rule": rule.key, "name": rule.name, "text": rule.text} for rule in edition.rules],
        "settings": [asdict(setting) for setting in edition.settings],
        "facts": [
            {
                "name": fact.name,
                "label": fact.label,
                "type": "yes-no" if fact.yes_no else "whole",
                "minimum": None if fact.yes_no else fact.minimum,
                "maximum": None if fact.yes_no else fact.maximum,
                "default": fact.default,
            }
            for fact in edition.facts
        ]
        + [{"name": fact.name, "label": fact.label, "type": "player"} for fact in edition.player_facts],
        "parts": [{"part": part.slug, "name": part.name} for part in edition.parts],
        "ties": [{"name": tie.name, "label": tie.label, "rule": tie.rule} for tie in edition.ties],
        "rulings": [asdict(ruling) for ruling in edition.rulings],
    }


def _deal(edition: Edition, deal: Deal) -> dict[str, Any]:
    """Return what each player starts with of a category, at the least and the most players."""
    kinds = tuple(kind.slug for kind in edition.kinds if kind.category == deal.category)
    return {
        "category": deal.category,
        "each": deal.each_of(kinds, edition.players_min),
        "each_at_most_players": deal.each_of(kinds, edition.players_max),
        "different": deal.different,
    }


def page(edition: Edition) -> Iterator[str]:
    """Yield the lines of the text about an edition, in its language."""
    say = partial(_say, edition.language)
    yield say("title", title=edition.title, slug=edition.slug, min=edition.players_min, max=edition.players_max)
    yield edition.summary
    yield from ("", say("cards"))
    for deal in edition.deal:
        kinds = [kind for kind in edition.kinds if kind.category == deal.category]
        few, many = (_deal(edition, deal)[name] for name in ("each", "each_at_most_players"))
        each = few if few == many else say("each", few=few, players=edition.players_max, many=many)
        what = "deal_different" if deal.different else "deal"
        yield f"  {say(what, name=deal.name, each=each, kinds=len(kinds))}"
        if deal.category in edition.valued:
            yield f"    {', '.join(kind.name for kind in kinds)}"
    yield from ("", say("rules"))
    for rule in edition.rules:
        yield f"  {say('rule', key=rule.key, name=rule.name, text=rule.text)}"
    yield from _entered(edition)
    yield from ("", say("ties"))
    for tie in edition.ties:
        yield f"  {say('tie_rule', label=tie.label, rule=tie.rule) if tie.rule else tie.label}"
    if edition.rulings:
        yield from ("", say("rulings"))
    for ruling in edition.rulings:
        yield f"  {say('ruling_rule', rule=ruling.rule, text=ruling.text) if ruling.rule else ruling.text}"


def _entered(edition: Edition) -> Iterator[str]:
    """Yield the lines about what people enter: settings of a game, facts and parts of a hand."""
    say = partial(_say, edition.language)
    if edition.settings:
        yield from ("", say("settings"))
    for setting in edition.settings:
        what = "setting" if setting.maximum is None else "setting_range"
        low, high, default = setting.minimum, setting.maximum, setting.default
        yield f"  {say(what, name=setting.name, low=low, high=high, default=default, label=setting.label)}"
        yield f"    {setting.text}"
    if edition.facts or edition.player_facts:
        yield from ("", say("facts"))
    for fact in edition.facts:
        if fact.yes_no:
            answer = say("yes" if fact.default else "no")
            yield f"  {say('fact_yes_no', name=fact.name, default=answer, label=fact.label)}"
        else:
            low, high = fact.minimum, fact.maximum
            yield f"  {say('fact', name=fact.name, low=low, high=high, default=fact.default, label=fact.label)}"
    for naming in edition.player_facts:
        yield f"  {say('fact_player', name=naming.name, label=naming.label)}"
    if edition.parts:
        yield from ("", say("parts"))
        yield from (f"  {say('part', slug=part.slug, name=part.name)}" for part in edition.parts)


def _say(language: str, what: str, **values: object) -> str:
    """Fill one of this page's sentences in a language, or in English where it lacks that."""
    texts = _words()[what]
    return texts.get(language, texts["en"]).format_map(values)


@cache
def _words() -> dict[str, dict[str, str]]:
    return tomllib.loads(_WORDS.read_text(encoding="utf-8"))


NEW_FOLDER = Path("editions")
_PLAYERS = 10
"""The number of players of a first game, if the edition allows it."""


class EditionsGroup(click.Group):
    """A group whose short form, `haggle editions [EDITION]`, runs its command `show`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put `show` in front of arguments that are not a subcommand."""
        if not args or (args[0] not in self.commands and args[0] not in ctx.help_option_names):
            args = ["show", *args]
        return super().parse_args(ctx, args)


@click.group(name="editions", cls=EditionsGroup, no_args_is_help=False)
def command() -> None:
    """List the editions, or describe EDITION: haggle editions [EDITION] [--json] [--language en].

    With new or check, start an edition of your own, or find the mistakes in one.
    """


@command.command(name="show")
@click.argument("edition_name", metavar="[EDITION]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
@click.option("--language", metavar="en|de|fr", help="Language of the output. Default: the editions' own.")
@editions_option
def show(edition_name: str | None, *, as_json: bool, language: str | None) -> None:
    """List the editions, or describe EDITION: its cards, rules, settings and rulings."""
    try:
        if edition_name:
            edition = load_edition(edition_name, language)
            click.echo(json.dumps(described(edition), indent=1) if as_json else "\n".join(page(edition)))
        else:
            _list(as_json=as_json, language=language)
    except EditionError as error:
        raise click.ClickException(str(error)) from None


def _list(*, as_json: bool, language: str | None) -> None:
    """List all editions that can be read; a broken one gets a line with its error, and hides no other."""
    good: list[Edition] = []
    for name in edition_names():
        try:
            good.append(load_edition(name, language))
        except EditionError as error:
            click.echo(f"haggle: {name} cannot be used: {' '.join(str(error).split())}", err=True)
    if as_json:
        click.echo(json.dumps([summary(edition) for edition in good], indent=1))
    else:
        for edition in good:
            click.echo(f"{edition.slug}: {edition.title}. {edition.summary}")


@command.command(name="new")
@click.argument("name")
@click.option("--from", "base", metavar="EDITION", help="Start a variant of this edition, which is only a TOML file.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help=f"Folder for the new edition. Default: your folder of editions if you have named one, else {NEW_FOLDER}.",
)
@editions_option
def new(name: str, base: str | None, out: Path | None) -> None:
    """Start an edition of your own: a folder NAME that can be checked, scored and printed as it is."""
    try:
        folder = create_edition(name, out or users_folder() or NEW_FOLDER, base)
    except (EditionError, OSError) as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{folder} is ready. Now try:")
    slug, place = folder.name, shlex.quote(str(folder.parent))
    edition = read_edition(folder, None)
    players = min(max(_PLAYERS, edition.players_min), edition.players_max)
    click.echo(f"  haggle editions check {shlex.quote(str(folder))}")
    click.echo(f"  haggle editions {slug} --editions {place}")
    click.echo(f"  haggle print {slug} --editions {place} --players {players} --out {slug}-game")


@command.command(name="check")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--examples", is_flag=True, help="Show each rule in plain words, with the decks on its boundaries.")
@click.option("--ask", is_flag=True, help="Ask for the score of each of these decks, and record it as a test case.")
@editions_option
def check(folder: Path, *, examples: bool, ask: bool) -> None:
    """Find every mistake in an edition, or in all editions of a folder, each with file and line.

    The exit code is 0 if there is none, and 1 otherwise. A hint is not a mistake: it names what may be one.
    """
    try:
        found = {place: _findings(place) for place in editions_in(folder)}
    except (EditionError, OSError) as error:
        raise click.ClickException(str(error)) from None
    for place, all_found in found.items():
        for one in all_found:
            click.echo(str(one._replace(file=_near(one.file))))
        hints = sum(one.hint for one in all_found)
        verdict = _counted(len(all_found) - hints, "mistake") if len(all_found) > hints else "no mistakes"
        if hints:
            verdict += f", {_counted(hints, 'hint')}"
        click.echo(f"{place}: {verdict}")
    if any(not one.hint for all_found in found.values() for one in all_found):
        sys.exit(1)
    if examples or ask:
        for place in found:
            show_examples(place, ask=ask)


def _findings(folder: Path) -> list[EditionFinding]:
    """Return the mistakes in an edition, and in its printed cards if there are no others."""
    found = lint_in_subprocess(folder)
    return found if any(not one.hint for one in found) else [*found, *card_findings(folder)]


def show_examples(folder: Path, *, ask: bool) -> None:
    """Print each rule in plain words, with examples; with `ask`, record the scores that the author expects."""
    edition = read_edition(folder, None)
    acting = {phase: [rule.key for rule in edition.rules if phase in rule.phases] for phase in edition.phases}
    click.echo("Rules act in this order:")
    for phase, keys in acting.items():
        if keys:
            click.echo(f"  {phase.name}: {', '.join(keys)}")
    for report in rule_reports(folder):
        click.echo(f"\n{report.key}. {report.name}")
        for line in report.words:
            click.echo(f"  {line}")
        if not report.matters:
            click.echo("  No deck was found for which this rule matters.")
        for decks in report.examples:
            if ask:
                for deck in decks:
                    _ask(folder, edition, deck)
            else:
                click.echo(f"  - {' | '.join(f'{deck.text}: {deck.score}' for deck in decks)}")


def _ask(folder: Path, edition: Edition, deck: DeckReport) -> None:
    """Ask for the score of a deck without a test case, and record the answer, unless the author skips it."""
    if is_recorded(folder, recorded(edition, deck, deck.scores)):
        return
    while True:
        default = scores_text(deck.scores)
        answer = click.prompt(f"  {deck.text}: right score, or - to skip", default=default).strip()
        if answer == "-":
            return
        try:
            scores = tuple(map(parsed_score, answer.split(",")))
        except ValueError:
            scores = ()
        if len(scores) == len(deck.scores):
            break
        click.echo(f"  Type {_counted(len(deck.scores), 'number')}, separated by commas; out for a hand that is out.")
    record_case(folder, recorded(edition, deck, scores))


def _near(file: Path) -> Path:
    """Return a file's path from the current folder where it lies in that."""
    return file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
