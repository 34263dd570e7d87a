"""What players send is on the server exactly once, whatever ends the page, the network or the server meanwhile."""

from __future__ import annotations

import base64
import hashlib
import itertools
import re
import signal
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import func, select

from server.store.tables import Deck, Envelope, Photo
from tests.jobs.scan_jobs import png
from tests.players import dealt
from tests.readings import add_photo, reading
from tests.server_process import kill_group
from tests.web.house.player_steps import joined, phone
from tests.web.steps import served

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from playwright.sync_api import Page, Route

    from tests.web.house.conftest import Hall

OUTBOX = served('const { outbox } = await import("/assets/app/player/outbox/outbox.js"); await outbox.start();')
ADD = f"""async ({{ token, deck, pictures }}) => {{
  {OUTBOX}
  const into = deck ?? outbox.newDeck();
  for (const [name, text] of pictures) {{
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    await outbox.addPicture({{ token, deck: into, file: new File([bytes], name, {{ type: "image/png" }}) }});
  }}
  return into;
}}"""
ITEMS = f"""async (token) => {{
  {OUTBOX}
  return outbox.items(token).map(({{ problem, file, ...told }}) => ({{ ...told, problem: problem?.slug }}));
}}"""
DECK_OF = f"async (deck) => {{ {OUTBOX} return outbox.deckOf(deck); }}"
LEFT = served("""async () => {
  const { database } = await import("/assets/app/player/outbox/store.js");
  const open = await database();
  const stored = await Promise.all([...open.objectStoreNames].map((name) => open.getAll(name)));
  return JSON.stringify([stored, { ...localStorage }, await caches.keys()]);
}""")
SENT = f"async ({{ kind, ...more }}) => {{ {OUTBOX} return (await outbox[kind](more)).id; }}"


@pytest.fixture(scope="module")
def hall(own_hall: Hall) -> Hall:
    """Serve games by a server that tests may end."""
    return own_hall


@pytest.fixture
def seat(hall: Hall) -> tuple[str, str]:
    """Give a game and the token of its envelope 1."""
    game = hall.game(mode="inventory")
    return game, hall.link(game, 1).partition("#")[2]


def begin(opened: Callable[..., Page], **options: Any) -> Page:  # noqa: ANN401 - of a context
    """Open the players' page with its outbox."""
    page = opened("/", **options)
    page.evaluate(f"async () => {{ {OUTBOX} }}")
    return page


def add(page: Page, token: str, numbers: Sequence[int], deck: str | None = None) -> str:
    """Put pictures into the outbox; return the deck's id, which is a local one for a new deck."""
    pictures = [(f"{number}.png", base64.b64encode(png(number)).decode()) for number in numbers]
    return str(page.evaluate(ADD, {"token": token, "deck": deck, "pictures": pictures}))


def items(page: Page, token: str) -> list[dict[str, Any]]:
    """Return what waits."""
    return list(page.evaluate(ITEMS, token))


def await_all(page: Page, token: str, state: str) -> None:
    """Wait until all that is still in the outbox is in a state."""
    page.evaluate(f"async () => {{ {OUTBOX} window.watched = outbox; }}")
    page.wait_for_function(
        "({ token, state }) => window.watched.items(token).every((item) => item.state === state)",
        arg={"token": token, "state": state},
    )


def await_empty(page: Page, token: str) -> None:
    """Wait until nothing waits any more."""
    await_all(page, token, "sent")


def kept(hall: Hall, game: str) -> tuple[int, int, int]:
    """Return how many pictures of players the server has, how many of them differ, and how many decks."""
    with hall.house.database.reading() as session:
        photos = select(func.count(Photo.id), func.count(Photo.digest.distinct())).where(Photo.game == game)
        decks = session.scalar(select(func.count(Deck.id)).where(Deck.game == game))
        return (*session.execute(photos).one(), decks or 0)


