"""What a demo offers besides the page: ready photographs, and files to print. In a real game there is nothing here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, Response, abort, request, send_file

from server.api.service import service
from server.app.samples import thumbnail

if TYPE_CHECKING:
    from werkzeug.wrappers import Response as AnyResponse

ASK_FIRST = "no-cache"

demo = Blueprint("demo", __name__)


@demo.get("/demo/<name>")
def file(name: str) -> Response:
    """Send a sample photograph, or a file to print."""
    files = [*service().downloads, *(sample.file for sample in service().samples)]
    found = next((one for one in files if one.name == name), None)
    if found is None or not found.is_file():
        abort(404)
    try:
        response = send_file(found.resolve(), as_attachment=found.suffix == ".pdf")
    except OSError:  # gone meanwhile, or not ours to read
        abort(404)
    response.headers["Cache-Control"] = ASK_FIRST
    return response


@demo.get("/demo/<name>/thumbnail")
def small(name: str) -> AnyResponse:
    """Send a sample photograph in small."""
    sample = next((one for one in service().samples if one.file.name == name), None)
    if sample is None or not sample.file.is_file():
        abort(404)
    try:
        response = Response(thumbnail(sample.file), mimetype="image/jpeg")
    except (OSError, ValueError, SyntaxError):  # what Pillow raises for a damaged file
        abort(404)
    response.headers["Cache-Control"] = ASK_FIRST
    response.add_etag()
    return response.make_conditional(request)
