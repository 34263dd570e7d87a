"""Organisers' pictures of envelopes: many come in at once, are read one by one, and each stays to be looked at."""

from __future__ import annotations

import contextlib
from collections import Counter
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from apiflask import APIBlueprint
from flask import Response
from sqlalchemy import bindparam, func, select

from server.api.auth import actor, organiser
from server.api.context import current_context
from server.api.idempotency import answered, asked_before, creates, if_match, once, revised
from server.api.images import CONTENT, shown
from server.api.openapi import responses
from server.api.organiser.review import CHANGES, ORGANISER, ruled_model, views_of
from server.api.organiser.review_serializers import known_of, new_photo, photo_model
from server.api.rate_limit import bulk
from server.api.schemas.review import (
    AssignBody,
    ImageQuery,
    PhotoDetailModel,
    PhotoModel,
    PhotosModel,
    PhotosQuery,
    ReasonQuery,
    RuledModel,
    UploadQuery,
)
from server.api.uploads import most_of_picture, picture, takes
from server.db.models import Photo
from server.games.audit import audit
from server.games.errors import DomainError, not_found
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import Act, allow
from server.games.photos.heartbeat import scanning_places
from server.games.photos.scan_queue import UNREAD, scan_again
from server.games.photos.upload import PhotoTarget, file_digest, insert_row, store_file
from server.games.review.decisions import DecisionRequest, decide, delete_photo, find_issue
from server.games.review.evidence import ORGANISER as SOURCE
from server.games.review.evidence import count_photos_by_state, deletion_times, load_evidence, reconcile_cached
from server.games.review.issues import Decision

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from server.db.models import Game
    from server.games.review.photo_ownership import ReviewedPhoto
    from server.games.review.reconcile import Evidence, Reconciliation

blueprint = APIBlueprint("photos", __name__, url_prefix="/api/v1/games/<string:game>/photos", tag="Hand-ins")

_MISSING = {404: "There is no such game or picture"}
_NONE = dict.fromkeys(("waiting", "scanning", "done", "failed"), 0)
_STATE = attrgetter("state")
_OF_PLAYERS = (
    select(func.count()).select_from(Photo).where(Photo.game == bindparam("game"), UNREAD, Photo.source != SOURCE)
)


@blueprint.get("")
@organiser
@blueprint.input(PhotosQuery, location="query", arg_name="query")
@blueprint.output(PhotosModel)
@blueprint.doc(
    summary="The pictures of envelopes",
    description=f"In the order in which they came, with how far all of them are. {ORGANISER}",
    operation_id="list_photos",
    responses=responses({404: "There is no such game"}),
)
def show_all(game: str, query: PhotosQuery) -> Response:
    """List the pictures."""
    # As JSON in one go: by way of plain values hundreds of pictures cost three times as much.
    return Response(_listed(game, query), mimetype="application/json")


def _listed(game: str, query: PhotosQuery) -> str:
    with current_context().context.database.reading() as session:
        row = load_game(session, game)
        told = {
            "of_players": _of_players(session, row),
            "readers": scanning_places(session, current_context().context.time(session)),
        }
        if query.only_counts:
            states = count_photos_by_state(session, row.id)
            return PhotosModel(photos=[], total=sum(states.values()), states=_NONE | states, **told).model_dump_json()
        world = load_evidence(session, row)
        whole = reconcile_cached(world)
        chosen = [picture for picture in world.photos if _wanted(picture, whole, query)]
        page = chosen[query.offset : query.offset + query.limit]
        states = _NONE | Counter(map(_STATE, world.photos))
        gone = deletion_times(session, row.id)
        photos = [photo_model(one, one.reading, known_of(one.id, gone.get(one.id), whole)) for one in page]
        return PhotosModel(photos=photos, total=len(chosen), states=states, **told).model_dump_json()