def laid_out(page: Page, hall: Hall, game: str, token: str) -> tuple[str, str]:
    """Begin a deck on the server with a picture of all cards of envelope 1; return its id and its list's digest."""
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": "deck"}
    deck = page.request.post("/api/v1/me/decks", headers=headers).json()["id"]
    add_photo(hall.house, game, reading(dealt(hall.house, game, 1), [1]), envelope=1, deck=deck)
    return deck, page.request.get(f"/api/v1/me/decks/{deck}", headers=headers).json()["digest"]


def test_pictures_wait_for_the_network_and_go_by_themselves(
    opened: Callable[..., Page], hall: Hall, seat: tuple[str, str]
) -> None:
    """Three pictures of a deck that was begun without network become one deck with three pictures."""
    game, token = seat
    page = begin(opened)
    page.context.set_offline(True)
    deck = add(page, token, [1, 2, 3])
    await_all(page, token, "waiting")
    assert len(items(page, token)) == 3
    assert page.evaluate(DECK_OF, deck) is None
    assert kept(hall, game) == (0, 0, 0)
    page.context.set_offline(False)
    await_empty(page, token)
    assert kept(hall, game) == (3, 3, 1)
    with hall.house.database.reading() as session:
        assert page.evaluate(DECK_OF, deck) == session.scalar(select(Deck.id).where(Deck.game == game))


def test_what_waits_survives_the_page(opened: Callable[..., Page], hall: Hall, seat: tuple[str, str]) -> None:
    """A page that was closed without network leaves its pictures to the next one."""
    game, token = seat
    first = begin(opened)
    context = first.context
    context.set_offline(True)
    deck = add(first, token, [1, 2])
    first.close()
    context.set_offline(False)
    second = context.new_page()
    second.goto("/")
    await_empty(second, token)
    assert kept(hall, game) == (2, 2, 1)
    assert second.evaluate(DECK_OF, deck)


def test_an_answer_that_is_lost_does_not_count_twice(
    opened: Callable[..., Page], hall: Hall, seat: tuple[str, str]
) -> None:
    """The server has taken the deck and the picture, but the phone never hears of it and sends both again."""
    game, token = seat
    page = begin(opened)
    lost: list[str] = []

    def lose(route: Route) -> None:
        if route.request.method == "POST" and route.request.url not in lost:
            lost.append(route.request.url)
            route.fetch()
            route.abort()
        else:
            route.continue_()

    page.route("**/api/v1/me/decks**", lose)
    add(page, token, [1])
    await_empty(page, token)
    assert len(lost) == 2
    assert kept(hall, game) == (1, 1, 1)


def test_a_tab_that_is_closed_while_it_sends(opened: Callable[..., Page], hall: Hall, seat: tuple[str, str]) -> None:
    """The picture that was on its way when the tab closed is sent by the next tab, once."""
    game, token = seat
    first = begin(opened)
    first.evaluate(f"async () => {{ {OUTBOX} window.outbox = outbox; }}")
    slow = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 40}
    first.context.new_cdp_session(first).send("Network.emulateNetworkConditions", slow)
    add(first, token, [1, 2])
    first.wait_for_function("() => window.outbox.items().some((item) => item.state === 'sending')")
    context = first.context
    second = context.new_page()
    second.goto("/")
    assert len(items(second, token)) == 2
    first.close()
    await_empty(second, token)
    assert kept(hall, game) == (2, 2, 1)


