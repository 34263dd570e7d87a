"""Which addresses are told to people."""

from __future__ import annotations

import pytest

from server.cli import address
from server.cli.address import addresses, terminal_code
from server.jobs.network import network_address


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> str:
    """Put this machine into a network."""
    monkeypatch.setattr(address, "network_address", lambda: "192.0.2.7")
    return "http://192.0.2.7:80/"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", ""])  # noqa: S104 - text
def test_a_server_for_everybody_has_an_address_for_phones(network: str, host: str) -> None:
    """Listening everywhere, it is `localhost` here and has the network's address for phones."""
    where = addresses(host, 80)
    assert (where.here, where.phone, where.unreachable) == ("http://localhost:80/", network, "")


def test_without_a_network_no_phone_is_promised(monkeypatch: pytest.MonkeyPatch) -> None:
    """Listening everywhere on a machine without network, it says why phones cannot come."""
    monkeypatch.setattr(address, "network_address", lambda: None)
    where = addresses("0.0.0.0", 80)  # noqa: S104 - text
    assert (where.here, where.phone) == ("http://localhost:80/", None)
    assert "no address in a network" in where.unreachable


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("127.0.0.1", "http://127.0.0.1:80/"),
        ("127.1.2.3", "http://127.1.2.3:80/"),
        ("localhost", "http://localhost:80/"),
        ("::1", "http://[::1]:80/"),
    ],
)
@pytest.mark.usefixtures("network")
def test_a_server_for_this_machine_says_how_to_let_phones_in(host: str, here: str) -> None:
    """Listening on this machine alone, it names the option that opens it."""
    where = addresses(host, 80)
    assert (where.here, where.phone) == (here, None)
    assert "--host 0.0.0.0" in where.unreachable


@pytest.mark.usefixtures("network")
def test_a_server_at_one_address_has_that_one() -> None:
    """Listening at one address of the network, this machine and phones use the same."""
    where = addresses("198.51.100.4", 80)
    assert where.here == where.phone == "http://198.51.100.4:80/"


def test_the_network_address_is_no_loopback_address() -> None:
    """A phone cannot reach 127.0.0.1."""
    found = network_address()
    assert found is None or not found.startswith("127.")


def test_the_terminal_code_sets_both_colours() -> None:
    """White on black on every line, so that a light terminal does not invert it."""
    lines = terminal_code("http://192.0.2.7:8000").splitlines()
    assert len(lines) > 12
    assert all(line.startswith("\x1b[97m\x1b[40m") and line.endswith("\x1b[0m") for line in lines)