@blueprint.post("")
@bulk
@creates
@organiser
@takes("multipart/form-data", most_of_picture)
@blueprint.input(UploadQuery, location="query", arg_name="query")
@blueprint.output(PhotoModel, status_code=201)
@blueprint.doc(
    summary="Send a picture of an envelope's cards",
    description="One picture a request, in the field `photo`. Pictures of a `batch` are in the order of their `place`. "
    f"It is read soon after. The same file in a batch is one picture. {ORGANISER}",
    operation_id="add_photo",
    responses=responses({**_MISSING, 409: "The game is not open or closed", 413: "Too large", 422: "No picture"}),
)
def add(game: str, query: UploadQuery) -> tuple[dict[str, Any], int]:
    """Take a picture."""
    context, who = current_context().context, actor()
    caller = f"organiser {who.name}"
    with context.database.reading() as session:
        row = load_game(session, game)
        again = asked_before(session, caller)
    if not again:
        allow(row, Act.RECEIVE)
    data = picture()
    digest = file_digest(data)
    if again and (before := answered(caller, body=digest.encode())) is not None:
        return before
    with store_file(context, row.id, data, digest) as kept:

        def work(session: Session) -> dict[str, Any]:
            where = PhotoTarget(row.id, batch=query.batch, place=query.place, name=query.name)
            photo = insert_row(context, session, kept, where, who, context.clock())
            if photo.id == kept.id and not kept.known:
                # All that is known of a new picture stands in its row: no other is looked at, however many wait.
                return new_photo(photo).model_dump(mode="json")
            found = load_game(session, game)
            world = load_evidence(session, found)
            reading = next((one.reading for one in world.photos if one.id == photo.id), None)
            return views_of(session, found).photo(photo, reading, reconcile_cached(world)).model_dump(mode="json")

        return once(caller, work, body=digest.encode())


@blueprint.get("/<string:photo>")
@organiser
@blueprint.output(PhotoDetailModel)
@blueprint.doc(
    summary="A picture and all that was read in it",
    description=ORGANISER,
    operation_id="get_photo",
    responses=responses(_MISSING),
)
def show(game: str, photo: str) -> PhotoDetailModel:
    """Show a picture."""
    with current_context().context.database.reading() as session:
        row = load_game(session, game)
        found = _photo(session, row, photo)
        return _detail(session, row, found)


@blueprint.patch("/<string:photo>")
@revised
@organiser
@blueprint.input(AssignBody, arg_name="body")
@blueprint.output(RuledModel)
@blueprint.doc(
    summary="Say whose a picture is",
    description="Whatever its labels say. `assign`: all its cards belong to `envelope`. `split`: its piles, from the "
    "left, belong to `envelopes`. `ignore`: it is not used. `empty`: the envelope whose label it shows was empty. "
    f"{ORGANISER}",
    operation_id="assign_photo",
    responses=responses(CHANGES),
)
def assign(game: str, photo: str, body: AssignBody) -> RuledModel:
    """Say whose a picture is."""
    context, revision = current_context().context, if_match()
    with context.database.writing() as session:
        row = load_game(session, game)
        _photo(session, row, photo)
        key = _key(load_evidence(session, row), photo)
        if key is None:
            raise DomainError("still-reading", "This picture has not been read (yet). Wait, or let it be read again.")
        envelopes = None if body.envelopes is None else tuple(body.envelopes)
        said = DecisionRequest(Decision(body.do, body.envelope, envelopes), body.reason, revision)
        return ruled_model(session, row, decide(session, row, key, said, actor(), context.clock()))


@blueprint.delete("/<string:photo>")
@organiser
@blueprint.input(ReasonQuery, location="query", arg_name="query")
@blueprint.output({}, status_code=204)
@blueprint.doc(
    summary="Delete a picture",
    description=f"With all that was read in it. Decisions about it lose their effect, and are shown. {ORGANISER}",
    operation_id="delete_photo",
    responses=responses({**_MISSING, 409: "The game is not open or closed", 422: "The reason is missing"}),
)
def delete(game: str, photo: str, query: ReasonQuery) -> str:
    """Delete a picture."""
    context = current_context().context
    with context.database.writing() as session:
        row = load_game(session, game)
        delete_photo(session, row, photo, query.reason, actor(), context.clock())
    # What cannot be deleted now is swept later.
    with contextlib.suppress(OSError):
        context.photos.delete(row.id, photo)
    return ""


