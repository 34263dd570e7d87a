"""The available editions, also uploaded ones. For organisers only: the names of rules are secret."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING, Any

from apiflask import APIBlueprint
from flask import Response, request
from pydantic import BaseModel, Field

from server.api.application import current_context
from server.api.auth import current_actor, organiser
from server.api.idempotency import describe_idempotency_key, run_once, stored_response
from server.api.openapi import file_response, responses
from server.api.organiser.archives import ZIP
from server.api.schemas.common import Language, RequestQuery, path_data
from server.api.schemas.editions import (
    AskedFactModel,
    CommonRulesModel,
    DraftDecksBody,
    DraftModel,
    DraftQuery,
    DraftScoresModel,
    EditionKindModel,
    EditionUploadQuery,
    EditionVersionModel,
    NamedPartModel,
    NewEdition,
    RestoreBody,
    StoredEditionModel,
    UploadedEditionModel,
    UploadedEditionsModel,
    VersionQuery,
)
from server.api.uploads import accepts
from server.editions import edition_names, load_edition
from server.editions.registry import FILE, folder_of, is_uploaded
from server.editions.starter import common_rules, slots_in
from server.editions.uploads import MAX_BYTES, read_files, slug_of_files, with_slug, zip_of
from server.games.edition_drafts import check_draft, score_draft
from server.games.lifecycle.settings import MAX_NAME_LENGTH, checked_name
from server.games.uploaded_editions import (
    add_version,
    check_edition_files,
    delete_edition,
    edition_versions,
    files_beside,
    games_by_edition,
    restore_version,
    started_edition,
    stored_version,
    unpack_edition_file,
    usable_copies,
)
from server.printing.card_faces import FaceError, edition_faces
from server.scoring.errors import EditionError
from server.scoring.rules import RULE_CATEGORY, Phase

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy.orm import Session

    from server.db.models import EditionVersion
    from server.editions.uploads import UploadFinding
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


class NamedFactModel(BaseModel):
    """A fact that the edition asks for about each hand."""

    name: str
    label: str


class EditionModel(BaseModel):
    """An edition."""

    slug: str = Field(description="Its name; of an uploaded edition, that of its version, tea@ and 32 digits")
    offered: bool = Field(description="Whether new games can use it; false for earlier versions that games use")
    uploaded: bool = Field(description="Whether organisers have uploaded it")
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


OCTETS = "application/octet-stream"
_log = logging.getLogger(__name__)
_MISSING = {404: "No such edition or version"}


@blueprint.get("")
@organiser
@blueprint.input(EditionLanguageQuery, location="query", arg_name="query")
@blueprint.output(EditionsModel)
@blueprint.doc(operation_id="list_editions")
def show_all(query: EditionLanguageQuery) -> EditionsModel:
    """List the editions.

    Includes the names of all rules, which players must not learn before the game.
    """
    with current_context().database.reading() as session:
        offered = dict.fromkeys(edition_names(), True) | usable_copies(session)
    models = [_model(slug, query.language, offered=new) for slug, new in offered.items()]
    return EditionsModel(editions=[model for model in models if model is not None])


_INVALID = "Not a valid edition: `errors` has each mistake, with file, line, column, field and detail"


@blueprint.post("")
@describe_idempotency_key
@organiser
@blueprint.input(NewEdition, arg_name="body")
@blueprint.output(StoredEditionModel, status_code=201)
@blueprint.doc(
    operation_id="create_edition", responses=responses({404: "No such edition to begin with", 422: _INVALID})
)
def create(body: NewEdition) -> tuple[dict[str, Any], int]:
    """Create an edition to change.

    It begins as an example, or as a variant or copy of another edition.
    """
    actor, at = current_actor(), current_context().clock()
    title = checked_name(body.title, "edition's title", MAX_NAME_LENGTH)

    def work(session: Session) -> dict[str, Any]:
        found = started_edition(
            session, body.slug, title, body.base, variant=body.variant, empty=body.empty, language=body.language
        )
        return _stored(add_version(session, found, actor, at, after=0))

    return run_once(work)


@blueprint.get("/uploaded")
@organiser
@blueprint.output(UploadedEditionsModel)
@blueprint.doc(operation_id="list_uploaded_editions")
def show_uploaded() -> UploadedEditionsModel:
    """List the uploaded editions.

    With all their versions, the newest first.
    """
    with current_context().database.reading() as session:
        games = games_by_edition(session)
        return UploadedEditionsModel(
            editions=[
                UploadedEditionModel(
                    slug=slug,
                    title=versions[0].title,
                    games=games.get(slug, 0),
                    versions=[EditionVersionModel.model_validate(version) for version in versions],
                )
                for slug, versions in edition_versions(session).items()
            ]
        )


@blueprint.post("/uploaded")
@describe_idempotency_key
@organiser
@accepts(OCTETS, lambda: MAX_BYTES)
@blueprint.input(EditionUploadQuery, location="query", arg_name="query")
@blueprint.output(StoredEditionModel, status_code=201)
@blueprint.doc(
    operation_id="upload_edition",
    responses=responses(
        {
            409: "There is another version by now",
            413: "The file is too large",
            415: f"Not sent as {OCTETS}",
            422: f"{_INVALID}; or the Idempotency-Key is missing",
        }
    ),
)
def upload(query: EditionUploadQuery) -> tuple[dict[str, Any], int]:
    """Upload an edition, or a new version of one.

    The body is an `edition.toml`, or a ZIP file with it, with texts (.md, .txt) and with symbols
    (symbols/NAME.svg), of at most 500 kB; never code.
    """
    data = request.get_data(cache=True)
    actor, at = current_actor(), current_context().clock()
    if (before := stored_response()) is not None:
        return before
    files = unpack_edition_file(data, query.language)
    if query.slug is not None:
        files = with_slug(files, query.slug)
    if query.keep_files:
        with current_context().database.reading() as session:
            files = files_beside(session, slug_of_files(files)) | files
    found = check_edition_files(files, query.language)

    def work(session: Session) -> dict[str, Any]:
        return _stored(
            add_version(session, found, actor, at, reason=query.reason, after=query.after),
            found.hints,
        )

    return run_once(work)


@blueprint.post("/checks")
@organiser
@accepts(OCTETS, lambda: MAX_BYTES)
@blueprint.input(DraftQuery, location="query", arg_name="query")
@blueprint.output(DraftModel)
@blueprint.doc(operation_id="check_edition", responses=responses({413: "Too large", 415: f"Not sent as {OCTETS}"}))
def check(query: DraftQuery) -> dict[str, Any]:
    """Check an edition that is being edited.

    The body is as for an upload; nothing is stored. Also shows one of its cards as it is printed, and its rule in plain
    words with the smallest decks on either side of its boundaries.
    """
    with current_context().database.reading() as session:
        beside = files_beside(session, query.slug)
    found = check_draft(request.get_data(cache=True), query.card, beside, query.language)
    rule = found.rule
    return {
        "findings": [finding._asdict() for finding in found.findings],
        "cards": [{"slug": slug, "name": name} for slug, name in found.cards],
        "categories": [{"slug": slug, "name": name} for slug, name in found.categories],
        "groups": [{"slug": slug, "name": name} for slug, name in found.groups],
        "symbols": [{"name": name, "outline": path_data(outline)} for name, outline in found.symbols],
        "facts": AskedFactModel.all_of(found.facts, found.player_facts),
        "card": found.card,
        "face": found.face,
        "rule": rule
        and {
            "key": rule.key,
            "name": rule.name,
            "words": list(rule.words),
            "phases": list(rule.phases),
            "matters": rule.matters,
            "examples": [[{"deck": one.text, "score": one.score} for one in pair] for pair in rule.examples],
        },
    }


@blueprint.post("/checks/scores")
@organiser
@blueprint.input(DraftDecksBody, arg_name="body")
@blueprint.output(DraftScoresModel)
@blueprint.doc(operation_id="score_edition_draft")
def score_decks(body: DraftDecksBody) -> dict[str, Any]:
    """Score decks by an edition that is being edited.

    All decks are at one table. Nothing is stored. Cards and facts that the edition does not have are left out, and
    values that a fact does not take.
    """
    with current_context().database.reading() as session:
        beside = files_beside(session, body.slug)
    return {"decks": score_draft(body.text, body.decks, body.facts, beside, body.language)}


@blueprint.get("/gallery")
@organiser
@blueprint.output(CommonRulesModel)
@blueprint.doc(operation_id="list_common_rules")
def show_common_rules() -> dict[str, Any]:
    """List common rules to begin with.

    Their texts are in English, German and French.
    """
    return {"rules": [{"name": rule["name"], "slots": slots_in(rule), "rule": rule} for rule in common_rules()]}


@blueprint.post("/uploaded/<string:slug>/restore")
@describe_idempotency_key
@organiser
@blueprint.input(RestoreBody, arg_name="body")
@blueprint.output(StoredEditionModel, status_code=201)
@blueprint.doc(operation_id="restore_edition", responses=responses(_MISSING))
def restore(slug: str, body: RestoreBody) -> tuple[dict[str, Any], int]:
    """Restore an earlier version of an edition.

    It becomes a new version, so that this can be undone as well.
    """
    actor, at = current_actor(), current_context().clock()
    return run_once(lambda session: _stored(restore_version(session, slug, body.version, actor, at)))


@blueprint.delete("/uploaded/<string:slug>")
@organiser
@blueprint.output({}, status_code=204)
@blueprint.doc(operation_id="delete_edition", responses=responses(_MISSING))
def delete(slug: str) -> str:
    """Delete an uploaded edition.

    With all versions. Games that use it keep their own copy.
    """
    context = current_context()
    with context.database.writing() as session:
        delete_edition(session, slug, current_actor(), context.clock())
    return ""


@blueprint.get("/<string:slug>/file")
@organiser
@blueprint.input(VersionQuery, location="query", arg_name="query")
@blueprint.doc(
    operation_id="download_edition", responses={**file_response("application/toml", ZIP), **responses(_MISSING)}
)
def download(slug: str, query: VersionQuery) -> Response:
    """Download an edition as one file.

    An `edition.toml`, or a ZIP file if there are texts or symbols with it. Contains all rules.
    """
    if query.version is None and slug in edition_names():
        files = read_files(folder_of(slug))
    else:
        with current_context().database.reading() as session:
            files = stored_version(session, slug, query.version).files
    return _file(slug, files if query.files else {FILE: files[FILE]})


@blueprint.post("/<string:slug>/file")
@organiser
@accepts(OCTETS, lambda: MAX_BYTES)
@blueprint.doc(
    operation_id="export_edition",
    responses={
        **file_response("application/toml", ZIP),
        **responses({413: "Too large", 415: f"Not sent as {OCTETS}"}),
    },
)
def export(slug: str) -> Response:
    """Return an edition that is being edited as one file.

    The body is its TOML. The response is the same, or a ZIP file if the newest version has texts or symbols beside it.
    Nothing is stored.
    """
    # Also a draft with mistakes, or without a slug, is a file that its author may want to keep.
    files = {FILE: request.get_data(cache=True).decode(errors="replace")}
    with current_context().database.reading() as session:
        return _file(slug, {**files_beside(session, slug), **files})


def _file(slug: str, files: Mapping[str, str]) -> Response:
    """Return an edition as a TOML file, or as a ZIP file if it has more than one."""
    alone = len(files) == 1
    response = Response(files[FILE].encode() if alone else zip_of(files))
    response.mimetype = "application/toml" if alone else ZIP
    # A draft's slug may be anything.
    name = re.sub(r"[^a-z0-9-]", "", slug) or "edition"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.{"toml" if alone else "zip"}"'
    return response


def _stored(row: EditionVersion, hints: Sequence[UploadFinding] = ()) -> dict[str, Any]:
    return {
        "slug": row.slug,
        "version": row.version,
        "name": row.name,
        "title": row.title,
        "hints": [hint._asdict() for hint in hints],
    }


def _model(slug: str, language: str | None, *, offered: bool) -> EditionModel | None:
    """Return the model of an edition; None for a broken one, which must not hide the others."""
    try:
        edition = load_edition(slug)
        return _model_of(load_edition(slug, language) if language in edition.languages else edition, offered=offered)
    except EditionError:
        return None
    except Exception:  # noqa: BLE001 - an uploaded edition may fail in any way
        _log.exception("the edition %s cannot be listed", slug)
        return None


def _model_of(edition: Edition, *, offered: bool) -> EditionModel:
    worth = {key for keys in edition.told_by.values() for key in keys}
    each = {deal.category: deal.each_of(_slugs(edition, deal.category), edition.players_min) for deal in edition.deal}
    return EditionModel(
        slug=edition.slug,
        offered=offered,
        uploaded=is_uploaded(edition.slug),
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
        kinds=[EditionKindModel.of(kind) for kind in edition.kinds],
        facts=[
            NamedFactModel.model_validate(fact, from_attributes=True)
            for fact in (*edition.facts, *edition.player_facts)
        ],
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
