"""One subscription: each action changes the store, and the signed data of a device."""

import pytest
from playwright.sync_api import expect

from actions import (
    Refusal, Row, test_a_refusal_stands_beside_its_field, test_an_action_changes_the_store)
from worlds import Device

PLACE = "subscriptions/{original}"
DAY = 86_400_000
ACTIVE, EXPIRED = 1, 2


@pytest.fixture(scope="module", autouse=True)
def calendar(world):
    """Periods are as long as they say."""
    world.run("clock", "pace", "calendar")


def a_subscription(screen):
    app = screen.world.app()
    original, account = screen.world.bought(app, "monthly")
    device = Device(screen.world, app, account)
    before = screen.world.get(f"subscriptions/{original}")
    return {"app": app, "original": original, "account": account, "device": device,
            "before": before}


def after(*commands, days=0):
    """A subscription that commands changed before, a number of days ago."""
    def prepare(screen):
        it = a_subscription(screen)
        for word, *more in commands:
            screen.world.run("subscription", word, it["original"], *more)
        if days > 0:
            screen.world.run("clock", "advance", f"{days}d")
        return it
    return prepare


def unpaid(screen, state, *, days, grace="none"):
    """A subscription whose renewal is not paid."""
    it = a_subscription(screen)
    screen.world.run("shop", "set", "--grace-period", grace, "--bundle-id", it["app"])
    screen.world.run("subscription", "fail-billing", it["original"])
    screen.world.run("clock", "advance", f"{days}d")
    assert screen.world.get(f"subscriptions/{it['original']}")["state"] == state
    return it


def asked(screen):
    """A subscription whose customer is asked about a price; the number of the question."""
    it = after(["increase-price", "2.99", "--consent"])(screen)
    questions = screen.world.get("price-consents?limit=200")["priceConsents"]
    return {**it, "number": next(
        one["number"] for one in questions if one["account"] == it["account"])}


def subscription(world, it):
    return world.get(f"subscriptions/{it.original}")


def of_device(**expected):
    """The device's signed data have these values, and the store another subscription."""
    def check(world, it):
        shown = it.device.subscription(it.original)
        return subscription(world, it) != it.before and \
            {name: shown.get(name) for name in expected} == expected
    return check


def has_renewed(world, it):
    now = subscription(world, it)
    return now["transactionId"] != it.before["transactionId"] and now["renewals"] == 1 and \
        it.device.subscription(it.original)["transactionId"] == now["transactionId"]


def ends_later(days):
    return lambda world, it: it.device.subscription(it.original)["expiresDate"] == \
        subscription(world, it)["expiresDate"] == it.before["expiresDate"] + days * DAY


def fails(value):
    return lambda world, it: subscription(world, it)["failsBilling"] is value


def price_is(consent, status):
    """The price increase is in that state at the store and in the device's signed data."""
    def check(world, it):
        found = subscription(world, it).get("priceIncrease")
        return found == {"consent": consent, "priceMilliunits": 2990} and \
            it.device.subscription(it.original).get("priceIncreaseStatus") == status
    return check


def is_answered(state):
    return lambda world, it: world.get(f"price-consents/{it.number}")["state"] == state


ROWS = [
    Row("Renew now", PLACE, has_renewed, after(days=1)),
    Row("Turn off renewal", PLACE, of_device(autoRenewStatus=0), a_subscription),
    Row("Turn on renewal", PLACE,
        lambda world, it: it.device.subscription(it.original)["autoRenewStatus"] == 1,
        after(["cancel"])),
    Row("Fail billing", PLACE, fails(True), a_subscription),
    Row("Recover billing", PLACE, fails(False), after(["fail-billing"])),
    Row("Recover billing", PLACE, of_device(status=ACTIVE),
        lambda screen: unpaid(screen, "billingRetry", days=10), about="in billing retry"),
    Row("Recover billing", PLACE, of_device(status=ACTIVE),
        lambda screen: unpaid(screen, "gracePeriod", days=10, grace="16"),
        about="in the grace period"),
    Row("Extend", PLACE, ends_later(7), a_subscription, {"Days": "7"}),
    Row("Choose product", PLACE, lambda world, it:
        it.device.subscription(it.original)["autoRenewProductId"] == f"{it.app}.yearly" ==
        subscription(world, it)["autoRenewProductId"], a_subscription,
        {"Product": lambda it: f"{it.app}.yearly"}),
    Row("Increase price", PLACE, price_is("notNeeded", 1), a_subscription,
        {"Price in USD": "2.99"}),
    Row("Increase price", PLACE, price_is("pending", 0), a_subscription, {
        "Price in USD": "2.99", "Ask the customer, and end it unless they agree": True},
        about="and ask"),
    Row("Agree to the price", PLACE, is_answered("agreed"), asked),
    Row("Decline the price", PLACE, is_answered("declined"), asked),
    Row("Win back", PLACE, of_device(status=ACTIVE), after(["expire"], days=1),
        {"Offer": "come-back"}),
    Row("Expire now", PLACE, of_device(status=EXPIRED, expirationIntent=1), a_subscription,
        confirm="{original}"),
    Row("Expire now", PLACE, of_device(status=EXPIRED, expirationIntent=5), a_subscription,
        {"Reason": "other"}, confirm="{original}", about="for another reason"),
]

REFUSALS = [
    Refusal("Extend", PLACE, prepare=a_subscription, fill={"Days": "500"}, code="badField",
            field="Days", ways=()),
    Refusal("Increase price", PLACE, prepare=a_subscription, fill={"Price in USD": "1"},
            code="noPriceIncrease", field="Price in USD"),
]


@pytest.mark.parametrize("prepare, expected", [
    (a_subscription, {
        "Renew now", "Turn off renewal", "Fail billing", "Extend", "Choose product",
        "Increase price", "Expire now"}),
    (after(["cancel"], ["fail-billing"]), {
        "Renew now", "Turn on renewal", "Recover billing", "Extend", "Choose product",
        "Increase price", "Expire now"}),
    (after(["expire"]), {"Win back"}),
], ids=["active", "cancelled and failing", "expired"])
def test_only_what_its_state_allows_is_offered(screen, prepare, expected):
    it = prepare(screen)
    screen.go(PLACE.format(**it))
    for name in expected:
        expect(screen.button(name)).to_be_visible()
    assert screen.titles() - {"Hold", "Run", "Set", "Pace", "Stop"} == expected


RECOVER = [["subscription", "recover"]]
REFUND = [["refund", "request", "--reason", "other"], ["refund", "grant"]]


@pytest.mark.parametrize("state, grace, commands, shown, absent", [
    ("gracePeriod", "16", RECOVER, "Grace period", "Billing retry"),
    ("gracePeriod", "16", REFUND, "Grace period", "Billing retry"),
    ("gracePeriod", "16", [], "Grace period", "Billing retry"),
    ("billingRetry", "none", RECOVER, "Billing retry", "Grace period"),
    ("billingRetry", "none", REFUND, "Billing retry", "Grace period"),
], ids=["recovered in grace", "refunded in grace", "in grace", "recovered in retry",
        "refunded in retry"])
def test_a_life_tells_a_grace_period_from_billing_retry(
        screen, state, grace, commands, shown, absent):
    it = unpaid(screen, state, days=10, grace=grace)
    for words in commands:
        screen.world.run(*words, it["original"])
    screen.go(PLACE.format(**it))
    life = screen.page.get_by_role("table", name="Life of the subscription")
    expect(life.get_by_text(shown, exact=True)).to_be_visible()
    expect(life.get_by_text(absent, exact=True)).to_have_count(0)
