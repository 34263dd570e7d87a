"""`haggle doctor`: says what of this machine Haggle can use, and what to do about the rest."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from server.cli.machine import look

if TYPE_CHECKING:
    from server.cli.machine import Finding


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def command(*, as_json: bool) -> None:
    """Say what of this machine Haggle can use. Ends with exit code 1 if something needed is missing."""
    findings = look()
    missing = [finding.name for finding in findings if finding.needed and not finding.found]
    if as_json:
        print(json.dumps({"ok": not missing, "findings": [asdict(finding) for finding in findings]}, indent=2))
    else:
        show(findings)
        print(f"Missing: {', '.join(missing)}." if missing else "All that is needed is here.")
    sys.exit(bool(missing))


def state(finding: Finding) -> str:
    """Return a finding's state in a word, so that it is not told by colour alone."""
    if finding.found:
        return "ok"
    return "MISSING" if finding.needed else "without"


def show(findings: list[Finding]) -> None:
    """Print the findings as a table, or as plain lines where the library for tables is what is missing."""
    rows = [
        (finding.name, state(finding), finding.detail if finding.found else f"{finding.detail}: {finding.advice}")
        for finding in findings
    ]
    try:
        # Loaded here, since the doctor must speak even where the environment is broken.
        from rich.console import Console  # noqa: PLC0415 - see above
        from rich.table import Table  # noqa: PLC0415 - see above
        from rich.text import Text  # noqa: PLC0415 - see above
    except ImportError:
        for row in rows:
            print("  ".join(row))
        return
    colours = {"ok": "green", "MISSING": "bold red", "without": "yellow"}
    table = Table(box=None, pad_edge=False)
    for heading in ("What", "State", "Details"):
        table.add_column(heading, overflow="fold")
    for name, word, details in rows:
        table.add_row(Text(name), Text(word, style=colours[word]), Text(details))
    Console().print(table)
