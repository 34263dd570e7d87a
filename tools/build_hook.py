"""Builds the pages for a wheel or a source distribution, and puts them into the wheel."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

INSTALLED = "server/web_app/web/dist"
"""Where a wheel contains the pages."""


class PagesBuildHook(BuildHookInterface[Any]):
    """A build hook of Hatchling."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - Hatchling's interface
        """Build the pages if this is a checkout; a source distribution contains them."""
        # Hatchling loads this file without its package.
        sys.path.insert(0, self.root)
        from tools import install  # noqa: PLC0415 - see above
        from tools.paths import Paths  # noqa: PLC0415 - see above
        from tools.runner import Runner  # noqa: PLC0415 - see above

        paths = Paths(Path(self.root))
        if not (paths.root / "PKG-INFO").is_file():
            with paths.alone():
                runner, dev = Runner(paths), install.has_tests(paths)
                install.install_npm_packages(runner, dev=dev)
                install.build_pages(runner, dev=dev)
        if self.target_name == "wheel":
            dist = paths.web / "dist"
            files = (file for file in dist.rglob("*") if file.is_file() and file.name != install.STAMP)
            build_data["force_include"] |= {str(file): f"{INSTALLED}/{file.relative_to(dist)}" for file in files}
