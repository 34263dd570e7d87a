"""Bundles of a page's modules: a few files in place of many, which do the same.

In a bundle, each module is a block of code and an object with its exports. The modules that a page imports at once are
in its main file. Those that it imports lazily are in files of their own, and so is what several of these share. Each
module can still be imported by a name of its own.
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
_REEXPORT = re.compile(r"^export \{([^}]*)\};$", re.MULTILINE)
_LAZY_IMPORT = re.compile(r'\bimport\("(\.[^"]+)"\)')
_COMMENT = re.compile(r"^ *//.*\n", re.MULTILINE)
_REMAINING = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_OURS = "app/"

# Modules that this many lazy modules share are in one file: a file for each set would cost too many round trips.
_MANY = 3


class BundleError(Exception):
    """A module cannot be bundled. The message contains its name and the reason."""


@dataclass
class Bundle:
    """The files of a page: the name and the text of the `main` one, and others.

    `replacements` are files that replace modules, by the names of these, and `shared` are files with other names. Of
    the replacements, browsers load only the `loaded` ones, at once or lazily.
    """

    main: str
    text: str = ""
    replacements: dict[str, str] = field(default_factory=dict)
    shared: dict[str, str] = field(default_factory=dict)
    loaded: list[str] = field(default_factory=list)


def bundle_page(page: str, modules: Mapping[str, str], bare: Mapping[str, str], prefix: str) -> Bundle:
    """Bundle all of our modules that `app/<page>/main.js` imports, at once or lazily; `modules` are all texts by name.

    `bare` maps the names by which modules import packages, which are not bundled, to files. `prefix` precedes names in
    addresses. Raises BundleError.
    """
    entry = f"app/{page}/main.js"
    first, parts = _parts(entry, modules, bare)
    bundle = Bundle(f"first/{page}.js")
    files = dict.fromkeys(first, bundle.main)
    for number, (replaced, names) in enumerate(parts, 1):
        file = replacement_name(page, replaced) if replaced else f"later/{page}/{number}.js"
        files |= dict.fromkeys(names, file)
    objects = {name: f"m{number}" for number, name in enumerate(files)}
    bundler = _Bundler(page, modules, bare, prefix, objects, files)
    bundle.text = bundler.file(first)
    for replaced, names in parts:
        if replaced:
            bundle.replacements[replaced] = bundler.file(names, replaced)
        else:
            bundle.shared[files[names[0]]] = bundler.file(names)
    # Lazy modules may also be in files that replace other modules.
    lazy = _lazy_imports([entry, *files], modules)
    bundle.loaded = list(dict.fromkeys([entry, *bundle.replacements, *lazy]))
    bundle.replacements |= {name: bundler.stub(name) for name in files if name not in bundle.replacements}
    # The entry is not bundled: it may wait for lazy modules, which need the main file.
    bundle.replacements[entry] = bundler.entry(entry)
    return bundle


def replacement_name(page: str, name: str) -> str:
    """Return the name of the file that replaces a bundled module for a page."""
    return f"first/{page}/{name}"


def _parts(
    entry: str, modules: Mapping[str, str], bare: Mapping[str, str]
) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """Return the modules of the main file without the entry, and those of each other file, in the order of imports.

    Each other file replaces one of its modules, or none ("").
    """
    first = _import_order(entry, modules, bare)[:-1]
    lazy = [name for name in _lazy_imports([entry, *first], modules) if name not in first]
    users: dict[str, list[str]] = {}
    for user in lazy:
        needed = [name for name in _import_order(user, modules, bare) if name not in first]
        for name in needed:
            users.setdefault(name, []).append(user)
        lazy += [name for name in _lazy_imports(needed, modules) if name not in (*lazy, *first)]
    parts: dict[tuple[str, ...], list[str]] = {}
    for name, its_users in users.items():
        parts.setdefault(tuple(its_users) if len(its_users) < _MANY else (), []).append(name)
    return first, [(next((name for name in names if name in lazy), ""), names) for names in parts.values()]


def _lazy_imports(names: Iterable[str], modules: Mapping[str, str]) -> list[str]:
    """Return our modules that these import lazily."""
    found = [_resolved(name, target) for name in names for target in _LAZY_IMPORT.findall(modules[name])]
    return [name for name in dict.fromkeys(found) if name.startswith(_OURS)]


def _import_order(entry: str, modules: Mapping[str, str], bare: Mapping[str, str]) -> list[str]:
    """Return a module and everything that it imports, in the order in which browsers run them."""
    order: list[str] = []
    under_way: list[str] = []

    def visit(name: str) -> None:
        if name in order:
            return
        if name in under_way:
            circle = " -> ".join([*under_way[under_way.index(name) :], name])
            raise BundleError(f"modules import each other in a circle: {circle}")
        if name not in modules:
            raise BundleError(f"{under_way[-1] if under_way else 'a module'} imports {name}, which is missing")
        under_way.append(name)
        for target in _imports(name, modules[name], bare):
            visit(target)
        order.append(under_way.pop())

    visit(entry)
    return order


def _imports(name: str, text: str, bare: Mapping[str, str]) -> list[str]:
    """Return the names of our modules that a module imports."""
    targets = [found[2] for found in _IMPORT.finditer(text)]
    return list(dict.fromkeys(_resolved(name, target) for target in targets if target not in bare))


class _Bundler:
    """Writes the files of a page. `objects` are the names of the modules' objects, `files` their files, by module."""

    def __init__(
        self,
        page: str,
        modules: Mapping[str, str],
        bare: Mapping[str, str],
        prefix: str,
        objects: Mapping[str, str],
        files: Mapping[str, str],
    ) -> None:
        self._page = page
        self._modules = modules
        self._bare = bare
        self._prefix = prefix
        self._objects = objects
        self._files = files

    def file(self, names: Sequence[str], replaced: str = "") -> str:
        """Return the text of a file with these modules. It has the exports of the module that it replaces."""
        packages: dict[str, str] = {}
        blocks = []
        reexports = ""
        for name in names:
            body, exports = self._body(name, packages)
            own = self._objects[name]
            blocks.append(f"const {own} = {{}};\n{{\n{body}\nObject.assign({own}, {{ {', '.join(exports)} }});\n}}\n")
            if name == replaced:
                reexports = _reexports(own, exports)
        objects = ", ".join(self._objects[name] for name in names)
        imports = self._package_imports(packages) + self._file_imports(names)
        return f"{imports}{''.join(blocks)}export {{ {objects} }};\n{reexports}"

    def entry(self, name: str) -> str:
        """Return the text of a module that is not bundled with others."""
        packages: dict[str, str] = {}
        body, _ = self._body(name, packages)
        return f"{self._package_imports(packages)}{self._file_imports([name])}{body}\n"

    def stub(self, name: str) -> str:
        """Return the text of a module that re-exports a bundled one."""
        _, exports = self._body(name, {})
        own = self._objects[name]
        return f'import {{ {own} }} from "{self._prefix}{self._files[name]}";\n{_reexports(own, exports)}'

    def _package_imports(self, packages: Mapping[str, str]) -> str:
        """Return the imports of packages, given with the names of their objects."""
        imports = ((name, self._prefix + self._bare[package]) for package, name in packages.items())
        return "".join(f'import * as {name} from "{url}";\n' for name, url in imports)

    def _file_imports(self, names: Sequence[str]) -> str:
        """Return the imports that these modules need from other bundled files."""
        needed: dict[str, dict[str, None]] = {}
        for name in names:
            for target in _imports(name, self._modules[name], self._bare):
                if target not in names:
                    needed.setdefault(self._files[target], {})[self._objects[target]] = None
        return "".join(
            f'import {{ {", ".join(objects)} }} from "{self._prefix}{file}";\n' for file, objects in needed.items()
        )

    def _lazy_address(self, name: str) -> str:
        """Return the address of a lazy module."""
        return self._prefix + (replacement_name(self._page, name) if name.startswith(_OURS) else name)

    def _body(self, name: str, packages: dict[str, str]) -> tuple[str, list[str]]:
        """Return a module's text without imports and exports, and its exports as properties of an object.

        The packages that it imports are added to `packages`, with the names of their objects.
        """
        exports: list[str] = []

        def imported(found: re.Match[str]) -> str:
            if found[2] in self._bare:
                source = packages.setdefault(found[2], f"v{len(packages)}")
            else:
                source = self._objects[_resolved(name, found[2])]
            return f"const {{{(found[1] or '').replace(' as ', ': ')}}} = {source};"

        def exported(found: re.Match[str]) -> str:
            exports.append(f"default: {found[3]}" if found[1] else found[3])
            return f"{found[2]} {found[3]}"

        def reexported(found: re.Match[str]) -> str:
            pairs = [pair.split(" as ") for pair in re.split(r",\s*", found[1].strip(" ,\n"))]
            exports.extend(f"{pair[-1].strip()}: {pair[0].strip()}" for pair in pairs)
            return ""

        body = _COMMENT.sub("", self._modules[name])
        body = _REEXPORT.sub(reexported, _EXPORT.sub(exported, _IMPORT.sub(imported, body)))
        body = _LAZY_IMPORT.sub(lambda found: f'import("{self._lazy_address(_resolved(name, found[1]))}")', body)
        if remaining := _REMAINING.search(body):
            raise BundleError(f"{name} has a line that cannot be bundled: {remaining[0]}")
        return body.strip(), exports


def _reexports(module: str, exports: Sequence[str]) -> str:
    """Return statements that export the properties of a bundled module's object under their own names."""
    names = [export.split(":")[0] for export in exports]
    lines = [f"const e{number} = {module}.{name};" for number, name in enumerate(names)]
    listed = ", ".join(f"e{number} as {name}" for number, name in enumerate(names))
    return "\n".join(lines) + f"\nexport {{ {listed} }};\n"


def _resolved(name: str, target: str) -> str:
    return posixpath.normpath(f"{posixpath.dirname(name)}/{target}")
