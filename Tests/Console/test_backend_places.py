"""Every place of the backend's console, as test_trouble.py and test_accessibility.py see the
store's: answers that fail or are late, what axe finds, and sideways scrolling."""

import collections
import re

import pytest
from playwright.sync_api import expect

from backends import User, backend, shop, world
from parts import open_action
from test_accessibility import check
from test_actions_complete import see_pages
from test_trouble import answers, ask_again, show_an_error, wait

# What is there once the backend has answered.
PLACES = {
    "submissions": "table[aria-label=Submissions] tbody tr",
    "submissions/{granted}": "main .card:has-text('Grant') dl",
    "submissions/{refused}": ".timeline li",
    "users": "table[aria-label=Users] tbody tr",
    "users/{user}": "table[aria-label=Submissions] tbody tr",
    "subscriptions": "table[aria-label=Subscriptions] tbody tr",
    "subscriptions/{original}": ".timeline li",
}
FORMS = {"submissions", "submissions/*", "users", "users/*", "subscriptions", "subscriptions/*",
         "settings"}

each_place = pytest.mark.parametrize("place", PLACES)


@pytest.fixture(scope="module")
def it(backend, shop):
    """Rows for each place: purchases in several states, and a subscription in trouble."""
    user = User(backend)
    granted = user.submit("fuel", passThrough={"level": "3"})
    club = user.submit("club")
    with shop.failing(21010):
        refused = user.submit("turbo")
        backend.check(club["originalTransactionId"])
    with shop.failing(21005):  # What is kept stays so.
        user.submit("moontrack")
        yield {"granted": granted["submissionId"], "refused": refused["submissionId"],
               "user": user.name, "original": club["originalTransactionId"]}


@pytest.fixture
def reads():
    return re.compile("/(operator|console)/v1/")


def test_each_place_is_in_the_table(screen, it):
    assert see_pages(screen, collections.defaultdict(set)) == FORMS


@each_place
def test_an_error_is_shown_until_the_backend_answers(screen, it, answers, place):
    show_an_error(screen, answers, place.format(**it), PLACES[place])


@each_place
def test_a_busy_backend_is_asked_again_by_itself(screen, it, answers, place):
    ask_again(screen, answers, place.format(**it), PLACES[place])


@each_place
def test_a_slow_backend_is_waited_for(screen, it, answers, reads, place):
    wait(screen, answers, reads, place.format(**it), PLACES[place])


@each_place
def test_axe_finds_nothing(screen, it, place):
    screen.go(place.format(**it))
    expect(screen.page.locator(PLACES[place]).first).to_be_visible()
    check(screen.page)


@pytest.mark.parametrize("place, text", [
    ("settings", "Its address"), ("subscriptions/0", "No such subscription."),
    ("submissions?state=stalled", "No submission to show."), ("users?q=nobody", "No user to show."),
    ("submissions?user=nobody", "notFound")])
def test_axe_finds_nothing_on_places_without_rows(screen, place, text):
    screen.allows.append("status of 404")
    screen.go(place)
    expect(screen.page.get_by_text(text)).to_be_visible()
    check(screen.page)


def test_axe_finds_nothing_in_a_dialog(screen, it):
    screen.go(f"submissions/{it['refused']}")
    open_action(screen.page, "Retry")
    check(screen.page)