@pytest.mark.parametrize("locks", [True, False])
def test_two_tabs_send_one_after_the_other(
    opened: Callable[..., Page], hall: Hall, seat: tuple[str, str], *, locks: bool
) -> None:
    """Two tabs with pictures for one deck take turns, and each knows what the other has; also over plain http."""
    game, token = seat
    first = opened("about:blank")
    if not locks:
        first.context.add_init_script("delete Navigator.prototype.locks")
    first.goto("/")
    first.evaluate(f"async () => {{ {OUTBOX} }}")
    second = first.context.new_page()
    second.goto("/")
    under_way: set[object] = set()
    most: list[int] = []
    for page in (first, second):
        page.on(
            "request",
            lambda request: request.method == "POST" and (under_way.add(request), most.append(len(under_way))),
        )
        for event in ("requestfinished", "requestfailed"):
            page.on(event, lambda request: under_way.discard(request))  # noqa: PLW0108 - Playwright takes no builtins
    deck = add(first, token, [1, 2])
    add(second, token, [3, 4], deck)
    add(first, token, [5], deck)
    await_empty(first, token)
    await_empty(second, token)
    assert kept(hall, game) == (5, 5, 1)
    assert max(most) == 1


def test_a_slow_picture_arrives_as_long_as_it_goes_on(
    opened: Callable[..., Page], hall: Hall, seat: tuple[str, str]
) -> None:
    """A picture may take longer than any patience, is told as slow, and no other tab sends it again meanwhile."""
    game, token = seat
    first = opened("about:blank")
    first.context.add_init_script("delete Navigator.prototype.serviceWorker")
    first.context.route("**/*.js", hasten)
    sent: list[str] = []
    first.context.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    first.goto("/")
    second = first.context.new_page()
    second.goto("/")
    first.evaluate(f"async () => {{ {OUTBOX} window.outbox = outbox; }}")
    slow = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 20_000}
    first.context.new_cdp_session(first).send("Network.emulateNetworkConditions", slow)
    large = base64.b64encode(png(1) + bytes(160_000)).decode()
    first.evaluate(ADD, {"token": token, "deck": None, "pictures": [("large.png", large)]})
    first.wait_for_function("() => window.outbox.items().some(({ slow }) => slow)")
    assert len(items(second, token)) == 1
    await_empty(second, token)
    assert len([url for url in sent if url.endswith("/photos")]) == 1
    assert kept(hall, game) == (1, 1, 1)


def hasten(route: Route) -> None:
    """Answer a script with all that it waits for shortened to three seconds."""
    answer = route.fetch()
    text = re.sub(r"\b((?:UPLOAD_)?PATIENCE|SLOW) = [\d_]+;", r"\1 = 3000;", answer.text())
    route.fulfill(response=answer, body=text)


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.thorough)])
def test_any_row_of_interruptions_loses_and_doubles_nothing(
    opened: Callable[..., Page], hall: Hall, seat: tuple[str, str], seed: int
) -> None:
    """Answers get lost, the server is killed, tabs are reloaded and closed: six pictures are there, each once."""
    game, token = seat
    rolled = (hashlib.sha256(f"{seed}/{turn}".encode()).digest()[0] for turn in itertools.count())
    page = begin(opened)
    context = page.context

    def harm(route: Route) -> None:
        what = next(rolled)
        if route.request.method != "POST" or what < 100:
            route.continue_()
        elif what < 180:
            route.abort()
        else:
            route.fetch()
            route.abort()

    deck = None
    for number in range(6):
        context.route("**/api/v1/me/decks**", harm)
        deck = add(page, token, [number], deck)
        match next(rolled) % 4:
            case 0:
                context.unroute("**/api/v1/me/decks**")
                assert hall.server.process
                kill_group(hall.server.process.pid)
                hall.server.stop(signal.SIGKILL)
                hall.server.start()
            case 1:
                page.reload()
            case 2:
                page.close()
                page = context.new_page()
                page.goto("/")
            case _:
                items(page, token)
    context.unroute_all(behavior="ignoreErrors")
    page.evaluate(f"async () => {{ {OUTBOX} outbox.retry(); }}")
    await_empty(page, token)
    assert kept(hall, game) == (6, 6, 1)


