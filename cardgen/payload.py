"""The formats of a game's QR codes and of the short code printed beside them.

A code is 20 characters of QR's alphanumeric set, so that it fits a version 1 symbol at level M:

    H GGGG KK CC TTTTTTTTTTT     card: format letter, game, kind, copy, keyed tag
    E GGGG NNNN TTTTTTTTTTT      envelope label: format letter, game, envelope number, keyed tag

Numbers and tag are written in Crockford's base32. The tag is the first 55 bits of the HMAC-SHA-256 of all
characters before it, under the game's key.

The label's second code is the player's join link, `…/j#GAME.ENVELOPE.VERSION.SIGNATURE`. What follows the `#` is the
player's secret token. Browsers do not send it, so it appears in no log and no referrer.

For phones whose camera fails there is a join code to type, `GAME-ENVELOPE-TTTT-TTTT`, with the first 40 bits of a tag
of game, envelope and version. Since it is shorter than the token, the server limits wrong ones.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from itsdangerous import Signer

from cardgen.cards import CardId

if TYPE_CHECKING:
    from cardgen.cards import PrintedGame

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
CARD, LABEL = "H", "E"
LENGTH = 20
GAME_LENGTH, KIND_LENGTH, COPY_LENGTH, TAG_LENGTH = 4, 2, 2, 11
MAX_NUMBER = 32**2 - 1
"""Highest kind number and highest copy number that a code can carry."""

_BODY = 1 + GAME_LENGTH + KIND_LENGTH + COPY_LENGTH
_PATTERN = re.compile(f"[{CARD}{LABEL}][{ALPHABET}]{{{LENGTH - 1}}}")
_JOIN = re.compile(rf"[^#]*/j#(([{ALPHABET}]{{{GAME_LENGTH}}})\.(\d{{1,9}})\.(\d{{1,9}})\.[\w-]+)", re.ASCII)
_JOIN_CODE = re.compile(rf"([{ALPHABET}]{{{GAME_LENGTH}}})([0-9]{{1,7}})([{ALPHABET}]{{8}})")
_VALUES = {character: value for value, character in enumerate(ALPHABET)}

# Characters that people type instead of those in Crockford's alphabet.
_LOOKALIKES = str.maketrans({"O": "0", "I": "1", "L": "1"})

_FIELD_POLYNOMIAL = 0b100101
"""x^5 + x^2 + 1, which generates the field of 32 elements."""


@dataclass(frozen=True)
class Payload:
    """The parts of a code's text; `letter` is CARD or LABEL. For a label, `number` is the envelope's."""

    text: str
    letter: str
    game: str
    kind: int
    copy: int

    @property
    def number(self) -> int:
        """The envelope number of a label: both number fields read as one."""
        return self.kind * (MAX_NUMBER + 1) + self.copy


@dataclass(frozen=True)
class JoinCode:
    """The parts of a join link. The signature is part of the token and not checked."""

    token: str
    game: str
    envelope: int
    version: int


def encode(number: int, length: int) -> str:
    """Write a number of 0 or more in `length` base32 characters; ValueError if it does not fit."""
    if not 0 <= number < 32**length:
        raise ValueError(f"{number} does not fit {length} base32 characters")
    return "".join(ALPHABET[(number >> (5 * place)) & 31] for place in reversed(range(length)))


def decode(text: str) -> int:
    """Read base32 characters as a number; KeyError for a character outside the alphabet."""
    number = 0
    for character in text:
        number = number * 32 + _VALUES[character]
    return number


def tag(body: str, key: bytes) -> str:
    """Return the 11-character tag that signs `body`, the characters before it."""
    digest = hmac.new(key, body.encode("ascii"), hashlib.sha256).digest()
    return encode(int.from_bytes(digest[:7], "big") >> 1, TAG_LENGTH)


def card_text(game: PrintedGame, card: CardId) -> str:
    """Return the text of a card's code; ValueError for a kind or a copy that the code cannot carry."""
    if not 1 <= card.copy <= MAX_NUMBER:
        raise ValueError(f"copy {card.copy} of {card.kind}: a kind has at most {MAX_NUMBER} copies")
    body = CARD + game.game + encode(game.kind_number(card.kind), KIND_LENGTH) + encode(card.copy, COPY_LENGTH)
    return body + tag(body, game.key)


def label_text(game: PrintedGame, envelope: int) -> str:
    """Return the text of the scanner's code on an envelope's label. Envelopes count from 1."""
    body = LABEL + game.game + encode(envelope, KIND_LENGTH + COPY_LENGTH)
    return body + tag(body, game.key)


def parse(text: str) -> Payload | None:
    """Split a code's text, or return None if it is not in this format. The tag is not checked."""
    if not _PATTERN.fullmatch(text):
        return None
    kind = 1 + GAME_LENGTH
    copy = kind + KIND_LENGTH
    return Payload(text, text[0], text[1:kind], decode(text[kind:copy]), decode(text[copy:_BODY]))


