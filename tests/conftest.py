"""Fixtures of several packages: a printed game of 24 players, and an empty server with its clock."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from threadpoolctl import ThreadpoolController
from werkzeug.routing import Rule

from server.printing.print_game import PrintedGameFiles, print_game
from tests.context import Clock, cluster_context, new_context
from tests.engines.cluster import Cluster, or_skip
from tests.seeding import DRAWN
from tests.shared_cache import KEPT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cardgen.cards import PrintedGame
    from cardgen.pages.layout import PrintedCard
    from server.games.context import AppContext


HERE = Path(__file__).parent
SLOW = ("web_app", "many", "soak", "web")
"""Folders whose files take long: where several processes run the tests, these begin."""
BESIDE_OTHERS = ("api", "web_app", "benchmarks", "cli", "printing", "workers", "many", "observability", "web")
"""Where tests wait for browsers, servers and workers that share the machine: these alone get a second try.

The soak gets none: what it finds is found by chance, and is never chance.
"""

# The same examples in each run: what fails here was changed here. With --hypothesis-profile=chance others are tried.
settings.register_profile("chance", deadline=None)
settings.register_profile("same", deadline=None, derandomize=True)
settings.load_profile("same")


@dataclass(frozen=True)
class PrintedFolder:
    """A printed game and the folder that holds its files."""

    folder: Path
    done: PrintedGameFiles

    @property
    def game(self) -> PrintedGame:
        """The game, with its key."""
        return self.done.game

    @property
    def cards(self) -> tuple[PrintedCard, ...]:
        """All printed cards in the order of the sheets."""
        return self.done.printed.cards


@pytest.fixture(scope="session", autouse=True)
def _shared(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Let all processes of a run share what is slow to make."""
    own = tmp_path_factory.getbasetemp()
    KEPT.folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "once"


@pytest.fixture(scope="session", autouse=True)
def _few_threads() -> Iterator[None]:
    """Keep numpy's linear algebra on a test's own thread, as a scan does: see `scanner.scan`.

    Tests call parts of a scan by themselves. Threads that wait for each other there spin: on two processors, which
    other tests want too, that takes seven times the time.
    """
    with ThreadpoolController().limit(limits=1, user_api="blas"):
        yield


@pytest.fixture(scope="session", autouse=True)
def _routes_compiled_once() -> Iterator[None]:
    """Compile what makes an address from its parts once for all applications: that is nine tenths of making one."""
    compiled: dict[tuple[object, ...], Callable[..., tuple[str, str]]] = {}
    compiles = Rule._compile_builder

    def compile_builder(rule: Rule, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:  # noqa: FBT001, FBT002 - as it is called
        key = rule.rule, rule.subdomain, tuple((rule.defaults or {}).items()), append_unknown
        if key not in compiled:
            compiled[key] = compiles(rule, append_unknown)
        return compiled[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Rule, "_compile_builder", compile_builder)
        yield


@pytest.fixture(scope="session")
def printed(tmp_path_factory: pytest.TempPathFactory) -> PrintedFolder:
    """Print a EuroCG game of 24 players once for all tests."""
    folder = tmp_path_factory.mktemp("printed") / "game"
    return PrintedFolder(
        folder, print_game("eurocg-2026", 24, folder, seed="tests", server_url="https://haggle.example")
    )


@pytest.fixture(scope="session")
def _tracer_provider() -> TracerProvider:
    """Return the provider of all spans of this process; OpenTelemetry takes one for good."""
    provider = TracerProvider()
    trace.set_tracer_provider(provider)
    return provider


@pytest.fixture
def spans(_tracer_provider: TracerProvider) -> Iterator[InMemorySpanExporter]:
    """Collect the spans that end during a test."""
    exporter = InMemorySpanExporter()
    _tracer_provider.add_span_processor(SimpleSpanProcessor(exporter))
    yield exporter
    exporter.shutdown()


@pytest.fixture
def clock() -> Clock:
    """Return the clock of the test's server."""
    return Clock()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that runs sweeps and soaks too."""
    parser.addoption("--all", action="store_true", help="also run tests that are marked `thorough`")


def pytest_xdist_auto_num_workers() -> int:
    """Return how many processes run the tests side by side: one more than there are cores, since browsers wait much."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Draw hands, keys and ids of games from the test's name."""
    DRAWN.begin(item.nodeid)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out thorough tests, begin with slow folders, and give tests that depend on other processes a second try.

    The run's end says which took it, and why.
    """
    if not config.getoption("all"):
        left_out = [item for item in items if item.get_closest_marker("thorough")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
    items.sort(key=lambda item: item.path.relative_to(HERE).parts[0] not in SLOW)
    places = tuple(HERE / place for place in BESIDE_OTHERS)
    for item in items:
        if any(item.path.is_relative_to(place) for place in places):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture
def place(request: pytest.FixtureRequest) -> str:
    """Say where the test's server keeps its games: on a `single`, or where a `cluster`'s machines keep them."""
    return str(getattr(request, "param", "single"))


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """Give the PostgreSQL, Redis and S3 of this test process."""
    engines = Cluster()
    yield engines
    engines.close()


@pytest.fixture
def context(tmp_path: Path, clock: Clock, place: str, request: pytest.FixtureRequest) -> Iterator[AppContext]:
    """Give an empty server in a folder of its own, or on engines that machines share."""
    if place == "single":
        context = new_context(tmp_path / "data", clock)
        yield context
        context.database.close()
    else:
        engines: Cluster = request.getfixturevalue("cluster")
        yield or_skip(lambda: cluster_context(engines, clock))
