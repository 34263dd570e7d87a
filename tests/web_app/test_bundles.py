"""Bundling of JavaScript modules."""

from __future__ import annotations

import pytest

from server.web_app.bundles import BundleError, bundle_page

BARE = {"preact": "vendor/preact.js"}
MODULES = {
    "app/tea/main.js": 'import { h } from "preact";\nimport { brew } from "../shared/pot.js";\n\nbrew(h);\n',
    "app/shared/pot.js": (
        '// A pot.\n\nimport { boil as heat } from "./water.js";\n\n'
        'export const brew = () => import("./milk.js").then(heat);\nexport default function Pot() {}\n'
    ),
    "app/shared/water.js": "export async function boil() {}\nconst cold = 1;\nexport { cold as warm };\n",
    "app/shared/milk.js": 'import { h } from "preact";\nimport { boil } from "./water.js";\n'
    'import { cow } from "./cow.js";\n\nexport const milk = () => h(boil, cow);\n',
    "app/shared/cow.js": "export const cow = 1;\n",
}


def test_each_module_is_a_block_after_its_imports() -> None:
    """The page's main module is not wrapped. A dynamic import is a separate file. Modules remain importable."""
    bundle = bundle_page("tea", MODULES, BARE, "/assets/")
    assert bundle.text == (
        "const m0 = {};\n{\nasync function boil() {}\nconst cold = 1;\n"
        "Object.assign(m0, { boil, warm: cold });\n}\n"
        "const m1 = {};\n{\nconst { boil: heat } = m0;\n\n"
        'const brew = () => import("/assets/first/tea/app/shared/milk.js").then(heat);\nfunction Pot() {}\n'
        "Object.assign(m1, { brew, default: Pot });\n}\n"
        "export { m0, m1 };\n"
    )
    assert bundle.replacements["app/tea/main.js"] == (
        'import * as v0 from "/assets/vendor/preact.js";\nimport { m1 } from "/assets/first/tea.js";\n'
        "const { h } = v0;\nconst { brew } = m1;\n\nbrew(h);\n"
    )
    assert bundle.replacements["app/shared/pot.js"] == (
        'import { m1 } from "/assets/first/tea.js";\nconst e0 = m1.brew;\nconst e1 = m1.default;\n'
        "export { e0 as brew, e1 as default };\n"
    )
    assert bundle.replacements["app/shared/milk.js"] == (
        'import * as v0 from "/assets/vendor/preact.js";\nimport { m0 } from "/assets/first/tea.js";\n'
        "const m2 = {};\n{\nconst cow = 1;\nObject.assign(m2, { cow });\n}\n"
        "const m3 = {};\n{\nconst { h } = v0;\nconst { boil } = m0;\nconst { cow } = m2;\n\n"
        "const milk = () => h(boil, cow);\nObject.assign(m3, { milk });\n}\n"
        "export { m2, m3 };\nconst e0 = m3.milk;\nexport { e0 as milk };\n"
    )
    assert 'from "/assets/first/tea/app/shared/milk.js"' in bundle.replacements["app/shared/cow.js"]
    assert bundle.loaded == ["app/tea/main.js", "app/shared/milk.js"]
    assert bundle.shared == {}


def test_shared_dynamic_imports_are_loaded_once() -> None:
    """Modules needed by the same two are in a file for these, those needed by more in a common file."""
    more = {
        "app/shared/water.js": 'export const boil = () => import("./milk.js").then(() => import("./sugar.js"));\n',
        "app/shared/milk.js": 'import { white } from "./white.js";\nimport { warm } from "./warm.js";\n'
        "export const milk = [white, warm];\n",
        "app/shared/sugar.js": 'import { white } from "./white.js";\n'
        'export const sugar = () => [white, import("./lemon.js"), import("./pot.js")];\n',
        "app/shared/white.js": 'import { light } from "./light.js";\nexport const white = light;\n',
        "app/shared/light.js": "export const light = 1;\n",
        "app/shared/warm.js": "export const warm = 1;\n",
        "app/shared/honey.js": 'import { warm } from "./warm.js";\n'
        'export const honey = () => [warm, import("./light.js")];\n',
        "app/shared/lemon.js": 'import { light } from "./light.js";\nimport { warm } from "./warm.js";\n'
        'export const lemon = () => [light, warm, import("./honey.js")];\n',
    }
    bundle = bundle_page("tea", MODULES | more, BARE, "/assets/")
    files = {"first": bundle.text} | bundle.shared | {name: bundle.replacements[name] for name in bundle.loaded}
    made = [line for text in files.values() for line in text.splitlines() if line.endswith(" = {};")]
    assert len(made) == len(set(made)) == 9
    later = {f"app/shared/{name}.js" for name in ("milk", "sugar", "lemon", "pot", "honey", "light")}
    assert set(bundle.loaded) == {"app/tea/main.js", *later}
    assert later <= bundle.replacements.keys()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('import { brew } from "./pot.js";\n', "in a circle: .*pot.js"),
        ('import { x } from "./sugar.js";\n', "imports app/shared/sugar.js, which is missing"),
        ('export const x = () => import("./sugar.js");\n', "imports app/shared/sugar.js, which is missing"),
        ("export let cups = 1;\n", "cannot be bundled: export let cups = 1;"),
        ('export { a } from "./milk.js";\n', "cannot be bundled"),
        ('import * as milk from "./milk.js";\n', "cannot be bundled"),
    ],
)
def test_modules_that_cannot_be_bundled_are_refused(text: str, message: str) -> None:
    with pytest.raises(BundleError, match=message):
        bundle_page("tea", MODULES | {"app/shared/water.js": text}, BARE, "/assets/")