def test_a_refusal_is_told_and_stays_until_the_player_decides(
    opened: Callable[..., Page], hall: Hall, seat: tuple[str, str]
) -> None:
    """What is no picture is refused in words; the pictures behind it go on, and dropping it forgets it."""
    game, token = seat
    page = begin(opened)
    broken = ("broken.png", base64.b64encode(b"no picture").decode())
    deck = page.evaluate(ADD, {"token": token, "deck": None, "pictures": [broken]})
    add(page, token, [1], deck)
    await_all(page, token, "refused")
    [refused] = items(page, token)
    assert refused["problem"]
    assert kept(hall, game) == (1, 1, 1)
    page.reload()
    assert items(page, token) == [refused]
    page.evaluate(f"async (id) => {{ {OUTBOX} await outbox.drop(id); }}", refused["id"])
    assert items(page, token) == []


def test_a_yes_and_a_hand_in_wait_in_order(opened: Callable[..., Page], hall: Hall, seat: tuple[str, str]) -> None:
    """Without network a player confirms a list that was seen and hands in; both go, in order, later."""
    game, token = seat
    page = begin(opened)
    deck, digest = laid_out(page, hall, game, token)
    page.context.set_offline(True)
    page.evaluate(SENT, {"kind": "confirm", "token": token, "deck": deck, "digest": "0" * len(digest)})
    page.evaluate(SENT, {"kind": "confirm", "token": token, "deck": deck, "digest": digest})
    page.evaluate(SENT, {"kind": "handIn", "token": token, "deck": deck})
    page.evaluate(SENT, {"kind": "handIn", "token": token, "deck": deck})
    assert [item["kind"] for item in items(page, token)] == ["confirm", "hand-in"], "the same thing waits once"
    page.context.set_offline(False)
    await_empty(page, token)
    with hall.house.database.reading() as session:
        assert session.get_one(Envelope, (game, 1)).claim == sorted(dealt(hall.house, game, 1))


def test_nothing_is_handed_in_behind_a_list_that_was_refused(
    opened: Callable[..., Page], hall: Hall, seat: tuple[str, str]
) -> None:
    """If the yes to the list is refused, the hand-in that waits behind it is not sent."""
    game, token = seat
    page = begin(opened)
    deck, _ = laid_out(page, hall, game, token)
    page.context.set_offline(True)
    page.evaluate(SENT, {"kind": "confirm", "token": token, "deck": deck, "digest": "0" * 64})
    page.evaluate(SENT, {"kind": "handIn", "token": token, "deck": deck})
    page.context.set_offline(False)
    await_all(page, token, "refused")
    assert [item["problem"] for item in items(page, token)] == ["list-changed", "confirm-first"]
    with hall.house.database.reading() as session:
        assert session.get_one(Envelope, (game, 1)).claimed is None


def test_a_browser_without_room_says_so_and_sends_all_the_same(
    opened: Callable[..., Page], hall: Hall, seat: tuple[str, str]
) -> None:
    """Where nothing can be kept a picture lives as long as the page, is marked so, and is sent from there."""
    game, token = seat
    page = begin(opened)
    page.context.set_offline(True)
    page.evaluate(
        "void (IDBObjectStore.prototype.add = () => { throw new DOMException('full', 'QuotaExceededError'); })"
    )
    add(page, token, [1])
    assert [item["unkept"] for item in items(page, token)] == [True]
    page.context.set_offline(False)
    await_empty(page, token)
    assert kept(hall, game) == (1, 1, 1)


