"""Writes the TypeScript types of the API and of the texts for the pages: `python -m devtools.api_types`.

`./haggle test` does so before it checks the types of the pages.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

from server.web_app.factory import create_app
from server.web_app.settings import AppConfig
from server.web_app.stores import open_context
from tools.paths import Paths

ROOT = Path(__file__).parents[1]
TYPES = ROOT / "web" / "api.d.ts"
_PROGRAM = ROOT / "web" / "node_modules" / "openapi-typescript" / "bin" / "cli.js"


def write_types(target: Path = TYPES) -> None:
    """Write the types of the API to a file, and those of the texts to another one. Needs no running server."""
    paths = Paths(ROOT)
    node = paths.node if paths.node.is_file() else shutil.which("node")
    with tempfile.TemporaryDirectory() as folder:
        config = AppConfig(Path(folder) / "data")
        context = open_context(config)
        try:
            description = Path(folder) / "openapi.json"
            description.write_text(json.dumps(create_app(config, context).spec), "utf-8")
        finally:
            context.close()
        options = ["--default-non-nullable", "false", "--root-types", "--root-types-no-schema-prefix"]
        subprocess.run([str(node), _PROGRAM, description, "--output", target, *options], check=True)
    subprocess.run([str(node), ROOT / "web" / "messages.js"], check=True)


if __name__ == "__main__":
    write_types()
