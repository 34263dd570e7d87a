"""Whoever has the machine can set the organisers' password."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from server.cli.password import command
from server.play.installation import installation, sign_in
from server.play.refusals import Refusal
from tests.house import Clock, new_house

if TYPE_CHECKING:
    from pathlib import Path


def _run(folder: Path, typed: str) -> tuple[int, str]:
    told = CliRunner().invoke(command, ["--data", str(folder)], input=typed)
    return told.exit_code, told.output


def test_a_new_password_replaces_the_old_one_and_ends_sessions(tmp_path: Path) -> None:
    """The old password is of no use afterwards, and sessions of before are of an earlier epoch."""
    house = new_house(tmp_path, Clock())
    before = installation(house).epoch
    for password in ("first password", "second password"):
        code, said = _run(tmp_path, f"{password}\n")
        assert code == 0
        assert "The password is set." in said
    assert sign_in(house, "second password") == before + 2
    with pytest.raises(Refusal):
        sign_in(house, "first password")
    house.database.close()


def test_a_weak_password_and_a_folder_without_games_are_refused(tmp_path: Path) -> None:
    """Both get one line that says what to do, and nothing is made."""
    code, said = _run(tmp_path, "long enough\n")
    assert code == 1
    assert "name the server's data folder" in said
    assert list(tmp_path.iterdir()) == []
    new_house(tmp_path, Clock()).database.close()
    code, said = _run(tmp_path, "short\n")
    assert code == 1
    assert "Choose a password" in said
