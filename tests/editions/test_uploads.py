"""Uploaded editions: data only, bounded, and refused with the place of each mistake."""

from __future__ import annotations

import io
import zipfile

import pytest

from server.editions import edition_names, load_edition
from server.editions.source_lines import SourceLines
from server.editions.starter import edition_toml
from server.editions.uploads import (
    MAX_BYTES,
    UploadError,
    check_copy,
    check_upload,
    install_copy,
    name_of,
    unpack_upload,
    zip_of,
)
from server.printing.card_faces import edition_faces
from server.scoring.errors import EditionError

TOML = edition_toml("garden", "Garden")


def zipped(*members: tuple[str, str]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as out:
        for name, text in members:
            out.writestr(name, text)
    return file.getvalue()


def refusal(data: bytes) -> str:
    """Return the first mistake of an upload, which must be refused."""
    try:
        found = check_upload(unpack_upload(data))
    except UploadError as error:
        return str(error)
    assert not found.usable
    return "\n".join(map(str, found.findings))


def test_an_uploaded_edition_is_loaded_by_the_name_of_its_content() -> None:
    """Another content has another name, so a game never gets other rules."""
    files = unpack_upload(TOML.encode())
    name = name_of(files)
    with pytest.raises(EditionError, match="not on this server"):
        load_edition(f"garden@{0:032}")
    install_copy(name, files)
    edition = load_edition(name)
    assert (edition.slug, edition.title) == (name, "Garden")
    other = unpack_upload(TOML.replace("worth = 3", "worth = 4").encode())
    assert name_of(other) != name
    install_copy(name_of(other), other)
    assert load_edition(name_of(other)).worths != edition.worths
    assert name not in edition_names()


def test_a_zip_file_may_have_texts_and_one_folder() -> None:
    members = ("garden/edition.toml", TOML), ("garden/README.md", "Ours."), ("__MACOSX/garden/._edition.toml", "x")
    files = unpack_upload(zipped(*members))
    assert list(files) == ["README.md", "edition.toml"]
    assert unpack_upload(zip_of(files)) == files


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (zipped(("edition.toml", TOML), ("rules.py", "")), "rules.py: is a program"),
        (zipped(("edition.toml", TOML), ("../edition.txt", "")), "../edition.txt: has a name"),
        (zipped(("edition.toml", TOML), ("/etc/a.txt", "")), "/etc/a.txt: has a name"),
        (zipped(("edition.toml", TOML), ("a\\b.txt", "")), "a\\\\b.txt: has a name"),
        (zipped(("edition.toml", TOML), ("x.svg", "<svg/>")), "x.svg: cannot be part"),
        (zipped(("edition.toml", TOML), ("a.txt", ""), ("A.txt", "")), "A.txt: is in the ZIP file twice"),
        (zipped(("edition.toml", " " * (MAX_BYTES + 1))), "the ZIP file: unpacks to more than"),
        (zipped(*((f"{number}.txt", "") for number in range(70))), "the ZIP file: has more than"),
        (zipped(("a.txt", "")), "the ZIP file: has no edition.toml"),
        (b"PK\x03\x04 and no more", "the ZIP file: is damaged"),
        (b" " * (MAX_BYTES + 1), "the file: is too large"),
        (b"slug = \xff", "edition.toml:1: is not UTF-8"),
        (b"\nslug = 'a\0'", "edition.toml:2: has a control character"),
        (b'slug = "Garden"', "edition.toml:1: slug: must be a name of small letters"),
        (b'\n\nslug = "eurocg-2026"', "edition.toml:3: slug: 'eurocg-2026' is the name of an installed edition"),
        (b'slug = "a"\nextends = "../../a"', "edition.toml:2: extends: there is no installed edition"),
        (b'slug = "a"\nx = ' + b"[" * 30 + b"]" * 30, "edition.toml:1: has more than 12 tables"),
        (b'slug = "a"\nx = ' + b"[" * 5000, "edition.toml:1: has a number that is too long, or too many brackets"),
        (b'slug = "a"\n' + b".".join([b"a"] * 20_000) + b" = 1", "edition.toml:2: has a key of more than 12"),
        (b'slug = "a"\nx = { ' + b" . ".join([b"'a'"] * 14) + b" = 1 }", "edition.toml:2: has a key of more than 12"),
        (b'slug = "a"\ntitle.en = "' + b"x" * 10_001 + b'"', "edition.toml:2: title.en: is too long"),
        (b'slug = "a"\nlists.x = [' + b"1," * 700 + b"]", "edition.toml:2: lists.x: are 700"),
        (b'slug = "a"\n' + b"[[rules]]\nkeys = [1, 2]\n" * 301, "edition.toml:603: rules.no. 301.keys: are 602"),
        (b'slug = "a"\nties = [' + b"1," * 700 + b"]", "edition.toml:2: ties: are 700"),
    ],
)
def test_hostile_files_are_refused_with_their_place(data: bytes, sentence: str) -> None:
    assert refusal(data).startswith(sentence)


