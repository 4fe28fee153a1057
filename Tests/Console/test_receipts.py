"""Receipts and the ledger: what they say is what the store has."""

import base64
import json
import re

import pytest
from playwright.sync_api import expect

from store import APP, ROOT
from test_backend import DOCUMENT
from worlds import Device


@pytest.fixture
def receipt(screen):
    """A customer's receipt of one purchase, as a file and in base64."""
    world = screen.world
    app, account = world.app(), world.customer()
    file = screen.files / f"{app}.receipt"
    world.run("buy", f"{app}.archive", "--account", account, "--bundle-id", app,
              "--receipt", str(file))
    text = base64.b64encode(file.read_bytes()).decode()
    return {"app": app, "account": account, "file": file, "text": text}


def inspected(screen, text):
    screen.go("receipts")
    screen.page.get_by_label("App receipt, transaction receipt or JWS").fill(text)
    screen.page.get_by_role("button", name="Inspect").click()
    return screen.page.locator(".result")


@pytest.mark.parametrize("way", ["pasted", "from a file", "of its customer"])
def test_a_receipt_is_authentic_and_lists_its_purchases(screen, receipt, way):
    page = screen.page
    if way == "pasted":
        inspected(screen, receipt["text"])
    elif way == "from a file":
        screen.go("receipts")
        page.get_by_label("File").set_input_files(receipt["file"])
    else:
        screen.go("receipts")
        page.get_by_label("Or of customer").fill(receipt["account"])
        page.locator("form.filters select").nth(1).select_option(receipt["app"])
        page.get_by_role("button", name="Load its receipt").click()
    result = page.locator(".result")
    expect(result.get_by_text("Authentic", exact=True)).to_be_visible()
    expect(result.get_by_role("table", name="Purchases")).to_contain_text(
        f"{receipt['app']}.archive")
    expect(result.locator(".checks .bad")).to_have_count(0)
    explained = screen.world.send("POST", "receipts/explain", {"receipt": receipt["text"]})
    assert explained["verdict"]["isAuthentic"] is True
    assert len(explained["purchases"]) == 1


@pytest.mark.parametrize("way", ["pasted", "from a file"])
@pytest.mark.parametrize("before", ["", "\n \t"], ids=["from its first byte", "after spaces"])
def test_a_transaction_receipt_is_taken_as_its_own_bytes(screen, way, before):
    world = screen.world
    app = world.app()
    transaction, account = world.bought(app, "archive")
    receipts = Device(world, app, account).send(
        "POST", "transaction-receipts", {"transactionIds": [transaction]})["receipts"]
    text = before + base64.b64decode(receipts[0]["receipt"]).decode()
    result = inspected(screen, text if way == "pasted" else "")
    if way == "from a file":
        screen.page.get_by_label("File").set_input_files(screen.file(f"{app}.plist", text))
    expect(result.get_by_role("heading", name="Receipt of a transaction")).to_be_visible()
    expect(result.get_by_text("Authentic", exact=True)).to_be_visible()
    expect(result).to_contain_text(transaction)


def test_a_receipt_that_was_altered_fails_at_its_signature(screen, receipt):
    data = bytearray(receipt["file"].read_bytes())
    place = data.index(b".archive")
    data[place:place + 8] = b".freebie"
    result = inspected(screen, base64.b64encode(data).decode())
    expect(result.get_by_text("Not authentic", exact=True)).to_be_visible()
    failed = result.locator(".checks li").filter(has_text="Failed")
    expect(failed).to_contain_text("The signature matches the digest")


def test_a_receipt_of_another_world_is_not_authentic(screen, store, customer):
    store.run("buy", f"{APP}.turbo", "--account", customer, "--bundle-id", APP,
              "--receipt", str(screen.files / "other"))
    other = base64.b64encode((screen.files / "other").read_bytes()).decode()
    expect(inspected(screen, other).get_by_text("Not authentic", exact=True)).to_be_visible()


def test_what_is_no_receipt_is_said_to_be_none(screen):
    result = inspected(screen, "No receipt!")
    expect(result.get_by_text("Not authentic", exact=True)).to_be_visible()
    expect(result.locator(".checks li").filter(has_text="Failed")).to_contain_text("It can be read")


@pytest.mark.parametrize("payload", ["null", "hello", "[1]"])
def test_signed_data_of_another_shape_show_their_verdict(screen, receipt, payload):
    device = Device(screen.world, receipt["app"], receipt["account"])
    head, _, signature = device.send("GET", "app-transaction")["appTransaction"].split(".")
    forged = base64.urlsafe_b64encode(payload.encode()).decode().rstrip("=")
    result = inspected(screen, f"{head}.{forged}.{signature}")
    expect(result.get_by_text("Not authentic", exact=True)).to_be_visible()
    expect(result.get_by_role("group", name="Payload")).to_contain_text(payload.strip("[]"))


