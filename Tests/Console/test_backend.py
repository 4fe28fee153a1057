"""The backend's own console: its words, its screens, and that it calls no other server."""

import json
import re

import pytest
from playwright.sync_api import expect

from backends import PASSWORD, Backend, RocketCar, User, backend, shop
from parts import open_action
from store import APP, ROOT

PAGE = 50
DOCUMENT = ROOT / "Tests" / "OpenAPITests" / "Golden" / "backend.json"


@pytest.fixture
def fresh(shop):
    """A backend that nobody used."""
    running = Backend(shop)
    yield running
    running.close()


def test_the_command_opens_the_backends_screens(pages, backend):
    page = pages.open(backend, "", signs_in=False)
    expect(page.get_by_label("Or enter the operator token")).to_be_visible()
    page.goto(backend.address())
    screens = page.get_by_role("navigation", name="Screens")
    for name in ["Submissions", "Users", "Subscriptions"]:
        screens.get_by_role("link", name=name).click()
        expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
    expect(screens.get_by_role("link", name="Worlds")).to_have_count(0)
    assert APP not in page.url and "code" not in page.url


def test_a_refused_action_is_explained(pages, backend):
    page = pages.open(backend, "", signs_in=False, allows=["status of 410"])
    page.route("**/operator/v1/submissions/gone", lambda route: route.fulfill(json={
        "submissionId": "gone", "userName": "ann", "productId": f"{APP}.fuel", "state": "refused",
        "receivedAt": 1_700_000_000_000, "timesReceived": 1, "tries": 1,
        "receipt": {"sha256": "ab", "byteCount": 10}}))
    page.route("**/submissions/gone/retry", lambda route: route.fulfill(
        status=410, json={"error": {"code": "receiptDropped", "message": "It was deleted."}}))
    page.goto(backend.address())
    expect(page.get_by_role("heading", name="Submissions", level=1)).to_be_visible()
    page.goto(f"{backend.url}/console/#/backend/submissions/gone")
    dialog = open_action(page, "Retry")
    dialog.get_by_role("button", name="Retry", exact=True).click()
    expect(dialog.get_by_role("alert")).to_contain_text("receiptDropped")
    dialog.get_by_role("button", name="Why was it refused?").click()
    why = page.get_by_role("dialog", name="Why receiptDropped?")
    expect(why).to_contain_text("Have the app send its receipt again.")


def test_each_code_that_the_screens_can_get_is_explained(pages, backend):
    paths = json.loads(DOCUMENT.read_text(encoding="utf-8"))["paths"]
    codes = {code for path, operations in paths.items()
             if re.match("/operator/v1/(submissions|subscriptions|users)", path)
             for operation in operations.values() if "responses" in operation
             for status, answer in operation["responses"].items() if status >= "400"
             for code in re.findall(r"`(\w+)`[,:]", answer["description"])}
    assert {"receiptDropped", "noClearAnswer", "badQuery"} <= codes
    page = pages.open(backend, "", signs_in=False)
    assert page.evaluate("""async codes => {
        const { explanation } = await import("/console/refusals.js");
        return codes.filter(code => explanation(code) === undefined);
    }""", sorted(codes)) == []


def test_a_store_asks_for_the_control_token(pages, store):
    page = pages.open(store, "", signs_in=False)
    expect(page.get_by_label("Or enter the control token")).to_be_visible()


def row_of(page, *texts):
    """The row that has all the texts, which may come only when the page asks anew."""
    row = page.locator("main tbody tr")
    for text in texts:
        row = row.filter(has_text=text)
    expect(row).to_be_visible(timeout=30_000)
    return row


