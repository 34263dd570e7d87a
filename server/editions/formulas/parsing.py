"""The parser of formulas, which are expressions of Python with `mod` instead of `%` and exact numbers."""

from __future__ import annotations

import ast
import keyword
import re
from fractions import Fraction

from server.editions.rules_file import PARSING
from server.editions.translations import Sentence

_RESERVED = frozenset(keyword.kwlist) - {"and", "or", "not", "if", "else", "in"}
"""Words of Python that cannot be names, nor have a meaning in formulas."""
_LONGEST = 400
"""Most characters of a formula."""


class FormulaError(Exception):
    """A mistake in a formula: a sentence, and the index of the character."""

    def __init__(self, sentence: str, index: int = 0) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.index = index


def parse_formula(text: str) -> ast.expr:
    """Return the tree of a formula, whose columns are indices in the text; FormulaError if it is none."""
    if len(text) > _LONGEST:
        raise FormulaError(
            Sentence(
                "is too long, with {number} characters (at most {most}); define parts of it",
                number=len(text),
                most=_LONGEST,
            )
        )
    lead = len(text) - len(text.lstrip())
    plain = re.sub(r"\s", " ", re.sub(r"\bmod\b", " % ", text)).strip()
    try:
        with PARSING:
            tree = ast.parse(plain, mode="eval").body
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, float):
                node.value = _exact(ast.get_source_segment(plain, node) or "")  # type: ignore[assignment] # a Fraction
    except SyntaxError as error:
        end = max(len(text) - 1, 0)
        index = min(lead + error.offset - 1, end) if error.offset else end
        reserved = next((word for word in re.finditer(r"\w+", plain) if word[0] in _RESERVED), None)
        if reserved:
            sentence = Sentence("is no formula: '{word}' cannot be a name; rename it", word=reserved[0])
            raise FormulaError(sentence, lead + reserved.start()) from None
        equals = "==" in str(error.msg) or text[index : index + 1] == "="
        raise FormulaError(
            Sentence("is no formula; write == to compare" if equals else "is no formula"), index
        ) from None
    except (ValueError, RecursionError, MemoryError):
        raise FormulaError(Sentence("is no formula")) from None
    for node in ast.walk(tree):
        if isinstance(node, ast.expr):
            node.col_offset = lead + len(plain.encode()[: node.col_offset].decode())
    return tree


def _exact(number: str) -> Fraction:
    """Convert a number with decimals; ValueError for one with an exponent, which can be very large."""
    if not re.fullmatch(r"[0-9]*\.[0-9]*", number):
        raise ValueError(number)
    return Fraction(number)
