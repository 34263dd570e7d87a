"""Compiles the meaning that a rule states in `edition.toml` to steps of the engine: frames, conditions and cases."""

from __future__ import annotations

import ast
import keyword
from typing import TYPE_CHECKING, Any

from server.editions.formulas.calculation import Term
from server.editions.formulas.effects import EffectWriter
from server.editions.formulas.functions import CARDS, CONDITION, NUMBER
from server.editions.formulas.meaning import ALWAYS, AlsoPart, StatedStep
from server.editions.formulas.parsing import FormulaError, parse_formula
from server.editions.formulas.translator import KIND, Translator, Value
from server.editions.formulas.values import ReportedError, RuleFormulas, Shown
from server.editions.formulas.writer import Writer
from server.editions.translations import Sentence
from server.scoring.rulebook import RuleCode
from server.scoring.rules import POINTS_PHASES, Phase, Step

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from server.editions.formulas.effects import RuleText
    from server.editions.formulas.meaning import EffectPart, FramePart, MeaningPart
    from server.editions.formulas.translator import Names
    from server.editions.formulas.values import Report

EFFECT_PHASES = {
    "eliminate": Phase.ELIMINATE,
    "keep": Phase.REMOVE,
    "cancel": Phase.CANCEL,
    "adjust": Phase.ADJUST,
    "worth": Phase.BASE,
    "cap": Phase.COUNT,
    "zero": Phase.WORTH,
    "multiply": Phase.WORTH,
    "at_least": Phase.WORTH,
    "give": Phase.OWN,
    "take": Phase.DEDUCT,
    "give_others": Phase.DEDUCT,
    "double": Phase.DOUBLE,
    "void": Phase.SHIELD,
    "shield": Phase.SHIELD,
}
"""The phase of each effect; `give` acts in TABLE if its formulas look at other hands."""
_MOVABLE = {"give", "take", "give_others", ""}
"""Effects that `phase` can move; "" is a line without effect."""
_MOST_DEFINED = 20
_MOST_CASES = 40
_MOST_NESTED = 8
"""Most parts of a condition that are written one inside the other."""
_OF_A_RULE = Sentence("belongs to a rule that acts; a tie-break reads cards, facts and parts")
_NOT_IN_TIES = dict.fromkeys(("holds_card", "points_so_far", "scoring"), _OF_A_RULE)
_RESERVED = frozenset({*keyword.kwlist, "mod"})
"""Words that cannot be names in formulas."""


def compile_rule(meaning: MeaningPart, names: Names, text: RuleText, file: str, report: Report) -> RuleCode:
    """Compile the meaning of a rule; `file` names its edition in errors, mistakes go to `report`."""
    if len(meaning.define) > _MOST_DEFINED:
        report(
            "define",
            Sentence("gives {number} names (at most {most})", number=len(meaning.define), most=_MOST_DEFINED),
            "",
            0,
        )
        return RuleCode((), frozenset())
    reserved = sorted(meaning.define.keys() & _RESERVED)
    if reserved:
        report(f"define.{reserved[0]}", Sentence("is a word of formulas, which cannot be a name; rename it"), "", 0)
        return RuleCode((), frozenset())
    return _RuleCompiler(meaning, names, text, file, report).compiled()


def compile_tie(formula: str, names: Names, file: str, report: Report) -> Callable[..., Any]:
    """Return the function of a tie-break whose value is a formula."""
    writer = Writer()
    translator = Translator(names, writer, lambda _name, _guarded: None, refused=_NOT_IN_TIES)
    try:
        value = translator.translate(parse_formula(formula), NUMBER)
    except FormulaError as error:
        report("by", error.sentence, formula, error.index)
        return lambda _me: 0
    writer.line(f"return {value.python}")
    return writer.function("me", file)


