"""Pytest configuration, and shared fixtures: a printed game, an application context and a fake clock."""

from __future__ import annotations

import gc
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import settings
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from threadpoolctl import ThreadpoolController
from werkzeug.routing import Rule

from server.observability.tracing import MessageFilter
from server.printing.game_folder import PrintedGameFiles, print_game
from tests.context import Clock, cluster_app_context, new_context
from tests.engines.cluster import Cluster, or_skip
from tests.seeding import SEEDED_SECRETS
from tests.shared_cache import SHARED_CACHE
from tools.install import build_pages
from tools.paths import Paths
from tools.runner import Runner

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from opentelemetry.sdk.trace.export import SpanExporter

    from cardgen.cards import PrintedGame
    from cardgen.pages.layout import PrintedCard
    from server.games.context import AppContext


HERE = Path(__file__).parent
SLOW = ("web_app", "soak", "web", "tools", "scanner", "games", "cli", "api", "benchmarks")
"""Folders with slow tests, which run first: a slow file at the end would leave other cores idle."""
RETRIED = (
    "api",
    "web_app",
    "benchmarks",
    "cli",
    "games/photos",
    "printing",
    "workers",
    "observability",
    "web",
)
"""Folders with tests that wait for browsers, servers or workers; only these are retried after a failure.

Soak tests are not, since they find bugs that a retry would hide.
"""

# Hypothesis tries the same examples in each run, except with --hypothesis-profile=random.
settings.register_profile("random", deadline=None)
settings.register_profile("fixed", deadline=None, derandomize=True)
settings.load_profile("fixed")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Build the pages if their sources have changed, in one process of a parallel run."""
    if not hasattr(session.config, "workerinput"):
        paths = Paths(HERE.parent)
        with paths.alone():
            build_pages(Runner(paths), dev=True)


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
    """Share the results of slow computations between all processes of a test run."""
    own = tmp_path_factory.getbasetemp()
    SHARED_CACHE.folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "once"


@pytest.fixture(scope="session", autouse=True)
def _few_threads() -> Iterator[None]:
    """Limit numpy's linear algebra to one thread, as `scanner.scan` does.

    Tests call parts of a scan directly. Several threads would spin while they wait for each other, which is much slower
    when other tests use the same cores.
    """
    with ThreadpoolController().limit(limits=1, user_api="blas"):
        yield


@pytest.fixture(scope="session", autouse=True)
def _routes_compiled_once() -> Iterator[None]:
    """Cache the compiled URL builders of routes: compiling them takes most of the time of `create_app`."""
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
    """Print a EuroCG game of 24 players, once for all tests of a process."""
    folder = tmp_path_factory.mktemp("printed") / "game"
    return PrintedFolder(
        folder, print_game("eurocg-2026", 24, folder, seed="tests", server_url="https://haggle.example")
    )


@pytest.fixture(scope="session")
def _tracer_provider() -> TracerProvider:
    """Set the tracer provider of this process; OpenTelemetry allows that only once."""
    provider = TracerProvider()
    trace.set_tracer_provider(provider)
    return provider


@pytest.fixture
def spans(_tracer_provider: TracerProvider) -> Iterator[InMemorySpanExporter]:
    """Collect the spans that end during a test."""
    exporter = InMemorySpanExporter()
    _tracer_provider.add_span_processor(SimpleSpanProcessor(cast("SpanExporter", MessageFilter(exporter))))
    yield exporter
    exporter.shutdown()


@pytest.fixture
def clock() -> Clock:
    """Return a fake clock."""
    return Clock()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that also runs thorough tests."""
    parser.addoption("--all", action="store_true", help="also run tests that are marked `thorough`")


def pytest_xdist_auto_num_workers() -> int:
    """Return the number of test processes: one more than there are cores, since browser tests mostly wait."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Derive hands, keys and ids of games from the test's name."""
    SEEDED_SECRETS.seed(item.nodeid)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect thorough tests, run slow folders first, and retry tests that depend on other processes twice."""
    if not config.getoption("all"):
        left_out = [item for item in items if item.get_closest_marker("thorough")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
    retried = {HERE / folder for folder in RETRIED}
    for item in items:
        if not retried.isdisjoint(item.path.parents):
            item.add_marker(pytest.mark.flaky(reruns=2))
    items.sort(key=lambda item: item.path.parts[len(HERE.parts)] not in SLOW)


def pytest_collection_finish() -> None:
    """Exclude modules and tests, which stay until the end, from garbage collection."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def backend(request: pytest.FixtureRequest) -> str:
    """Return the storage of `context`: `single` for SQLite and a folder, `cluster` for PostgreSQL and S3."""
    return str(getattr(request, "param", "single"))


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """Provide the PostgreSQL, Redis and S3 servers of this test process, started on first use."""
    engines = Cluster()
    yield engines
    engines.close()


@pytest.fixture
def context(tmp_path: Path, clock: Clock, backend: str, request: pytest.FixtureRequest) -> Iterator[AppContext]:
    """Provide an empty application context with a fake clock, on the storage that `backend` names."""
    if backend == "single":
        context = new_context(tmp_path / "data", clock)
        yield context
        context.database.close()
    else:
        engines: Cluster = request.getfixturevalue("cluster")
        yield or_skip(lambda: cluster_app_context(engines, clock))