def test_purchases_of_the_app_arrive_on_the_open_page(pages, backend, shop):
    page, app = pages.open(backend, "/backend/users"), RocketCar(backend, "ada")
    screens = page.get_by_role("navigation", name="Screens")
    screens.get_by_role("link", name="Submissions").click()
    expect(page.get_by_role("heading", name="Submissions", level=1)).to_be_visible()
    assert "delivered" in app.run("buy", f"{APP}.turbo")
    row_of(page, "ada", f"{APP}.turbo", "Granted").get_by_role("link").click()
    steps = page.locator(".timeline li")
    expect(steps.first).to_contain_text("Received")
    expect(steps.last).to_contain_text("Granted")
    expect(page.get_by_role("heading", name="Grant", exact=True)).to_be_visible()

    screens.get_by_role("link", name="Submissions").click()
    with shop.failing(21010):
        app.run("buy", f"{APP}.moontrack", code=1)
    row = row_of(page, "ada", f"{APP}.moontrack", "Refused")
    expect(row).to_contain_text("Store refused")
    row.get_by_role("link").click()
    expect(page.get_by_text("the receipt's account no longer exists").first).to_be_visible()
    expect(steps.last).to_contain_text("store status 21010")
    expect(page.locator("dt:text-is('Reason') + dd")).to_have_text("Store refused")


def test_a_subscription_in_trouble_arrives_on_the_open_page(pages, backend, shop):
    RocketCar(backend, "eve").run("buy", f"{APP}.club")
    original = backend.submissions("eve")[0]["originalTransactionId"]
    page = pages.open(backend, "/backend/subscriptions")
    expect(page.get_by_text("No subscription is in trouble")).to_be_visible()
    with shop.failing(21010):
        backend.check(original)
    trouble = backend.subscription(original)["trouble"]
    row_of(page, "eve", f"{APP}.club", trouble).get_by_role("link").click()
    expect(page.locator("dt:text-is('Trouble') + dd")).to_have_text(trouble)
    expect(page.locator("dt:text-is('Failed checks') + dd")).to_have_text("1")
    expect(page.locator(".timeline li").first).to_contain_text("Began")


def filler(page, text):
    """What an empty list with that text says to run."""
    return page.locator("main .empty", has_text=text).locator("pre").first.inner_text()


def test_empty_lists_say_what_fills_them(pages, fresh):
    page = pages.open(fresh, "/backend/users")
    done = fresh.shell(f"export PASSWORD={PASSWORD}; {filler(page, 'No user to show.')}")
    row_of(page, "driver")
    token = json.loads(done.stdout)["token"]

    ann, file = User(fresh), fresh.data.parent / "purchase.json"
    for place, text, product in [
            ("submissions", "No submission to show.", "fuel"),
            ("users/driver", "No subscription to show.", "turbo"),
            ("subscriptions/0", "No such subscription.", None),
            ("subscriptions?user=driver", "No subscription to show.", "club")]:
        page.goto(f"{fresh.url}/console/#/backend/{place}")
        line = filler(page, text)
        assert line.startswith(f"curl -X POST {fresh.url}/v1/receipts"), line
        if product is not None:
            file.write_text(json.dumps(ann.purchase(product)), encoding="utf-8")
            fresh.shell(f"cd {file.parent}; export USER_TOKEN={token}; {line}")
            row_of(page, product)

    page.goto(f"{fresh.url}/console/#/backend/subscriptions")
    line = filler(page, "No subscription is in trouble")
    original = fresh.submissions("driver")[0]["originalTransactionId"]
    with fresh.shop.failing(21010):
        fresh.shell(line.replace("ORIGINAL", original))
    row_of(page, "driver", f"{APP}.club")


def test_a_long_list_goes_on(pages, fresh):
    names = sorted(User(fresh).name for _ in range(PAGE + 1))
    page = pages.open(fresh, "/backend/settings")
    page.get_by_role("link", name="Users").click()
    rows = page.locator("main tbody tr")
    expect(rows).to_have_count(PAGE)
    page.get_by_role("button", name="Show more").click()
    expect(rows).to_have_count(PAGE + 1)
    expect(page.get_by_role("button", name="Show more")).to_have_count(0)
    assert sorted(rows.get_by_role("link").all_inner_texts()) == names
