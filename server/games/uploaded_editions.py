"""Editions that organisers upload: their versions, and the copies that games keep.

Games name the content of an uploaded edition and keep its files, so that neither a later version nor its deletion
changes them. The edition that a variant extends is no part of its files: it is read as it is installed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import delete, func, select

from server.db.models import EditionVersion, Game
from server.db.session import advisory_lock
from server.editions import load_edition
from server.editions.lint import error_finding
from server.editions.registry import FILE, edition_folders, folder_of, is_uploaded
from server.editions.starter import edition_toml
from server.editions.translations import Sentence, translated
from server.editions.uploads import (
    MAX_SLUG_LENGTH,
    UploadedEdition,
    UploadError,
    UploadFinding,
    check_copy,
    check_upload,
    copies_folder,
    has_copy,
    install_copy,
    name_of,
    read_files,
    refusal_of_text,
    slug_of_files,
    unpack_upload,
)
from server.games.audit import audit
from server.games.errors import DomainError, not_found
from server.scoring.errors import EditionError
from server.workers.process_pool import WorkerProcessError, run_check

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.games.audit import Actor

MAX_EDITIONS = 100
MAX_VERSIONS = 50
"""Kept versions of an edition; older ones are deleted."""
_MAX_FINDINGS = 50
_MAX_TITLE_LENGTH = 200


class CheckedEdition(NamedTuple):
    """An edition without mistakes that can be stored; `hints` may be no mistakes."""

    slug: str
    title: str
    files: dict[str, str]
    hints: tuple[UploadFinding, ...]


def unpack_edition_file(data: bytes, language: str = "en") -> dict[str, str]:
    """Return the files of an upload by name. Raises DomainError `invalid-edition`."""
    try:
        files = unpack_upload(data)
        slug_of_files(files)
    except UploadError as error:
        raise _invalid((error.finding,), language) from None
    return files


def check_edition_files(files: dict[str, str], language: str = "en") -> CheckedEdition:
    """Check the files of an edition. Raises DomainError `invalid-edition` with all mistakes, or `busy`."""
    try:
        check_copy(name_of(files), files)
        found = _checked_in_process(files, kept=False)
    except UploadError as error:
        raise _invalid((error.finding,), language) from None
    if not found.usable:
        raise _invalid(found.findings, language)
    hints = tuple(hint.in_language(language) for hint in found.findings)
    return CheckedEdition(found.slug, found.title[:_MAX_TITLE_LENGTH], files, hints)


def started_edition(
    session: Session,
    slug: str,
    title: str,
    base: str | None,
    *,
    variant: bool,
    empty: bool = False,
    language: str = "en",
) -> CheckedEdition:
    """Return a new edition to begin with: an example, or a variant or copy of another, the newest version of `base`.

    An `empty` example has one card and no rules.

    Raises DomainError `invalid-edition`, or `not-found` for an unknown base.
    """

    def refusal(sentence: str, field: str = "", line: int = 0) -> DomainError:
        return _invalid((UploadFinding(FILE, line, 0, field, sentence),), language)

    if slug in edition_folders():
        raise refusal(Sentence("'{slug}' is the name of an installed edition; take another", slug=slug), "slug")
    if sentence := refusal_of_text(title):
        raise refusal(sentence, "title")
    copied: dict[str, str] = {}
    if base is not None and base not in edition_folders():
        copied = stored_version(session, base).files
        if variant:
            raise refusal(Sentence("only an installed edition can have variants; copy this one"), "extends")
    elif base is not None and not variant:
        copied = read_files(folder_of(base))
    try:
        toml = edition_toml(slug, title, base if variant else None, copied=copied.get(FILE), empty=empty)
        files = {**copied, FILE: toml}
        name = name_of(files)
        install_copy(name, files)
        return CheckedEdition(slug, load_edition(name).title[:_MAX_TITLE_LENGTH], files, ())
    except UploadError as error:
        raise _invalid((error.finding,), language) from None
    except EditionError as error:
        place = error_finding(copies_folder() / name_of(files), error)
        without = Sentence("'{base}' cannot be used without its rules.py: {mistake}", base=base, mistake=place.sentence)
        raise refusal(without, place.field, place.line) from None


def install_checked_copy(name: str, files: dict[str, Any]) -> None:
    """Check a game's copy from an archive, and install it. Raises DomainError as `check_edition_files`."""
    try:
        check_copy(name, files)
        found = _checked_in_process(files, kept=True)
    except UploadError as error:
        raise _invalid((error.finding,)) from None
    if not found.usable:
        raise _invalid(found.findings)
    install_copy(name, files)


