"""All that an organiser prints of a run as one file: sheets, labels, lists and the rules of play in a ZIP."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING, BinaryIO

from cardgen.printing import CARDS, HANDOUT, LABELS, PACKING, SHEETS, STICKERS, write_part

if TYPE_CHECKING:
    from cardgen.printing import PrintRun, Progress

_NO_TIME = (1980, 1, 1, 0, 0, 0)
# Of files in an archive, so that the same run is the same bytes.


def parts_of(run: PrintRun) -> list[str]:
    """Return the files of a run that are printed. Where all cards are stickers there are no sheets, and so on."""
    wanted = {SHEETS: run.dealt(), STICKERS: run.stuck, LABELS: run.labels, PACKING: run.labels, HANDOUT: run.handout}
    return [*(name for name, has in wanted.items() if has), CARDS]


def write_bundle(run: PrintRun, out: BinaryIO, *, tell: Progress | None = None) -> int:
    """Write the ZIP; return the number of its files. `tell` hears the pages that are done, and their number, of all.

    PaperError or TextError if one of them cannot be printed.
    """
    names = parts_of(run)
    pages = {name: run.pages() if name == SHEETS else write_part(run, name, io.BytesIO(), only=0) for name in names}
    with zipfile.ZipFile(out, "w") as archive:
        before = 0
        for name in names:
            file = io.BytesIO()
            write_part(run, name, file, tell=_after(before, sum(pages.values()), tell))
            archive.writestr(zipfile.ZipInfo(name, _NO_TIME), file.getvalue(), compress_type=zipfile.ZIP_DEFLATED)
            before += pages[name]
    return len(names)


def _after(before: int, all_pages: int, tell: Progress | None) -> Progress | None:
    """Return what tells the pages of a file as those of all of them."""
    return None if tell is None else lambda done, _: tell(before + done, all_pages)
