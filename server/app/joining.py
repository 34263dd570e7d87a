"""Joins a page's modules into few files, so that a phone asks for a dozen files and not for sixty.

Over HTTP/1.1 on a slow network every six files cost a round trip, and small files compress badly: the players' page is
interactive after 2.4 s of Lighthouse's slow 4G when it comes in sixty files. There is no bundler: a module's text stays
what it is, in a block of its own, and only its imports and exports are rewritten.

What a page begins with is its first file. What it loads later, by `import()`, lies in one file for each such import,
which has that module's place; what two of them need lies in a further file for these two, and what more of them need
in one for all, a few kB. So nothing comes twice.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_IMPORT = re.compile(r'^import (?:\{([^}]*)\} from )?"([^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (default )?((?:async )?function\*?|const|class) (\w+)", re.MULTILINE)
_HANDED_ON = re.compile(r"^export \{([^}]*)\};$", re.MULTILINE)
_LATER = re.compile(r'\bimport\("(\.[^"]+)"\)')
_COMMENT = re.compile(r"^ *//.*\n", re.MULTILINE)
_LEFT = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_OURS = "app/"
_MANY = 3
# So many that share a module share a file: one for each set of them would cost more round trips than its bytes do.


class JoiningError(Exception):
    """A module cannot be joined with the others; the message says which, and why."""


@dataclass
class Joined:
    """A page's modules, joined: the name of the `first` file and its `text`.

    `instead` are the texts that take the places of modules, by their names, and `further` files with names of their
    own. Of those in others' places browsers load only the `wanted`, by themselves or when they are asked to.
    """

    first: str
    text: str = ""
    instead: dict[str, str] = field(default_factory=dict)
    further: dict[str, str] = field(default_factory=dict)
    wanted: list[str] = field(default_factory=list)


def join(page: str, modules: Mapping[str, str], bare: Mapping[str, str], prefix: str) -> Joined:
    """Join all that `app/<page>/main.js` ever loads of ours; `modules` are all modules, by name, with their text.

    `bare` leads from the names by which modules import packages, which stay in files of their own, to those files.
    `prefix` precedes a name in an address. Raises JoiningError.
    """
    entry = f"app/{page}/main.js"
    first, parts = _parts(entry, modules, bare)
    joined = Joined(f"first/{page}.js", wanted=[entry])
    files: dict[str, str] = {}
    ids: dict[str, str] = {}
    for number, (place, names) in enumerate([("", first), *parts]):
        further = f"later/{page}/{number}.js" if number else joined.first
        file = placed(page, place) if place else further
        files |= dict.fromkeys(names, file)
        ids |= {name: f"m{len(ids) + at}" for at, name in enumerate(names)}
    joiner = _Joiner(page, modules, bare, prefix, ids, files)
    joined.text = joiner.file(first)
    for place, names in parts:
        if place:
            joined.instead[place] = joiner.file(names, place)
        else:
            joined.further[files[names[0]]] = joiner.file(names)
    joined.wanted += [place for place, _ in parts if place]
    # What lies in another file may be asked for as well.
    joined.wanted += [name for name in _later([entry, *ids], modules) if name not in joined.wanted]
    joined.instead |= {name: joiner.stub(name) for name in ids if name not in joined.instead}
    # The page's own module stays outside: it may wait for modules that are loaded later, and they for the first ones.
    joined.instead[entry] = joiner.entry(entry)
    return joined


def placed(page: str, name: str) -> str:
    """Return the name of the file that a page has in place of a module that is joined with others."""
    return f"first/{page}/{name}"


def _parts(
    entry: str, modules: Mapping[str, str], bare: Mapping[str, str]
) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """Return the modules that a page begins with, its own left out, and those of each other file, all in their order.

    Each other file has the place of one of its modules, "" for none.
    """
    first = _order(entry, modules, bare)[:-1]
    waiting = [name for name in _later([entry, *first], modules) if name not in first]
    users: dict[str, list[str]] = {}
    for later in waiting:
        order = [name for name in _order(later, modules, bare) if name not in first]
        for name in order:
            users.setdefault(name, []).append(later)
        waiting += [name for name in _later(order, modules) if name not in (*waiting, *first)]
    parts: dict[tuple[str, ...], list[str]] = {}
    # Each was met behind what it imports.
    for name, those in users.items():
        parts.setdefault(tuple(those) if len(those) < _MANY else (), []).append(name)
    return first, [(next((name for name in names if name in waiting), ""), names) for names in parts.values()]


def _later(names: Iterable[str], modules: Mapping[str, str]) -> list[str]:
    """Return the modules of ours that others load when they are asked to."""
    found = [_resolved(name, target) for name in names for target in _LATER.findall(modules[name])]
    return [name for name in dict.fromkeys(found) if name.startswith(_OURS)]


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
            raise JoiningError(f"{under_way[-1] if under_way else 'a module'} imports {name}, which is not there")
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


class _Joiner:
    """Writes the joined files of a page: `ids` are the modules' objects, `files` the files they are in, by name."""

    def __init__(
        self,
        page: str,
        modules: Mapping[str, str],
        bare: Mapping[str, str],
        prefix: str,
        ids: Mapping[str, str],
        files: Mapping[str, str],
    ) -> None:
        self._page = page
        self._modules = modules
        self._bare = bare
        self._prefix = prefix
        self._ids = ids
        self._files = files

    def file(self, names: Sequence[str], place: str = "") -> str:
        """Return the text of a file that joins these modules; one that has the `place` of a module exports the same."""
        outer: dict[str, str] = {}
        blocks = []
        handed_on = ""
        for name in names:
            body, exports = self._body(name, outer)
            mine = self._ids[name]
            blocks.append(f"const {mine} = {{}};\n{{\n{body}\nObject.assign({mine}, {{ {', '.join(exports)} }});\n}}\n")
            if name == place:
                handed_on = _handed_on(mine, exports)
        ids = ", ".join(self._ids[name] for name in names)
        return f"{self._outer(outer)}{self._inner(names)}{''.join(blocks)}export {{ {ids} }};\n{handed_on}"

    def entry(self, name: str) -> str:
        """Return the text of a module that stays in a file of its own."""
        outer: dict[str, str] = {}
        body, _ = self._body(name, outer)
        return f"{self._outer(outer)}{self._inner([name])}{body}\n"

    def stub(self, name: str) -> str:
        """Return a module that hands on what a joined one exports."""
        _, exports = self._body(name, {})
        mine = self._ids[name]
        return f'import {{ {mine} }} from "{self._prefix}{self._files[name]}";\n{_handed_on(mine, exports)}'

    def _outer(self, outer: Mapping[str, str]) -> str:
        """Return the imports of what others wrote."""
        imports = ((name, self._prefix + self._bare[bare]) for bare, name in outer.items())
        return "".join(f'import * as {name} from "{url}";\n' for name, url in imports)

    def _later(self, name: str) -> str:
        """Return the address of a module that is loaded later."""
        return self._prefix + (placed(self._page, name) if name.startswith(_OURS) else name)

    def _inner(self, names: Sequence[str]) -> str:
        """Return the imports of what these modules need from other joined files."""
        wanted: dict[str, dict[str, None]] = {}
        for name in names:
            for target in _imports(name, self._modules[name], self._bare):
                if target not in names:
                    wanted.setdefault(self._files[target], {})[self._ids[target]] = None
        return "".join(f'import {{ {", ".join(ids)} }} from "{self._prefix}{file}";\n' for file, ids in wanted.items())

    def _body(self, name: str, outer: dict[str, str]) -> tuple[str, list[str]]:
        """Return a module's text without imports and exports, and its exports as parts of an object.

        `outer` are the objects of what others wrote, by its names; what is missing is added.
        """
        exports: list[str] = []

        def imported(found: re.Match[str]) -> str:
            if found[2] in self._bare:
                where = outer.setdefault(found[2], f"v{len(outer)}")
            else:
                where = self._ids[_resolved(name, found[2])]
            return f"const {{{(found[1] or '').replace(' as ', ': ')}}} = {where};"

        def exported(found: re.Match[str]) -> str:
            exports.append(f"default: {found[3]}" if found[1] else found[3])
            return f"{found[2]} {found[3]}"

        def handed_on(found: re.Match[str]) -> str:
            pairs = [pair.split(" as ") for pair in re.split(r",\s*", found[1].strip(" ,\n"))]
            exports.extend(f"{pair[-1].strip()}: {pair[0].strip()}" for pair in pairs)
            return ""

        body = _COMMENT.sub("", self._modules[name])
        body = _HANDED_ON.sub(handed_on, _EXPORT.sub(exported, _IMPORT.sub(imported, body)))
        body = _LATER.sub(lambda found: f'import("{self._later(_resolved(name, found[1]))}")', body)
        if left := _LEFT.search(body):
            raise JoiningError(f"{name} has a line that cannot be joined: {left[0]}")
        return body.strip(), exports


def _handed_on(module: str, exports: Sequence[str]) -> str:
    """Return what exports a joined module's parts under their own names."""
    names = [export.split(":")[0] for export in exports]
    lines = [f"const e{number} = {module}.{name};" for number, name in enumerate(names)]
    listed = ", ".join(f"e{number} as {name}" for number, name in enumerate(names))
    return "\n".join(lines) + f"\nexport {{ {listed} }};\n"


def _resolved(name: str, target: str) -> str:
    return posixpath.normpath(f"{posixpath.dirname(name)}/{target}")
