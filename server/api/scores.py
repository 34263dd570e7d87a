"""Hands come in as JSON, scores go out: the same form and the same checks as `haggle score`."""

from __future__ import annotations

from typing import Any

from flask import request

from server.api.game import game_settings
from server.api.problems import Problem, of_status
from server.api.service import service
from server.scoring import ScoringError, score
from server.scoring.document import document_of
from server.scoring.mistakes import WireError
from server.scoring.strict_json import MAX_BYTES
from server.scoring.wire import read_request


def score_request() -> dict[str, Any]:
    """Score the hands in the current request, with the game's settings where it names none. Raises Problem."""
    here = service()
    # A request of untold length is cut at the limit without a word: the byte beyond it tells.
    request.max_content_length = MAX_BYTES + 1
    data = request.get_data(cache=False)
    if len(data) > MAX_BYTES:
        raise of_status(413)
    try:
        asked = read_request(here.edition, data)
        result = score(
            here.edition,
            asked.hands,
            game_settings(here) | dict(asked.settings),
            asked.active_rules,
            provisional=asked.provisional,
        )
    except WireError as error:
        raise Problem(
            422,
            "invalid-hands",
            "The hands cannot be scored",
            f"{error.place}: {error.message}",
            members={"errors": [{"place": place, "detail": message} for place, message in error.mistakes[:20]]},
        ) from None
    except ScoringError as error:
        raise Problem(422, "invalid-hands", "The hands cannot be scored", str(error)) from None
    return document_of(result)
