"""What the environment says of engines and scanners, and what is typed before it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from server.app.house import HouseConfig, open_house
from server.app.settings import SettingError, house_config
from server.cli import games

ENGINES = {"database": "HAGGLE_DATABASE_URL", "redis": "HAGGLE_REDIS_URL", "photos": "HAGGLE_PHOTOS_URL"}


@pytest.fixture(autouse=True)
def _nothing_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin with an environment that says nothing."""
    for name in (*ENGINES.values(), "HAGGLE_SCANNERS", "HAGGLE_DATA"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(f"{name}_FILE", raising=False)


def test_nothing_said_is_a_folder(tmp_path: Path) -> None:
    """Without variables games lie in the data folder, read by one process a core."""
    assert house_config(tmp_path) == HouseConfig(tmp_path)


@pytest.mark.parametrize(("field", "name"), ENGINES.items())
def test_an_address_may_lie_in_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, field: str, name: str) -> None:
    """An address stands in the variable, or in the file that the variable with `_FILE` names; the first counts more."""
    file = tmp_path / "address"
    file.write_text("redis://of-the-file\n", encoding="utf-8")
    monkeypatch.setenv(f"{name}_FILE", str(file))
    assert getattr(house_config(tmp_path), field) == "redis://of-the-file"
    monkeypatch.setenv(name, "redis://said")
    assert getattr(house_config(tmp_path), field) == "redis://said"
    monkeypatch.delenv(name)
    file.unlink()
    with pytest.raises(SettingError, match=f"{name}_FILE names .*address"):
        house_config(tmp_path)


@pytest.mark.parametrize("name", ENGINES.values())
@pytest.mark.parametrize("said", ["", " \n"])
def test_an_empty_file_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, said: str) -> None:
    """A secret that nobody has written yet is not taken for the wish to keep games in the folder."""
    file = tmp_path / "address"
    file.write_text(said, encoding="utf-8")
    monkeypatch.setenv(f"{name}_FILE", str(file))
    with pytest.raises(SettingError, match=f"{name}_FILE names .*address, which is empty"):
        house_config(tmp_path)


@pytest.mark.parametrize("wrong", ["redisss://:secret@host/0", "redis://:se/cret@host", "redis://host/secret", "host"])
def test_a_mistyped_address_of_a_redis_is_told_without_its_password(
    monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    """The message names the variable; what is secret in it is in no terminal's history."""
    monkeypatch.setenv("HAGGLE_REDIS_URL", wrong)
    with pytest.raises(SettingError, match="HAGGLE_REDIS_URL is no address") as told:
        house_config(Path())
    assert "secret" not in str(told.value)


@pytest.mark.parametrize(
    "address", ["rediss://:a%2Fb@redis.example.org:6380/1", "redis://user:password@[::1]", "redis://redis"]
)
def test_addresses_of_a_redis_are_taken(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    """With TLS, user, password, port and number, or without."""
    monkeypatch.setenv("HAGGLE_REDIS_URL", address)
    assert house_config(Path()).redis == address


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("HAGGLE_QUEUE_URL", "rename it to HAGGLE_REDIS_URL"),
        ("HAGGLE_QUEUE_URL_FILE", "rename it to HAGGLE_REDIS_URL"),
        ("HAGGLE_METRICS_TOKEN_FILE", "let the network keep the port"),
    ],
)
def test_a_variable_of_earlier_versions_is_refused(monkeypatch: pytest.MonkeyPatch, name: str, remedy: str) -> None:
    """The message says what to do."""
    monkeypatch.setenv(name, "redis://host:6379/0")
    with pytest.raises(SettingError, match=f"is no more: remove it, .*{remedy}"):
        house_config(Path())


@pytest.mark.parametrize(("said", "meant"), [("0", 0), ("1", 1), ("256", 256)])
def test_scanners_are_counted(monkeypatch: pytest.MonkeyPatch, said: str, meant: int) -> None:
    """How many pictures are read side by side is a number; 0 leaves that to others."""
    monkeypatch.setenv("HAGGLE_SCANNERS", said)
    assert house_config(Path()).scan_workers == meant


@pytest.mark.parametrize("said", ["-1", "257", "many", "1.5", "\u0661", "9" * 30])
def test_what_is_no_number_is_told(monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    """A number that cannot be is an error that names the variable."""
    monkeypatch.setenv("HAGGLE_SCANNERS", said)
    with pytest.raises(SettingError, match="HAGGLE_SCANNERS"):
        house_config(Path())


def test_what_is_typed_counts_more(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The variable names the data folder for commands, unless it is typed, before the subcommand or behind it."""
    for name in ("said", "typed"):
        open_house(HouseConfig(tmp_path / name)).database.close()
    said, typed = tmp_path / "said", tmp_path / "typed"
    new = ["new", "eurocg-2026", "--players", "6", "--name"]
    monkeypatch.setenv("HAGGLE_DATA", str(said))

    def run(*arguments: str) -> str:
        done = CliRunner().invoke(games.command, arguments)
        assert done.exit_code == 0, done.output
        return done.output

    run(*new, "By variable")
    run("--data", str(typed), *new, "Before")
    run(*new, "Behind", "--data", str(typed))
    assert "By variable" in run()
    assert "Before" not in run()
    listed = run("--data", str(typed))
    assert "Before" in listed
    assert "Behind" in listed
    assert "By variable" not in listed
