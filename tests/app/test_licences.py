"""What others wrote comes to browsers with its licence."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from server.app.assets import VENDOR, WEB
from server.app.licences import USED

if TYPE_CHECKING:
    from flask.testing import FlaskClient

DOCS = WEB.parent / "docs" / "licences.md"


def _package(path: str) -> str:
    return "/".join(path.split("/")[: 2 if path.startswith("@") else 1])


def test_every_package_that_is_served_has_its_licence() -> None:
    """Whoever serves a package more must say under which licence."""
    assert {_package(path) for path in VENDOR.values()} == {_package(path) for *_, path in USED}


def test_every_page_names_the_licences(client: FlaskClient) -> None:
    """The file that it names has the whole texts, with who has the rights."""
    [address] = re.findall(r'<link rel="license" href="([^"]+)">', client.get("/").text)
    answer = client.get(address)
    assert answer.mimetype == "text/plain"
    for words in ("SIL OPEN FONT LICENSE", "Apache License", "ISC License", "Jason Miller", "Pico", "Ze-Zheng Wu"):
        assert words in answer.text
    assert answer.text.count("TERMS AND CONDITIONS FOR USE") == 1


def test_the_documents_list_them() -> None:
    """By name and licence."""
    rows = re.findall(r"^\| \[([^\]]+)\][^|]* \| ([^ ]+) \|", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    assert rows == [(re.split(r",| \(", name)[0], licence) for name, licence, _ in USED]
