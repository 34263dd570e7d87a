"""`./haggle`: sets up what is not set up, then runs the product, its tests or the renewal of the locks."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tools import environment, locks, system, web
from tools.checks import run_checks
from tools.places import Places
from tools.problems import ProblemError, explain_os_error
from tools.runner import FailedError, Runner
from tools.state import State, alone, say_waiting
from tools.variables import product_variables

INTERRUPTED = 130


def main(root: str, arguments: list[str]) -> int:
    """Do what the command line asks of the checkout at `root`; return the exit code."""
    places = Places(Path(root))
    try:
        if arguments[:1] == ["lock"]:
            return locks.renew(places, arguments[1:])
        testing = arguments[:1] == ["test"]
        set_up(places, dev=testing)
        if arguments[:1] == ["doctor"]:
            compile_all(places)
        if testing:
            return run_checks(places, arguments[1:])
        run_product(places, arguments or ["demo"])
    except ProblemError as problem:
        print(f"haggle: {problem}", file=sys.stderr)
    except KeyboardInterrupt:
        print("haggle: stopped; the next start goes on from here", file=sys.stderr)
        return INTERRUPTED
    except OSError as error:
        print(f"haggle: {explain_os_error(error)}", file=sys.stderr)
    return 1


def set_up(places: Places, *, dev: bool) -> None:
    """Make whatever is missing; return at once if nothing is. With `dev` also what the tests need."""
    if _is_ready(State(places), places, dev=dev):
        return
    with alone(places, say_waiting):
        # Read anew: the other one may have made everything meanwhile.
        state = State(places)
        if _is_ready(state, places, dev=dev):
            return
        runner = Runner(places)
        runner.say(f"Setting up Haggle in {places.home} (the first time takes a few minutes):")
        if not environment.is_ready(state, places, dev=dev):
            environment.make_environment(runner, state, places, dev=dev)
        for modules in web.needed(places, dev=dev):
            if not modules.is_ready(state):
                modules.install(runner, state, places)
        for need in _needs(places, dev=dev):
            if not system.is_ready(state, need.part):
                system.provide(runner, state, places, need)


def compile_all(places: Places) -> None:
    """Compile all modules, of which a server that runs as a user of its own can keep none: each start would do it.

    Those that are compiled already are left alone, and so is all if we may not write here either.
    """
    if not os.access(places.home, os.W_OK):
        return
    runner = Runner(places)
    folders = [*(places.root / name for name in ("cardgen", "scanner", "server")), *places.environment.glob("lib/*")]
    try:
        runner.run([places.python, "-m", "compileall", "-q", "-j", "0", *folders], more=product_variables(places))
    except FailedError as error:
        # A package may hold a file for another Python. What cannot be compiled is never imported.
        runner.say(f"  {error} did not compile every module (details: {places.log})")


def _needs(places: Places, *, dev: bool) -> list[system.Need]:
    needs = [system.zbar(places)]
    tests = [system.browser(places), system.shell(places), system.redis(), system.caddy(places)]
    return [*needs, *tests] if dev else needs


def _is_ready(state: State, places: Places, *, dev: bool) -> bool:
    return (
        environment.is_ready(state, places, dev=dev)
        and all(modules.is_ready(state) for modules in web.needed(places, dev=dev))
        and all(system.is_ready(state, need.part) for need in _needs(places, dev=dev))
    )


def run_product(places: Places, arguments: list[str]) -> None:
    """Become the haggle command. The caller's folder stays, so that relative paths mean what they say.

    -P keeps that folder off the import path, where a folder named `server` would take our package's place.
    """
    command = [str(places.python), "-P", "-m", "server", *arguments]
    os.execve(command[0], command, {**os.environ, **product_variables(places)})  # noqa: S606 - there is no shell to quote for