def test_members_of_unusual_compression_are_refused() -> None:
    """Broken ones would end in errors of the decompressor."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_LZMA) as out:
        out.writestr("edition.toml", TOML)
    assert refusal(file.getvalue()).startswith("edition.toml: is compressed in an unusual way")


@pytest.mark.parametrize(
    "template",
    [
        f'name.en = "{"{v_en}" * 900}"\n',
        f'name.en = "{"x" * 9_000}"\n',
        f"parts = [{'1, ' * 500}]\n",
    ],
)
def test_templates_make_no_huge_texts_and_lists(template: str) -> None:
    values = ", ".join(f'{{ slug = "v{number}", en = "{"y" * 80}" }}' for number in range(300))
    data = f'slug = "a"\n[values]\nv = [{values}]\n[[cards]]\nslug = "c-{{v}}"\n{template}'
    assert "values: make more than" in refusal(data.encode())


def test_lists_of_templates_have_a_limit() -> None:
    slugs = ", ".join(['"{v}"'] * 500)
    data = f'slug = "a"\n[values]\nv = [{"1, " * 500}]\n[[rules]]\nkey = "1"\nlists = {{ a = [{slugs}] }}\n'
    assert "values: make more than" in refusal(data.encode())


def test_the_lines_of_a_long_list_are_found_quickly() -> None:
    text = "[values]\nx = [\n" + "1,\n" * 5_000 + "]\ny = '''\n[no]\n'''  # [\nz = \"\\\"[\"\n"
    lines = SourceLines(text)
    assert [lines.find(("values", name))[1] for name in "xyz"] == [2, 5_004, 5_007]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            "{points} points",
            "{points.__class__}",
            "rules.1.text.en: has a placeholder that is no name",
        ),
        (
            "{points} points",
            "{points!r:>99999999}",
            "rules.1.text.en: has a placeholder that is no name",
        ),
        ("{points} points", "{points:{colours}|points}", "rules.1.text.en: has a placeholder that is no name"),
        ("{points} points", "{points:point|points|9}", "rules.1.text.en: has a placeholder that is no name"),
        ('"Red"', '"R\\u0000d"', "edition.toml:28: cards.red.name.en: has a character that cannot be seen"),
        ('"Red"', '"R\u202ed"', "edition.toml:28: cards.red.name.en: has a character that cannot be seen"),
        ("sets * points", "sets.__class__", "edition.toml:58:9: rules.1.give: may not be used in a formula"),
        ("sets * points", "9 ** 9 ** 9", "edition.toml:58:9: rules.1.give: has an operator that may not be used"),
        ("sets * points", "exec(1)", "edition.toml:58:9: rules.1.give: there is no function 'exec'"),
        ("#C2242B", "#C2242B<script>", "edition.toml:30: cards.red.ink: must be a colour"),
        ('"heart"', '"../../etc/passwd"', "edition.toml:31: cards.red.symbol: must be small letters"),
    ],
)
def test_hostile_texts_and_formulas_are_refused_with_their_place(old: str, new: str, sentence: str) -> None:
    assert sentence in refusal(TOML.replace(old, new).encode())


@pytest.mark.parametrize(
    "line",
    [
        "players = 3\nrules = [{ key = 1, keys = 3 }]",
        "rules = [3, { key = [3] }]",
        "families = 3",
        "categories = [{ key = 1, keys = 3 }]",
    ],
)
def test_values_of_wrong_types_in_a_variant_are_reported(line: str) -> None:
    found = refusal(f'slug = "mine"\nextends = "sackson-1969"\n{line}'.encode())
    assert found.startswith("edition.toml:3: ")
    assert "cannot be checked" not in found


def test_a_copy_must_have_the_content_that_its_name_says() -> None:
    files = unpack_upload(TOML.encode())
    check_copy(name_of(files), files)
    for wrong in ({**files, "a.txt": ""}, {**files, "rules.py": ""}, {**files, "a.txt": 3}, {}):
        with pytest.raises(UploadError):
            check_copy(name_of(files), wrong)
    with pytest.raises(UploadError, match="half a character"):
        check_copy("a@", {"edition.toml": 'slug = "a"', "a.txt": "\ud800"})


def test_an_older_copy_is_not_linted_again() -> None:
    """Newer checks do not refuse it, only what cannot be read."""
    files = {"edition.toml": TOML.replace('"heart"', '"hart"')}
    assert not check_upload(files, own=True).usable
    assert check_upload(files, own=True, lint=False) == ("garden", "Garden", ())
    broken = check_upload({"edition.toml": TOML.replace("sets * points", "stes * points")}, own=True, lint=False)
    assert [finding.line for finding in broken.findings] == [58]


def test_a_copy_of_an_edition_has_its_own_slug_and_title() -> None:
    copied = edition_toml("new-garden", 'The "new" garden', copied=TOML)
    found = check_upload({"edition.toml": copied})
    assert found == ("new-garden", 'The "new" garden', ())


# == Symbols ==

CUP = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0H9V9H0z"/></svg>'
WITH_CUP = TOML.replace('symbol = "heart"', 'symbol = "cup"')


def test_an_upload_may_bring_symbols_which_are_drawn_like_others() -> None:
    """They belong to its content, so a copy has another name if a symbol changes."""
    files = unpack_upload(zipped(("garden/edition.toml", WITH_CUP), ("garden/symbols/cup.svg", CUP)))
    assert list(files) == ["edition.toml", "symbols/cup.svg"]
    assert unpack_upload(zip_of(files)) == files
    assert check_upload(files).findings == ()
    name = name_of(files)
    install_copy(name, files)
    edition = load_edition(name)
    (kind,) = [kind for kind in edition.kinds if kind.outline]
    assert edition_faces(edition)[kind.slug].outline.startswith("M ")
    assert name_of(files | {"symbols/cup.svg": CUP.replace("9", "8")}) != name


@pytest.mark.parametrize(
    ("file", "drawing", "sentence"),
    [
        ("symbols/cup.svg", CUP.replace("path", "image"), "symbols/cup.svg:1: has a raster image; draw it with paths"),
        (
            "symbols/cup.svg",
            CUP.replace("<path", '<path fill="none" stroke="red" stroke-width="0.1"'),
            "too thin to print",
        ),
        ("symbols/Cup.svg", CUP, "symbols/Cup.svg: must be in the folder symbols, and named with small letters"),
        ("pictures/cup.svg", CUP, "pictures/cup.svg: must be in the folder symbols"),
        ("symbols/cup.png", CUP, "symbols/cup.png: has a name that no file of an edition may have"),
        ("symbols/mug.svg", CUP, "cards.red.symbol: there is no symbol 'cup' (known: clover, drop"),
    ],
)
def test_a_symbol_that_cannot_be_used_is_refused_with_its_place(file: str, drawing: str, sentence: str) -> None:
    assert sentence in refusal(zipped(("edition.toml", WITH_CUP), (file, drawing)))


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ("each = 8", "each = " + "9" * 4000, "each: must be at most 1000000000"),
        ('slug = "red"', f'slug = "{"r" * 61}"', "at most 60"),
    ],
)
def test_numbers_and_names_that_the_server_could_not_carry_are_refused(before: str, after: str, sentence: str) -> None:
    found = check_upload({"edition.toml": TOML.replace(before, after, 1)})
    assert sentence in " ".join(map(str, found.findings))
