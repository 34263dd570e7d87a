"""What makes the players' page an app: its manifest, and the service worker that keeps it for times without network."""

from __future__ import annotations

import hashlib
import itertools
from typing import TYPE_CHECKING, Any, cast

from apiflask import APIBlueprint
from flask import jsonify, make_response, render_template, request

from server.api.auth import anybody
from server.api.context import current_context
from server.api.rate_limit import pages as limited
from server.web_app.headers import OFFLINE_POLICY
from server.web_app.pages import ASK_FIRST, CREAM, INK, LANGUAGES, the_assets
from server.web_app.static import SELDOM

if TYPE_CHECKING:
    from flask import Response

installing = APIBlueprint("installing", __name__, tag="Server")

_PARTS = ("shared", "player", "outbox", "deck", "result", "camera", "closer", "hints")
"""The texts that players may see."""
_WORDS = {
    "en": ("Photograph your deck, see what it is worth, and hand it in.", "Photograph my deck", "Result"),
    "de": ("Fotografiere dein Deck, sieh, was es wert ist, und gib es ab.", "Mein Deck fotografieren", "Ergebnis"),
    "fr": ("Photographie ton paquet, vois ce qu\u2019il vaut et remets-le.", "Photographier mon paquet", "Résultat"),
}
"""By language: what the app is for, and its two shortcuts."""
_SHOWN = {
    "en": ("A photographed deck", "A deck and its provisional score", "A result and the ranking"),
    "de": ("Ein fotografiertes Deck", "Ein Deck und seine vorläufigen Punkte", "Ein Ergebnis und die Rangliste"),
    "fr": ("Un paquet photographié", "Un paquet et son score provisoire", "Un résultat et le classement"),
}
"""By language: what the pictures of the app show, for those who do not see them."""
_SHOTS = (
    ("shots/deck.webp", "390x844", "narrow"),
    ("shots/score.webp", "390x844", "narrow"),
    ("shots/result-wide.webp", "1280x800", "wide"),
)
_MANIFEST: dict[int | str, Any] = {
    200: {"description": "The manifest", "content": {"application/manifest+json": {"schema": {"type": "object"}}}}
}
_SCRIPT: dict[int | str, Any] = {
    200: {"description": "The script", "content": {"text/javascript": {"schema": {"type": "string"}}}},
    304: {"description": "The script that the browser has is the same"},
}


@installing.get("/manifest.webmanifest")
@limited
@anybody
@installing.doc(
    summary="What phones that install the players' page want to know",
    description="A web app manifest in the reader's language. Who may call it: anybody who reaches the server.",
    operation_id="manifest",
    responses=_MANIFEST,
)
def manifest() -> Response:
    """Describe the players' page for phones that install it."""
    assets = the_assets()
    language = request.accept_languages.best_match(LANGUAGES) or LANGUAGES[0]
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
    response.headers["Cache-Control"] = ASK_FIRST
    response.vary.add("Accept-Language")
    return response


def _shot(name: str, sizes: str, form: str, label: str) -> dict[str, str]:
    """Describe a picture of the app, which browsers show to people who think of installing it."""
    return {"src": the_assets().url(name), "sizes": sizes, "type": "image/webp", "form_factor": form, "label": label}


@installing.get("/sw.js")
@limited
@anybody
@installing.doc(
    summary="The service worker of the players' page",
    description="Keeps the page for times without network. Who may call it: anybody who reaches the server.",
    operation_id="service_worker",
    responses=_SCRIPT,
)
def service_worker() -> Response:
    """Send the service worker, with the files of this version."""
    assets = the_assets()
    files = assets.all_of("player")
    texts = {language: [assets.url(f"texts/{language}/{part}.js") for part in _PARTS] for language in LANGUAGES}
    seldom = assets.named(*SELDOM)
    page = render_template("pages/player.html", assets=assets, language=LANGUAGES[0], ink=INK, cream=CREAM)
    everything = "\n".join([page, *files, *itertools.chain(*texts.values()), *seldom])
    version = hashlib.sha256(everything.encode()).hexdigest()[:12]
    response = make_response(
        render_template(
            "sw.js",
            version=version,
            files=files,
            texts=texts,
            seldom=seldom,
            picture_bytes=current_context().max_photo_bytes,
        )
    )
    response.mimetype = "text/javascript"
    response.headers["Content-Security-Policy"] = OFFLINE_POLICY
    response.headers["Cache-Control"] = ASK_FIRST
    response.add_etag()
    return cast("Response", response.make_conditional(request))
