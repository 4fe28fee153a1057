"""Every place of the console in a world that has nothing to show there: the page names the command
that fills it, and the command does."""

import dataclasses
import itertools
import json
import re
from typing import Callable

import pytest
from playwright.sync_api import expect

from test_accessibility import check
from test_trouble import PLACES
from worlds import World, catalogue

APP = "com.example.app"
BUYER = "buyer@example.com"
PORT = "9000"  # Of the app's server, in commands.

numbers = itertools.count(1)


def import_catalogue(world, **changes):
    """The app with products; `changes` replace parts of its catalogue."""
    world.send("PUT", f"apps/{APP}/catalog", {**catalogue(APP), **changes})


def an_app(world):
    import_catalogue(world)


def an_app_without_products(world):
    import_catalogue(world, products=[], nonRenewingSubscriptions=[], subscriptionGroups=[])


def an_app_without_offers(world):
    groups = catalogue(APP)["subscriptionGroups"]
    for product in groups[0]["subscriptions"]:
        for name in ["adHocOffers", "codeOffers", "winbackOffers"]:
            product[name] = []
        product["introductoryOffer"] = None
    import_catalogue(world, subscriptionGroups=groups)


def a_buyer(world, environment="sandbox"):
    world.send("POST", "accounts", {"name": BUYER, "environment": environment})


def a_real_buyer(world):
    a_buyer(world, "production")


def an_app_and_a_buyer(world):
    an_app(world)
    a_buyer(world)


def a_device(world):
    """One that the store keeps, on which nothing was bought."""
    an_app_and_a_buyer(world)
    world.run("restore", "--account", BUYER, "--bundle-id", APP)


def a_sale(world):
    an_app_and_a_buyer(world)
    world.buy(APP, "issue", BUYER)


def nothing(_):
    """For a world as it is made."""


def transaction(world):
    return world.get("transactions")["transactions"][0]["transactionId"]


@dataclasses.dataclass(frozen=True)
class Row:
    """An empty part of a page, and what its command does when the words in capitals are filled."""

    place: str
    text: str
    prepare: Callable = nothing
    # What the page then has; None if the command fills no page of this store.
    then: str | None = "main tbody tr"
    # The words of the command that stand for others; a value may be made of the world.
    words: dict = dataclasses.field(default_factory=dict)
    # What happens in the world after the command, before the page has a row.
    after: Callable = nothing


def table(name):
    return f"table[aria-label='{name}'] tbody tr"