def _checked_in_process(files: dict[str, str], *, kept: bool) -> UploadedEdition:
    """Check files in a process of their own, which has limits; a game's `kept` copy must only be readable.

    UploadError.
    """
    try:
        return run_check(check_upload, files, own=kept, lint=not kept)
    except WorkerProcessError:
        raise DomainError(
            "busy", "The edition could not be checked in time. Try again, or take out its largest rules.", retry=5
        ) from None


def _invalid(findings: Sequence[UploadFinding], language: str = "en") -> DomainError:
    mistakes = [finding for finding in findings if not finding.hint]
    first, more = mistakes[0].in_language(language), len(mistakes) - 1
    also = ""
    if more:
        number = Sentence("1 more mistake") if more == 1 else Sentence("{number} more mistakes", number=more)
        also = f" ({translated(number, language)})"
    errors = [finding.in_language(language)._asdict() for finding in findings[:_MAX_FINDINGS]]
    return DomainError("invalid-edition", f"{first}{also}.", {"errors": errors})


def add_version(
    session: Session,
    edition: CheckedEdition,
    actor: Actor,
    at: datetime,
    *,
    reason: str = "",
    after: int | None = None,
) -> EditionVersion:
    """Add a version of an edition, and return it; the newest one is returned if it is the same.

    `after` is the version on which it is based, 0 for none. Raises DomainError `other-version` if there is another by
    now, or `too-many`.
    """
    _lock(session)
    newest = _newest(session, edition.slug)
    if after is not None and after != (newest.version if newest else 0):
        raise DomainError(
            "other-version", f"There is another version of {edition.slug} by now. Compare with it, then upload again."
        )
    name = name_of(edition.files)
    if newest is not None and newest.name == name:
        return newest
    if newest is None and len(_newest_versions(session)) >= MAX_EDITIONS:
        raise DomainError("too-many", f"There are {MAX_EDITIONS} uploaded editions. Delete one first.")
    row = EditionVersion(
        slug=edition.slug,
        version=newest.version + 1 if newest else 1,
        name=name,
        title=edition.title,
        files=edition.files,
        reason=reason,
        who=actor.name,
        at=at,
    )
    session.add(row)
    session.flush()
    session.execute(
        delete(EditionVersion).where(
            EditionVersion.slug == row.slug, EditionVersion.version <= row.version - MAX_VERSIONS
        )
    )
    subject, new = f"edition {row.slug}", {"version": row.version}
    old = None if newest is None else {"version": newest.version}
    audit(session, actor, "edition", game=None, at=at, subject=subject, reason=reason, before=old, after=new)
    return row


def restore_version(session: Session, slug: str, version: int, actor: Actor, at: datetime) -> EditionVersion:
    """Add an earlier version as the newest one, and return it. Raises DomainError `not-found`."""
    _lock(session)
    row = stored_version(session, slug, version)
    again = CheckedEdition(row.slug, row.title, row.files, ())
    return add_version(session, again, actor, at)


