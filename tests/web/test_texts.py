"""All texts of the pages exist in every language, and everything that the server reports has a text."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache

import pytest

from cardgen.cards import SIZES
from cardgen.fonts import TextError
from cardgen.pages.paper import PaperError
from server.api.problems import problem_of_status
from server.games.lifecycle.settings import ACTS, MODES
from server.games.photos.scan_queue import PhotoState
from server.web_app.assets import WEB

Words = dict[str, dict[str, dict[str, str]]]
Texts = Mapping[str, "Texts"] | Sequence["Texts"] | str

LANGUAGES = ("en", "de", "fr")
PARTS = sorted(file.stem for file in (WEB / "texts" / "en").glob("*.json"))
COMMON = (
    "active bridge confirmation confirmations decks edition enter esc haggle kilobyte letter live megabyte menu minute"
    " minutes mini mm name pause pdf pile place point points poker questions score symbol text total us version"
    " versions zoom"
)
"""Words that are the same in English and in German or French."""
OTHER_NAMES = {
    "en": r"\bphotos?\b|\bhand out|freeze back|\bpoints? (?:is|are) ",
    "de": r"Telefon|Fotos?\b|Blatt|Blätter|Starth[aä]nd|\bdie Hand\b|verspätet|Jemand anders\b|auswähl|ausgewähl"
    r"|\bEnter\b|Einfrieren|Spielende|Kartensorte|Kartenart|\bPerson(?:en)?\b|Tisch der|am Tisch\b"
    r"|(?<=[\w,] )(?:Sie|Ihnen|Ihre?[mnrs]?)\b|\bPunkte? (?:ist|sind) ",
    "fr": r"\bremett|\bremets|\bremis|\bregistre|\bmotif|\bmains? (?:de|compte|ne)|de soi-même|sans doute"
    r"|cartes?-règle|\b[Vv](?:ous|otre|os)\b|(?<!Le )(?<!Un )(?<!en )(?<!Hors )(?<!franc )\b[Jj]eux?\b",
}
"""Words that must not be used: other names for the same things, and formal address."""
ELSEWHERE = {
    *("invalid-hands", "piece-not-a-picture", "piece-outside", "taken", "unknown-edition", "unreadable"),
}
"""Problems that only programs and commands get."""
CHAIN = r"((?:\??\.[A-Za-z_]\w*)*)"
NAMED = re.compile(rf"const (\w+|{{[\w, :]+}}) = (\w+){CHAIN};")


def texts_in(texts: Texts, path: str = "") -> dict[str, str]:
    """Return the messages of a catalogue by their paths."""
    if isinstance(texts, str):
        return {path: texts}
    items = enumerate(texts) if isinstance(texts, Sequence) else texts.items()
    return {at: text for name, value in items for at, text in texts_in(value, f"{path}.{name}".strip(".")).items()}


@pytest.fixture(scope="module")
def words() -> Words:
    """Return all texts."""
    files = {part: {one: WEB / "texts" / one / f"{part}.json" for one in LANGUAGES} for part in PARTS}
    return {
        part: {one: texts_in(json.loads(file.read_text("utf-8"))) for one, file in of.items()}
        for part, of in files.items()
    }


def literals(message: str) -> list[str]:
    """Return the pieces of literal text in an ICU message, with "_" for each argument."""
    found: list[str] = []
    inside: list[str | None] = [""]  # None for an argument, whose cases contain texts
    for sign in re.split("([{}])", message):
        if sign == "{":
            inside.append("" if inside[-1] is None else None)
        elif sign == "}":
            text = inside.pop()
            if text is None:
                inside[-1] = f"{inside[-1]}_"
            else:
                found.append(text)
        elif inside[-1] is not None:
            inside[-1] += sign
    return [piece for piece in (*inside, *found) if piece]


def test_texts_use_the_words_and_punctuation_of_their_language(words: Words) -> None:
    """Nothing is left in English, punctuation is typographic, and each thing has one name."""
    wrong = []
    for part in PARTS:
        for language in LANGUAGES:
            for name, text in words[part][language].items():
                pieces = literals(text)
                found = [found for piece in pieces for found in re.findall(OTHER_NAMES[language], piece)]
                if language != "en" and words[part]["en"].get(name) == text:
                    used = {word.lower() for piece in pieces for word in re.findall(r"[^\W\d_]{2,}", piece)}
                    found += sorted(used - {*COMMON.split()})
                for piece in pieces:
                    found += re.findall(r"\w'\w", piece) + re.findall('"', piece)
                    if language == "fr":  # a narrow no-break space before signs of two parts
                        found += re.findall(r"(?<=[^\u202f])[;!?»]|(?<=[^\u202f]):(?=\s|$)|«(?!\u202f)", piece)
                wrong += [f"{language}: {part}.{name}: {found} in {text}"] if found else []
    assert wrong == []
    # A colour's name agrees with nothing, so it is quoted: not "Cartes Vert".
    assert "«\u202f{name}\u202f»" in words["shared"]["fr"]["lines.cards"]


def names_in(chain: str) -> tuple[str, ...]:
    """Return the names in a chain: `?.kinds.late` is kinds, late."""
    return tuple(name for name in re.split(r"\??\.", chain) if name)


def used_texts(source: str) -> set[tuple[str, ...]]:
    """Return what a module names of the texts; `words.kinds[kind]` names all kinds, and so does `words.kinds`."""
    roots: dict[str, set[tuple[str, ...]]] = {"texts": {()}}
    for names, root, chain in NAMED.findall(source):
        for base in {base + names_in(chain) for base in roots.get(root, ())}:
            for one in names.strip("{}").split(","):
                name, _, local = one.strip().partition(": ")
                roots.setdefault(local or name, set()).add(base if names[0] != "{" else (*base, name))
    rest = NAMED.sub("", source)
    return {
        base + names_in(chain)
        for root, bases in roots.items()
        for chain in re.findall(rf"(?<![\w$])(?<!\w\.){root}{CHAIN}", rest)
        for base in bases
        if base + names_in(chain)
    }


def test_every_text_is_used(words: Words) -> None:
    """Texts of problems are looked up by the server's slugs."""
    used = {chain for file in (WEB / "app").rglob("*.[jt]s*") for chain in used_texts(file.read_text("utf-8"))}
    dead = []
    for part in PARTS:
        for name in words[part]["en"]:
            way = tuple(name.split("."))
            if way[0] != "problems" and not any(way[: len(one)] == one or one[: len(way)] == way for one in used):
                dead.append(f"{part}: {name}")
    assert dead == []


