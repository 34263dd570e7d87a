"""Organisers' photos of envelopes: upload, progress of reading, and assignment to envelopes."""

from __future__ import annotations

import contextlib
from collections import Counter
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any

from apiflask import APIBlueprint
from flask import Response
from pydantic import BaseModel, Field
from sqlalchemy import bindparam, func, select

from server.api.application import current_context
from server.api.auth import current_actor, organiser
from server.api.file_responses import PHOTO_RESPONSE, photo_response
from server.api.idempotency import describe_idempotency_key, key_was_used, run_once, stored_response
from server.api.openapi import responses
from server.api.organiser.review_serializers import (
    DECISION_RESPONSES,
    outcome_model,
    photo_model,
    review_serializer,
)
from server.api.rate_limit import limit_bulk_uploads
from server.api.revisions import describe_if_match, required_revision
from server.api.schemas.common import PhotoDecision, PhotoState, RequestBody
from server.api.schemas.review import (
    DecisionOutcomeModel,
    EnvelopeNumber,
    Offset,
    PhotoDetailModel,
    PhotoModel,
    Reason,
    ReasonQuery,
)
from server.api.uploads import accepts, max_form_bytes, read_photo
from server.db.models import Photo
from server.games.audit import audit
from server.games.errors import DomainError, not_found
from server.games.lifecycle.repository import check_allowed, load_game
from server.games.lifecycle.states import Act
from server.games.photos import scan_queue
from server.games.photos.scan_queue import UNREAD, scan_again
from server.games.photos.scan_service import count_scan_slots
from server.games.photos.upload import PhotoTarget, file_digest, insert_row, store_file
from server.games.review.decisions import DecisionRequest, decide, delete_photo, find_issue
from server.games.review.evidence import count_photos_by_state, deletion_times, load_evidence
from server.games.review.issues import Decision
from server.games.review.reconcile import reconcile_cached

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from server.db.models import Game
    from server.games.review.evidence import Evidence
    from server.games.review.photo_ownership import ReviewedPhoto
    from server.games.review.reconcile import Reconciliation


class PhotosModel(BaseModel):
    """Photos, and the progress of reading all of them."""

    photos: list[PhotoModel]
    total: int = Field(description="Number of photos that match the filters")
    states: dict[str, int] = Field(description="Number of all photos of the game, by state")
    of_players: int = Field(description="Number of photos of players that are not read yet; they are not listed here")
    readers: int = Field(
        description="Number of photos that all processes together can read at the same time; 0: none are read"
    )


class PhotosQuery(BaseModel):
    """Filters of photos."""

    state: PhotoState | None = None
    batch: Annotated[str, Field(max_length=64)] | None = None
    envelope: EnvelopeNumber | None = None
    doubtful: bool | None = Field(
        default=None, description="true: only photos with open items; false: only photos without"
    )
    limit: Annotated[int, Field(ge=0, le=1000, description="Maximum number of photos; 0: only the numbers")] = 200
    offset: Offset = 0

    @property
    def only_counts(self) -> bool:
        """True if only the progress of all photos is requested."""
        return not self.limit and (self.state, self.batch, self.envelope, self.doubtful) == (None,) * 4


class UploadQuery(BaseModel):
    """The position of a photo in its batch, and the name of its file."""

    batch: Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[\w.:-]+$")] | None = None
    place: Annotated[int, Field(ge=0, le=1_000_000)] | None = None
    name: Annotated[str, Field(max_length=200)] = ""


class ImageQuery(BaseModel):
    """A part of the image and its size. Without both, the stored file."""

    crop: Annotated[str, Field(pattern=r"^-?\d{1,6}(\.\d{1,3})?(,-?\d{1,6}(\.\d{1,3})?){3}$", max_length=60)] | None = (
        Field(default=None, description="x0,y0,x1,y1 in pixels of the upright photo")
    )
    width: Annotated[int, Field(ge=16, le=2000)] | None = Field(
        default=None, description="Maximum number of pixels along the longer side"
    )


class AssignBody(RequestBody):
    """The envelopes to which a photo belongs: one, one for each pile from left to right, or none."""

    do: PhotoDecision = "assign"
    envelope: EnvelopeNumber | None = None
    envelopes: Annotated[list[EnvelopeNumber | None], Field(max_length=200)] | None = None
    reason: Reason


blueprint = APIBlueprint("photos", __name__, url_prefix="/api/v1/games/<string:game>/photos", tag="Hand-ins")

_MISSING = {404: "There is no such game or photo"}
_NONE = dict.fromkeys(map(str, scan_queue.PhotoState), 0)
_STATE = attrgetter("state")
_OF_PLAYERS = (
    select(func.count())
    .select_from(Photo)
    .where(Photo.game == bindparam("game"), UNREAD, Photo.source != scan_queue.PhotoSource.ORGANISER)
)


