"""The effects of rules: the calls of the verbs of `Seat`, and what their sentences need."""

from __future__ import annotations

import keyword
from typing import TYPE_CHECKING, NoReturn

from server.editions.checks import NONE, placeholders
from server.editions.formulas.functions import CARDS, CONDITION, KINDS, NUMBER
from server.editions.formulas.meaning import ALWAYS, EFFECTS
from server.editions.formulas.translator import KIND, Value
from server.editions.translations import Sentence
from server.scoring.breakdown import engine_values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from server.editions.formulas.calculation import Term
    from server.editions.formulas.meaning import EffectPart
    from server.editions.formulas.values import RuleFormulas, Shown

_PASSED = {"cancel": {"chosen"}}
"""Values that are passed to the engine anyway, by effect."""
_PARAMETERS = {"cancel": {"everyone"}, "give_others": {"number"}, "keep": {"prefer"}}
"""Names that a sentence cannot have, by effect."""
_NAMED = {"keep": "{removed}", "adjust": "{moves}", "zero": "{kinds}", "give_others": "{authors}"}
"""What a sentence names if the rule has none of its own, by effect; otherwise the kind, if there is one."""
_DASH = " \N{EN DASH} "


class RuleText:
    """The sentences of a rule: their placeholders in all languages, by name, and the `numbers` that also fill them.

    `says` collects sentences where the rule has none, with its `title`, or `unknown`.
    """

    def __init__(
        self, sentences: Mapping[str, frozenset[str]], numbers: frozenset[str], title: str, unknown: str
    ) -> None:
        self.sentences = sentences
        self.numbers = numbers
        self.title = title
        self.unknown = unknown
        self.says: dict[str, str] = {}
        self.used: set[str] = set()
        """The sentences that the rule writes."""