def test_nothing_is_left_of_an_envelope_that_is_taken_off(
    opened: Callable[..., Page], hall: Hall, seat: tuple[str, str]
) -> None:
    """Neither its token nor what waited stays on the phone, nothing is sent later, and another envelope stays."""
    game, token = seat
    page = phone(hall, opened, game, 2)
    page.goto(hall.link(game, 1))
    deck, _ = laid_out(page, hall, game, token)
    joined(hall, game, 1)
    page.goto(f"/p/deck/{deck}")
    page.get_by_role("button", name="Yes, all").wait_for()
    page.evaluate("caches.open('haggle-shared')")
    assert items(page, token) == []
    assert token in page.evaluate(LEFT)
    page.get_by_role("button", name="Open the menu").click()
    page.get_by_role("button", name="Take this envelope off").wait_for()
    page.context.set_offline(True)
    page.evaluate(SENT, {"kind": "handIn", "token": token, "deck": deck})
    add(page, token, [1])
    other = hall.link(game, 2).partition("#")[2]
    page.get_by_role("button", name="Take this envelope off").click()
    page.get_by_role("button", name="Take it off").click()
    page.locator(".envelope-short", has_text="2").wait_for(state="attached")
    page.wait_for_function("async () => !(await caches.keys()).includes('haggle-shared')")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    page.context.set_offline(False)
    page.evaluate(f"async () => {{ {OUTBOX} outbox.retry(); }}")
    with page.expect_response("**/api/v1/me"):
        page.reload()
    left = page.evaluate(LEFT)
    assert token not in left
    assert other in left
    assert sent == []
    with hall.house.database.reading() as session:
        assert session.get_one(Envelope, (game, 1)).claimed is None


def test_what_waits_goes_by_the_new_label(opened: Callable[..., Page], hall: Hall, seat: tuple[str, str]) -> None:
    """What a replaced link was refused waits for the new one, in words, and goes once that is scanned."""
    game, token = seat
    page = phone(hall, opened, game, 1)
    deck, digest = laid_out(page, hall, game, token)
    assert items(page, token) == []
    page.context.set_offline(True)
    add(page, token, [1])
    page.evaluate(SENT, {"kind": "confirm", "token": token, "deck": deck, "digest": digest})
    page.evaluate(SENT, {"kind": "handIn", "token": token, "deck": deck})
    with hall.house.database.writing() as session:
        session.get_one(Envelope, (game, 1)).token += 1
    page.context.set_offline(False)
    await_all(page, token, "refused")
    page.reload()
    page.get_by_text("waits for the new label").wait_for()
    assert len(items(page, token)) == 3
    page.goto(hall.link(game, 1))
    page.get_by_role("region", name="Handed in").wait_for()
    new = hall.link(game, 1).partition("#")[2]
    await_empty(page, new)
    assert [len(items(page, one)) for one in (token, new)] == [0, 0]
    assert kept(hall, game) == (2, 2, 2)
    assert token not in page.evaluate(LEFT)


def test_what_waits_can_be_taken_back(opened: Callable[..., Page], hall: Hall, seat: tuple[str, str]) -> None:
    """A waiting picture, a deck that is only on the phone, and pictures for a deck that is gone can all be dropped."""
    game, token = seat
    page = phone(hall, opened, game, 1)
    deck, _ = laid_out(page, hall, game, token)
    page.goto(f"/p/deck/{deck}")
    page.get_by_role("article", name="Picture 1").get_by_role("button", name="Delete picture").wait_for()
    page.route("**/photos", lambda route: route.abort())
    add(page, token, [1], deck)
    page.get_by_role("button", name="Delete picture 2").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("article", name="Picture 2").wait_for(state="detached")
    assert items(page, token) == []
    add(page, token, [2], deck)
    page.request.delete(f"/api/v1/me/decks/{deck}", headers={"Authorization": f"Bearer {token}"})
    page.unroute("**/photos")
    page.evaluate(f"async () => {{ {OUTBOX} outbox.retry(); }}")
    await_all(page, token, "refused")
    page.goto(f"/p/deck/{deck}")
    page.get_by_role("heading", name="This deck is not here").wait_for()
    page.get_by_role("button", name="Leave this picture out").click()
    page.get_by_role("button", name="Leave this picture out").wait_for(state="detached")
    page.route("**/me/decks", lambda route: route.abort())
    local = add(page, token, [3])
    page.goto(f"/p/deck/{local}")
    page.get_by_role("button", name="Drop this deck").click()
    page.get_by_role("dialog").get_by_role("button", name="Drop it").click()
    page.wait_for_url("**/")
    assert items(page, token) == []