def delete_edition(session: Session, slug: str, actor: Actor, at: datetime) -> None:
    """Delete an edition with all its versions; games keep their copies. Raises DomainError `not-found`."""
    _lock(session)
    newest = _newest(session, slug)
    if newest is None:
        raise not_found("edition")
    session.execute(delete(EditionVersion).where(EditionVersion.slug == slug))
    subject, before = f"edition {slug}", {"version": newest.version}
    audit(session, actor, "edition-delete", game=None, at=at, subject=subject, before=before)


def stored_version(session: Session, slug: str, version: int | None = None) -> EditionVersion:
    """Return a version of an edition, by default the newest. Raises DomainError `not-found`."""
    row = _newest(session, slug) if version is None else session.get(EditionVersion, (slug, version))
    if row is None:
        raise not_found("edition" if version is None else "version of this edition")
    return row


def files_beside(session: Session, slug: str | None) -> dict[str, str]:
    """Return the files beside the TOML of an edition's newest version, such as symbols; none for an unknown slug."""
    row = _newest(session, slug) if slug else None
    return {name: text for name, text in row.files.items() if name != FILE} if row else {}


def edition_versions(session: Session) -> dict[str, list[EditionVersion]]:
    """Return the versions of all uploaded editions by slug, newest first."""
    versions: dict[str, list[EditionVersion]] = {}
    order = EditionVersion.slug, EditionVersion.version.desc()
    for row in session.scalars(select(EditionVersion).order_by(*order)):
        versions.setdefault(row.slug, []).append(row)
    return versions


def usable_copies(session: Session) -> dict[str, bool]:
    """Install the newest version of each uploaded edition, and those that games use; return their names.

    The value is true for those that new games can use.
    """
    names = {}
    for row in _newest_versions(session):
        if not has_copy(row.name):
            install_copy(row.name, row.files)
        names[row.name] = True
    for name in session.scalars(select(Game.edition).where(Game.edition.contains("@")).distinct()):
        if name not in names and (has_copy(name) or copy_of(session, name) is not None):
            names[name] = False
    return names


def resolved_edition(session: Session, edition: str) -> tuple[str, dict[str, Any] | None]:
    """Return the full name of an edition and its files, which are installed; None for those of an installed one.

    A slug alone means the newest version.
    """
    if is_uploaded(edition):
        return edition, copy_of(session, edition)
    if edition in edition_folders() or len(edition) > MAX_SLUG_LENGTH:
        return edition, None
    row = _newest(session, edition)
    if row is None:
        return edition, None
    install_copy(row.name, row.files)
    return row.name, row.files


def copy_of(session: Session, name: str) -> dict[str, Any] | None:
    """Return the files of an uploaded edition by its full name, and install them; None if there is none."""
    files = session.scalar(select(EditionVersion.files).where(EditionVersion.name == name).limit(1))
    if files is None:
        found = select(Game.edition_files).where(Game.edition == name, Game.edition_files.is_not(None))
        files = session.scalar(found.limit(1))
    if files:
        install_copy(name, files)
    return files


def games_by_edition(session: Session) -> dict[str, int]:
    """Return the number of games that use each uploaded edition, by slug."""
    numbers: dict[str, int] = {}
    uses = select(Game.edition, func.count()).where(Game.edition.contains("@")).group_by(Game.edition)
    for name, number in session.execute(uses):
        slug = name.partition("@")[0]
        numbers[slug] = numbers.get(slug, 0) + number
    return numbers


def _lock(session: Session) -> None:
    """Let the second of two changes at once see the first."""
    advisory_lock(session, "editions")


def _newest(session: Session, slug: str) -> EditionVersion | None:
    rows = select(EditionVersion).where(EditionVersion.slug == slug)
    return session.scalars(rows.order_by(EditionVersion.version.desc()).limit(1)).first()


def _newest_versions(session: Session) -> Sequence[EditionVersion]:
    newest = select(EditionVersion.slug, func.max(EditionVersion.version)).group_by(EditionVersion.slug)
    pairs = [tuple(row) for row in session.execute(newest)]
    return [row for pair in sorted(pairs) if (row := session.get(EditionVersion, pair)) is not None]