@blueprint.post("/<string:photo>/scan")
@organiser
@blueprint.output(PhotoDetailModel)
@blueprint.doc(
    summary="Read a picture again",
    description=f"For a picture that failed. One that waits goes on waiting. {ORGANISER}",
    operation_id="scan_photo_again",
    responses=responses({**_MISSING, 409: "The game is not open or closed, or the picture has been deleted"}),
)
def again(game: str, photo: str) -> PhotoDetailModel:
    """Let a picture be read again."""
    context = current_context().context
    with context.database.writing() as session:
        row = load_game(session, game)
        allow(row, Act.RECEIVE)
        # Nobody deletes it meanwhile because it could not be read.
        found = _photo(session, row, photo, hold=True)
        if found.image_deleted_at is not None and found.state == "failed":
            raise DomainError(
                "conflict", "The picture could not be read and was deleted. Send it again, or take a new one."
            )
        if found.image_deleted_at is not None:
            raise DomainError("conflict", "The picture itself has been deleted by now; what was read in it stays.")
        audit(session, row.id, actor(), context.clock(), "scan-again", f"photo {photo}", before={"state": found.state})
        scan_again(session, found, context.clock())
        session.flush()
        context.bell.notify_after_commit(session)
        return _detail(session, row, found)


@blueprint.get("/<string:photo>/image")
@organiser
@blueprint.input(ImageQuery, location="query", arg_name="query")
@blueprint.doc(
    summary="The picture itself, or a part of it",
    description="With `crop` or `width` it is a JPEG, upright; without, the file as it is kept, without metadata. "
    f"{ORGANISER}",
    operation_id="get_photo_image",
    responses={
        **CONTENT,
        **responses(
            {404: "No such picture, or it has been deleted", 409: "It has not been read yet", 422: "Outside of it"}
        ),
    },
)
def show_image(game: str, photo: str, query: ImageQuery) -> Response:
    """Send a picture or a part of it."""
    context = current_context().context
    with context.database.reading() as session:
        found = _photo(session, load_game(session, game), photo)
    box = None if query.crop is None else [float(edge) for edge in query.crop.split(",")]
    response = shown(found, query.width, box)
    response.headers["Cache-Control"] = "private, max-age=3600"
    return response


def _photo(session: Session, game: Game, photo: str, *, hold: bool = False) -> Photo:
    row = session.get(Photo, photo, with_for_update=hold or None)
    if row is None or row.game != game.id or row.source != SOURCE:
        raise not_found("picture")
    return row


def _of_players(session: Session, game: Game) -> int:
    """Return how many pictures of players are not read yet."""
    return session.scalar(_OF_PLAYERS, {"game": game.id}) or 0


def _key(world: Evidence, photo: str) -> str | None:
    return next((one.key for one in world.photos if one.id == photo), None)


def _detail(session: Session, game: Game, photo: Photo) -> PhotoDetailModel:
    world = load_evidence(session, game)
    whole = reconcile_cached(world)
    key = _key(world, photo.id)
    one = next((picture for picture in world.photos if picture.id == photo.id), None)
    asked = None if key is None else find_issue(world, whole, key)
    return views_of(session, game).detail(photo, one, whole, asked)


def _wanted(photo: ReviewedPhoto, whole: Reconciliation, query: PhotosQuery) -> bool:
    return (
        query.state in {None, photo.state}
        and query.batch in {None, photo.batch}
        and (query.envelope is None or query.envelope in whole.owners.get(photo.id, ()))
        and (query.doubtful is None or query.doubtful == (photo.id in whole.open_counts))
    )
