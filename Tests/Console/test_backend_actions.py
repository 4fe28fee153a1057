"""Actions of the backend's console: each asks the store, and changes what the backend knows."""

import collections
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from actions import CLICK, Refusal, Row, test_an_action_changes_the_store
from backends import User, backend, eventually, shop, world
from parts import REFUSED
from test_actions_complete import see_pages, see_rows


def a_refusal(screen):
    """A submission that the store refused, and would not again."""
    with screen.world.shop.failing(21010):
        submission = User(screen.world).submit("turbo")
    assert submission["state"] == "refused"
    return {"submission": submission["submissionId"]}


def a_wait(screen):
    """A submission that is kept as long as the store is in trouble."""
    screen.world.shop.run("fault", "verify-receipt", "21005")
    submission = User(screen.world).submit("turbo")
    assert submission["state"] == "kept"
    return {"submission": submission["submissionId"]}


def is_granted(backend, it):
    def has_state():
        return backend.submission(it.submission)["state"] == "granted"

    history = backend.submission(it.submission)["history"]
    if "retried" not in [one["event"] for one in history]:
        return False
    backend.shop.run("fault", "clear")
    return eventually(has_state)


def a_refund(screen):
    """A granted purchase that the backend does not know to be refunded."""
    submission = User(screen.world).submit("moontrack")
    screen.world.shop.run("refund", "request", submission["transactionId"], "--reason", "other")
    screen.world.shop.run("refund", "grant", submission["transactionId"])
    return {"submission": submission["submissionId"]}


def is_refunded(backend, it):
    return "refundedAt" in backend.submission(it.submission)["grant"]


def a_cancellation(screen):
    """A subscription that the backend does not know to end."""
    original = User(screen.world).submit("club")["originalTransactionId"]
    screen.world.shop.run("subscription", "cancel", original)
    return {"original": original}


def ends(backend, it):
    return backend.subscription(it.original)["subscription"]["autoRenews"] is False


def a_trouble(screen):
    """A subscription about which the store did not answer, and would now."""
    original = User(screen.world).submit("club")["originalTransactionId"]
    with screen.world.shop.failing(21010):
        screen.world.check(original)
    assert not has_no_trouble(screen.world, original)
    return {"original": original}


def has_no_trouble(backend, original):
    return "trouble" not in backend.subscription(original)


ROWS = [
    Row("Retry", "submissions/{submission}", is_granted, a_refusal, about="what was refused"),
    Row("Recheck", "submissions/{submission}", is_refunded, a_refund),
    Row("Check", "subscriptions/{original}", ends, a_cancellation),
    Row("Check", "subscriptions/{original}", lambda backend, it: has_no_trouble(
        backend, it.original), a_trouble, about="what is in trouble"),
    # The last, since it leaves the store in trouble.
    Row("Retry", "submissions/{submission}", is_granted, a_wait, ways=(CLICK,),
        about="what is kept"),
]


@pytest.fixture(autouse=True)
def well(shop):
    """The store answers again after each test."""
    yield
    shop.run("fault", "clear")


def test_each_action_of_the_page_is_in_the_table(screen):
    found = collections.defaultdict(set)
    see_rows(screen, found, ROWS)
    assert {"submissions/*", "users/*"} <= see_pages(screen, found)
    assert {title for titles in found.values() for title in titles} == \
        {row.button for row in ROWS}


def test_a_store_without_a_clear_answer_changes_nothing(screen):
    granted = User(screen.world).submit("turbo")
    with screen.world.shop.failing(21005):
        screen.be_refused(Refusal(
            "Recheck", "submissions/{submissionId}", prepare=lambda _: granted,
            code="noClearAnswer"))
    assert "refundedAt" not in screen.world.submission(granted["submissionId"])["grant"]


def test_a_retry_of_what_was_granted_meanwhile_is_refused(screen):
    it = SimpleNamespace(**ROWS[0].prepare(screen))
    dialog, title = screen.open(ROWS[0], it)
    screen.world.send("POST", f"/operator/v1/submissions/{it.submission}/retry")
    assert is_granted(screen.world, it)
    screen.allows.append(REFUSED)
    dialog.get_by_role("button", name=title, exact=True).click()
    expect(dialog.get_by_role("alert")).to_contain_text("alreadyDelivered")
    screen.page.keyboard.press("Escape")
    expect(screen.button("Recheck")).to_be_attached()
    expect(screen.button("Retry")).to_have_count(0)