def test_signed_data_are_checked_against_the_worlds_certificates(screen, receipt):
    device = Device(screen.world, receipt["app"], receipt["account"])
    token = device.send("GET", "app-transaction")["appTransaction"]
    result = inspected(screen, token)
    expect(result.get_by_text("Authentic", exact=True)).to_be_visible()
    expect(result.locator(".checks").get_by_text("Passed", exact=True)).to_have_count(9)
    expect(result.get_by_role("group", name="Payload")).to_contain_text(receipt["app"])
    head, body, signature = token.split(".")
    forged = base64.urlsafe_b64encode(base64.urlsafe_b64decode(body + "==").replace(
        b"Sandbox", b"sandBox")).decode().rstrip("=")
    result = inspected(screen, f"{head}.{forged}.{signature}")
    expect(result.get_by_text("Not authentic", exact=True)).to_be_visible()
    expect(result.locator(".checks li").filter(has_text="Failed")).to_contain_text("signature")


@pytest.fixture
def refusals(screen):
    """What an expression makes of the page's explanations."""
    screen.go("receipts")
    return lambda expression: screen.page.evaluate(
        f"import('/console/refusals.js').then(refusals => {expression})")


def has_words(text, sentence):
    """Whether the longer words of a sentence are in the text, in their order."""
    words = iter(re.findall(r"[\w-]{4,}", text))
    return all(word in words for word in re.findall(r"[\w-]{4,}", sentence))


def test_each_status_of_verify_receipt_is_explained_as_the_store_does(store, refusals):
    document = store.send("GET", "/openapi.json", token=False)
    status = document["components"]["schemas"]["Verified"]["properties"]["status"]
    single, several = status["anyOf"]
    sentences = dict(re.findall(r"(?<!to )\b(\d+): (.*?\.)(?= \d)", status["description"]))
    assert set(sentences) == {str(code) for code in single["enum"]}
    answered = {*single["enum"], *range(several["minimum"], several["maximum"] + 1)} - {0}
    means = refusals("[...Array(1000).keys()].map(n => refusals.explanation(21000 + n)?.means)")
    assert {21_000 + number for number, text in enumerate(means) if text} == answered
    listed = refusals("refusals.receiptStatuses")
    assert {code for code, _ in listed} == set(sentences) - {"0"}
    assert [text for code, text in listed if not has_words(text, sentences[code])] == []


def test_the_guide_has_each_status_that_the_page_explains(refusals):
    guide = (ROOT / "docs" / "console.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (21\d{3})(?: to (21\d{3}))? \|", guide, re.MULTILINE)
    assert [first for first, last in rows if not last] == [
        code for code, _ in refusals("refusals.receiptStatuses")]
    in_guide = [status for first, last in rows
                for status in range(int(first), int(last or first) + 1)]
    assert in_guide == refusals(
        "[...Array(1000).keys()].map(n => 21000 + n).filter(refusals.explanation)")


def test_no_code_is_explained_that_no_server_answers(store, refusals):
    """Each is in the description of the store or of the backend."""
    explained = refusals("refusals.explained")
    documents = json.dumps(store.send("GET", "/openapi.json", token=False)) + \
        DOCUMENT.read_text(encoding="utf-8")
    known = set(re.findall(r"\w+", documents))
    assert len(explained) > 40 and set(explained) - known == set()


def test_the_ledger_has_each_entry_and_balance(screen):
    """Credit that is paid in and spent in production moves between accounts, and sums to none."""
    world = screen.world
    app, account = world.app(), world.customer("production")
    world.run("credit", "add", account, "30", "--environment", "production")
    world.buy(app, "archive", account, "production")
    screen.go(f"ledger/entries?q={account}&environment=production")
    rows = screen.page.get_by_role("table", name="Entries").locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("-$24.99")
    expect(rows.nth(1)).to_contain_text("$30.00")
    for place in range(2):
        expect(rows.nth(place)).to_contain_text("Sum")
        expect(rows.nth(place).locator("dd").last).to_have_text("$0.00")
    screen.go("ledger/accounts?holder=customer")
    link = screen.page.get_by_role("link", name=f"Customer {account}")
    expect(screen.page.get_by_role("row").filter(has=link)).to_contain_text("$5.01")
    balances = world.get(f"accounts/details?account={account}&environment=production")["balances"]
    assert balances == [{"currency": "USD", "milliunits": 5010}]
    link.click()
    expect(rows).to_have_count(2)