class EffectWriter:
    """Writes the effects of a rule into its functions."""

    def __init__(self, formulas: RuleFormulas, text: RuleText) -> None:
        self.touches: set[str] = set()
        self._formulas = formulas
        self._text = text
        self._special: dict[str, Callable[[EffectPart, str], None]] = {
            "zero": self._zero,
            "multiply": self._multiply,
            "eliminate": self._eliminate,
            "void": self._void,
            "shield": self._shield,
            "adjust": self._adjust,
            "cancel": self._cancel,
            "double": self._double,
        }

    def write(self, part: EffectPart) -> None:
        """Write the effect of a part, or its sentence alone."""
        effect = part.verb
        if effect != "give_others" and part.number is not None:
            self._formulas.fail("number", Sentence("is for give_others only; take it out"))
        if effect != "keep" and part.prefer is not None:
            self._formulas.fail("prefer", Sentence("is for keep only; take it out"))
        say = part.say or ("worth" if effect == "worth" else "line")
        if not effect:
            if part.say is None:
                self._formulas.fail(
                    "", Sentence("has no effect; add one of {effects}, or say", effects=", ".join(EFFECTS))
                )
            self._line("me.note", [], "", say)
        elif effect in self._special:
            self._special[effect](part, say)
        elif effect in {"give", "take", "give_others"}:
            self._points(part, say)
        else:
            for target, formula in getattr(part, effect).items():
                self._for_kinds(effect, target, formula, say, prefer=part.prefer)

    def unknown(self, condition: str, say: str) -> None:
        """Write the sentence about what other hands may change."""
        writer = self._formulas.writer
        if condition == ALWAYS:
            self._line("me.unknown", [], "", say)
            return
        with writer.block("if me.table.provisional:"):
            value = self._formulas.formula("unknown", condition, CONDITION)
            with writer.block(f"if {value.python}:"):
                self._line("me.unknown", [], "", say)

    # Points

    def _points(self, part: EffectPart, say: str) -> None:
        effect, formulas = part.verb, self._formulas
        amount, shown = formulas.amount(effect, getattr(part, effect), negative=effect == "take")
        keywords = []
        if part.number is not None:
            keywords = [f"number={formulas.formula('number', part.number, NUMBER).python} // 1"]
        act = "me.points_for_others" if effect == "give_others" else "me.points"
        amount = formulas.writer.bind(amount)
        with formulas.writer.block(f"if {amount}:"):
            self._line(act, [amount], effect, say, shown, keywords)

    def _double(self, part: EffectPart, say: str) -> None:
        amount, shown = self._formulas.amount("double", part.double or "")
        self._line("me.double", [amount], "double", say, shown)

    # Cards

    def _zero(self, part: EffectPart, say: str) -> None:
        formulas = self._formulas
        target = formulas.formula("zero", part.zero or "", CARDS)
        if target.cards is None:
            listed = f"me.kinds({target.python})" if target.type == KIND else target.python
        elif len(target.cards.kinds) == 1:
            listed = formulas.writer.constant(repr(target.cards.kinds))
        else:
            listed = formulas.writer.bind(f"tuple(held(me, {formulas.single_kinds(target)}))")
        outer = dict(formulas.locals)
        formulas.locals.setdefault("kinds", Value(KINDS, listed))
        self._line("me.zero", [listed], "zero", say)
        formulas.locals = outer

    def _multiply(self, part: EffectPart, say: str) -> None:
        if part.multiply is not None:
            self._for_kinds("multiply", part.multiply.cards, part.multiply.by, say, part.multiply.number)

    def _for_kinds(
        self, effect: str, target: str, formula: str, say: str, number: str | None = None, prefer: str | None = None
    ) -> None:
        """Write an effect on each kind that the target names; `keep` takes a category."""
        formulas = self._formulas
        value = formulas.formula(effect, target, CARDS)
        cards, outer = value.cards, dict(formulas.locals)
        if effect == "keep":
            if cards is None or (cards.kinds and not cards.category):
                formulas.fail(effect, Sentence("'{target}' is no category", target=target), target)
            amount, shown = formulas.amount(effect, formula)
            preferred = [f"prefer={prefer!r}"] if prefer else []
            self._line("me.keep", [repr(cards.names[0]), amount], effect, say, shown.rounded(), preferred)
        elif cards is not None and len(cards.kinds) == 1:
            formulas.locals["kind"] = Value(KIND, repr(cards.kinds[0]))
            self._on_kind(effect, repr(cards.kinds[0]), formula, say, number)
        else:
            kinds = f"me.kinds({value.python})" if value.type == KIND else formulas.single_kinds(value)
            with formulas.writer.block(f"for d_kind, d_number in held(me, {kinds}).items():"):
                formulas.locals |= {"kind": Value(KIND, "d_kind"), "count": Value(NUMBER, "d_number")}
                self._on_kind(effect, "d_kind", formula, say, number)
        formulas.locals = outer

    def _on_kind(self, effect: str, kind: str, formula: str, say: str, number: str | None) -> None:
        formulas = self._formulas
        formulas.locals.setdefault("count", Value(NUMBER, f"me.has({kind})"))
        amount, shown = formulas.amount(effect, formula)
        values = [kind, amount]
        if effect == "multiply":
            cards = f"me.has({kind})" if number is None else f"{formulas.amount('multiply.number', number)[0]} // 1"
            values.append(cards)
        self._line(f"me.{effect}", values, effect, say, shown.rounded() if effect == "cap" else shown)

    # Hands and rules

    def _eliminate(self, _part: EffectPart, say: str) -> None:
        self._line("me.eliminate", [], "eliminate", say)

    def _void(self, part: EffectPart, say: str) -> None:
        self._line("me.void", [self._rules(part.void or ())], "void", say)

    def _shield(self, part: EffectPart, say: str) -> None:
        if part.shield is not None:
            lines, shown = self._formulas.amount("shield.lines", part.shield.lines)
            self._line("me.shield", [self._rules(part.shield.rules), lines], "shield", say, shown.rounded())

    def _adjust(self, part: EffectPart, say: str) -> None:
        if part.adjust is not None:
            number = part.adjust.number
            for key in map(str, part.adjust.rules):
                known = self._formulas.names.numbers_of.get(key)
                if known is not None and number not in known:
                    there = ", ".join(sorted(known)) or NONE
                    self._formulas.fail(
                        "adjust.number",
                        Sentence(
                            "rule {key} has no number '{number}' (it has {there})", key=key, number=number, there=there
                        ),
                    )
            by, shown = self._formulas.amount("adjust.by", part.adjust.by)
            values = [self._rules(part.adjust.rules), repr(number), by]
            self._line("me.adjust", values, "adjust", say, shown)

    def _cancel(self, part: EffectPart, say: str) -> None:
        if part.cancel is None:
            return
        rules, everyone = self._rules(part.cancel.rules), f"everyone={part.cancel.everyone}"
        if not part.cancel.chosen:
            self._line("me.cancel", [rules], "cancel", say, keywords=[everyone])
            return
        writer = self._formulas.writer
        with writer.block("if not me.table.provisional:"), writer.block("for d_key in me.hand.cancels:"):
            self._line("me.cancel", ["(d_key,)"], "cancel", say, keywords=[everyone, "chosen=RuleKey(d_key)"])

    def _rules(self, keys: Iterable[int | str]) -> str:
        stated = tuple(str(key) for key in keys)
        self.touches |= set(stated)
        return self._formulas.writer.constant(repr(stated))

    # Sentences

    def _line(
        self,
        act: str,
        values: list[str],
        effect: str,
        say: str,
        shown: Shown | None = None,
        keywords: Iterable[str] = (),
    ) -> None:
        """Write the call of a verb, with the values for its sentence."""
        text = self._text
        if say not in text.sentences:
            sentence = self._usual_sentence(act, say, effect, shown)
            say = f"{say}-{len(text.says) + 1}"
            text.says[say] = sentence
        text.used.add(say)
        wanted = text.sentences.get(say, placeholders(text.says.get(say, "")) or frozenset())
        given = engine_values(act.removeprefix("me.")) | text.numbers | _PASSED.get(effect, set())
        for name in sorted(wanted - given):
            if keyword.iskeyword(name) or name in _PARAMETERS.get(effect, ()):
                self._fail_in_text(
                    say, Sentence("the placeholder {{{name}}} cannot have this name; define another", name=name)
                )
        filled = [f"{name}={self._filled(name, say, shown)}" for name in sorted(wanted - given)]
        self._formulas.writer.line(f"{act}({', '.join([*values, repr(say), *keywords, *filled])})")

    def _usual_sentence(self, act: str, say: str, effect: str, shown: Shown | None) -> str:
        """Return a sentence where the rule has none: its title, the comparisons that hold, and the calculation."""
        if act == "me.unknown":
            return self._text.unknown
        if say not in {"line", "worth"}:
            self._formulas.fail("say", Sentence("there is no sentence '{say}'; add says.{say}", say=say))
        pieces = [_NAMED[effect]] if effect in _NAMED else ["{kind}"] if "kind" in self._formulas.locals else []
        condition = self._formulas.condition
        if condition is not None and _compares(condition.term) and effect != "give_others":
            pieces.append("{condition}")
        if shown is not None and shown.calculates and effect not in {"adjust", "shield", "give_others"}:
            pieces.append("{calculation}")
        return f"{self._text.title}{_DASH}{'; '.join(pieces)}." if pieces else f"{self._text.title}."

    def _filled(self, name: str, say: str, shown: Shown | None) -> str:
        """Return the Python of the value for a placeholder."""
        formulas = self._formulas
        if name == "calculation" and shown is not None:
            return shown.python(formulas.writer)
        if name == "condition" and formulas.condition is not None:
            return formulas.condition.python(formulas.writer)
        python = formulas.placeholder(name)
        if python is None:
            self._fail_in_text(
                say, Sentence("unknown placeholder {{{name}}}; define {name}, or take it out", name=name)
            )
        return python

    def _fail_in_text(self, say: str, sentence: str) -> NoReturn:
        formulas = self._formulas
        path, formulas.path = formulas.path, ""
        try:
            formulas.fail(f"says.{say}", sentence)
        finally:
            formulas.path = path


def _compares(term: Term) -> bool:
    """Return whether a condition has comparisons of numbers to show."""
    if term.sign in {"and", "or"}:
        return (any if term.sign == "and" else all)(map(_compares, term.terms))
    return term.sign not in {"not", "hidden"}
