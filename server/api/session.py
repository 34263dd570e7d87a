"""Sessions of organisers, and their password."""

from __future__ import annotations

from typing import Annotated

from apiflask import APIBlueprint
from flask import Response, after_this_request, request
from pydantic import BaseModel, Field

from server.api.application import current_context
from server.api.auth import (
    COOKIE,
    SESSION_SECONDS,
    check_origin,
    cookie_name,
    current_actor,
    current_organiser,
    end_session,
    new_session,
    organiser,
    public,
    remember_browser,
    set_cookie,
)
from server.api.openapi import responses
from server.api.rate_limit import limit_sign_in, limit_sign_in_total
from server.api.schemas.common import RequestBody
from server.games import server_config
from server.games.audit import Actor
from server.games.names import organiser_name

blueprint = APIBlueprint("session", __name__, url_prefix="/api/v1/session", tag="Organisers")

Name = Annotated[str, Field(min_length=1, max_length=60, pattern=r"^[^\x00-\x1f\x7f]*\S[^\x00-\x1f\x7f]*$")]
Password = Annotated[str, Field(min_length=1, max_length=server_config.MAX_PASSWORD_LENGTH)]

_PROBLEMS = {403: "Not from the server's own page", 422: "A field is missing or wrong", 429: "Too many attempts"}


class SignIn(RequestBody):
    """An organiser's name, which the audit log shows, and the organisers' password."""

    name: Name
    password: Password


class SetUp(SignIn):
    """The password chosen by the first organiser."""

    code: Annotated[str, Field(min_length=1, max_length=60)]
    """The one-time code that the server printed when it started."""


class NewPassword(RequestBody):
    """A change of the password."""

    old: Password
    new: Password


class SessionModel(BaseModel):
    """The caller's session."""

    name: str | None = Field(description="The organiser's name; null if nobody is signed in")
    ready: bool = Field(description="Whether a password has been chosen")


@blueprint.get("")
@public
@blueprint.output(SessionModel)
@blueprint.doc(operation_id="get_session")
def show() -> SessionModel:
    """Get the current organiser session."""
    return _session(current_organiser())


@blueprint.post("")
@limit_sign_in
@limit_sign_in_total
@public
@blueprint.input(SignIn, arg_name="body")
@blueprint.output(SessionModel, status_code=201)
@blueprint.doc(
    operation_id="sign_in",
    responses=responses({401: "Wrong password", 409: "The name looks like that of another organiser", **_PROBLEMS}),
)
def begin(body: SignIn) -> SessionModel:
    """Sign in as an organiser.

    Sets a session cookie that scripts cannot read.
    """
    check_origin()
    name = organiser_name(body.name)
    epoch = server_config.sign_in(current_context(), body.password)
    server_config.record_organiser(current_context(), Actor("organiser", name))
    return _start_session(name, epoch)


@blueprint.delete("")
@public
@blueprint.output({}, status_code=204)
@blueprint.doc(operation_id="sign_out", responses=responses({403: _PROBLEMS[403]}))
def end() -> str:
    """Sign out.

    Ends this session, including copies of its cookie. Other devices stay signed in.
    """
    check_origin()
    end_session()

    @after_this_request
    def _forget(response: Response) -> Response:
        response.delete_cookie(cookie_name(), secure=request.is_secure, httponly=True, samesite="Strict")
        return response

    return ""


@blueprint.post("/setup")
@limit_sign_in
@limit_sign_in_total
@public
@blueprint.input(SetUp, arg_name="body")
@blueprint.output(SessionModel, status_code=201)
@blueprint.doc(operation_id="set_up", responses=responses(_PROBLEMS))
def set_up(body: SetUp) -> SessionModel:
    """Choose the organisers' password.

    Works once, with the code that the server prints when it starts without a password.
    """
    check_origin()
    actor = Actor("organiser", organiser_name(body.name))
    epoch = server_config.choose_password(current_context(), body.code, body.password, actor)
    server_config.record_organiser(current_context(), actor)
    return _start_session(actor.name, epoch)


@blueprint.post("/password")
@limit_sign_in
@limit_sign_in_total
@organiser
@blueprint.input(NewPassword, arg_name="body")
@blueprint.output(SessionModel)
@blueprint.doc(
    operation_id="change_password",
    responses=responses({401: "Not signed in, or the old password is wrong", **_PROBLEMS}),
)
def change(body: NewPassword) -> SessionModel:
    """Change the organisers' password.

    Ends all sessions except the current one.
    """
    return _start_session(
        current_actor().name, server_config.change_password(current_context(), body.old, body.new, current_actor())
    )


def _start_session(name: str, epoch: int) -> SessionModel:
    """Start a session in the browser."""
    cookie = new_session(name, epoch)

    @after_this_request
    def _remember(response: Response) -> Response:
        set_cookie(response, COOKIE, cookie, SESSION_SECONDS)
        remember_browser(response)
        return response

    return _session(name)


def _session(name: str | None) -> SessionModel:
    return SessionModel(
        name=name, ready=server_config.load_server_config(current_context().database).password is not None
    )
