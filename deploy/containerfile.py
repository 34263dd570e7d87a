"""Reads a Containerfile: its stages, each with its instructions in their order."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KNOWN = frozenset(
    {
        *("FROM", "ARG", "ENV", "LABEL", "WORKDIR", "COPY", "RUN", "USER"),
        *("VOLUME", "EXPOSE", "STOPSIGNAL", "HEALTHCHECK", "ENTRYPOINT", "CMD"),
    }
)
_VARIABLE = re.compile(r"\$\{(\w+)\}")
_PAIR = re.compile(r'(\S+?)=("[^"]*"|\S*)')


@dataclass(frozen=True)
class Step:
    """An instruction: its word, and what follows it, on one line."""

    word: str
    rest: str

    def pairs(self) -> dict[str, str]:
        """Return what an ENV, LABEL or ARG sets."""
        return {name: value.strip('"') for name, value in _PAIR.findall(self.rest)}

    def words(self) -> list[str]:
        """Return a command that is written as a JSON list, also behind options such as those of HEALTHCHECK."""
        return [str(word) for word in json.loads(self.rest[self.rest.index("[") :])]


@dataclass
class Stage:
    """What one FROM begins. `name` is empty for a stage that no other takes files from."""

    base: str
    name: str
    steps: list[Step] = field(default_factory=list)

    def last(self, word: str) -> Step:
        """Return the last instruction of a kind, the one that counts."""
        return [step for step in self.steps if step.word == word][-1]


def read(file: Path) -> list[Stage]:
    """Return the stages of a Containerfile; ValueError for an instruction that is not known here."""
    stages: list[Stage] = []
    before: dict[str, str] = {}
    for line in _lines(file.read_text(encoding="utf-8")):
        word, _, rest = line.partition(" ")
        if word not in KNOWN:
            raise ValueError(f"{file.name}: {word} is not among the instructions that can be checked")
        step = Step(word, rest.strip())
        if word == "FROM":
            base, _, name = step.rest.partition(" AS ")
            stages.append(Stage(_filled(base, before), name))
        elif stages:
            stages[-1].steps.append(step)
        else:
            before |= step.pairs()
    return stages


def _filled(text: str, values: dict[str, str]) -> str:
    return _VARIABLE.sub(lambda found: values[found[1]], text)


def _lines(text: str) -> Iterator[str]:
    """Yield the instructions, each on one line, without comments."""
    kept = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    for line in re.sub(r"\\\n\s*", " ", kept).splitlines():
        if line.strip():
            yield re.sub(r" +", " ", line.strip())
