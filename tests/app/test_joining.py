"""Modules in one file do what they do in files of their own."""

from __future__ import annotations

import pytest

from server.app.joining import JoiningError, join

BARE = {"preact": "vendor/preact.js"}
MODULES = {
    "app/tea/main.js": 'import { h } from "preact";\nimport { brew } from "../shared/pot.js";\n\nbrew(h);\n',
    "app/shared/pot.js": (
        '// A pot.\n\nimport { boil as heat } from "./water.js";\n\n'
        'export const brew = () => import("./milk.js").then(heat);\nexport default function Pot() {}\n'
    ),
    "app/shared/water.js": "export async function boil() {}\nconst cold = 1;\nexport { cold as warm };\n",
    "app/shared/milk.js": "export const milk = 1;\n",
}


def test_modules_keep_their_order_and_their_own_names() -> None:
    """What is imported stands before what imports it, each in a block, and imports and exports become objects."""
    text = join("tea", MODULES, BARE, "/assets/").text
    assert text == (
        "const m0 = {};\n{\nasync function boil() {}\nconst cold = 1;\n"
        "Object.assign(m0, { boil, warm: cold });\n}\n"
        "const m1 = {};\n{\nconst { boil: heat } = m0;\n\n"
        'const brew = () => import("/assets/app/shared/milk.js").then(heat);\nfunction Pot() {}\n'
        "Object.assign(m1, { brew, default: Pot });\n}\n"
        "export { m0, m1 };\n"
    )


def test_the_entry_stays_outside_and_begins_with_the_first_file() -> None:
    """The page's own module imports what it needs from the first file and from what others wrote."""
    assert join("tea", MODULES, BARE, "/assets/").instead["app/tea/main.js"] == (
        'import * as v0 from "preact";\nimport { m1 } from "/assets/first/tea.js";\n'
        "const { h } = v0;\nconst { brew } = m1;\n\nbrew(h);\n"
    )


def test_what_is_joined_can_still_be_imported() -> None:
    """A module of the first file has another in its place, with the same exports."""
    instead = join("tea", MODULES, BARE, "/assets/").instead
    assert instead["app/shared/pot.js"] == (
        'import { m1 } from "/assets/first/tea.js";\nconst e0 = m1.brew;\nconst e1 = m1.default;\n'
        "export { e0 as brew, e1 as default };\n"
    )
    assert "app/shared/milk.js" not in instead


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('import { brew } from "./pot.js";\n', "in a circle: .*pot.js"),
        ('import { x } from "./sugar.js";\n', "imports app/shared/sugar.js, which is not there"),
        ("export let cups = 1;\n", "cannot be joined: export let cups = 1;"),
        ('export { a } from "./milk.js";\n', "cannot be joined"),
        ('import * as milk from "./milk.js";\n', "cannot be joined"),
    ],
)
def test_what_cannot_be_joined_is_told(text: str, told: str) -> None:
    """A circle, a module that is missing and what would lose its meaning in a block end with the line in question."""
    with pytest.raises(JoiningError, match=told):
        join("tea", MODULES | {"app/shared/water.js": text}, BARE, "/assets/")
