"""Haggle.cmd, which starts Haggle on Windows."""

from __future__ import annotations

import re
from pathlib import Path

from tools.environment import OLDEST_UV

ROOT = Path(__file__).parents[2]


def test_it_downloads_a_pinned_uv_by_its_hash_with_what_windows_brings() -> None:
    text = (ROOT / "Haggle.cmd").read_text(encoding="utf-8")
    version = re.search(r'^set "VERSION=(\d+)\.(\d+)\.\d+"$', text, re.MULTILINE)
    assert version
    assert tuple(map(int, version.groups())) >= OLDEST_UV
    assert re.search(r'^set "HASH=[0-9a-f]{64}"$', text, re.MULTILINE)
    before, _, after = text.partition("certutil.exe")
    assert "uv.exe" not in re.sub(r"^(rem|set|if) .*$", "", before, flags=re.MULTILINE), "nothing runs before the check"
    assert after.index("findstr") < after.index("tar.exe")
    assert not re.search("powershell|runas", text, re.IGNORECASE)


def test_git_gives_it_the_line_ends_of_windows() -> None:
    assert "*.cmd text eol=crlf" in (ROOT / ".gitattributes").read_text(encoding="utf-8").splitlines()
