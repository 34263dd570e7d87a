"""A certificate and its key, for https without anything in front."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class CertificateError(Exception):
    """A server cannot use this certificate or key; the message names the file and says why in one line."""


_NO_PAIR = {"KEY_VALUES_MISMATCH", "KEY_TYPE_MISMATCH", "NO_CERTIFICATE_ASSIGNED"}
# What OpenSSL says of two that do not belong together; the last one where they are not even of one kind.


@dataclass(frozen=True)
class Pair:
    """Files in PEM form: a certificate, with those between it and a root behind it, and its key without a password."""

    certificate: Path
    key: Path

    def check(self) -> None:
        """Raise CertificateError for files that cannot be read, hold something else, or do not belong together."""
        for file, what in ((self.certificate, "CERTIFICATE"), (self.key, "PRIVATE KEY")):
            try:
                text = file.read_text(encoding="ascii")
            except OSError as error:
                raise CertificateError(f"{file} cannot be read: {error.strerror}") from None
            except UnicodeError:
                text = ""
            if f"{what}-----" not in text:
                raise CertificateError(f"{file} holds no {what.lower()} in PEM form (a text with BEGIN {what})")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        try:
            # A key with a password would be asked for at a terminal that need not be there.
            context.load_cert_chain(self.certificate, self.key, password=_no_password)
        except _PasswordWantedError:
            raise CertificateError(
                f"{self.key} has a password: store the key without one, readable by you alone"
            ) from None
        except ssl.SSLError as error:
            if error.reason in _NO_PAIR:
                raise CertificateError(
                    f"{self.key} is not the key of {self.certificate}: name the two of one pair"
                ) from None
            raise CertificateError(f"{self.certificate} and {self.key} cannot be used: {error.reason}") from None


class _PasswordWantedError(Exception):
    """A key has a password."""


def _no_password() -> str:
    raise _PasswordWantedError


def pair_of(certificate: Path | None, key: Path | None) -> Pair | None:
    """Return the pair that two options name, None for neither; CertificateError for one without the other."""
    if certificate and key:
        return Pair(certificate, key)
    if certificate or key:
        missing = "--tls-key" if certificate else "--tls-cert"
        raise CertificateError(f"a certificate and its key go together: {missing} is missing")
    return None
