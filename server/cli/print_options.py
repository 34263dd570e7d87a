"""What both commands that print share: the options of how cards come onto paper, in groups."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import click

from cardgen.paper import PAPERS
from cardgen.printing import PARTS, STANDARD
from server.jobs.choices import BACKS, LARGEST, MARKS, ORDERS, SCALES, USUAL, Choices, pair

if TYPE_CHECKING:
    from collections.abc import Callable

    from server.jobs.choices import Pair

P = ParamSpec("P")
R = TypeVar("R")

EXTRAS = {name.rpartition(".")[0]: name for name in PARTS if name not in STANDARD}
"""The files that are written only where they are asked for, by what `--with` calls them."""
ALL = "all"

PAPER, DRIFT, FILES = "Paper and cutting", "A printer that drifts, a used sheet", "More files"
_GROUPS = (PAPER, DRIFT, FILES)


class GroupedOption(click.Option):
    """An option that stands under a heading of its own in the help."""

    def __init__(self, *arguments: Any, group: str, **named: Any) -> None:  # noqa: ANN401 - click's own
        super().__init__(*arguments, **named)
        self.group = group


class GroupedCommand(click.Command):
    """A command whose help has its options under headings."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options that are in no group first."""
        groups: dict[str, list[tuple[str, str]]] = {"Options": [], **{group: [] for group in _GROUPS}}
        for parameter in self.get_params(ctx):
            told = parameter.get_help_record(ctx)
            if told is not None:
                groups[getattr(parameter, "group", "Options")].append(told)
        for group, told_all in groups.items():
            if told_all:
                with formatter.section(group):
                    formatter.write_dl(told_all)


def _two(_context: click.Context, _parameter: click.Parameter, value: str) -> Pair:
    """Return two numbers that are written with a comma between them."""
    try:
        return pair(value)
    except ValueError:
        raise click.BadParameter(f"'{value}' is no pair of numbers: write it as 1.5,-2") from None


def print_options(command: Callable[..., R]) -> Callable[..., R]:
    """Give a command the options of how cards come onto paper; it gets them as `choices` and `parts`."""

    @functools.wraps(command)
    def gathered(*arguments: Any, extras: tuple[str, ...], **named: Any) -> R:  # noqa: ANN401 - click's options
        choices = Choices(**{name: named.pop(name) for name in Choices.__dataclass_fields__})
        return command(*arguments, choices=choices, parts=_parts(extras), **named)

    for option in reversed(_options()):
        gathered = option(gathered)
    return gathered


def _parts(extras: tuple[str, ...]) -> list[str]:
    """Return the files to write: the standard ones, and those that are asked for."""
    wanted = {name.strip() for given in extras for name in given.split(",") if name.strip()}
    unknown = sorted(wanted - set(EXTRAS) - {ALL})
    if unknown:
        raise click.UsageError(f"'{unknown[0]}' is nothing to print with the cards: {', '.join([*EXTRAS, ALL])}")
    return [*STANDARD, *(file for name, file in EXTRAS.items() if {name, ALL} & wanted)]


def _options() -> list[Callable[..., Any]]:
    def option(group: str, *names: str, **named: Any) -> Callable[..., Any]:  # noqa: ANN401 - click's own
        return click.option(*names, cls=GroupedOption, group=group, **named)

    usual = USUAL
    paper, drift = functools.partial(option, PAPER), functools.partial(option, DRIFT)
    least, most = SCALES
    return [
        paper("--paper", type=click.Choice(list(PAPERS)), default=usual.paper, show_default=True, help="Its size."),
        paper(
            "--marks",
            type=click.Choice(MARKS),
            default=usual.marks,
            show_default=True,
            help="Crop marks, lines across the whole sheet, or nothing.",
        ),
        paper(
            "--backs",
            type=click.Choice(BACKS),
            default=usual.backs,
            show_default=True,
            help="Backs for paper that is turned about its long or short edge, or beside the fronts, to be folded.",
        ),
        paper(
            "--order",
            type=click.Choice(ORDERS),
            default=usual.order,
            show_default=True,
            help="Cards of one envelope after another, or all of a kind together.",
        ),
        paper("--second", default=usual.second, metavar="LANGUAGE", help="A second language on the cards, such as de."),
        paper("--gutter", type=float, default=usual.gutter, metavar="MM", help="Room between cards."),
        paper("--bleed", type=float, default=usual.bleed, metavar="MM", help="How far faces go on beyond the cut."),
        drift("--shift", callback=_two, default="0,0", metavar="X,Y", help="All fronts to the right and up, in mm."),
        drift("--back-shift", callback=_two, default="0,0", metavar="X,Y", help="The backs, in mm."),
        drift(
            "--scale",
            callback=_two,
            default="100,100",
            metavar="PERCENT[,PERCENT]",
            help=f"Both ways, or across and up; {least:g} to {most:g}.",
        ),
        drift(
            "--skip",
            type=click.IntRange(0, int(LARGEST["skip"])),
            default=usual.skip,
            metavar="N",
            help="Leave the first N places of the first sheet free.",
        ),
        option(
            FILES,
            "--with",
            "extras",
            multiple=True,
            metavar="NAMES",
            help=f"Write these too: {', '.join([*EXTRAS, ALL])}.",
        ),
    ]
