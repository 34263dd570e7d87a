"""Counts that rules see but cannot change: a rule that writes into them would score the next hands wrong."""

from __future__ import annotations

from typing import NoReturn, TypeVar

from server.scoring.edition import EditionError

V = TypeVar("V")


class ReadOnly(dict[str, V]):
    """A dictionary that refuses to be written into. As fast to read as a plain one, which a proxy is not."""

    __slots__ = ()

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise EditionError("what a player handed in can only be read; change a copy of it, which dict(…) makes")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse
