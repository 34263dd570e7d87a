"""What a rule may name and give when it writes. Refused at once, so that the error tells the line of the rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.scoring.edition import EditionError
from server.scoring.numbers import printed

if TYPE_CHECKING:
    from server.scoring.edition import Edition
    from server.scoring.numbers import Numbers


def need_kind(edition: Edition, kind: str, verb: str) -> None:
    """Refuse a name that is no kind of card; one that a variant has left out is passed over."""
    if kind not in edition.kind_of and kind not in edition.absent:
        what = _what(edition, kind)
        raise EditionError(f"there is no card '{kind}' for me.{verb}{what and f': it is a {what}'}")


def need_valued(edition: Edition, kind: str) -> None:
    """Refuse to set the worth of what is no kind of card, or of a kind whose category has no worth."""
    known = edition.kind_of.get(kind)
    if known is None:
        need_kind(edition, kind, "worth")
    elif known.category not in edition.valued:
        raise EditionError(
            f"me.worth sets the worth of '{kind}', but cards of category {known.category} have none; "
            "add valued = true to the category"
        )


def need_category(edition: Edition, name: str, verb: str) -> None:
    """Refuse a name that is no category of cards; one that a variant has left out is passed over."""
    categories = [deal.category for deal in edition.deal]
    if name not in categories and name not in edition.absent:
        raise EditionError(f"there is no category '{name}' for me.{verb} (there is {', '.join(categories)})")


def need_list(names: object, verb: str) -> None:
    """Refuse one name where several are to be listed: a text would be taken letter by letter."""
    if isinstance(names, (str, int)):
        raise EditionError(f"me.{verb} takes a list, such as [{names!r}], not {names!r} alone")


def need_number(rule: str, numbers: Numbers, name: str) -> None:
    """Refuse a number to move that the touched rule has not."""
    known = printed(numbers)
    if name not in known:
        there = ", ".join(known) or "none"
        raise EditionError(f"rule {rule} has no number '{name}' to adjust (it has {there})")


def need_whole(number: object, what: str) -> None:
    """Refuse a number that is not whole; `what` says what it counts."""
    if not isinstance(number, int):
        raise EditionError(f"{what} is {number!r}, but must be a whole number")


def _what(edition: Edition, name: str) -> str:
    if name in edition.group_of:
        return "group"
    return "category" if any(deal.category == name for deal in edition.deal) else ""