CUSTOMER = f"customers/sandbox/{BUYER}"
ISSUE, MONTHLY = f"{APP}.issue", f"{APP}.monthly"
PRODUCTS = f"shop/apps/{APP}/products"
BOUGHT = {"PRODUCT": MONTHLY}
# A row for each place that can be empty, and for each part of it.
ROWS = [
    Row("now/requests", "No request to show.", words={"FILE": "Products.storekit"}),
    Row("now/history", "Nothing has happened here yet.", an_app_and_a_buyer, words=BOUGHT),
    Row("shop/apps", "No app yet."),
    Row(PRODUCTS, "No product to show.", an_app_without_products),
    Row(f"{PRODUCTS}/{ISSUE}", "Every storefront has the base price.", an_app,
        table("Prices of storefronts")),
    Row(f"{PRODUCTS}/{ISSUE}", "No content. Buyers download nothing.", an_app,
        table("Product content"), {"PRODUCT": ISSUE, "FOLDER": "folder"}),
    Row(f"{PRODUCTS}/{MONTHLY}", "No offer. Offers come with the catalogue file.",
        an_app_without_offers, table("Offers")),
    Row(f"{PRODUCTS}/{MONTHLY}", "The catalogue has no offer for codes of this product.",
        an_app_without_offers, "main :text('No offer code yet.')"),
    Row(f"{PRODUCTS}/{MONTHLY}", "No offer code yet.", an_app, table("Offer codes"),
        {"OFFER": "Fair"}),
    Row(f"shop/apps/{APP}/reviews", "No decision yet.", an_app_without_products),
    Row(f"shop/apps/{APP}/keys", "No offer key yet.", an_app),
    Row(f"shop/apps/{APP}/content", "No content. Buyers download nothing.", an_app,
        table("Product content"), {"PRODUCT": ISSUE, "FOLDER": "folder"}),
    Row(f"shop/apps/{APP}/content", "No on-demand resources.", an_app,
        table("On-demand resources"), {"FOLDER": "folder"}),
    Row("shop/gift-codes", "No gift code yet."),
    Row("customers", "No customer to show."),
    Row(CUSTOMER, "No purchases yet.", an_app_and_a_buyer, words=BOUGHT),
    Row(f"{CUSTOMER}/subscriptions", "No subscriptions.", an_app_and_a_buyer, words=BOUGHT),
    Row(f"{CUSTOMER}/devices", "The customer is not signed in on any device.",
        an_app_and_a_buyer, words=BOUGHT),
    Row(f"{CUSTOMER}/devices/{{device}}", "No attempts yet.", a_device,
        words={**BOUGHT, "APP": APP}),
    Row(f"{CUSTOMER}/credit", "No credit was added or spent yet.", a_buyer),
    Row(f"{CUSTOMER}/family", "The customer is in no family.", a_buyer),
    Row(f"{CUSTOMER}/apps", "The world has no app.", a_buyer,
        words={"FILE": "Products.storekit", "APP": APP}),
    Row(f"{CUSTOMER}/apps/{APP}", "The customer never had the app on a device.",
        an_app_and_a_buyer, "main dt:text-is('Got the app')", BOUGHT),
    Row(f"{CUSTOMER}/apps/{APP}", "The app stored no key values.", an_app_and_a_buyer, None),
    Row("approvals/ask-to-buy", "No purchase waits for approval.", an_app_and_a_buyer,
        after=lambda world: world.buy(APP, "issue", BUYER)),
    Row("approvals/interrupted", "Nobody's purchases are interrupted.", a_buyer),
    Row("approvals/payments", "No payment was asked of a provider.", then=None),
    Row("approvals/price-consents", "Nobody was asked about a price.", an_app_and_a_buyer,
        words=BOUGHT),
    Row("subscriptions", "No subscription to show.", an_app_and_a_buyer),
    Row("refunds", "No refund to show.", a_sale, words={"TRANSACTION": transaction}),
    Row("notifications/sent", "No notification to show.", an_app_and_a_buyer,
        # The store is no app's server, and refuses what is sent.
        words={PORT: lambda world: world.store.port},
        after=lambda world: world.buy(APP, "monthly", BUYER)),
    Row("notifications/servers", "No app has a server yet", then="main .card"),
    Row("faults", "Requests are answered correctly."),
    Row("worlds?q={world}-more", "No world to show.",
        words={"checkout-test": lambda world: f"{world.name}-more"}),
    Row("worlds/{world}", "No snapshot yet."),
    Row("ledger/accounts", "The ledger is empty.", a_real_buyer),
    Row("ledger/entries", "No entry to show.", a_real_buyer),
    Row("ledger/payments", "No payment was asked of a provider.", then=None),
    Row("settings/secrets", "No app yet."),
    Row(f"settings/secrets/app/{APP}", "No shared secret yet.", an_app),
    Row("settings/certificates", "Made when the world first signs data."),
]
# Places of one thing, which is there, or of what each world has.
NEVER_EMPTY = {
    "now/requests/{request}", "now/history/{event}", "shop/apps/{app}/settings",
    "approvals/price-consents/{consent}", "subscriptions/{original}", "refunds/{original}",
    "notifications/sent/{notification}", "receipts", "settings/shop", "settings/connect",
    "settings/console"}


@pytest.fixture
def fresh(store):
    """A world that has nothing; its test may make another one, whose name ends in "-more"."""
    made = World(store, f"fresh-{next(numbers)}")
    store.run("world", "make", made.name)
    yield made
    for world in store.get("/control/v1/worlds")["worlds"]:
        if world["name"] in (made.name, f"{made.name}-more"):
            store.run("world", "delete", world["name"])


@pytest.fixture(scope="module", autouse=True)
def files(shared_screen):
    """What commands name: a catalogue, and a folder with a file."""
    shared_screen.file("Products.storekit", json.dumps(catalogue(APP)))
    shared_screen.file("folder/level.txt", "A level.")


def test_each_place_can_be_empty_or_not():
    forms = [re.sub(r"{\w+}", "[^/]+", place) for place in PLACES]
    empty = {place for place, form in zip(PLACES, forms)
             if any(re.fullmatch(form, row.place.split("?")[0]) for row in ROWS)}
    assert empty | NEVER_EMPTY == set(PLACES)
    assert empty & NEVER_EMPTY == set()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.place}: {row.text}")
def test_an_empty_page_names_the_command_that_fills_it(screen, fresh, row):
    screen.allows.append("status of 404")  # Customers who never had an app.
    row.prepare(fresh)
    devices = fresh.get("devices")["devices"]
    place = fresh.place(row.place.format(
        world=fresh.name, device=devices[0]["deviceId"] if devices else None))
    screen.go(place)
    empty = screen.page.locator("main .empty").filter(has_text=row.text)
    expect(empty.first).to_be_visible()
    check(screen.page)

    line = empty.first.get_by_role("group", name="bodega command").inner_text()
    for word, value in row.words.items():
        line = re.sub(rf"\b{word}\b", str(value(fresh) if callable(value) else value), line)
    if line.startswith("bodega serve"):
        line += " --help"
    done = screen.shell(f"unset BODEGA_BUNDLE_ID; echo $PASSWORD | {line}")
    said = f"{line}\n{done.stdout}{done.stderr}"
    if row.then is None:
        assert done.returncode == 0, said
        return
    row.after(fresh)
    screen.go(place)
    expect(screen.page.locator(row.then).first, said).to_be_visible()
