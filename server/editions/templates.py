"""Cards and groups that are written once for many values, such as `slug = "{suit}-{rank}"`."""

from __future__ import annotations

import re
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from server.editions.checks import suggestion
from server.editions.translations import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Table = dict[str, Any]
    Choice = Mapping[str, Table]
    """The value that is chosen for each name."""

_PLACEHOLDER = re.compile(r"\{([a-z]\w*)\}")
_LANGUAGE = re.compile(r"[a-z]{2}")
_MOST = 1000
"""Most items of a list with templates."""
_MAX_CHARACTERS = 2_000_000
_MAX_ENTRIES = 10_000
"""Limits of all texts and lists that templates make."""


class TemplateError(Exception):
    """A mistake in a template: the path to it, and a sentence."""

    def __init__(self, path: tuple[str, ...], sentence: str) -> None:
        super().__init__(sentence)
        self.path = path


class _Limits:
    """Counts characters and entries of lists, and raises TemplateError for too many."""

    def __init__(self) -> None:
        self._characters = self._entries = 0

    def add(self, characters: int, entries: int = 0) -> None:
        self._characters += characters
        self._entries += entries
        if self._characters > _MAX_CHARACTERS or self._entries > _MAX_ENTRIES:
            raise TemplateError(
                ("values",),
                Sentence(
                    "make more than {characters} characters or {entries} entries of lists "
                    "with all templates; use fewer or shorter ones",
                    characters=_MAX_CHARACTERS,
                    entries=_MAX_ENTRIES,
                ),
            )


def expand_templates(document: Table, values: Mapping[str, Any]) -> Table:
    """Return the document with an item for each value of its templates; TemplateError for the first mistake."""
    result = dict(document)
    limits = _Limits()
    for part in ("groups", "cards"):
        if isinstance(result.get(part), list):
            result[part] = _expanded(part, result[part], values, limits)
    if isinstance(result.get("rules"), list):
        result["rules"] = [_with_lists(rule, values, limits) for rule in result["rules"]]
    return result


def _expanded(part: str, items: list[Any], values: Mapping[str, Any], limits: _Limits) -> list[Any]:
    """Return the items of a list with those of its templates."""
    result: list[Any] = []
    for item in items:
        result += _items(part, item, values, limits)
        if len(result) > max(_MOST, len(items)):
            raise TemplateError((part,), Sentence("are more than {most} with those of templates", most=_MOST))
    return result


def template_names(item: Table, values: Mapping[str, Any]) -> list[str]:
    """Return the slugs of all items of a template; none if there is a mistake."""
    try:
        slugs = [one["slug"] for one in _items("", {"slug": item["slug"]}, values, _Limits())]
    except TemplateError:
        return []
    return slugs if slugs != [item["slug"]] else []


def _items(part: str, item: object, values: Mapping[str, Any], limits: _Limits) -> list[Any]:
    slug = item.get("slug") if isinstance(item, dict) else None
    if not isinstance(item, dict) or not isinstance(slug, str):
        return [item]
    return [_filled(item, "", choice, limits) for choice in _choices(slug, values, (part, slug, "slug"))]


def _with_lists(rule: object, values: Mapping[str, Any], limits: _Limits) -> object:
    """Return a rule whose lists have all names of their templates."""
    if not isinstance(rule, dict) or not isinstance(rule.get("lists"), dict):
        return rule
    lists: Table = {}
    for name, slugs in rule["lists"].items():
        lists[name] = slugs
        if isinstance(slugs, list) and any(isinstance(slug, str) and "{" in slug for slug in slugs):
            place = ("rules", str(rule.get("key")), "lists", name)
            lists[name] = []
            for slug in slugs:
                for choice in _choices(str(slug), values, place):
                    limits.add(0, 1)
                    lists[name].append(_filled(slug, "", choice, limits))
    return {**rule, "lists": lists}


def _choices(slug: str, values: Mapping[str, Any], place: tuple[str, ...]) -> Iterator[Choice]:
    """Yield a value for each name in braces, in all combinations; the last changes first."""
    names = list(dict.fromkeys(found[1] for found in _PLACEHOLDER.finditer(slug)))
    for name in names:
        if name not in values:
            raise TemplateError(
                place, Sentence("there are no values '{name}'{hint}", name=name, hint=suggestion(name, values))
            )
    listed = [[_value(name, value) for value in _list(name, values)] for name in names]
    if prod(map(len, listed)) > _MOST:
        raise TemplateError(
            place,
            Sentence("is a template of {number} items (at most {most})", number=prod(map(len, listed)), most=_MOST),
        )
    for chosen in product(*listed):
        yield dict(zip(names, chosen, strict=True))


def _list(name: str, values: Mapping[str, Any]) -> list[Any]:
    if not isinstance(values[name], list):
        raise TemplateError(
            ("values", name), Sentence('must be a list, such as [2, 3, {{ slug = "jack", en = "Jack" }}]')
        )
    found: list[Any] = values[name]
    return found


def _value(name: str, value: object) -> Table:
    """Return a value as a table with a slug."""
    if isinstance(value, dict) and isinstance(value.get("slug"), str):
        return value
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return {"slug": str(value), "worth": value, "motif": str(value)}
    raise TemplateError(
        ("values", name), Sentence('must have numbers, slugs, or tables such as {{ slug = "jack", en = "Jack" }}')
    )


def _filled(value: Any, key: str, choice: Choice, limits: _Limits) -> Any:  # noqa: ANN401 - any value of the file
    """Return a value of an item with its placeholders filled in."""
    if isinstance(value, dict):
        return {name: _filled(inner, name, choice, limits) for name, inner in value.items()}
    if isinstance(value, list):
        limits.add(0, len(value))
        return [_filled(inner, "", choice, limits) for inner in value]
    if not isinstance(value, str):
        return value
    limits.add(len(value))
    alone = _PLACEHOLDER.fullmatch(value) if key == "worth" else None
    if alone and (name := _name(alone[1], choice)):
        return _field(choice, name, alone[1][len(name) + 1 :] or "worth")
    return _PLACEHOLDER.sub(lambda found: _text(found, key, choice, limits), value)


def _name(placeholder: str, choice: Choice) -> str | None:
    """Return the name of the value that a placeholder, such as `suit` or `suit_motif`, shows."""
    return next((name for name in choice if placeholder == name or placeholder.startswith(f"{name}_")), None)


def _text(found: re.Match[str], key: str, choice: Choice, limits: _Limits) -> str:
    name = _name(found[1], choice)
    if name is None:
        return found[0]
    texts = any(_LANGUAGE.fullmatch(other) for other in choice[name])
    plain = key if texts and _LANGUAGE.fullmatch(key) else "slug"
    text = str(_field(choice, name, found[1][len(name) + 1 :] or plain))
    limits.add(len(text))
    return text


def _field(choice: Choice, name: str, field: str) -> object:
    value = choice[name]
    if field not in value:
        raise TemplateError(
            ("values", name), Sentence("'{name}' has no {field}; add it", name=value["slug"], field=field)
        )
    return value[field]
