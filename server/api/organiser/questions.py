"""Questions about hands before scoring: facts and deck parts of the edition, and the rules that players cancel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from apiflask import APIBlueprint
from pydantic import BaseModel, Field
from sqlalchemy import select

from server.api.application import current_context
from server.api.auth import current_actor, organiser
from server.api.openapi import responses
from server.api.organiser.review_serializers import DECISION_RESPONSES
from server.api.revisions import describe_if_match, required_revision
from server.api.schemas.common import RequestBody
from server.api.schemas.editions import AskedFactModel, NamedPartModel
from server.db.models import Envelope
from server.games.lifecycle.repository import load_game
from server.games.review.questions import AnswersRequest, answer_questions, load_questions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from server.games.review.questions import HandQuestions
    from server.scoring import Rule


Count = Annotated[int, Field(ge=0, le=9_999)]


class FactModel(AskedFactModel):
    """A fact that the edition asks for, with the entered value: a number, yes or no, or a player's envelope."""

    value: bool | int | None


class RuleNameModel(BaseModel):
    """A rule card."""

    rule: str
    name: str
    text: str


class QuestionModel(BaseModel):
    """The questions about a hand."""

    envelope: int
    player: str | None
    open: bool
    revision: str = Field(description="Send it as If-Match with the answers")
    facts: list[FactModel]
    cards: list[RuleNameModel] = Field(description="The player's cards that cancel a rule")
    may_cancel: list[RuleNameModel] = Field(description="The rules to choose from")
    most: int = Field(description="Maximum number of chosen rules")
    cancelled: list[str] | None = Field(description="The chosen rules; null until entered")
    parts: list[NamedPartModel] = Field(description="The labelled parts of a deck, if the edition has any")
    kinds: dict[str, int] = Field(description="Number of cards of each kind in the hand, to be divided among the parts")
    laid: dict[str, dict[str, int]] | None = Field(
        description="Number of cards of each kind in each part; null until entered"
    )
    mistakes: list[str] = Field(description="Reasons why an earlier answer is no longer valid")


class QuestionsModel(BaseModel):
    """All questions about hands."""

    questions: list[QuestionModel]
    open: int


class AnswerBody(RequestBody):
    """Answers about a hand. Omitted fields keep their values."""

    facts: Annotated[dict[str, bool | int | None], Field(max_length=200)] | None = Field(
        default=None, description="Values by name; null deletes a value"
    )
    cancels: Annotated[list[Annotated[str, Field(max_length=100)]], Field(max_length=200)] | None = Field(
        default=None, description="Keys of the rules that the player cancels; [] for none"
    )
    parts: Annotated[dict[str, Annotated[dict[str, Count], Field(max_length=2000)]], Field(max_length=200)] | None = (
        Field(default=None, description="Number of cards of each kind in each part; {} for none")
    )
    reason: Annotated[str, Field(max_length=1000)] = Field(default="", description="The reason; required after scoring")


blueprint = APIBlueprint("questions", __name__, url_prefix="/api/v1/games/<string:game>/questions", tag="Hand-ins")


@blueprint.get("")
@organiser
@blueprint.output(QuestionsModel)
@blueprint.doc(operation_id="get_questions", responses=responses({404: "There is no such game"}))
def show_all(game: str) -> QuestionsModel:
    """List what must be known about the hands before scoring.

    Facts and deck parts that the edition asks for, and the rules that holders of cancel cards choose. Ask the
    players in person: the list of active rules is secret until publication.
    """
    with current_context().database.reading() as session:
        row = load_game(session, game)
        rows = session.execute(select(Envelope.number, Envelope.name).where(Envelope.game == row.id))
        names = {number: name for number, name in rows}  # noqa: C416 - rows are not pairs to the checker
        found = load_questions(session, row)
        return QuestionsModel(
            questions=[_model(asked, names.get(asked.envelope)) for asked in found],
            open=sum(asked.open for asked in found),
        )


@blueprint.put("/<int:envelope>")
@describe_if_match
@organiser
@blueprint.input(AnswerBody, arg_name="body")
@blueprint.output(QuestionModel)
@blueprint.doc(operation_id="answer_question", responses=responses(DECISION_RESPONSES))
def answer(game: str, envelope: int, body: AnswerBody) -> QuestionModel:
    """Enter the answers about a hand.

    Omitted fields keep their values. After scoring, this is a correction.
    """
    context, revision = current_context(), required_revision()
    with context.database.writing() as session:
        row = load_game(session, game)
        request = AnswersRequest(body.facts, body.cancels, body.parts, body.reason, revision)
        asked = answer_questions(session, row, envelope, request, current_actor(), context.clock())
        return _model(asked, session.get_one(Envelope, (row.id, envelope)).name)


def _model(asked: HandQuestions, player: str | None) -> QuestionModel:
    facts = AskedFactModel.all_of(asked.facts, asked.player_facts)
    return QuestionModel.model_validate(
        {
            **vars(asked),
            "player": player,
            "open": asked.open,
            "revision": asked.revision,
            "facts": [{**vars(fact), "value": asked.entered.get(fact.name)} for fact in facts],
            "cards": _rules(asked.cards),
            "may_cancel": _rules(asked.may_cancel),
            "parts": [NamedPartModel(part=part.slug, name=part.name) for part in asked.parts],
        }
    )


def _rules(rules: Iterable[Rule]) -> list[RuleNameModel]:
    return [RuleNameModel(rule=rule.key, name=rule.name, text=rule.text) for rule in rules]
