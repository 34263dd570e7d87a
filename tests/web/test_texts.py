"""All texts of the pages are there in every language, in the same shape, each in its own words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from server.app.assets import WEB
from tests.web.steps import served

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.house_process import HouseProcess

    Words = dict[str, dict[str, dict[str, list[str]]]]

LANGUAGES = ("en", "de", "fr")
PARTS = sorted(file.stem for file in (WEB / "texts" / "en").glob("*.js"))
COMMON = {
    *(
        "bridge",
        "confirmation",
        "confirmations",
        "decks",
        "edition",
        "enter",
        "esc",
        "haggle",
        "kilobyte",
        "letter",
        "live",
        "megabyte",
        "menu",
    ),
    *("minutes", "mini", "mm", "name", "pause", "pdf", "place", "points", "poker", "questions", "score", "total"),
    *("us", "version", "versions", "zoom"),
}
"""Words that are the same in English and in German or French."""
OTHER_NAMES = {
    "en": r"\bphotos?\b|\bhand out|freeze back|\bpoints? (?:is|are) ",
    "de": r"Telefon|Fotos?\b|Blatt|Blätter|Starth[aä]nd|\bdie Hand\b|verspätet|Jemand anders\b|auswähl|ausgewähl"
    r"|\bEnter\b|Einfrieren|(?<=[\w,] )(?:Sie|Ihnen|Ihre?[mnrs]?)\b|\bPunkte? (?:ist|sind) ",
    "fr": r"\bremett|\bremets|\bremis|\bregistre|\bmotif|\bmains? (?:de|compte|ne)|\bjeux\b|de soi-même|sans doute",
}
"""What the languages must not say, since the thing has another name, or since it would address people as strangers."""
CHAIN = r"((?:\??\.[A-Za-z_]\w*)*)"
NAMED = re.compile(rf"const (\w+|{{[\w, :]+}}) = (\w+){CHAIN};")
# For each part and language: what each name stands for, and the text or the function's source.
READ = served("""async ([languages, parts]) => {
  const read = (value, place, told) => {
    const inside = (name, one) => read(one, place ? `${place}.${name}` : name, told);
    if (typeof value === "function") told[place] = [`function of ${value.length}`, String(value)];
    else if (typeof value !== "object") told[place] = [typeof value, String(value)];
    else Object.entries(value).forEach(([name, one]) => inside(Array.isArray(value) ? `[${name}]` : name, one));
    return told;
  };
  const all = {};
  for (const part of parts) {
    all[part] = {};
    for (const language of languages) {
      const { default: words } = await import(`/assets/texts/${language}/${part}.js`);
      all[part][language] = read(words, "", {});
    }
  }
  return all;
}""")


@pytest.fixture(scope="module")
def words(browser: Browser, server: HouseProcess) -> Words:
    """Return all texts as the browser reads them."""
    context = browser.new_context(base_url=server.url)
    page = context.new_page()
    page.goto("/")
    told: Words = page.evaluate(READ, [LANGUAGES, PARTS])
    context.close()
    return told


def literals(kind: str, source: str) -> list[str]:
    """Return what is written out in a text: all of it, or what stands between the quotes of a function's source."""
    if kind == "string":
        return [source]
    pieces = [""]
    inside = ["{"]  # what is open: code, or a quote
    for place, sign in enumerate(source):
        if inside[-1] == "{":
            if sign in '"`{':
                inside.append(sign)
            elif sign == "}":
                inside.pop()
        elif sign == inside[-1]:
            inside.pop()
            pieces.append("")
        elif sign == "{" and inside[-1] == "`" and source[place - 1] == "$":
            inside.append(sign)
            pieces[-1] = pieces[-1][:-1] + "_"
        else:
            pieces[-1] += sign
    return [piece for piece in pieces if piece]


def test_every_language_has_every_part() -> None:
    """No part is missing in a language, and none is there that English has not."""
    for language in LANGUAGES:
        assert sorted(file.stem for file in (WEB / "texts" / language).glob("*.js")) == PARTS, language


@pytest.mark.parametrize("part", PARTS)
def test_the_languages_have_the_same_texts(words: Words, part: str) -> None:
    """The same names, each a text or a function of as many things; lists are as long."""
    shapes = {language: {name: kind for name, (kind, _) in words[part][language].items()} for language in LANGUAGES}
    assert shapes["de"] == shapes["en"]
    assert shapes["fr"] == shapes["en"]


