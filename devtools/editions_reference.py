"""Writes docs/editions-reference.md from the schema of `edition.toml`: `python -m devtools.editions_reference`.

The words about effects and functions are those of the editor.
"""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from server.editions import schema
from server.editions.formulas.compiler import EFFECT_PHASES
from server.editions.formulas.meaning import EFFECTS, Formula, FramePart, Name
from server.editions.starter import common_rules
from server.scoring.rules import Phase

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic.fields import FieldInfo

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "editions-reference.md"
_EDITOR = ROOT / "web" / "texts" / "en" / "editions.json"
_INTRODUCTION = """# Reference of edition.toml

[Editions](editions.md) explains with examples how to write an edition. This page is written by
`python -m devtools.editions_reference`."""
_TEXTS = "text per language"
_NAMED = {
    schema.Slug: "slug",
    schema.RuleKey: "key",
    Name: "name",
    schema.Texts: _TEXTS,
    dict[schema.Language, str]: _TEXTS,
    schema.Colour: "colour",
    schema.Number: "number",
    schema.CaseScore: 'number or "out"',
    schema.Language: "language",
    Formula: "formula",
    str: "text",
    int: "whole number",
    bool: "true or false",
    Any: "value",
}
"""Words for the types of the schema."""


def reference() -> str:
    """Return the page."""
    effects, functions = (json.loads(_EDITOR.read_text("utf-8"))["editions"][part] for part in ("effects", "functions"))
    blocks = [_INTRODUCTION, *_models(), "## Effects and phases"]
    blocks.append("The phases in their usual order, with the effects that act in each:")
    rows = ["| phase | effects |", "|---|---|"]
    for phase in Phase:
        acting = [f"`{name}` ({effects[name]})" for name in EFFECTS if EFFECT_PHASES[name] is phase]
        rows.append(f"| {phase.name} | {', '.join(acting) or '`give`, if it looks at other hands'} |")
    blocks += ["\n".join(rows), "## Functions of formulas"]
    rows = ["| function | value |", "|---|---|"]
    rows += [f"| `{one['call']}` | {_with_code(one['help'])} |" for one in functions.values()]
    blocks += [
        "\n".join(rows),
        "## Twenty common rules",
        "The editor offers these; the rule of the last but one is here 18.",
    ]
    rows = ["| the card says | the rule |", "|---|---|", *map(_common_rule, common_rules())]
    return "\n\n".join([*blocks, "\n".join(rows)]) + "\n"


def _models() -> Iterator[str]:
    """Yield a section for each table of the file, the file itself first."""
    waiting: list[type[BaseModel]] = [schema.EditionFile]
    for model in waiting:  # grows while the sections are written
        yield f"## {_title(model)}"
        yield (inspect.getdoc(model) or "").replace("\n\n", "\0").replace("\n", " ").replace("\0", "\n\n")
        # Families and rules share the fields of a frame, which has a section of its own.
        shared = FramePart.model_fields.keys() if issubclass(model, FramePart) and model is not FramePart else set()
        rows = ["| field | value |", "|---|---|"]
        rows += [f"| `{name}` | {_value(field)} |" for name, field in model.model_fields.items() if name not in shared]
        if shared:
            rows.append(f"| … | all fields of [{_title(FramePart)}](#{_anchor(FramePart)}) |")
        yield "\n".join(rows)
        found = [inner for field in model.model_fields.values() for inner in _tables(field.annotation)]
        found += [FramePart] if shared else []
        waiting += [one for one in dict.fromkeys(found) if one not in waiting]


def _common_rule(rule: dict[str, Any]) -> str:
    """Return the row of a common rule, about tea, cake and plates."""
    numbers, wording = rule.get("numbers", {}), rule["text"]["en"]
    for name, value in {**numbers, "tea": "tea", "cake": "cake", "plate": "plates", "rule": 18}.items():
        wording = wording.replace(f"{{{name}}}", str(value))
    lines = []
    for name, value in rule.items():
        if name in {"worth", "cap"}:
            lines += [f"{name}.{card} = {_stated(formula, numbers)}" for card, formula in value.items()]
        elif name not in {"name", "text", "numbers"}:
            lines.append(f"{name} = {_stated(value, numbers)}")
    code = "<br>".join(f"`{line}`" for line in lines).replace('["rule"]', "[18]")
    return f"| {wording} | {code} |"


def _stated(value: object, numbers: dict[str, int]) -> str:
    """Return a value of a rule as TOML, with the rule's numbers in its formulas."""
    if isinstance(value, list):
        return f"[{', '.join(_stated(one, numbers) for one in value)}]"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{name} = {_stated(one, numbers)}' for name, one in value.items())} }}"
    text = re.sub(r"\w+", lambda word: str(numbers.get(word[0], word[0])), str(value))
    return text if re.fullmatch(r"-?\d+", text) else f'"{text}"'


def _title(model: type[BaseModel]) -> str:
    words = re.sub(r"(?<!^)([A-Z])", r" \1", model.__name__.removesuffix("Part")).lower()
    return words.capitalize()


def _anchor(model: type[BaseModel]) -> str:
    return _title(model).lower().replace(" ", "-")


def _tables(kind: object) -> list[type[BaseModel]]:
    """Return the tables in a type."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return [kind]
    return [found for inner in get_args(kind) for found in _tables(inner)]


def _value(field: FieldInfo) -> str:
    """Describe the values of a field, its least value, and its default."""
    # Pydantic takes the outer annotation apart.
    whole = Annotated[field.annotation, *field.metadata] if field.metadata else field.annotation
    words = [_words(whole)]
    words += [f"at least {one.ge}" for one in field.metadata if hasattr(one, "ge")]
    default = field.get_default(call_default_factory=True)
    if field.is_required():
        words.append("**required**")
    elif default is not PydanticUndefined and not (default is None or default in ([], {})):
        words.append(f"default: `{json.dumps(default)}`")
    return ", ".join(words)


def _words(kind: Any) -> str:  # noqa: ANN401 - any type of the schema
    origin, inner = get_origin(kind), get_args(kind)
    words = next((words for named, words in _NAMED.items() if named == kind), "")
    if words:
        return words
    if origin is Literal:
        words = " or ".join(f"`{json.dumps(one)}`" for one in inner)
    elif origin is Annotated:
        words = _words(inner[0])
    elif origin in {Union, UnionType}:
        words = " or ".join(dict.fromkeys(_words(one) for one in inner if one is not type(None)))
    elif origin is list:
        words = f"list of: {_words(inner[0])}"
    elif origin is dict:
        words = f"table, by {_words(inner[0])}, of: {_words(inner[1])}"
    else:
        words = f"[{_title(kind).lower()}](#{_anchor(kind)})"
    return words


def _with_code(words: str) -> str:
    """Mark an example of a formula at the end of a sentence as code."""
    return re.sub(r"(?<=: )(\w+\(.*\))(?=\.$)", r"`\1`", words)


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