def signer(key: bytes, purpose: str) -> Signer:
    """Return the signer of a game's links for one purpose."""
    return Signer(key, salt=f"haggle.{purpose}", digest_method=hashlib.sha256)


def join_token(game: str, key: bytes, envelope: int, version: int = 0) -> str:
    """Return the token in an envelope's join link. A higher `version` revokes those before it."""
    return signer(key, "join").sign(f"{game}.{envelope}.{version}").decode()


def join_link(address: str, game: str, key: bytes, envelope: int, version: int = 0) -> str:
    """Return the link on an envelope's label; `address` is the server's, without a trailing slash."""
    return f"{address}/j#{join_token(game, key, envelope, version)}"


def parse_join(text: str) -> JoinCode | None:
    """Split a join link on any host, or return None if the text is not a join link. The signature is not checked."""
    found = _JOIN.fullmatch(text)
    return JoinCode(found[1], found[2], int(found[3]), int(found[4])) if found else None


def is_signed_join(code: JoinCode, key: bytes) -> bool:
    """Return whether a join link's token was signed with the key. The comparison takes constant time."""
    return hmac.compare_digest(code.token, join_token(code.game, key, code.envelope, code.version))


def join_code(game: str, key: bytes, envelope: int, version: int = 0) -> str:
    """Return the code to type instead of an envelope's join link, which the same versions revoke."""
    # No card and no label has a text with small letters, so no other tag is the same.
    signature = tag(f"join {game}.{envelope}.{version}", key)
    return f"{game}-{envelope}-{signature[:4]}-{signature[4:8]}"


def parse_join_code(typed: str) -> tuple[str, int] | None:
    """Return the game and the envelope of a typed join code, or None if it is none. The signature is not checked."""
    found = _JOIN_CODE.fullmatch(_as_printed(typed))
    return (found[1], int(found[2])) if found else None


def is_join_code(typed: str, expected: str) -> bool:
    """Return whether somebody typed the expected join code. The comparison takes constant time."""
    return hmac.compare_digest(_as_printed(typed).encode(), _as_printed(expected).encode())


def without_token(text: str) -> str:
    """Return a code's text, cut at the `#` if it is an address, since a secret token may follow."""
    address, _, _ = text.partition("#")
    return address if "/" in address else text


def is_signed(text: str, key: bytes) -> bool:
    """Return whether a code's tag was made with the key. The comparison takes constant time."""
    return hmac.compare_digest(text[_BODY:], tag(text[:_BODY], key))


def card_of(game: PrintedGame, payload: Payload) -> CardId | None:
    """Return the card of a payload of this game, or None if the game has no such kind."""
    if payload.letter != CARD or payload.kind >= len(game.kinds) or payload.copy < 1:
        return None
    return CardId(game.kinds[payload.kind], payload.copy)


def short_code(game: PrintedGame, card: CardId) -> str:
    """Return the code for people to type: kind, copy and a check character, such as `0A-1F-X`."""
    digits = encode(game.kind_number(card.kind), KIND_LENGTH) + encode(card.copy, COPY_LENGTH)
    return f"{digits[:2]}-{digits[2:]}-{_check(digits)}"


def card_of_short_code(game: PrintedGame, typed: str) -> CardId | None:
    """Return the card of a typed short code, or None if its check character or its kind is wrong.

    Case, spaces and dashes do not matter, and O, I and L count as 0, 1 and 1.
    """
    digits = _as_printed(typed)
    if len(digits) != KIND_LENGTH + COPY_LENGTH + 1 or any(c not in _VALUES for c in digits):
        return None
    if _check(digits[:-1]) != digits[-1]:
        return None
    kind, copy = decode(digits[:KIND_LENGTH]), decode(digits[KIND_LENGTH:-1])
    return CardId(game.kinds[kind], copy) if kind < len(game.kinds) and copy >= 1 else None


def new_key() -> bytes:
    """Return a new secret key for a game: 32 random bytes."""
    return secrets.token_bytes(32)


def new_seed() -> str:
    """Return a new seed for the deals of a game: 32 hexadecimal digits."""
    return secrets.token_hex(16)


def new_game_id() -> str:
    """Return a new random game id of four characters."""
    return encode(secrets.randbits(5 * GAME_LENGTH), GAME_LENGTH)


def _as_printed(typed: str) -> str:
    """Return the characters of a typed code without those that separate them."""
    return re.sub(r"[\s\-\u2013.]", "", typed).upper().translate(_LOOKALIKES)


def _check(digits: str) -> str:
    """Return the check character: the digits as a polynomial over the field of 32 elements, at its generator.

    The weights of the digits differ and are not 0, so any single wrong character and any swap of neighbours changes
    it.
    """
    total = 0
    for digit in digits:
        total = _times_generator(total ^ _VALUES[digit])
    return ALPHABET[total]


def _times_generator(value: int) -> int:
    value <<= 1
    return value ^ _FIELD_POLYNOMIAL if value & 32 else value
