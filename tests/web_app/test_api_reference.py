"""The generated API reference."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from server.web_app.pages import PAGE_POLICY

if TYPE_CHECKING:
    from flask import Flask


def test_the_reference_lists_every_operation_with_its_access(app: Flask) -> None:
    client = app.test_client()
    spec = client.get("/api/v1/openapi.json").get_json()
    page = client.get("/api/v1/docs")
    assert page.status_code == 200
    assert (page.mimetype, page.headers["Content-Security-Policy"]) == ("text/html", PAGE_POLICY)
    assert "<script" not in page.text
    assert "style=" not in page.text
    for path, methods in spec["paths"].items():
        for method, operation in methods.items():
            (access,) = operation.get("security", [{"public": []}])[0]
            listed = rf'{method.upper()}</span>\s*<code>{re.escape(path)}</code>(?:(?!</summary>).)*access {access}"'
            assert re.search(listed, page.text, re.DOTALL), operation["operationId"]
            assert f'id="{operation["operationId"]}"' in page.text


def test_links_within_the_reference_work(app: Flask) -> None:
    text = app.test_client().get("/api/v1/docs").text
    ids = re.findall(r' id="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(ids)


def test_the_reference_is_cached_by_browsers(app: Flask) -> None:
    client = app.test_client()
    tag = client.get("/api/v1/docs").headers["ETag"]
    assert client.get("/api/v1/docs", headers={"If-None-Match": tag}).status_code == 304


def test_each_schema_is_listed_once_by_the_name_of_its_class(app: Flask) -> None:
    spec = app.test_client().get("/api/v1/openapi.json")
    schemas = spec.get_json()["components"]["schemas"]
    assert set(re.findall(r'"#/components/schemas/([^"]+)"', spec.text)) <= schemas.keys()
    assert {"CardNameModel", "QueueModel"} <= schemas.keys()
    assert not [name for name in schemas if "." in name]