@blueprint.get("")
@organiser
@blueprint.input(PhotosQuery, location="query", arg_name="query")
@blueprint.output(PhotosModel)
@blueprint.doc(operation_id="list_photos", responses=responses({404: "There is no such game"}))
def show_all(game: str, query: PhotosQuery) -> Response:
    """List the photos of envelopes.

    In upload order, with the progress of reading them.
    """
    # Serialising hundreds of photos by way of plain values takes three times as long.
    return Response(_listed(game, query), mimetype="application/json")


def _listed(game: str, query: PhotosQuery) -> str:
    with current_context().database.reading() as session:
        row = load_game(session, game)
        progress = {
            "of_players": _of_players(session, row),
            "readers": count_scan_slots(session, current_context().time(session)),
        }
        if query.only_counts:
            states = count_photos_by_state(session, row.id)
            return PhotosModel(
                photos=[], total=sum(states.values()), states=_NONE | states, **progress
            ).model_dump_json()
        evidence = load_evidence(session, row)
        whole = reconcile_cached(evidence)
        chosen = [photo for photo in evidence.photos if _matches(photo, whole, query)]
        page = chosen[query.offset : query.offset + query.limit]
        states = _NONE | Counter(map(_STATE, evidence.photos))
        gone = deletion_times(session, row.id)
        photos = [photo_model(one, one.reading, gone.get(one.id), whole) for one in page]
        return PhotosModel(photos=photos, total=len(chosen), states=states, **progress).model_dump_json()


@blueprint.post("")
@limit_bulk_uploads
@describe_idempotency_key
@organiser
@accepts("multipart/form-data", max_form_bytes)
@blueprint.input(UploadQuery, location="query", arg_name="query")
@blueprint.output(PhotoModel, status_code=201)
@blueprint.doc(
    operation_id="add_photo",
    responses=responses({**_MISSING, 409: "The game is not open or closed", 413: "Too large", 422: "No photo"}),
)
def add(game: str, query: UploadQuery) -> tuple[dict[str, Any], int]:
    """Upload a photo of an envelope's cards.

    One photo per request, in the form field `photo`. Photos of a `batch` are ordered by their `place`. The photo is
    read soon after the upload. A file that is in the batch already is not added again.
    """
    context, actor = current_context(), current_actor()
    with context.database.reading() as session:
        row = load_game(session, game)
        again = key_was_used(session)
    if not again:
        check_allowed(row, Act.RECEIVE)
    data = read_photo()
    digest = file_digest(data)
    if again and (before := stored_response(body=digest.encode())) is not None:
        return before
    with store_file(context, row.id, data, digest) as file:

        def work(session: Session) -> dict[str, Any]:
            target = PhotoTarget(row.id, batch=query.batch, place=query.place, name=query.name)
            photo = insert_row(context, session, file, target, actor, context.clock())
            if photo.id == file.id and not file.known:
                # The row has everything about a new photo, so the other photos are not loaded.
                return photo_model(photo, None, photo.image_deleted_at).model_dump(mode="json")
            found = load_game(session, game)
            evidence = load_evidence(session, found)
            reading = next((one.reading for one in evidence.photos if one.id == photo.id), None)
            whole = reconcile_cached(evidence)
            return photo_model(photo, reading, photo.image_deleted_at, whole).model_dump(mode="json")

        return run_once(work, body=digest.encode())


@blueprint.get("/<string:photo>")
@organiser
@blueprint.output(PhotoDetailModel)
@blueprint.doc(operation_id="get_photo", responses=responses(_MISSING))
def show(game: str, photo: str) -> PhotoDetailModel:
    """Get a photo and what was read from it."""
    with current_context().database.reading() as session:
        row = load_game(session, game)
        found = _photo(session, row, photo)
        return _detail(session, row, found)


@blueprint.patch("/<string:photo>")
@describe_if_match
@organiser
@blueprint.input(AssignBody, arg_name="body")
@blueprint.output(DecisionOutcomeModel)
@blueprint.doc(operation_id="assign_photo", responses=responses(DECISION_RESPONSES))
def assign(game: str, photo: str, body: AssignBody) -> DecisionOutcomeModel:
    """Assign a photo to envelopes.

    Overrides the labels in the photo. `assign`: all cards belong to `envelope`. `split`: its groups of cards, from
    left to right, belong to `envelopes`. `ignore`: the photo is not used. `empty`: the envelope whose label it
    shows was empty.
    """
    context, revision = current_context(), required_revision()
    with context.database.writing() as session:
        row = load_game(session, game)
        _photo(session, row, photo)
        key = _key(load_evidence(session, row), photo)
        if key is None:
            raise DomainError("still-reading", "This picture has not been read (yet). Wait, or let it be read again.")
        envelopes = None if body.envelopes is None else tuple(body.envelopes)
        request = DecisionRequest(Decision(body.do, body.envelope, envelopes), body.reason, revision)
        return outcome_model(session, row, decide(session, row, key, request, current_actor(), context.clock()))


