"""Settings from environment variables and options."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from server.cli.admin import games
from server.web_app.settings import AppConfig, SettingError, app_config
from server.web_app.stores import open_context

ENGINES = {"database": "HAGGLE_DATABASE_URL", "redis": "HAGGLE_REDIS_URL", "photos": "HAGGLE_PHOTOS_URL"}


@pytest.fixture(autouse=True)
def _empty_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove all settings from the environment."""
    for name in (*ENGINES.values(), "HAGGLE_SCANNERS", "HAGGLE_DATA"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(f"{name}_FILE", raising=False)


@pytest.mark.parametrize(("field", "name"), ENGINES.items())
def test_an_address_can_be_read_from_a_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, field: str, name: str
) -> None:
    """The variable has priority over the file that the variable with `_FILE` names.

    An empty file is an error, not the default.
    """
    assert app_config(tmp_path) == AppConfig(tmp_path), "the default is the data folder"
    file = tmp_path / "address"
    monkeypatch.setenv(f"{name}_FILE", str(file))
    with pytest.raises(SettingError, match=f"{name}_FILE names .*address"):
        app_config(tmp_path)
    for content in ("", " \n"):
        file.write_text(content, encoding="utf-8")
        with pytest.raises(SettingError, match=f"{name}_FILE names .*address, which is empty"):
            app_config(tmp_path)
    file.write_text("redis://of-the-file\n", encoding="utf-8")
    assert getattr(app_config(tmp_path), field) == "redis://of-the-file"
    monkeypatch.setenv(name, "redis://said")
    assert getattr(app_config(tmp_path), field) == "redis://said"


def test_an_invalid_redis_address_is_reported_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the variable but does not contain its value."""
    for wrong in ("redisss://:secret@host/0", "redis://:se/cret@host", "redis://host/secret", "host"):
        monkeypatch.setenv("HAGGLE_REDIS_URL", wrong)
        with pytest.raises(SettingError, match="HAGGLE_REDIS_URL is not the address") as error:
            app_config(Path())
        assert "secret" not in str(error.value)
    for good in ("rediss://:a%2Fb@redis.example.org:6380/1", "redis://user:password@[::1]", "redis://redis"):
        monkeypatch.setenv("HAGGLE_REDIS_URL", good)
        assert app_config(Path()).redis == good


def test_the_number_of_scan_processes_is_validated(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in (0, 1, 256):
        monkeypatch.setenv("HAGGLE_SCANNERS", str(number))
        assert app_config(Path()).scan_workers == number
    for wrong in ("-1", "257", "many", "1.5", "\u0661", "9" * 30):
        monkeypatch.setenv("HAGGLE_SCANNERS", wrong)
        with pytest.raises(SettingError, match="HAGGLE_SCANNERS"):
            app_config(Path())


def test_options_override_variables(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The data folder can be set by the variable, or by an option before or after the subcommand."""
    for name in ("said", "typed"):
        open_context(AppConfig(tmp_path / name)).database.close()
    typed = ["--data", str(tmp_path / "typed")]
    monkeypatch.setenv("HAGGLE_DATA", str(tmp_path / "said"))

    def run(*arguments: str) -> str:
        done = CliRunner().invoke(games.command, arguments)
        assert done.exit_code == 0, done.output
        return done.output

    new = ["new", "eurocg-2026", "--players", "6", "--name"]
    for arguments in ([*new, "By variable"], [*typed, *new, "Before"], [*new, "Behind", *typed]):
        run(*arguments)
    names = ("By variable", "Before", "Behind")
    assert [name in run() for name in names] == [True, False, False]
    assert [name in run(*typed) for name in names] == [False, True, True]
