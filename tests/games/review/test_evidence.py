"""Evidence is loaded and reconciled once for each state of the database."""

from __future__ import annotations

from datetime import timedelta

from server.db.models import Card, Deck, Photo, ReviewDecision
from server.games.context import AppContext
from server.games.lifecycle.repository import load_game
from server.games.review.reconcile import Reconciliation, reconcile_game
from tests.context import START, new_game
from tests.players import dealt
from tests.readings import add_photo, reading


def look(context: AppContext, game: str) -> Reconciliation:
    with context.database.reading() as session:
        return reconcile_game(session, load_game(session, game))


def test_the_evidence_of_one_state_is_cached(context: AppContext) -> None:
    game, other = new_game(context), new_game(context)
    add_photo(context, game, reading(labels=[1]))
    first = look(context, game)
    assert look(context, other) is not first
    assert look(context, game) is first


def test_changes_are_visible_at_once(context: AppContext) -> None:
    game = new_game(context)
    assert look(context, game).waiting == ()
    photo = add_photo(context, game)
    assert look(context, game).waiting == (photo,), "a picture that came"
    for label in (2, 1):
        # A second scan changes nothing in its row except the time.
        with context.database.writing() as session:
            row = session.get_one(Photo, photo)
            row.state, row.scanned = "done", context.clock() + timedelta(seconds=label)
            row.scan_result = reading(labels=[label]).as_json()
        now = look(context, game)
        assert (now.waiting, now.hands[label].photos, now.hands[3 - label].photos) == ((), (photo,), ())
    with context.database.writing() as session:
        session.delete(session.get_one(Photo, photo))
    assert look(context, game).hands[1].photos == (), "a picture that is gone"


def test_a_photo_without_a_label_is_suggested_for_the_deck_that_a_player_confirmed(context: AppContext) -> None:
    game = new_game(context)
    cards = dealt(context, game, 2)[:3]
    add_photo(context, game, reading(cards))
    facts = {"game": game, "envelope": 2, "state": "confirmed", "created": START}
    for listed, suggested in ((cards[1:], []), (cards, [(2, "list", 3)])):
        with context.database.writing() as session:
            session.add(Deck(id=f"deck {len(listed)}", cards=listed, **facts))
        (issue,) = (one for one in look(context, game).issues if one.kind == "no-label")
        assert [(idea.envelope, idea.how, idea.shared) for idea in issue.suggestions] == suggested


def test_a_lost_card_is_invalid_at_once(context: AppContext) -> None:
    game = new_game(context)
    card = dealt(context, game, 1)[0]
    add_photo(context, game, reading([card], [1]))
    assert look(context, game).hands[1].cards == (card,)
    kind, _, copy = card.rpartition("-")
    with context.database.writing() as session:
        session.get_one(Card, (game, kind, int(copy))).lost = START
    now = look(context, game)
    assert (now.hands[1].cards, [item.key for item in now.open_issues]) == ((), [f"dead:{card}"])


def test_changes_within_a_transaction_are_visible(context: AppContext) -> None:
    game = new_game(context)
    photo = add_photo(context, game, reading(labels=[1]))
    with context.database.writing() as session:
        row = load_game(session, game)
        assert reconcile_game(session, row).without_effect == ()
        decision = {"do": "assign", "envelope": 3}
        session.add(ReviewDecision(game=game, item="picture:gone", decision=decision, reason="", who="Olga", at=START))
        session.get_one(Photo, photo).state = "failed"
        now = reconcile_game(session, row)
    assert (now.without_effect, now.hands[1].photos) == (("picture:gone",), ())
