"""The players' page as an installable app: its manifest and its service worker."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from apiflask import APIBlueprint
from flask import jsonify, make_response, request

from server.api.application import current_application
from server.api.auth import public
from server.api.openapi import file_response
from server.api.rate_limit import limit_pages
from server.web_app.pages import CREAM, INK, REVALIDATE, reader_language, the_assets

if TYPE_CHECKING:
    from flask import Response

blueprint = APIBlueprint("pwa", __name__, tag="Server")

OFFLINE_POLICY = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
"""The policy of the service worker, which only fetches from this server."""

_WORDS = {
    "en": ("Photograph your deck, see what it is worth, and hand it in.", "Photograph my deck", "Result"),
    "de": ("Fotografiere dein Deck, sieh, was es wert ist, und gib es ab.", "Mein Deck fotografieren", "Ergebnis"),
    "fr": ("Photographie ton paquet, vois ce qu’il vaut et rends-le.", "Photographier mon paquet", "Résultat"),
}
"""Description and names of the two shortcuts, by language."""
_SHOWN = {
    "en": ("A photographed deck", "A deck and its provisional score", "A result and the ranking"),
    "de": ("Ein fotografiertes Deck", "Ein Deck und seine vorläufigen Punkte", "Ein Ergebnis und die Rangliste"),
    "fr": ("Un paquet photographié", "Un paquet et ses points provisoires", "Un résultat et le classement"),
}
"""Labels of the screenshots, by language."""
_SHOTS = (
    ("shots/deck.webp", "390x844", "narrow"),
    ("shots/score.webp", "390x844", "narrow"),
    ("shots/result-wide.webp", "1280x800", "wide"),
)
_SCRIPT = {
    **file_response("text/javascript", description="The script"),
    304: {"description": "The browser's copy is up to date"},
}


@blueprint.get("/manifest.webmanifest")
@limit_pages
@public
@blueprint.doc(
    operation_id="manifest", responses=file_response("application/manifest+json", description="The manifest")
)
def manifest() -> Response:
    """Get the web app manifest.

    In the language of the browser.
    """
    assets = the_assets()
    language = reader_language()
    purpose, photograph, result = _WORDS[language]
    icon = {"src": assets.url("icons/haggle-192.png"), "sizes": "192x192", "type": "image/png"}
    response = jsonify(
        name="Haggle",
        short_name="Haggle",
        description=purpose,
        lang=language,
        id="/",
        start_url="/",
        scope="/",
        display="standalone",
        orientation="any",
        categories=["games"],
        background_color=CREAM,
        theme_color=INK,
        icons=[
            icon,
            {"src": assets.url("icons/haggle-512.png"), "sizes": "512x512", "type": "image/png"},
            {
                "src": assets.url("icons/haggle-maskable-512.png"),
                "sizes": "512x512",
                "type": "image/png",
                "purpose": "maskable",
            },
            {"src": assets.url("icons/haggle.svg"), "sizes": "any", "type": "image/svg+xml"},
        ],
        shortcuts=[
            {"name": photograph, "url": "/?photograph", "icons": [icon]},
            {"name": result, "url": "/p/result", "icons": [icon]},
        ],
        screenshots=[_shot(*shot, shown) for shot, shown in zip(_SHOTS, _SHOWN[language], strict=True)],
        share_target={
            "action": "/share",
            "method": "POST",
            "enctype": "multipart/form-data",
            "params": {"files": [{"name": "photo", "accept": ["image/*"]}]},
        },
    )
    response.mimetype = "application/manifest+json"
    response.headers["Cache-Control"] = REVALIDATE
    response.vary.add("Accept-Language")
    return response


def _shot(name: str, sizes: str, form: str, label: str) -> dict[str, str]:
    """Return the entry of a screenshot, which browsers show before installation."""
    return {"src": the_assets().url(name), "sizes": sizes, "type": "image/webp", "form_factor": form, "label": label}


@blueprint.get("/sw.js")
@limit_pages
@public
@blueprint.doc(operation_id="service_worker", responses=_SCRIPT)
def service_worker() -> Response:
    """Get the service worker of the players' page.

    Keeps the page available without a network.
    """
    limit = str(current_application().max_photo_bytes)
    response = make_response(the_assets().service_worker.replace("self.__MAX_PHOTO_BYTES", limit))
    response.mimetype = "text/javascript"
    response.headers["Content-Security-Policy"] = OFFLINE_POLICY
    response.headers["Cache-Control"] = REVALIDATE
    response.add_etag()
    return cast("Response", response.make_conditional(request))