class _RuleCompiler:
    """Compiles one rule."""

    def __init__(self, meaning: MeaningPart, names: Names, text: RuleText, file: str, report: Report) -> None:
        self._meaning = meaning
        self._file = file
        self._formulas = RuleFormulas(names, meaning.define, report)
        self._effects = EffectWriter(self._formulas, text)

    def compiled(self) -> RuleCode:
        meaning = self._meaning
        frames: list[tuple[str, FramePart]] = [("", meaning)] if meaning.verb or meaning.case else []
        frames += [(f"also.#{index}.", part) for index, part in enumerate(meaning.also)]
        steps: list[Step] = []
        for path, frame in frames:
            try:
                steps.append(self._step(path, frame, steps))
            except ReportedError:
                continue
        return RuleCode(tuple(steps), frozenset(self._effects.touches))

    def _step(self, path: str, frame: FramePart, earlier: Sequence[Step]) -> Step:
        formulas = self._formulas
        formulas.start(path)
        if len(frame.case) > _MOST_CASES:
            formulas.fail(
                "case",
                Sentence(
                    "has {number} cases (at most {most}); calculate with a formula",
                    number=len(frame.case),
                    most=_MOST_CASES,
                ),
            )
        if frame.case and frame.verb:
            formulas.fail("case", Sentence("a rule with cases has its effect in them"))
        parts = frame.case or [frame]
        effects = sorted({effect for part in parts for effect in part.effects})
        if len(effects) > 1:
            formulas.fail(
                "",
                Sentence(
                    "has several effects ({effects}); write [[rules.also]] for another one", effects=", ".join(effects)
                ),
            )
        if frame.unknown is None or frame.verb or frame.case:
            self._framed(frame, lambda: self._when(frame, lambda: self._cases(path, frame)))
        formulas.path = path
        unknown = frame.unknown or (ALWAYS if formulas.compares else None)
        if unknown is not None:
            self._effects.unknown(unknown, "unknown" if frame.verb or frame.case else frame.say or "unknown")
        phase = self._phase(frame, effects[0] if effects else "", earlier)
        if formulas.reads_points and phase not in POINTS_PHASES:
            formulas.fail("", Sentence("looks at points before there are any; only effects on points can do that"))
        always = isinstance(frame, AlsoPart) and frame.always
        stated = StatedStep(frame, self._meaning.define, formulas.names)
        return Step(phase, formulas.writer.function("me, n", self._file), always, formulas.reads_points, stated)

    def _phase(self, frame: FramePart, effect: str, earlier: Sequence[Step]) -> Phase:
        if frame.phase is not None:
            if effect not in _MOVABLE:
                self._formulas.fail(
                    "phase", Sentence("{effect} cannot be moved to another phase; take it out", effect=effect)
                )
            return Phase[frame.phase.upper()]
        if not effect:
            return earlier[-1].phase if earlier else Phase.OWN
        return Phase.TABLE if effect == "give" and self._formulas.compares else EFFECT_PHASES[effect]

    def _framed(self, frame: FramePart, then: Callable[[], None]) -> None:
        """Write the loop of `each`, if there is one."""
        formulas, writer = self._formulas, self._formulas.writer
        if frame.each is None:
            then()
            return
        each = formulas.formula("each", frame.each, CARDS)
        category = each.cards.category if each.cards else ""
        kinds = f"me.counts({category!r})" if category else f"held(me, {each.python})"
        with writer.block(f"for d_it, d_count in {kinds}.items():"):
            one, count = Value(KIND, "d_it"), Value(NUMBER, "d_count")
            formulas.locals |= {"it": one, "kind": one, "count": count}
            if frame.but is None:
                then()
            else:
                but = formulas.formula("but", frame.but, CARDS)
                left_out = but.python if but.cards is None else writer.constant(repr(but.cards.kinds))
                with writer.block(f"if d_it not in {left_out}:"):
                    then()
        formulas.locals = {}

    def _when(self, frame: FramePart, then: Callable[[], None]) -> None:
        """Write the condition of a frame part by part, so that a later part is read only if the earlier ones hold."""
        if frame.when is None:
            then()
            return
        tree = self._formulas.parsed("when", frame.when)
        parts = tree.values if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And) else [tree]
        if len(parts) > _MOST_NESTED:
            rest = ast.BoolOp(ast.And(), parts[_MOST_NESTED:])
            parts = [*parts[:_MOST_NESTED], ast.copy_location(rest, parts[_MOST_NESTED])]
        self._nested(frame.when, parts, (), self._formulas.translator(), then)

    def _nested(
        self,
        formula: str,
        parts: Sequence[ast.expr],
        terms: tuple[Term, ...],
        translator: Translator,
        then: Callable[[], None],
    ) -> None:
        if not parts:
            self._formulas.condition = Shown(terms[0] if len(terms) == 1 else Term("and", terms), translator.shown)
            then()
            return
        value = self._formulas.conjunct(parts[0], formula, translator)
        with self._formulas.writer.block(f"if {value.python}:"):
            self._nested(formula, parts[1:], (*terms, value.term), translator, then)

    def _cases(self, path: str, frame: FramePart) -> None:
        if frame.case:
            self._case(path, list(enumerate(frame.case)))
        else:
            self._effects.write(frame)

    def _case(self, path: str, cases: Sequence[tuple[int, EffectPart]]) -> None:
        """Write the first case that applies."""
        formulas, writer = self._formulas, self._formulas.writer
        (index, case), *others = cases
        formulas.path = f"{path}case.#{index}."
        if case.when is None:
            if others:
                formulas.fail(
                    "", Sentence("always applies, so that the cases after it never do; add when, or put it last")
                )
            self._effects.write(case)
            return
        outer = formulas.condition
        translator = formulas.translator()
        value = formulas.formula("when", case.when, CONDITION, translator)
        with writer.block(f"if {value.python}:"):
            formulas.condition = Shown(value.term, translator.shown)
            self._effects.write(case)
        formulas.condition = outer
        if others:
            with writer.block("else:"):
                self._case(path, others)
