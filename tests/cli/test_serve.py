"""What `haggle serve` says when it listens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from server.app.house import HouseConfig, open_house
from server.cli import serve
from server.play.installation import choose_password
from tests.house import ORGANISER

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PASSWORD = "three plain words"  # noqa: S105 - of this test's server


def _said(folder: Path, host: str) -> str:
    done = CliRunner().invoke(serve.command, ["--data", str(folder), "--host", host, "--port", "8123"])
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.parametrize(("host", "here"), [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "localhost")])  # noqa: S104 - said
def test_a_newcomer_is_led_to_the_desk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, host: str, here: str) -> None:
    """The first lines name the desk's address with the code that chooses the password; later the address alone."""

    def listen(_config: object, _host: str, port: int, *, announce: Callable[[int], Any], **_more: object) -> None:
        announce(port)

    monkeypatch.setattr(serve, "serve_house", listen)
    desk = f"http://{here}:8123/desk"
    said = _said(tmp_path / "games", host)
    assert f"The organisers' desk is at {desk}\n" in said
    code = said.partition(f"open {desk} and use this code once:\n\n")[2].split()[0]
    house = open_house(HouseConfig(tmp_path / "games"))
    choose_password(house, code, PASSWORD, ORGANISER)
    house.database.close()
    said = _said(tmp_path / "games", host)
    assert f"The organisers' desk is at {desk}\n" in said
    assert "code once" not in said
