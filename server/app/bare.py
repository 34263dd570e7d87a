"""The application with nothing in it yet: what the practice server and a server that keeps games have in common."""

from __future__ import annotations

from apiflask import APIFlask

from server.api.house.uploads import FormRequest, admits
from server.api.problems import raise_early
from server.app.assets import WEB
from server.scoring.strict_json import MAX_BYTES as MAX_JSON_BYTES

VERSION = "1"
"""Version of the HTTP interface."""


def bare_app() -> APIFlask:
    """Return an application that has no addresses but its description's, and takes no large request."""
    app = APIFlask(
        __name__,
        title="Haggle",
        version=VERSION,
        spec_path="/api/v1/openapi.json",
        docs_path=None,
        json_errors=False,
        static_folder=None,  # type: ignore[arg-type]  # Flask takes None: our files are served by their hashes
        template_folder=str(WEB),
    )
    app.config.update(
        MAX_CONTENT_LENGTH=MAX_JSON_BYTES,
        AUTO_SERVERS=False,
        AUTO_VALIDATION_ERROR_RESPONSE=False,
        AUTO_404_RESPONSE=False,
    )
    app.request_class = FormRequest
    app.wsgi_app = admits(app)  # type: ignore[assignment,method-assign]  # as Flask says to do
    app.before_request(raise_early)
    return app
