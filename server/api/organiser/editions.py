"""The available editions, for organisers only: the names of rules are secret."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apiflask import APIBlueprint
from pydantic import BaseModel, Field

from server.api.auth import organiser
from server.api.schemas.common import Language, RequestQuery
from server.editions import edition_names, load_edition
from server.printing.card_faces import FaceError, edition_faces
from server.scoring.errors import EditionError
from server.scoring.rules import RULE_CATEGORY, Phase

if TYPE_CHECKING:
    from server.scoring.edition import Edition

blueprint = APIBlueprint("editions", __name__, url_prefix="/api/v1/editions", tag="Games")


class EditionLanguageQuery(RequestQuery):
    """The language of texts."""

    language: Language | None = Field(
        default=None, description="Used for editions that have it; default: each edition's own"
    )


class SettingModel(BaseModel):
    """An integer setting."""

    name: str
    label: str
    text: str
    minimum: int
    maximum: int | None
    default: int
    confirm: bool = Field(description="Whether organisers have to confirm its value before scoring")


class RuleModel(BaseModel):
    """A rule, without its text."""

    key: str
    name: str
    worth: bool = Field(description="Whether it determines the value of a kind of card")


class EditionKindModel(BaseModel):
    """A kind of card."""

    slug: str
    category: str
    name: str
    ink: str
    symbol: str
    number: int | None


class NamedFactModel(BaseModel):
    """A fact that the edition asks for about each hand."""

    name: str
    label: str


class NamedPartModel(BaseModel):
    """A labelled part of a deck."""

    part: str
    name: str


class EditionModel(BaseModel):
    """An edition."""

    slug: str
    title: str
    summary: str
    language: str
    languages: list[str]
    players_min: int
    players_max: int
    cards: int = Field(description="Cards of each player at the start, with the minimum number of players")
    rule_cards: int = Field(description="Number of rule cards among them")
    printable: bool = Field(description="Whether its cards can be drawn")
    settings: list[SettingModel]
    rules: list[RuleModel]
    kinds: list[EditionKindModel]
    facts: list[NamedFactModel] = Field(description="Facts that are entered before scoring")
    parts: list[NamedPartModel]


class EditionsModel(BaseModel):
    """All editions."""

    editions: list[EditionModel]


@blueprint.get("")
@organiser
@blueprint.input(EditionLanguageQuery, location="query", arg_name="query")
@blueprint.output(EditionsModel)
@blueprint.doc(operation_id="list_editions")
def show_all(query: EditionLanguageQuery) -> EditionsModel:
    """List the editions.

    Includes the names of all rules, which players must not learn before the game.
    """
    loaded = [_load(slug, query.language) for slug in edition_names()]
    return EditionsModel(editions=[_model(edition) for edition in loaded if edition is not None])


def _load(slug: str, language: str | None) -> Edition | None:
    """Load an edition; None for a broken one, which must not hide the others."""
    try:
        edition = load_edition(slug)
        return load_edition(slug, language) if language in edition.languages else edition
    except EditionError:
        return None


def _model(edition: Edition) -> EditionModel:
    worth = {key for keys in edition.told_by.values() for key in keys}
    each = {deal.category: deal.each_of(_slugs(edition, deal.category), edition.players_min) for deal in edition.deal}
    return EditionModel(
        slug=edition.slug,
        title=edition.title,
        summary=edition.summary,
        language=edition.language,
        languages=list(edition.languages),
        players_min=edition.players_min,
        players_max=edition.players_max,
        cards=sum(each.values()),
        rule_cards=each.get(RULE_CATEGORY, 0),
        printable=_printable(edition),
        settings=[SettingModel.model_validate(setting, from_attributes=True) for setting in edition.settings],
        rules=[
            RuleModel(key=rule.key, name=rule.name, worth=rule.key in worth or Phase.BASE in rule.phases)
            for rule in edition.rules
        ],
        kinds=[EditionKindModel.model_validate(kind, from_attributes=True) for kind in edition.kinds],
        facts=[NamedFactModel.model_validate(fact, from_attributes=True) for fact in edition.facts],
        parts=[NamedPartModel(part=part.slug, name=part.name) for part in edition.parts],
    )


def _slugs(edition: Edition, category: str) -> tuple[str, ...]:
    return tuple(kind.slug for kind in edition.kinds if kind.category == category)


def _printable(edition: Edition) -> bool:
    try:
        edition_faces(edition)
    except FaceError:
        return False
    return True