@blueprint.delete("/<string:photo>")
@organiser
@blueprint.input(ReasonQuery, location="query", arg_name="query")
@blueprint.output({}, status_code=204)
@blueprint.doc(
    operation_id="delete_photo",
    responses=responses({**_MISSING, 409: "The game is not open or closed", 422: "The reason is missing"}),
)
def delete(game: str, photo: str, query: ReasonQuery) -> str:
    """Delete a photo.

    Deletes what was read from it as well. Decisions about it lose their effect and are listed as such.
    """
    context = current_context()
    with context.database.writing() as session:
        row = load_game(session, game)
        delete_photo(session, row, photo, query.reason, current_actor(), context.clock())
    # Files that cannot be deleted now are deleted later by a periodic task.
    with contextlib.suppress(OSError):
        context.photos.delete(row.id, photo)
    return ""


@blueprint.post("/<string:photo>/scan")
@organiser
@blueprint.output(PhotoDetailModel)
@blueprint.doc(
    operation_id="scan_photo_again",
    responses=responses({**_MISSING, 409: "The game is not open or closed, or the photo has been deleted"}),
)
def again(game: str, photo: str) -> PhotoDetailModel:
    """Read a photo again.

    For photos that could not be read. Photos that are waiting keep waiting.
    """
    context = current_context()
    with context.database.writing() as session:
        row = load_game(session, game, Act.RECEIVE)
        # The lock keeps a periodic task from deleting it because it could not be read.
        found = _photo(session, row, photo, hold=True)
        if found.image_deleted_at is not None and found.state == scan_queue.PhotoState.FAILED:
            raise DomainError(
                "conflict", "The picture could not be read and was deleted. Send it again, or take a new one."
            )
        if found.image_deleted_at is not None:
            raise DomainError("conflict", "The picture itself has been deleted by now; what was read in it stays.")
        at, subject, before = context.clock(), f"photo {photo}", {"state": found.state}
        audit(session, current_actor(), "scan-again", game=row.id, at=at, subject=subject, before=before)
        scan_again(session, found, at)
        session.flush()
        context.notifier.notify_on_commit(session)
        return _detail(session, row, found)


@blueprint.get("/<string:photo>/image")
@organiser
@blueprint.input(ImageQuery, location="query", arg_name="query")
@blueprint.doc(
    operation_id="get_photo_image",
    responses={
        **PHOTO_RESPONSE,
        **responses(
            {
                404: "There is no such photo, or it has been deleted",
                409: "It has not been read yet",
                422: "The crop is outside of the photo",
            }
        ),
    },
)
def show_image(game: str, photo: str, query: ImageQuery) -> Response:
    """Get a photo's image, or a part of it.

    With `crop` or `width`, an upright JPEG; otherwise the stored file, without metadata.
    """
    context = current_context()
    with context.database.reading() as session:
        found = _photo(session, load_game(session, game), photo)
    box = None if query.crop is None else [float(edge) for edge in query.crop.split(",")]
    response = photo_response(found, query.width, box)
    response.headers["Cache-Control"] = "private, max-age=3600"
    return response


def _photo(session: Session, game: Game, photo: str, *, hold: bool = False) -> Photo:
    row = session.get(Photo, photo, with_for_update=hold or None)
    if row is None or row.game != game.id or row.source != scan_queue.PhotoSource.ORGANISER:
        raise not_found("picture")
    return row


def _of_players(session: Session, game: Game) -> int:
    """Return the number of photos of players that are not read yet."""
    return session.scalar(_OF_PLAYERS, {"game": game.id}) or 0


def _key(evidence: Evidence, photo: str) -> str | None:
    return next((one.key for one in evidence.photos if one.id == photo), None)


def _detail(session: Session, game: Game, photo: Photo) -> PhotoDetailModel:
    evidence = load_evidence(session, game)
    whole = reconcile_cached(evidence)
    key = _key(evidence, photo.id)
    one = next((other for other in evidence.photos if other.id == photo.id), None)
    asked = None if key is None else find_issue(evidence, whole, key)
    return review_serializer(session, game).detail(photo, one, whole, asked)


def _matches(photo: ReviewedPhoto, whole: Reconciliation, query: PhotosQuery) -> bool:
    return (
        query.state in {None, photo.state}
        and query.batch in {None, photo.batch}
        and (query.envelope is None or query.envelope in whole.owners.get(photo.id, ()))
        and (query.doubtful is None or query.doubtful == (photo.id in whole.open_counts))
    )
