"""The page on games says what the code does."""

from __future__ import annotations

import re
from pathlib import Path

from click.testing import CliRunner

from server.cli.games import command
from server.play.settings import ACTS, BOUNDS, MODES, MOST_PLAYERS
from server.play.states import ALLOWED, NEXT, Act, State

PAGE = (Path(__file__).parents[2] / "docs" / "games.md").read_text(encoding="utf-8")


def test_the_table_of_states_is_that_of_the_code() -> None:
    """Every act and every state, in order, with a yes where it is allowed and nothing elsewhere."""
    (table,) = re.findall(r"<!-- states -->\n(.*?)\n<!-- /states -->", PAGE, re.DOTALL)
    head, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    assert head == ["act", *State]
    assert rows == [[act.value, *("yes" if state in ALLOWED[act] else "" for state in State)] for act in Act]


def test_the_drawing_of_a_game_s_life_has_all_steps() -> None:
    """Each act that leads to another state stands between two of them."""
    drawing = PAGE[PAGE.index("    draft ──") : PAGE.index("- **draft**")]
    assert all(f"──{act.name.lower()}──" in drawing for act in NEXT)
    assert all(state.value in drawing for state in State)


def test_the_table_of_settings_has_the_bounds_of_the_code() -> None:
    """Numbers, modes and the options' names."""
    rows = [line for line in PAGE.splitlines() if line.startswith("| ")]
    options = {name: next(row for row in rows if f"`--{name.replace('_', '-')}`" in row) for name in BOUNDS}
    for name, (low, high) in BOUNDS.items():
        assert f"{low} to {high}" in options[name]
    assert f"1 to {MOST_PLAYERS}" in PAGE
    assert ", ".join(MODES) in PAGE
    settings = [row for row in rows if row.rstrip(" |").endswith(("names", "edition", "settings", "rules", "play"))]
    assert len(settings) == len(ACTS)


def test_every_command_that_the_page_names_is_there() -> None:
    """With its options, as the help tells."""
    named = set(re.findall(r"haggle games ([a-z]+)", PAGE))
    assert named <= set(command.commands)
    text = "".join(
        CliRunner().invoke(command, [name, "--help"]).output
        for name in ["", *command.commands]
        if name in command.commands
    )
    for option in set(re.findall(r"`?(--[a-z][a-z-]+)", PAGE)) - {"--data"}:
        assert option in text, option
