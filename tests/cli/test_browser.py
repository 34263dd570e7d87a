"""A browser test never passes by not running: it says so, and in CI it fails."""

from __future__ import annotations

import pytest

from tests import browser_support


@pytest.mark.parametrize("ci", ["", "true"])
@pytest.mark.parametrize(
    ("browser", "driver"), [(None, True), ("/bin/chromium", False)], ids=["no browser", "no driver"]
)
def test_what_is_missing_skips_loudly_and_fails_in_ci(
    monkeypatch: pytest.MonkeyPatch,
    ci: str,
    browser: str | None,
    driver: bool,  # noqa: FBT001 - a parameter
) -> None:
    """Without a browser, or without what drives it, a test is skipped on a desk and fails in CI."""
    monkeypatch.setenv("CI", ci)
    monkeypatch.setattr(browser_support, "find_browser", lambda: browser)
    monkeypatch.setattr(browser_support, "_driver_starts", lambda: driver)
    outcome = pytest.fail.Exception if ci else pytest.skip.Exception
    with pytest.raises(outcome, match="so no browser test runs"):
        browser_support.browser_path()


def test_what_is_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """With both, the browser's path comes back."""
    monkeypatch.setattr(browser_support, "find_browser", lambda: "/bin/chromium")
    monkeypatch.setattr(browser_support, "_driver_starts", lambda: True)
    assert str(browser_support.browser_path()) == "/bin/chromium"


@pytest.mark.parametrize(("shell", "whole", "wanted"), [("/s", False, "/s"), (None, False, "/w"), ("/s", True, "/w")])
def test_one_without_windows_will_do_for_most(
    monkeypatch: pytest.MonkeyPatch,
    shell: str | None,
    whole: bool,  # noqa: FBT001 - a parameter
    wanted: str,
) -> None:
    """Where there is none, or all of a browser is wanted, it is a whole one."""
    monkeypatch.setattr(browser_support, "find_shell", lambda: shell)
    monkeypatch.setattr(browser_support, "find_browser", lambda: "/w")
    monkeypatch.setattr(browser_support, "_driver_starts", lambda: True)
    assert browser_support.browser_path(whole=whole) == wanted
