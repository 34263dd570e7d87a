"""A variant: the TOML of an edition that `extends` another, laid over the other's.

Parts of the same name are joined field by field, inside `numbers`, `says` and `lists` entry by entry; a text replaces
the other in all languages. Parts of a new name come last. `without` leaves parts out, and with a rule what only
belongs to it: its rulings, the tie-breaks that stand on it, and settings that no other rule uses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

PARTS = ("categories", "groups", "families", "settings", "facts", "parts", "cards", "rules", "ties")
"""The lists of a file whose items have names."""
_ENTRIES = ("numbers", "says", "lists")
_OWN = ("extends", "without")

Table = dict[str, Any]


def names_of(item: object) -> list[str]:
    """Return the names under which an item of a list is known: its key, or keys and effect, or slug, or name."""
    if not isinstance(item, dict):
        return []
    keys = item.get("keys")
    found = [item.get("key"), *(keys if isinstance(keys, list) else ()), item.get("effect") if keys else None]
    found += [item.get("slug"), item.get("name")]
    return [name for name in found if isinstance(name, str)]


def without(variant: Mapping[str, Any], part: str) -> frozenset[str]:
    """Return the names of a part of the other edition that a variant leaves out."""
    tables = variant.get("without")
    names = tables.get(part) if isinstance(tables, dict) else None
    return frozenset(str(name) for name in names) if isinstance(names, list) else frozenset()


def unknown_names(base: Mapping[str, Any], variant: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield part and name of each thing that a variant leaves out although the other edition has it not."""
    for part in PARTS:
        known = {name for item in base.get(part, []) for name in names_of(item)}
        for name in sorted(without(variant, part) - known):
            yield part, name


def merged(base: Mapping[str, Any], variant: Mapping[str, Any]) -> Table:
    """Return the document of a variant: `base` is the whole document of the edition that it extends."""
    document = {name: value for name, value in base.items() if name not in _OWN}
    _leave_out(document, variant)
    for name, value in variant.items():
        if (name in PARTS and isinstance(value, list)) or (name == "handout" and isinstance(value, list)):
            document[name] = _joined(document.get(name, []), value)
        elif name == "rulings" and isinstance(value, list):
            document[name] = [*document.get(name, []), *value]
        elif name == "players" and isinstance(value, dict):
            document[name] = {**document.get(name, {}), **value}
        else:
            document[name] = value
    return document


def _joined(base: list[Any], items: list[Any]) -> list[Any]:
    """Return the items of both lists; those of the same name are joined at the first one's place."""
    result = list(base)
    place = {name: index for index, item in enumerate(base) for name in names_of(item)[:1]}
    for item in items:
        index = next((place[name] for name in names_of(item)[:1] if name in place), None)
        if index is None:
            result.append(item)
        else:
            result[index] = _over(result[index], item)
    return result


def _over(base: Table, item: Table) -> Table:
    joined = {**base, **item}
    for field in _ENTRIES:
        if isinstance(base.get(field), dict) and isinstance(item.get(field), dict):
            joined[field] = {**base[field], **item[field]}
    return joined


def _leave_out(document: Table, variant: Mapping[str, Any]) -> None:
    before = set(_settings(document))
    for part in PARTS:
        gone = without(variant, part)
        if gone:
            document[part] = [left for item in document.get(part, []) if (left := _left(item, gone))]
    rules = without(variant, "rules")
    for part in ("rulings", "ties"):
        document[part] = [item for item in document.get(part, []) if item.get("rule") not in rules]
    unused = before - set(_settings(document))
    document["settings"] = [item for item in document.get("settings", []) if item.get("name") not in unused]
    kinds = without(variant, "cards") | without(variant, "groups")
    if kinds:
        document["rules"] = [_pruned(rule, kinds) for rule in document.get("rules", [])]


def _left(item: Table, gone: frozenset[str]) -> Table | None:
    """Return what is left of an item: one of several cards may go."""
    if not gone.intersection(names_of(item)):
        return item
    keys = [key for key in item.get("keys", []) if key not in gone]
    return {**item, "keys": keys} if keys and item.get("effect") not in gone else None


def _pruned(rule: Table, kinds: frozenset[str]) -> Table:
    lists = {name: [slug for slug in slugs if slug not in kinds] for name, slugs in rule.get("lists", {}).items()}
    return {**rule, "lists": lists} if lists else rule


def _settings(document: Mapping[str, Any]) -> Iterable[str]:
    return (name for rule in document.get("rules", []) for name in rule.get("settings", []))
