"""What is asked after closing: the edition's facts, and which rules players cancel. Organisers enter the answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apiflask import APIBlueprint
from sqlalchemy import select

from server.api.description import responses
from server.api.house.here import here
from server.api.house.questions_models import (
    AnswerBody,
    FactModel,
    PartModel,
    QuestionModel,
    QuestionsModel,
    RuleNameModel,
)
from server.api.house.queue import CHANGES, ORGANISER
from server.api.house.revisions import if_match, revised
from server.api.house.who import actor, organiser
from server.play.house import game_row
from server.play.questions import Entered, enter, questions
from server.store.tables import Envelope

if TYPE_CHECKING:
    from collections.abc import Iterable

    from server.play.questions import Asked
    from server.scoring import Rule

blueprint = APIBlueprint("questions", __name__, url_prefix="/api/v1/games/<string:game>/questions", tag="Hand-ins")


@blueprint.get("")
@organiser
@blueprint.output(QuestionsModel)
@blueprint.doc(
    summary="What is asked about the hands before the final count",
    description="Facts and parts of decks that the edition asks for, and which rules the holders of cards that cancel "
    f"choose. Players are asked in person: the list of rules in play is secret until publication. {ORGANISER}",
    operation_id="get_questions",
    responses=responses({404: "There is no such game"}),
)
def show_all(game: str) -> QuestionsModel:
    """List the questions."""
    with here().house.database.reading() as session:
        row = game_row(session, game)
        rows = session.execute(select(Envelope.number, Envelope.name).where(Envelope.game == row.id))
        names = {number: name for number, name in rows}  # noqa: C416 - rows are no pairs to the checker
        found = questions(session, row)
        return QuestionsModel(
            questions=[_model(asked, names.get(asked.envelope)) for asked in found],
            open=sum(asked.open for asked in found),
        )


@blueprint.put("/<int:envelope>")
@revised
@organiser
@blueprint.input(AnswerBody, arg_name="body")
@blueprint.output(QuestionModel)
@blueprint.doc(
    summary="Answer what is asked about a hand",
    description=f"What is left out stays as it is. Once the game has been counted, it is a correction. {ORGANISER}",
    operation_id="answer_question",
    responses=responses(CHANGES),
)
def answer(game: str, envelope: int, body: AnswerBody) -> QuestionModel:
    """Keep answers."""
    house, revision = here().house, if_match()
    with house.database.writing() as session:
        row = game_row(session, game)
        said = Entered(body.facts, body.cancels, body.parts, body.reason, revision)
        asked = enter(session, row, envelope, said, actor(), house.clock())
        return _model(asked, session.get_one(Envelope, (row.id, envelope)).name)


def _model(asked: Asked, player: str | None) -> QuestionModel:
    return QuestionModel(
        envelope=asked.envelope,
        player=player,
        open=asked.open,
        revision=asked.revision,
        facts=[
            FactModel(
                name=fact.name,
                label=fact.label,
                yes_no=fact.yes_no,
                minimum=fact.minimum,
                maximum=fact.maximum,
                value=asked.entered.get(fact.name),
            )
            for fact in asked.facts
        ],
        cards=_rules(asked.cards),
        may_cancel=_rules(asked.may_cancel),
        most=asked.most,
        cancelled=None if asked.cancelled is None else list(asked.cancelled),
        parts=[PartModel(part=part.slug, name=part.name) for part in asked.parts],
        kinds=dict(asked.kinds),
        laid=None if asked.laid is None else {part: dict(kinds) for part, kinds in asked.laid.items()},
        mistakes=list(asked.mistakes),
    )


def _rules(rules: Iterable[Rule]) -> list[RuleNameModel]:
    return [RuleNameModel(rule=rule.key, name=rule.name, text=rule.text) for rule in rules]
