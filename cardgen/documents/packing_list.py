"""The packing list: the contents of each envelope, and a checklist of all envelopes."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, BinaryIO

from cardgen.documents.tables import TableColumn, TableDocument, TableRow, TableSection, write_tables

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from cardgen.cards import CardId
    from cardgen.faces.face import Face
    from cardgen.pages.paper import Paper, Progress
    from cardgen.strings import PackingWords


def write_packing(
    out: BinaryIO,
    hands: Mapping[int, Sequence[CardId]],
    faces: Mapping[str, Face],
    paper: Paper,
    names: tuple[str, str],
    words: PackingWords,
    *,
    spare: Collection[int] = (),
    only: int | None = None,
    progress: Progress | None = None,
) -> int:
    """Write the PDF; return the number of pages. `names` are the edition's title and the game in words.

    Envelopes are sorted by number, and cards in the order of printing. Envelopes in `spare` are marked.
    """
    title = words.title.format(title=names[0])
    sections = (_contents(hands, faces, words, spare), _ticks(hands, words, spare))
    document = TableDocument(words.language, title, names[1], "", words.page, sections)
    return write_tables(out, document, paper, only=only, progress=progress)


def _contents(
    hands: Mapping[int, Sequence[CardId]], faces: Mapping[str, Face], words: PackingWords, spare: Collection[int]
) -> TableSection:
    columns = (
        TableColumn(words.packed, None, tick=True),
        TableColumn(words.envelope, None, right=True),
        TableColumn("", None),
        TableColumn(words.cards, None, right=True),
        TableColumn(words.contents, 0),
    )
    rows = tuple(
        TableRow(("", *_numbered(number, words, spare), str(len(hands[number])), _contents_of(hands[number], faces)))
        for number in sorted(hands)
    )
    total = TableRow(("", "", "", str(sum(map(len, hands.values()))), ""), strong=True)
    return TableSection(words.list, words.list_continued, (words.keep,), columns, (*rows, total), foot=words.keep)


def _numbered(number: int, words: PackingWords, spare: Collection[int]) -> tuple[str, str]:
    """Return an envelope's number, and the mark of a spare one."""
    return str(number), words.spare if number in spare else ""


def _contents_of(hand: Sequence[CardId], faces: Mapping[str, Face]) -> str:
    """Return an envelope's cards in words: cards with text by their label, others by their name.

    No line ends within the words of one card.
    """
    counts = Counter(card.kind for card in hand)
    texts = [
        (f"{count} \u00d7 " if count > 1 else "") + (faces[kind].label if faces[kind].text else faces[kind].name)
        for kind, count in counts.items()
    ]
    return ", ".join(text.replace(" ", "\u00a0") for text in texts)


def _ticks(hands: Mapping[int, Sequence[CardId]], words: PackingWords, spare: Collection[int]) -> TableSection:
    columns = (
        TableColumn(words.envelope, None, right=True),
        TableColumn("", None),
        TableColumn(words.given, None, tick=True),
        TableColumn(words.back, None, tick=True),
        TableColumn(words.name, 0),
    )
    rows = tuple(TableRow((*_numbered(number, words, spare), "", "", "")) for number in sorted(hands))
    return TableSection(words.ticks, words.ticks_continued, (words.ticks_note,), columns, rows)
