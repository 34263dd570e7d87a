"""The packing list: what lies in each envelope, and a list of all envelopes to tick off."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, BinaryIO

from cardgen.results import Column, Results, Row, Section, write_results

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cardgen.cards import CardId
    from cardgen.faces import Face
    from cardgen.paper import Paper
    from cardgen.wordings import PackingWords


def write_packing(
    out: BinaryIO,
    hands: Mapping[int, Sequence[CardId]],
    faces: Mapping[str, Face],
    paper: Paper,
    names: tuple[str, str],
    words: PackingWords,
    *,
    only: int | None = None,
    tell: Callable[[int, int], None] | None = None,
) -> int:
    """Write the PDF; return the number of pages. `names` are the edition's title and the game in words.

    Envelopes stand by number; within one, cards stand in the order in which they are printed.
    """
    title = words.title.format(title=names[0])
    sections = (_contents(hands, faces, words), _ticks(hands, words))
    results = Results(title, names[1], words.keep, words.page, sections)
    return write_results(out, results, paper, only=only, tell=tell)


def _contents(hands: Mapping[int, Sequence[CardId]], faces: Mapping[str, Face], words: PackingWords) -> Section:
    columns = (
        Column(words.packed, 18, tick=True),
        Column(words.envelope, 20, right=True),
        Column(words.cards, 16, right=True),
        Column(words.contents, 0),
    )
    rows = tuple(
        Row(("", str(number), str(len(hands[number])), _told(hands[number], faces))) for number in sorted(hands)
    )
    total = Row(("", "", str(sum(map(len, hands.values()))), ""), strong=True)
    return Section(words.list, words.list_continued, (words.keep,), columns, (*rows, total))


def _told(hand: Sequence[CardId], faces: Mapping[str, Face]) -> str:
    """Return an envelope's cards in words: cards with a number by what they are called, others by their name."""
    counts = Counter(card.kind for card in hand)
    said = [
        (f"{count} \u00d7 " if count > 1 else "") + (faces[kind].label if faces[kind].text else faces[kind].name)
        for kind, count in counts.items()
    ]
    return ", ".join(said)


def _ticks(hands: Mapping[int, Sequence[CardId]], words: PackingWords) -> Section:
    columns = (
        Column(words.envelope, 24, right=True),
        Column(words.given, 26, tick=True),
        Column(words.back, 26, tick=True),
        Column("", 0),
    )
    rows = tuple(Row((str(number), "", "", "")) for number in sorted(hands))
    return Section(words.ticks, words.ticks_continued, (words.ticks_note,), columns, rows)
