"""A photograph comes in; its cards, and the score of the deck, go out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.api.breakdown import deck_result
from server.api.models import CardModel, CodeModel, DoubtModel, HintModel, ScanModel, SeenModel
from server.api.problems import Problem
from server.api.service import service
from server.api.uploads import FORM_OVERHEAD, read_picture
from server.jobs.scanning import ScanError

if TYPE_CHECKING:
    from scanner.result import Corners, ScanResult
    from server.api.service import Service


def most_of_picture() -> int:
    """Return how many bytes a form with a photograph may have."""
    return service().max_photo_bytes + FORM_OVERHEAD


_STATUS = {
    "busy": (503, "The server is busy"),
    "crashed": (503, "The picture reader stopped"),
    "too-slow": (503, "The picture took too long"),
    "not-a-picture": (422, "Not a picture"),
    "empty": (422, "An empty file"),
    "truncated": (422, "A damaged picture"),
    "too-many-bytes": (413, "The file is too large"),
    "too-many-pixels": (413, "The picture has too many pixels"),
    "too-many-codes": (422, "Too many patterns in the picture"),
    "several-pages": (422, "A file of several pages"),
    "too-many-pages": (422, "A file of several pages"),
}
"""Status and title of each reason for which a photograph is not scanned."""
_RETRY = 5
# Seconds after which trying again makes sense.


def scan_upload() -> ScanModel:
    """Scan the photograph in the current request. Raises Problem."""
    here = service()
    try:
        with here.scans.place() as take:
            data = read_picture(here.max_photo_bytes)
            take(len(data))
            result = here.scans.scan(data)
    except ScanError as error:
        status, title = _STATUS[error.reason]
        retry = _RETRY if status == 503 else None  # noqa: PLR2004 - service unavailable
        raise Problem(status, error.reason, title, str(error), retry_after=retry) from None
    _check(result)
    return _model(result, here)


def _check(result: ScanResult) -> None:
    """Refuse a photograph without any card of the game, and say why in words."""
    found = {code.status for code in result.codes}
    if "card" in found:
        return
    hints = {"hints": list(result.hints)}
    if "other-game" in found:
        raise Problem(
            422,
            "other-game",
            "Cards of another game",
            "The cards in this picture belong to another game. Open that game's own page to have them read.",
            members=hints,
        )
    tips = " ".join(result.hints) or (
        "Lay the cards side by side, hold the phone above them in good light, and let them fill the picture."
    )
    nothing = "Only an envelope's label" if "label" in found else "No card of this game"
    detail = f"{nothing} was found in the picture. {tips}"
    raise Problem(422, "no-codes", "No card found", detail, members=hints)


def _model(result: ScanResult, here: Service) -> ScanModel:
    kinds = here.edition.kind_of
    return ScanModel(
        width=result.width,
        height=result.height,
        codes=[
            CodeModel(
                text=code.text,
                quad=list(code.quad),
                card=CardModel(kind=code.card.kind, copy=code.card.copy) if code.card else None,
                status=code.status,
            )
            for code in result.codes
        ],
        seen=[
            SeenModel(
                kind=seen.card.kind,
                copy=seen.card.copy,
                name=kinds[seen.card.kind].name,
                outline=_rounded(seen.outline),
                quads=[_rounded(result.codes[index].quad) for index in seen.codes],
            )
            for seen in result.seen
        ],
        cards=result.cards,
        labels=list(result.labels),
        doubts=[DoubtModel(quad=_rounded(doubt.quad), reason=doubt.reason) for doubt in result.doubts],
        hints=[HintModel(slug=advice.slug, text=advice.text) for advice in result.advice],
        complete=result.complete,
        result=deck_result(here, result.cards),
    )


def _rounded(corners: Corners) -> list[tuple[float, float]]:
    """Return corners to a tenth of a pixel, which is finer than they are known."""
    return [(round(x, 1), round(y, 1)) for x, y in corners]