@pytest.mark.parametrize("part", PARTS)
def test_nothing_is_left_in_english(words: Words, part: str) -> None:
    """No German or French text is the English one, but for words that both languages have."""
    left = []
    for language in ("de", "fr"):
        for name, (kind, text) in words[part][language].items():
            if words[part]["en"].get(name) == [kind, text]:
                said = {word.lower() for piece in literals(kind, text) for word in re.findall(r"[^\W\d_]{2,}", piece)}
                if said - COMMON:
                    left.append(f"{language}: {part}.{name}: {said - COMMON}")
    assert left == []


@pytest.mark.parametrize("part", PARTS)
def test_signs_are_set_as_in_print(words: Words, part: str) -> None:
    """Real apostrophes and quotation marks; in French a fixed space before signs of two parts."""
    wrong = []
    for language in LANGUAGES:
        for name, (kind, text) in words[part][language].items():
            for piece in literals(kind, text):
                found = re.findall(r"\w'\w", piece) + (['"'] if kind == "string" and '"' in piece else [])
                if language == "fr":
                    found += re.findall(r"\w ?[;!?](?=\s|$)|\w ?:\s|« | »", piece)
                if found:
                    wrong.append(f"{language}: {part}.{name}: {found} in {piece}")
    assert wrong == []


def test_a_deck_is_one_word_in_french(words: Words) -> None:
    """In French a deck is always a "paquet"; "jeu" is the game itself, or what a rule is in."""
    other = re.compile(r"(?<!Le )(?<!en )(?<!Hors )\bjeux?\b", re.IGNORECASE)
    found = {place: text for part in words.values() for place, (_, text) in part["fr"].items() if other.search(text)}
    assert found == {}


@pytest.mark.parametrize("part", PARTS)
def test_each_thing_has_one_name(words: Words, part: str) -> None:
    """A deck is no hand, a picture no photograph: no text says a word that another word stands for."""
    wrong = []
    for language, names in OTHER_NAMES.items():
        for name, (kind, text) in words[part][language].items():
            wrong += [
                f"{language}: {part}.{name}: {found} in {piece}"
                for piece in literals(kind, text)
                for found in re.findall(names, piece)
            ]
    assert wrong == []


def steps(chain: str) -> tuple[str, ...]:
    """Return the names in a chain: `?.kinds.late` is kinds, late."""
    return tuple(name for name in re.split(r"\??\.", chain) if name)


def named(source: str) -> set[tuple[str, ...]]:
    """Return what a module names of the texts; `words.kinds[kind]` names all kinds, and so does `words.kinds`."""
    roots: dict[str, set[tuple[str, ...]]] = {"texts": {()}}
    for names, root, chain in NAMED.findall(source):
        for base in {base + steps(chain) for base in roots.get(root, ())}:
            for one in names.strip("{}").split(","):
                name, _, local = one.strip().partition(": ")
                roots.setdefault(local or name, set()).add(base if names[0] != "{" else (*base, name))
    rest = NAMED.sub("", source)
    return {
        base + steps(chain)
        for root, bases in roots.items()
        for chain in re.findall(rf"(?<![\w$])(?<!\w\.){root}{CHAIN}", rest)
        for base in bases
        if base + steps(chain)
    }


def test_every_text_is_said_somewhere(words: Words) -> None:
    """No text is left over from before; those of problems come by the server's names for them."""
    said = {chain for file in (WEB / "app").rglob("*.js") for chain in named(file.read_text("utf-8"))}
    dead = []
    for part in PARTS:
        for name in words[part]["en"]:
            way = tuple(name.split(".[")[0].split("."))
            if way[0] != "problems" and not any(way[: len(one)] == one or one[: len(way)] == way for one in said):
                dead.append(f"{part}: {name}")
    assert dead == []


def test_a_kinds_name_is_put_into_french_as_a_name() -> None:
    """A colour's name agrees with nothing, so it stands in quotes: not "Cartes Vert"."""
    source = (WEB / "texts" / "fr" / "shared.js").read_text(encoding="utf-8")
    assert "cards: (name) => `Cartes «\u202f${name}\u202f»`" in source
