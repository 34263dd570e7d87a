"""Joins the modules that a page begins with into one file, so that a phone asks for a dozen files and not for sixty.

Over HTTP/1.1 on a slow network every six files cost a round trip, and small files compress badly: the players' page is
interactive after 2.4 s of Lighthouse's slow 4G when it comes in sixty files. There is no bundler: a module's text stays
what it is, in a block of its own, and only its imports and exports are rewritten. A module that is loaded later finds
those of the first file by small modules that hand their exports on.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_IMPORT = re.compile(r'^import (?:\{([^}]*)\} from )?"([^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (default )?((?:async )?function\*?|const|class) (\w+)", re.MULTILINE)
_HANDED_ON = re.compile(r"^export \{([^}]*)\};$", re.MULTILINE)
_LATER = re.compile(r'\bimport\("(\.[^"]+)"\)')
_COMMENT = re.compile(r"^ *//.*\n", re.MULTILINE)
_LEFT = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


class JoiningError(Exception):
    """A module cannot be joined with the others; the message says which, and why."""


@dataclass
class Joined:
    """The first modules of a page, by name: `first`, what they are joined to, and what takes their places."""

    first: str
    page: str
    text: str = ""
    instead: dict[str, str] = field(default_factory=dict)


def join(page: str, modules: Mapping[str, str], bare: Mapping[str, str], prefix: str) -> Joined:
    """Join the modules that `app/<page>/main.js` begins with; `modules` are all of ours, by name, with their text.

    `bare` are the names of what others wrote, which stays in files of its own. `prefix` is what stands before a name in
    an address. Raises JoiningError.
    """
    entry = f"app/{page}/main.js"
    order = _order(entry, modules, bare)[:-1]
    ids = {name: f"m{number}" for number, name in enumerate(order)}
    outer: dict[str, str] = {}
    joined = Joined(f"first/{page}.js", page)
    blocks = []
    for name in order:
        body, exports = _body(name, modules[name], ids, bare, outer, prefix)
        blocks.append(
            f"const {ids[name]} = {{}};\n{{\n{body}\nObject.assign({ids[name]}, {{ {', '.join(exports)} }});\n}}\n"
        )
        joined.instead[name] = _stub(f"{prefix}{joined.first}", ids[name], exports)
    joined.text = _outer(outer) + "".join(blocks) + f"export {{ {', '.join(ids.values())} }};\n"
    # The entry stays outside: it may wait for modules that are loaded later, and they for the first ones.
    outer = {}
    body, _ = _body(entry, modules[entry], ids, bare, outer, prefix)
    wanted = ", ".join(ids[name] for name in _imports(entry, modules[entry], bare))
    joined.instead[entry] = f'{_outer(outer)}import {{ {wanted} }} from "{prefix}{joined.first}";\n{body}\n'
    return joined


def _order(entry: str, modules: Mapping[str, str], bare: Mapping[str, str]) -> list[str]:
    """Return a module and all that it imports, each behind what it imports itself: as browsers run them."""
    order: list[str] = []
    under_way: list[str] = []

    def visit(name: str) -> None:
        if name in order:
            return
        if name in under_way:
            circle = " -> ".join([*under_way[under_way.index(name) :], name])
            raise JoiningError(f"modules import each other in a circle: {circle}")
        if name not in modules:
            raise JoiningError(f"{under_way[-1]} imports {name}, which is not there")
        under_way.append(name)
        for target in _imports(name, modules[name], bare):
            visit(target)
        order.append(under_way.pop())

    visit(entry)
    return order


def _imports(name: str, text: str, bare: Mapping[str, str]) -> list[str]:
    """Return the names of our own modules that a module imports."""
    targets = [found[2] for found in _IMPORT.finditer(text)]
    return list(dict.fromkeys(_resolved(name, target) for target in targets if target not in bare))


def _body(
    name: str, text: str, ids: Mapping[str, str], bare: Mapping[str, str], outer: dict[str, str], prefix: str
) -> tuple[str, list[str]]:
    """Return a module's text without imports and exports, and its exports as parts of an object."""
    exports: list[str] = []

    def imported(found: re.Match[str]) -> str:
        where = outer.setdefault(found[2], f"v{len(outer)}") if found[2] in bare else ids[_resolved(name, found[2])]
        return f"const {{{(found[1] or '').replace(' as ', ': ')}}} = {where};"

    def exported(found: re.Match[str]) -> str:
        exports.append(f"default: {found[3]}" if found[1] else found[3])
        return f"{found[2]} {found[3]}"

    def handed_on(found: re.Match[str]) -> str:
        pairs = [pair.split(" as ") for pair in re.split(r",\s*", found[1].strip(" ,\n"))]
        exports.extend(f"{pair[-1].strip()}: {pair[0].strip()}" for pair in pairs)
        return ""

    body = _COMMENT.sub("", text)
    body = _HANDED_ON.sub(handed_on, _EXPORT.sub(exported, _IMPORT.sub(imported, body)))
    body = _LATER.sub(lambda found: f'import("{prefix}{_resolved(name, found[1])}")', body)
    if left := _LEFT.search(body):
        raise JoiningError(f"{name} has a line that cannot be joined: {left[0]}")
    return body.strip(), exports


def _outer(outer: Mapping[str, str]) -> str:
    return "".join(f'import * as {name} from "{bare}";\n' for bare, name in outer.items())


def _stub(first: str, module: str, exports: list[str]) -> str:
    """Return a module that hands on what a joined one exports."""
    names = [export.split(":")[0] for export in exports]
    lines = [f"const e{number} = {module}.{name};" for number, name in enumerate(names)]
    listed = ", ".join(f"e{number} as {name}" for number, name in enumerate(names))
    return f'import {{ {module} }} from "{first}";\n' + "\n".join(lines) + f"\nexport {{ {listed} }};\n"


def _resolved(name: str, target: str) -> str:
    return posixpath.normpath(f"{posixpath.dirname(name)}/{target}")