@cache
def calls(folder: str) -> list[tuple[str, ast.Call]]:
    """Return all calls in a folder of the product, each with the bare name of what is called."""
    trees = (ast.parse(file.read_text("utf-8")) for file in sorted((WEB.parent / folder).rglob("*.py")))
    found = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [(getattr(call.func, "id", ""), call) for call in found]


def text_of(node: ast.expr | None) -> str:
    """Return a string literal's value, or ""."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def slugs() -> set[str]:
    """Return the problems that the server's source names."""
    found = {problem_of_status(status).slug for status in (400, 404, 405, 408, 413, 415, 500, 503)}
    for name, call in calls("server"):
        if name == "DomainError" and len(call.args) > 1:
            found.add(text_of(call.args[0]))
        if name == "Problem" and len(call.args) > 2:
            found.add(text_of(call.args[1]))
    return found - {""}


def slugs_with_other_texts() -> dict[str, str]:
    """Return the problems that pages show with the text of another one."""
    source = (WEB / "app" / "shared" / "http.ts").read_text(encoding="utf-8")
    table = re.findall(r"const SAME_TEXT.*?= \{(.*?)\};", source, re.DOTALL)[0]
    return {slug.strip('"'): other for slug, other in re.findall(r'(\S+): "(\S+)"', table)}


def causes() -> set[str]:
    """Return the causes that the source names with a problem, as slug/cause."""
    found = {f"cannot-print/{error('').why}" for error in (PaperError, TextError)}
    for name, call in calls("server"):
        if name == "_wrong" and len(call.args) > 1:
            found.add(f"wrong-setting/{text_of(call.args[0])}")
        if name == "DomainError" and len(call.args) > 2 and isinstance(call.args[2], ast.Dict):
            members = {
                text_of(key): text_of(value) for key, value in zip(call.args[2].keys, call.args[2].values, strict=True)
            }
            found |= {f"{text_of(call.args[0])}/{members['why']}"} if members.get("why") else set()
    for name, call in calls("cardgen"):
        if name in {"PaperError", "TextError", "RoomError"}:
            found |= {f"cannot-print/{text_of(one.value)}" for one in call.keywords if one.arg == "why"}
    return {cause for cause in found if not cause.startswith("wrong-code/")}  # its words choose by themselves


def reasons(*errors: str) -> set[str]:
    """Return the reasons for which pictures are not read, as these errors give them."""
    raised = [call for name, call in (*calls("server"), *calls("scanner")) if name in errors and call.args]
    return {text_of(call.args[0]) for call in raised} - {""}


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_the_server_names_has_a_text(words: Words, language: str) -> None:
    """Problems, causes, reasons of unread pictures, settings and states have texts, and there are no others."""

    def group(place: str, *parts: str) -> set[str]:
        names = [name for part in parts or PARTS for name in words[part][language]]
        return {name.removeprefix(f"{place}.").split(".")[0] for name in names if name.startswith(f"{place}.")}

    texts_of_problems, named_slugs, named_causes = group("problems"), slugs(), causes()
    assert {"no-photo", "internal", "not-published"} <= named_slugs
    others = slugs_with_other_texts()
    assert {*others} <= named_slugs
    assert {*others.values()} <= texts_of_problems
    assert named_slugs - texts_of_problems == ELSEWHERE | {*others}
    assert {"wrong-setting/passed", "wrong-setting/edition", "cannot-print/used-places"} <= named_causes
    assert named_causes == {name for name in texts_of_problems if "/" in name}
    # A cause without a title has that of its problem, which must be loaded with it: all desk pages load "organiser".
    for part in PARTS:
        bases = {name.partition("/")[0] for name in group("problems", part)}
        assert bases <= group("problems", part, "organiser"), part
    # A busy server tries again, and no page but the first is asked for; players' files were looked at when they came.
    scans, files = reasons("PhotoError", "ScanError") - {"busy", "no-such-page"}, reasons("ImageError")
    assert {"truncated", "several-pages", "too-slow", "missing"} <= scans
    assert scans | files <= group("queue.why", "queue") | group("problems", "queue", "organiser")
    assert scans - {"too-many-bytes", "too-many-pages"} <= group("reasons", "deck") | group("problems", "deck")
    assert files <= texts_of_problems
    fields = group("games.form", "games") | group("games.form.short", "games")
    assert set(ACTS) <= group("audit.names", "results") | fields
    assert group("audit.values.pictures", "results") == set(PhotoState)
    assert group("games.form.modes", "games") == set(MODES)
    assert group("games.form.sizes", "games") == set(SIZES)
