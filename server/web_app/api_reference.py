"""The API reference: a page rendered from the OpenAPI description."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from apiflask import APIBlueprint
from flask import current_app, render_template

from server.api.auth import public
from server.api.openapi import file_response
from server.api.rate_limit import limit_pages
from server.web_app.pages import INK, page_response, the_assets

if TYPE_CHECKING:
    from apiflask import APIFlask
    from flask import Response

blueprint = APIBlueprint("api_reference", __name__, tag="Server")

_METHODS = ("get", "post", "put", "patch", "delete")
_JSON = "application/json"
_EXTENSION = "haggle-api-reference"


@blueprint.get("/api/v1/docs")
@limit_pages
@public
@blueprint.doc(operation_id="api_reference", responses=file_response("text/html", description="The page"))
def show() -> Response:
    """Get the API reference as a web page."""
    app = cast("APIFlask", current_app)
    # The description does not change while the application runs.
    if _EXTENSION not in app.extensions:
        app.extensions[_EXTENSION] = _render(cast("dict[str, Any]", app.spec))
    return page_response(app.extensions[_EXTENSION])


def _render(spec: dict[str, Any]) -> str:
    operations = [
        {"method": method, "path": path, **methods[method]}
        for path, methods in spec["paths"].items()
        for method in _METHODS
        if method in methods
    ]
    groups = {
        tag["name"]: [operation for operation in operations if tag["name"] in operation["tags"]] for tag in spec["tags"]
    }
    return render_template(
        "pages/api.html",
        assets=the_assets(),
        ink=INK,
        info=spec["info"],
        tags=spec["tags"],
        groups={name: found for name, found in groups.items() if found},
        schemas=spec["components"]["schemas"],
        schemes=spec["components"]["securitySchemes"],
    )
