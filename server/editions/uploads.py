"""Uploaded editions: data only, in one TOML file or in a ZIP file with texts and symbols beside it, and never code.

An uploaded edition is named by its content, `tea@` and a digest, so that a game that names it always gets the same one.
To be loaded like others, its files are copied into a private folder of this process and its children.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
import stat
import tempfile
import threading
import unicodedata
import zipfile
import zlib
from multiprocessing.util import Finalize
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

from server.editions.lint import error_finding, lint_edition
from server.editions.loader import read_edition
from server.editions.registry import COPIES, FILE, RULES, edition_folders
from server.editions.source import read_toml, readable_place
from server.editions.source_lines import EditionFinding, SourceLines, names_of
from server.editions.starter import NAME, RESERVED
from server.editions.symbols import ENDING, SYMBOLS_FOLDER, symbol_files
from server.editions.translations import Sentence, translated
from server.scoring.errors import EditionError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MAX_BYTES = 500_000
"""Size limit of an upload, and of all its unpacked files together."""
MAX_FILES = 60
MAX_ITEMS = 600
"""Most items of each list, such as cards or rules, and most `keys` of all rules."""
MAX_ENTRIES = 10_000
"""Most items of all lists together."""
MAX_TEXT_LENGTH = 10_000
MAX_SLUG_LENGTH = 60
TEXTS = (".md", ".txt")
"""Endings of texts that may be beside `edition.toml`, such as a licence."""
_SYMBOL = re.compile(rf"{SYMBOLS_FOLDER}/[a-z][a-z0-9-]*{re.escape(ENDING)}")
"""The names of the files of symbols."""

_MAX_PARTS = 200
"""Most members of a ZIP file, with folders and the files that macOS adds."""
_MAX_NAME_LENGTH = 100
_ENCRYPTED = 0x1

# Characters that reverse or hide text.
_HIDDEN = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")

# Fields of `str.format`, which could read attributes or be very wide.
_PLACEHOLDER = re.compile(r"(?<!\{)(?:\{\{)*\{([^{}]*)")
_FORMS = re.compile(r":[^|:!]{0,99}\|[^|:!]{0,99}$")
_MAX_DEPTH = 12

# A dotted key that is deeper, for which tomllib takes very long. (Such a text is refused too.)
_WORD = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_DEEP_KEY = re.compile(rf"(?<![\w-]){_WORD}(?:[ \t]*+\.[ \t]*+{_WORD}){{{_MAX_DEPTH}}}", re.ASCII)
_SLUG = re.compile(r"""^slug[ \t]*=[ \t]*(["'])(.{1,100}?)\1""", re.MULTILINE)
_installing = threading.Lock()


class UploadFinding(NamedTuple):
    """A mistake in an upload: file, line and column from 1 (0 if unknown), field, and a sentence."""

    file: str
    line: int
    column: int
    field: str
    detail: str
    hint: bool = False

    def in_language(self, language: str) -> UploadFinding:
        """Return the finding with its sentence in a language."""
        return self._replace(file=translated(self.file, language), detail=translated(self.detail, language))

    def __str__(self) -> str:
        place = ":".join([self.file, *(str(number) for number in (self.line, self.column) if number)])
        return f"{place}: {self.field}{': ' if self.field else ''}{self.detail}"


class UploadError(EditionError):
    """An upload that is refused because of a single mistake."""

    def __init__(self, detail: str, file: str = "", line: int = 0, field: str = "") -> None:
        finding = UploadFinding(file, line, 0, field, detail)
        super().__init__(str(finding) if file else detail)
        self.finding = finding


class UploadedEdition(NamedTuple):
    """A checked upload: its slug and title, and mistakes; with any but hints it cannot be used."""

    slug: str
    title: str
    findings: tuple[UploadFinding, ...]

    @property
    def usable(self) -> bool:
        """Return whether there are only hints."""
        return all(finding.hint for finding in self.findings)


def unpack_upload(data: bytes) -> dict[str, str]:
    """Return the files of an upload by name: of a TOML file, or of a ZIP file with more. UploadError."""
    if len(data) > MAX_BYTES:
        raise UploadError(
            Sentence("is too large; an edition has at most {most} kB", most=MAX_BYTES // 1000), Sentence("the file")
        )
    files = _unzipped(data) if data.startswith(b"PK") else {FILE: data}
    if FILE not in files:
        raise UploadError(
            Sentence("has no {file}; put it into the ZIP file, at the top or in its only folder", file=FILE),
            Sentence("the ZIP file"),
        )
    return {name: _decoded(name, content) for name, content in sorted(files.items())}


def check_copy(name: str, files: Mapping[str, Any]) -> None:
    """Check names, sizes and slug of files that were not unpacked here, such as those of an archive. UploadError."""
    if not all(isinstance(text, str) for text in files.values()):
        raise UploadError(Sentence("has a file that is no text"), Sentence("the edition"))
    if FILE not in files or len(files) > MAX_FILES:
        raise UploadError(
            Sentence("needs one {file}, and at most {most} files", file=FILE, most=MAX_FILES), Sentence("the edition")
        )
    for file in files:
        _check_name(file)
    if sum(len(text.encode("utf-8", "surrogatepass")) for text in files.values()) > MAX_BYTES:
        raise UploadError(
            Sentence("is too large; it has at most {most} kB", most=MAX_BYTES // 1000), Sentence("the edition")
        )
    try:
        found = name_of(files)
    except UnicodeEncodeError:
        raise UploadError(Sentence("has half a character; it is no text"), Sentence("the edition")) from None
    if found != name:
        raise UploadError(Sentence("is not the edition {name}", name=format(name, ".100")), Sentence("the edition"))


def slug_of_files(files: Mapping[str, str]) -> str:
    """Return the slug that the TOML states; UploadError if it states none, or no valid one."""
    found = _SLUG.search(files[FILE])
    slug = found[2] if found else ""
    line = files[FILE][: found.start()].count("\n") + 1 if found else 1
    if not NAME.fullmatch(slug) or slug in RESERVED or len(slug) > MAX_SLUG_LENGTH:
        sentence = Sentence('must be a name of small letters, digits and hyphens, such as slug = "my-edition"')
        raise UploadError(sentence, FILE, line, "slug")
    return slug


def with_slug(files: Mapping[str, str], slug: str) -> dict[str, str]:
    """Return the files of an edition under another slug."""
    return {**files, FILE: _SLUG.sub(f'slug = "{slug}"', files[FILE], count=1)}


def name_of(files: Mapping[str, str]) -> str:
    """Return the name of an uploaded edition, which follows from its content."""
    content = json.dumps(dict(files), sort_keys=True, ensure_ascii=False).encode()
    return f"{slug_of_files(files)}@{hashlib.sha256(content).hexdigest()[:32]}"


def check_upload(files: dict[str, str], *, own: bool = False, lint: bool = True) -> UploadedEdition:
    """Check an uploaded edition as `haggle editions check` does.

    `own` is true for one that is on this server already, whose slug may have been taken since. Without `lint`
    an edition only must have a size that is allowed, and be readable, so that newer checks do not refuse older copies.
    The calling process may be busy for long, or fail, if the edition is hostile.
    """
    slug = slug_of_files(files)
    with tempfile.TemporaryDirectory(prefix="haggle-upload-") as scratch:
        folder = Path(scratch).resolve() / slug
        write_files(folder, files)
        if deep := _DEEP_KEY.search(files[FILE]):
            line = files[FILE][: deep.start()].count("\n") + 1
            deep_key = UploadFinding(
                FILE, line, 0, "", Sentence("has a key of more than {most} words with dots", most=_MAX_DEPTH)
            )
            return UploadedEdition(slug, slug, (deep_key,))
        try:
            document = read_toml(folder / FILE)
            _check_document(document, files[FILE], slug, own=own)
        except UploadError as error:
            return UploadedEdition(slug, slug, (error.finding,))
        except EditionError:
            document = {}  # found again, with all other mistakes
        except (MemoryError, RecursionError):
            too_large = UploadFinding(FILE, 1, 0, "", Sentence("is too large or too deep to be read; simplify it"))
            return UploadedEdition(slug, slug, (too_large,))
        try:
            found = lint_edition(folder) if lint else _unreadable(folder)
            findings = tuple(_finding(one, folder) for one in found)
        except Exception as error:  # noqa: BLE001 - a hostile file may fail in any way, and must not be used then
            sentence = Sentence(
                "cannot be checked ({error}); simplify what was changed last", error=type(error).__name__
            )
            findings = (UploadFinding(FILE, 1, 0, "", sentence),)
    title = document.get("title")
    titles = [text for text in title.values() if isinstance(text, str)] if isinstance(title, dict) else []
    return UploadedEdition(slug, titles[0] if titles else slug, findings)


def _unreadable(folder: Path) -> list[EditionFinding]:
    try:
        read_edition(folder, None)
    except EditionError as error:
        return [error_finding(folder, error)]
    return []


def has_copy(name: str) -> bool:
    """Return whether an uploaded edition is where it is loaded from."""
    return (copies_folder() / name / FILE).exists()


def install_copy(name: str, files: Mapping[str, str]) -> None:
    """Put an uploaded edition where it is loaded from, unless it is there already."""
    folder = copies_folder() / name
    with _installing:
        if has_copy(name):
            return
        draft = folder.with_name(f"{name}.{os.getpid()}")
        shutil.rmtree(draft, ignore_errors=True)
        write_files(draft, files)
        try:
            draft.rename(folder)
        except OSError:
            # Another process was faster.
            shutil.rmtree(draft, ignore_errors=True)
            if not has_copy(name):
                raise


def copies_folder() -> Path:
    """Return the folder of copies of this process; children that start later share it."""
    named = os.environ.get(COPIES)
    if not named or not Path(named).is_dir():
        named = os.environ[COPIES] = tempfile.mkdtemp(prefix="haggle-editions-")
        # Not atexit, which multiprocessing children skip.
        Finalize(None, shutil.rmtree, (named, True), exitpriority=0)
    return Path(named)


def read_files(folder: Path) -> dict[str, str]:
    """Return the files of an installed edition that an uploaded one may have: its TOML and its symbols."""
    files = [folder / FILE, *symbol_files([folder]).values()]
    return {file.relative_to(folder).as_posix(): file.read_text(encoding="utf-8-sig") for file in files}


def zip_of(files: Mapping[str, str]) -> bytes:
    """Return files as a ZIP file, which is the same each time."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in sorted(files.items()):
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.external_attr = 0o644 << 16
            file.writestr(info, text.encode(), zipfile.ZIP_DEFLATED)
    return data.getvalue()


def _unzipped(data: bytes) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            return dict(_members(file))
    except UploadError:
        raise
    except (zipfile.BadZipFile, OSError, EOFError, ValueError, NotImplementedError, RuntimeError, zlib.error):
        raise UploadError(Sentence("is damaged, or not a ZIP file"), Sentence("the ZIP file")) from None


def _members(file: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
    """Yield the names, without their common folder, and the contents of the members that count."""
    members = [member for member in file.infolist() if not _is_ignored(member.filename)]
    if len(file.infolist()) > _MAX_PARTS or len(members) > MAX_FILES:
        raise UploadError(Sentence("has more than {most} files", most=MAX_FILES), Sentence("the ZIP file"))
    folders = {PurePosixPath(member.filename).parts[0] for member in members if "/" in member.filename}
    common = f"{folders.pop()}/" if len(folders) == 1 else ""
    common = common if common and all(member.filename.startswith(common) for member in members) else ""
    left = MAX_BYTES
    seen = set()
    for member in members:
        name = member.filename.removeprefix(common)
        _check_name(name if ".." not in member.filename else member.filename)
        if name.casefold() in seen:
            raise UploadError(Sentence("is in the ZIP file twice; keep one"), name)
        seen.add(name.casefold())
        if member.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
            raise UploadError(Sentence("is compressed in an unusual way; make an ordinary ZIP file"), name)
        if member.flag_bits & _ENCRYPTED or stat.S_ISLNK(member.external_attr >> 16):
            raise UploadError(Sentence("is encrypted or a link; add the file itself"), name)
        with file.open(member) as content:
            # The size in its header is not trusted.
            found = content.read(left + 1)
        left -= len(found)
        if left < 0:
            raise UploadError(
                Sentence("unpacks to more than {most} kB", most=MAX_BYTES // 1000), Sentence("the ZIP file")
            )
        yield name, found


def _is_ignored(name: str) -> bool:
    """Return whether a member is a folder, or something that macOS adds."""
    return name.endswith("/") or name.startswith("__MACOSX/") or name.rpartition("/")[2] == ".DS_Store"


def _check_name(name: str) -> None:
    shown = f"{ascii(name)[1:-1]:.60}"
    if name == RULES or name.endswith((".py", ".pyc", ".pyw")):
        sentence = Sentence("is a program; an uploaded edition has none. State what its rules do in edition.toml")
        raise UploadError(sentence, shown)
    if name.endswith(ENDING) and "/" in name and not _SYMBOL.fullmatch(name):
        sentence = Sentence(
            "must be in the folder {folder}, and named with small letters, digits and hyphens", folder=SYMBOLS_FOLDER
        )
        raise UploadError(sentence, shown)
    if _SYMBOL.fullmatch(name) and len(name) <= _MAX_NAME_LENGTH:
        return
    plain = re.fullmatch(r"[\w() .-]+", name) is not None and not name.startswith(".")
    if not plain or len(name) > _MAX_NAME_LENGTH:
        raise UploadError(Sentence("has a name that no file of an edition may have; put it beside edition.toml"), shown)
    if name != FILE and not name.endswith(TEXTS):
        raise UploadError(
            Sentence(
                "cannot be part of an edition, which has edition.toml, texts (.md, .txt) and symbols (symbols/NAME.svg)"
            ),
            shown,
        )


def _decoded(name: str, content: bytes) -> str:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise UploadError(Sentence("is not UTF-8; save the file in that encoding"), name, line) from None
    text = text.replace("\r\n", "\n")
    place = next((index for index, sign in enumerate(text) if _is_control(sign)), -1)
    if place >= 0:
        raise UploadError(Sentence("has a control character; take it out"), name, text[:place].count("\n") + 1)
    return text


def _check_document(document: dict[str, Any], text: str, slug: str, *, own: bool) -> None:
    """Raise UploadError for an edition that is too large, has texts that cannot be shown, or is not new."""
    if _is_too_deep(document):
        raise UploadError(Sentence("has more than {most} tables or lists in each other", most=_MAX_DEPTH), FILE, 1)
    lines = SourceLines(text)

    def refuse(path: tuple[str, ...], sentence: str) -> UploadError:
        return UploadError(sentence, FILE, lines.find(path)[1], readable_place(".".join(path)))

    if document.get("slug") != slug:
        raise refuse(("slug",), Sentence("must be '{slug}'; state the slug once, at the top", slug=slug))
    if not own and slug in edition_folders():
        raise refuse(("slug",), Sentence("'{slug}' is the name of an installed edition; take another", slug=slug))
    if isinstance(document.get("extends"), str) and document["extends"] not in edition_folders():
        known = ", ".join(sorted(edition_folders()))
        raise refuse(
            ("extends",),
            Sentence(
                "there is no installed edition '{base}' (known: {known})",
                base=format(document["extends"], ".60"),
                known=known,
            ),
        )
    entries = keys = 0
    for path, value in _values_in(document):
        if isinstance(value, list):
            entries += len(value)
            keys += len(value) if path[-1] == "keys" else 0
            if len(value) > MAX_ITEMS or keys > MAX_ITEMS or entries > MAX_ENTRIES:
                most = MAX_ENTRIES if entries > MAX_ENTRIES else MAX_ITEMS
                number = max(len(value), keys if path[-1] == "keys" else 0, entries if entries > MAX_ENTRIES else 0)
                raise refuse(
                    path, Sentence("are {number}; an uploaded edition has at most {most}", number=number, most=most)
                )
        elif isinstance(value, str) and (sentence := refusal_of_text(value)):
            raise refuse(path, sentence)


def refusal_of_text(words: str) -> str:
    """Return why a text is refused; "" for a good one."""
    if len(words) > MAX_TEXT_LENGTH:
        return Sentence("is too long; a text has at most {most} characters", most=MAX_TEXT_LENGTH)
    if _HIDDEN.search(words) or any(_is_control(sign) for sign in words):
        return Sentence("has a character that cannot be seen or printed; take it out")
    wrong = [
        placeholder for placeholder in _PLACEHOLDER.findall(words) if not _FORMS.sub("", placeholder).isidentifier()
    ]
    return Sentence("has a placeholder that is no name: {{{name}}}", name=format(wrong[0], ".40")) if wrong else ""


def _is_control(sign: str) -> bool:
    return sign not in "\n\t\r" and unicodedata.category(sign) in {"Cc", "Cs"}


def _is_too_deep(document: object) -> bool:
    level = [document]
    for _ in range(_MAX_DEPTH):
        level = [
            inner
            for value in level
            if isinstance(value, dict | list)
            for inner in (value.values() if isinstance(value, dict) else value)
        ]
    return bool(level)


def _values_in(value: object, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], object]]:
    """Yield everything in a document, keys included, with its path."""
    yield path, value
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*path, key), key
            yield from _values_in(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _values_in(inner, (*path, *(names_of(inner)[:1] or (f"#{index}",))))


def _finding(found: EditionFinding, folder: Path) -> UploadFinding:
    """Return a finding without this machine's paths."""
    file = found.file.name if found.file.parent == folder else f"{found.file.parent.name}/{found.file.name}"
    sentence = found.sentence
    if str(folder) in sentence:
        sentence = sentence.replace(f"{folder}{os.sep}", "").replace(str(folder), folder.name)
    return UploadFinding(file, found.line, found.column, found.field, sentence, found.hint)


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write the edition among the files into a new folder, for the loader."""
    folder.mkdir(mode=0o700)
    _write_symbols(folder, files)
    (folder / FILE).write_text(files[FILE], encoding="utf-8", newline="")


def _write_symbols(folder: Path, files: Mapping[str, str]) -> None:
    for name in filter(_SYMBOL.fullmatch, files):
        (folder / SYMBOLS_FOLDER).mkdir(mode=0o700, exist_ok=True)
        (folder / name).write_text(files[name], encoding="utf-8")
