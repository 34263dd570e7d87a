"""`haggle results`: the counts of a game in a data folder, as a table, JSON, CSV or PDF."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table
from rich.text import Text
from sqlalchemy import select

from cardgen.pages.paper import PAPERS
from server.cli.admin.data_folder import data_option, opened, show_json
from server.cli.options import editions_option, plain_console
from server.db.models import Envelope, ResultVersion
from server.games.lifecycle.repository import edition_of_game, load_game
from server.games.lifecycle.states import ALLOWED, Act, State
from server.games.results.exports import ranking_csv, results_pdf
from server.games.results.inputs import open_points
from server.games.results.standings import compare_counts, hands_by_envelope, standings_for
from server.games.results.versions import is_outdated, latest_version, load_version

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from server.db.models import Game


@click.command(name="results")
@editions_option
@data_option
@click.argument("game")
@click.option("--version", type=int, help="Number of a count. Default: the newest.")
@click.option("--versions", "as_list", is_flag=True, help="List all counts, and what is open.")
@click.option("--moved", is_flag=True, help="Show what changed since the previous count.")
@click.option("--json", "as_json", is_flag=True, help="Print what haggle score --json prints, and the envelopes.")
@click.option("--replay", is_flag=True, help="Print the game as haggle score reads it. It contains the seed.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the ranking as a table for spreadsheets.")
@click.option("--pdf", type=click.Path(path_type=Path, dir_okay=False), help="Write ranking and pages into a file.")
@click.option("--paper", type=click.Choice(sorted(PAPERS)), default="a4", show_default=True, help="Paper of the PDF.")
@click.option("--language", metavar="en|de|fr", help="Language of the texts. Default: the game's own.")
def command(
    data: Path,
    game: str,
    version: int | None,
    pdf: Path | None,
    paper: str,
    language: str | None,
    **wanted: bool,
) -> None:
    """Show the results of GAME: the newest count, or one by its number."""
    with opened(data) as context, context.database.reading() as session:
        row = load_game(session, game)
        if wanted["as_list"]:
            _list(session, row)
            return
        if language is not None:
            edition_of_game(row, language)  # one that the edition does not speak is refused
        number = latest_version(session, row.id) if version is None else version
        if version is None and not number:
            raise click.ClickException(f"game {row.id} has not been counted: haggle games freeze {row.id} counts it")
        found = load_version(session, row.id, number)
        before = load_version(session, row.id, number - 1) if wanted["moved"] and number > 1 else None
        hidden = set(session.scalars(select(Envelope.number).where(Envelope.game == row.id, Envelope.hidden)))
    if wanted["as_json"]:
        show_json({**found.document, "version": number, "envelopes": _envelopes(found)})
    elif wanted["replay"]:
        show_json(found.inputs["game"])
    elif wanted["as_csv"]:
        click.echo(ranking_csv(found, hidden), nl=False)
    elif pdf:
        _write(pdf, results_pdf(row, found, language, paper, hidden))
    elif wanted["moved"]:
        _moved(before, found)
    else:
        _show(row, found, language)


def _list(session: Session, game: Game) -> None:
    rows = session.scalars(select(ResultVersion).where(ResultVersion.game == game.id).order_by(ResultVersion.version))
    table = Table("version", "at", "who", "hands", "reason", "published", box=None, pad_edge=False)
    for row in rows:
        reason = " ".join(filter(None, [row.reason, row.inputs["override"]]))
        published = "published" if row.version == game.published_version else ""
        hands = str(len(row.inputs["envelopes"]))
        table.add_row(str(row.version), f"{row.at:%Y-%m-%d %H:%M}", row.who, hands, reason, published)
    console = plain_console()
    console.print(table)
    if is_outdated(session, game):
        console.print("Something that counts has changed since the newest version.")
    if any(State(game.state) in ALLOWED[act] for act in (Act.FREEZE, Act.CORRECT)):
        for point in open_points(session, game, {name: game.settings[name] for name in game.confirmed}):
            console.print(f"Open: {point.text}")


def _show(game: Game, version: ResultVersion, language: str | None) -> None:
    view = standings_for(game, version, language)
    phrases = view.edition.phrases
    console = plain_console()
    at = f"{version.at:%Y-%m-%d %H:%M} UTC"
    console.print(Text(view.edition.title, style="bold"))
    console.print(phrases["results_version"].format(game=game.id, version=version.version, date=at))
    table = Table(box=None, pad_edge=False)
    table.add_column(phrases["rank"], justify="right")
    table.add_column(phrases["player"], overflow="fold")
    table.add_column(phrases["score"], justify="right")
    table.add_column(phrases["tie"])
    for standing in view.standings:
        score = (
            phrases["eliminated"] if standing.score is None else standing.score.replace(".", phrases["decimal_mark"])
        )
        table.add_row(str(standing.rank), Text(standing.player or ""), score, standing.decided_by or "")
    console.print(table)
    for envelope, why in version.inputs["left_out"].items():
        reason = phrases[f"left_out_{why.replace('-', '_')}"]
        console.print(phrases["left_out"].format(envelope=envelope, reason=reason))


def _moved(before: ResultVersion | None, after: ResultVersion) -> None:
    console = plain_console()
    if before is None:
        console.print("This is the first count: there is none to compare it with.")
        return
    found = compare_counts(*(hands_by_envelope(one.inputs, one.document) for one in (before, after)))
    if not found:
        console.print("Nothing changed.")
    for move in found:
        console.print(f"Envelope {move.envelope}: {_rank_text(move.before)} -> {_rank_text(move.after)}")
        for mark, lines in (("-", move.gone), ("+", move.come)):
            for line in lines:
                points = "void" if line["void"] else line["points"]
                console.print(Text(f"  {mark} {line['rule'] or 'cards'}: {points}  {line['text']}"))


def _rank_text(hand: dict[str, Any] | None) -> str:
    if hand is None:
        return "not counted"
    score = "eliminated" if hand["eliminated"] else hand["score"]
    return f"{hand['player']}, place {hand['rank']}, {score}"


def _envelopes(version: ResultVersion) -> dict[str, int]:
    return {hand["player"]: n for n, hand in hands_by_envelope(version.inputs, version.document).items()}


def _write(file: Path, data: bytes) -> None:
    try:
        file.write_bytes(data)
    except OSError as error:
        raise click.ClickException(f"{file}: {error.strerror}") from None
    click.echo(f"Wrote {file}.")
