"""Organisers sign in and out."""

from __future__ import annotations

from typing import Annotated

from apiflask import APIBlueprint
from flask import Response, after_this_request, request
from pydantic import BaseModel, ConfigDict, Field

from server.api.auth import (
    COOKIE,
    SESSION_SECONDS,
    actor,
    anybody,
    check_origin,
    cookie_name,
    end_session,
    new_session,
    organiser,
    set_cookie,
    signed_in,
    trust,
)
from server.api.context import current_context
from server.api.openapi import responses
from server.api.rate_limit import sign_in as limited
from server.api.rate_limit import sign_in_in_all
from server.games import server_config
from server.games.audit import Actor
from server.games.names import organiser_name

blueprint = APIBlueprint("session", __name__, url_prefix="/api/v1/session", tag="Organisers")

Name = Annotated[str, Field(min_length=1, max_length=60, pattern=r"^[^\x00-\x1f\x7f]*\S[^\x00-\x1f\x7f]*$")]
Password = Annotated[str, Field(min_length=1, max_length=server_config.LONGEST)]

_ANYBODY = "Who may call it: anybody who reaches the server."
_ORGANISER = "Who may call it: organisers who are signed in."
_PROBLEMS = {403: "Not from the server's own page", 422: "A field is missing or wrong", 429: "Too many tries"}


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class SignIn(_Body):
    """Who signs in, as the audit will name them, and the organisers' password."""

    name: Name
    password: Password


class SetUp(SignIn):
    """The first organiser's choice of a password."""

    code: Annotated[str, Field(min_length=1, max_length=60)]
    """The one-time code that the server printed at its start."""


class NewPassword(_Body):
    """A change of the password."""

    old: Password
    new: Password


class SessionModel(BaseModel):
    """Whether the caller is signed in."""

    name: str | None = Field(description="The organiser's name; null for somebody who is not signed in")
    ready: bool = Field(description="Whether a password has been chosen")


@blueprint.get("")
@anybody
@blueprint.output(SessionModel)
@blueprint.doc(
    summary="Whether the caller is signed in as an organiser", description=_ANYBODY, operation_id="get_session"
)
def show() -> SessionModel:
    """Say who is signed in."""
    return _session(signed_in())


@blueprint.post("")
@limited
@sign_in_in_all
@anybody
@blueprint.input(SignIn, arg_name="body")
@blueprint.output(SessionModel, status_code=201)
@blueprint.doc(
    summary="Sign in as an organiser",
    description=f"Sets a session cookie that no script can read. {_ANYBODY}",
    operation_id="sign_in",
    responses=responses({401: "Wrong password", 409: "The name looks like that of another organiser", **_PROBLEMS}),
)
def begin(body: SignIn) -> SessionModel:
    """Sign in."""
    check_origin()
    name = organiser_name(body.name)
    epoch = server_config.sign_in(current_context().context, body.password)
    server_config.take_name(current_context().context, Actor("organiser", name))
    return _begun(name, epoch)


@blueprint.delete("")
@anybody
@blueprint.output({}, status_code=204)
@blueprint.doc(
    summary="Sign out",
    description=f"Ends this session, also for copies of its cookie. Other devices stay signed in. {_ANYBODY}",
    operation_id="sign_out",
    responses=responses({403: _PROBLEMS[403]}),
)
def end() -> str:
    """Sign out."""
    check_origin()
    end_session()

    @after_this_request
    def _forget(response: Response) -> Response:
        response.delete_cookie(cookie_name(), secure=request.is_secure, httponly=True, samesite="Strict")
        return response

    return ""


@blueprint.post("/setup")
@limited
@sign_in_in_all
@anybody
@blueprint.input(SetUp, arg_name="body")
@blueprint.output(SessionModel, status_code=201)
@blueprint.doc(
    summary="Choose the organisers' password",
    description=f"Works once, with the code that the server prints when it starts without a password. {_ANYBODY}",
    operation_id="set_up",
    responses=responses(_PROBLEMS),
)
def set_up(body: SetUp) -> SessionModel:
    """Choose the first password and sign in."""
    check_origin()
    who = Actor("organiser", organiser_name(body.name))
    epoch = server_config.choose_password(current_context().context, body.code, body.password, who)
    server_config.take_name(current_context().context, who)
    return _begun(who.name, epoch)


@blueprint.post("/password")
@limited
@sign_in_in_all
@organiser
@blueprint.input(NewPassword, arg_name="body")
@blueprint.output(SessionModel)
@blueprint.doc(
    summary="Change the organisers' password",
    description=f"Ends all sessions but the caller's. {_ORGANISER}",
    operation_id="change_password",
    responses=responses({401: "Not signed in, or the old password is wrong", **_PROBLEMS}),
)
def change(body: NewPassword) -> SessionModel:
    """Change the password."""
    return _begun(actor().name, server_config.change_password(current_context().context, body.old, body.new, actor()))


def _begun(name: str, epoch: int) -> SessionModel:
    """Give the browser a session of its own."""
    text = new_session(name, epoch)

    @after_this_request
    def _remember(response: Response) -> Response:
        set_cookie(response, COOKIE, text, SESSION_SECONDS)
        trust(response)
        return response

    return _session(name)


def _session(name: str | None) -> SessionModel:
    return SessionModel(name=name, ready=server_config.installation(current_context().context).password is not None)
