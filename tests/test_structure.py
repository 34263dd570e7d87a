"""Limits on the size of packages and modules, and common words in names."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from pathlib import Path

from spellchecker import SpellChecker

ROOT = Path(__file__).parents[1]
PRODUCT = ("cardgen", "scanner", "server")
EDITIONS = re.compile(r"server/editions/[a-z]+_")
MAX_MODULES = 15
MAX_LINES = 500
TERMS = {
    "api",
    "app",
    "asgi",
    "auth",
    "backends",
    "codebook",
    "config",
    "homography",
    "idempotency",
    "int",
    "json",
    "middleware",
    "openapi",
    "pwa",
    "pyzbar",
    "qr",
    "serializer",
    "serializers",
    "utc",
    "zxing",
}
"""Technical terms that the word list lacks."""


def modules() -> list[Path]:
    files = (file for package in PRODUCT for file in sorted((ROOT / package).rglob("*.py")))
    return [file.relative_to(ROOT) for file in files if "migrations" not in file.parts]


def scripts() -> list[Path]:
    files = (file for part in ("app", "live") for file in sorted((ROOT / "web" / part).rglob("*.[jt]s*")))
    return [file.relative_to(ROOT) for file in files]


def test_packages_have_a_limited_number_of_modules() -> None:
    files = (*modules(), *(file for file in scripts() if ".test." not in file.name))
    packages = Counter(file.parent for file in files if file.name != "__init__.py")
    assert {str(package): number for package, number in packages.items() if number > MAX_MODULES} == {}


def test_modules_have_a_limited_length() -> None:
    lengths = {str(file): len((ROOT / file).read_text("utf-8").splitlines()) for file in (*modules(), *scripts())}
    assert {file: length for file, length in lengths.items() if length > MAX_LINES} == {}


def test_class_names_are_unique() -> None:
    found = defaultdict(list)
    for file in modules():
        for node in ast.parse((ROOT / file).read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(str(file))
    assert {name: files for name, files in found.items() if len(files) > 1} == {}


def test_names_consist_of_english_words_and_glossary_terms() -> None:
    names = set()
    for file in modules():
        if EDITIONS.match(str(file)):
            continue
        names |= {file.stem} - {"__init__"}
        tree = ast.parse((ROOT / file).read_text("utf-8"))
        names |= {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    parts = {name: re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name) for name in names}
    words = {word.lower() for found in parts.values() for word in found}
    rows = re.findall(r"^\|([^|]+)\|", (ROOT / "docs" / "glossary.md").read_text("utf-8"), re.MULTILINE)
    glossary = {word for row in rows for word in re.findall(r"[a-z]+", row.lower())}
    unknown = SpellChecker().unknown(words) - TERMS - glossary
    assert {name for name, found in parts.items() if unknown & {word.lower() for word in found}} == set()
