"""The page about hand-ins explains every kind of item, every choice and every reason."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import given, settings

from server.play.assembly import World, assemble
from server.play.items import Kind
from tests.play.worlds import worlds

PAGE = (Path(__file__).parents[2] / "docs" / "hand-ins.md").read_text(encoding="utf-8")
ROWS: dict[str, str] = {}
for _row in filter(lambda line: line.startswith("| `"), PAGE.splitlines()):
    for _kind in re.findall("`([^`]+)`", _row.split("|")[1]):
        ROWS[_kind] = ROWS.get(_kind, "") + _row


def test_every_kind_of_item_has_a_row() -> None:
    """No item comes up that the page does not know."""
    assert {kind.value for kind in Kind} <= ROWS.keys()


@settings(max_examples=40, deadline=None)
@given(worlds())
def test_every_choice_stands_in_the_row_of_its_item(world: World) -> None:
    """What may be decided on an item is in its row, and each reason for which a hand is left out in the table."""
    whole = assemble(world)
    for item in whole.items:
        if item.kind in {Kind.ASSIGNED, Kind.BY_HAND}:
            continue
        for choice in item.choices:
            assert f"`{choice.do}`" in ROWS[item.kind], (item.kind, choice.do)
    for hand in whole.hands.values():
        assert hand.counts or hand.why in ROWS
