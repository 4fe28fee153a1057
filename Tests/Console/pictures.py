"""Takes the pictures of the console that the documentation shows.

  .venv-console/bin/python Tests/Console/pictures.py

writes docs/images/console/*.png, from a store of its own with a clock that is held. What differs
from run to run, as numbers of transactions and times of requests, is covered. Look at the pictures
before they are committed, as at a golden file; test_pictures.py compares them.
"""

import base64
import contextlib
import json
import re
import struct
import urllib.error
import urllib.request
import zlib
from types import SimpleNamespace

from playwright.sync_api import expect, sync_playwright

from conftest import filled, launch
from store import APP, CATALOGUE, ROOT, Store
from test_backend import Backend
from worlds import World

FOLDER = ROOT / "docs" / "images" / "console"
DESK, PHONE = {"width": 1280, "height": 720}, {"width": 360, "height": 720}
JSON = {"Content-Type": "application/json"}


def post(url, body, **headers):
    request = urllib.request.Request(url, data=body.encode(), headers=headers)
    with urllib.request.urlopen(request) as answer:
        return answer.read()


@contextlib.contextmanager
def prepared():
    """A store with something for each picture, and a backend that asks one of its worlds."""
    store = filled(Store())
    backend = None
    try:
        prepare(store)
        store.run("catalog", "import", str(CATALOGUE), "--bundle-id", APP, "--world", "checkout")
        backend = Backend(SimpleNamespace(
            url=f"{store.url}/t/checkout", run=World(store, "checkout").run))
        submit(store, backend)
        store.backend = backend
        yield store
    finally:
        if backend is not None:
            backend.close()
        store.close()


def prepare(store):
    """Requests that are refused, and what waits for an answer or got one."""
    for environment, body in [("sandbox", '{"receipt-data": "bm8gcmVjZWlwdA=="}'),
                              ("sandbox", "[]"),
                              ("production", '{"receipt-data": "bm8gcmVjZWlwdA=="}')]:
        post(f"{store.url}/{environment}/verifyReceipt", body)
    # What takes every notification, and what takes none; the requests are those of another world.
    store.run("notification", "set", APP, f"{store.url}/t/checkout/sandbox/verifyReceipt",
              "--private")
    store.run("notification", "set", APP, f"{store.url}/t/checkout/away", "--private",
              "--environment", "production")
    store.run("product", "price", f"{APP}.club", "1.79", "--storefront", "DEU",
              "--from", "2030-12-24")
    sales = []
    for name in ["gus", "hana", "ivo", "june"]:
        store.run("account", "add", f"{name}@example.com", "--without-password")
        sales.append(json.loads(store.run(
            "buy", f"{APP}.turbo", "--account", f"{name}@example.com", "--json"))[
                "transaction"]["transactionId"])
    for sale, reason in zip(sales, ["unintended-purchase", "fulfillment-issue",
                                    "unsatisfied-with-purchase", "other"]):
        store.run("refund", "request", sale, "--reason", reason)
    store.run("refund", "consumption", sales[1], "--consented", "--delivery", "delivered",
              "--percentage", "40")
    store.run("refund", "grant", sales[2])
    store.run("refund", "decline", sales[3])
    for name, product in [("kim", "moontrack"), ("lea", "club"), ("max", "turbo")]:
        store.run("account", "add", f"{name}@example.com", "--without-password")
        store.run("account", "approval", f"{name}@example.com", "on")
        store.run("buy", f"{APP}.{product}", "--account", f"{name}@example.com")
    store.run("credit", "add", "real@example.com", "20", "--environment", "production")
    store.run("buy", f"{APP}.fuel", "--account", "real@example.com",
              "--environment", "production")
    store.run("subscription", "new", "--state", "grace", "--account", "dora@example.com")
    store.run("notification", "settle")
    store.run("world", "make", "bad-network")
    store.run("clock", "hold", "2026-03-01", "--world", "bad-network")
    store.run("fault", "verify-receipt", "21005", "--count", "3", "--world", "bad-network")
    store.run("fault", "request", "/verifyReceipt", "--status", "503", "--delay", "2s",
              "--world", "bad-network")
    store.run("server-api", "limits", "on", "--world", "bad-network")
    store.run("world", "snapshot", "checkout", "before-sale")


def submit(store, backend):
    """Receipts of one user: of two purchases, and one that the store refuses."""
    token = json.loads(post(f"{backend.url}/v1/users", json.dumps(
        {"name": "nora", "password": "rocket-fuel-1"}), **JSON))["token"]
    store.run("account", "add", "nora@example.com", "--without-password", "--world", "checkout")
    file = backend.data.parent / "receipt"
    for product in ["fuel", "turbo", "moontrack"]:
        sale = json.loads(store.run(
            "buy", f"{APP}.{product}", "--account", "nora@example.com", "--receipt", str(file),
            "--json", "--world", "checkout"))["transaction"]["transactionId"]
        body = {"receiptData": base64.b64encode(file.read_bytes()).decode(), "appVersion": "1.0",
                "productId": f"{APP}.{product}", "transactionId": sale}
        if product == "moontrack":
            body["receiptData"] = "bm8gcmVjZWlwdA=="
        with contextlib.suppress(urllib.error.HTTPError):
            post(f"{backend.url}/v1/receipts", json.dumps(body),
                 Authorization=f"Bearer {token}", **JSON)


def numbers(page):
    """The numbers of transactions and entries, which differ from store to store."""
    return page.locator("main code.id").filter(
        has_text=re.compile(r"^(\d{8,}|(request|charge)/.+|[0-9A-Fa-f-]{36})$"))


def show_now(page, _):
    requests = page.get_by_role("table", name="Requests")
    expect(requests.locator("tbody tr")).to_have_count(3)
    requests.get_by_role("link").first.click()
    expect(page.get_by_role("group", name="Answer")).to_be_visible()
    return [page.locator("main time"), page.locator("main dd:has(code.id)"),
            page.locator("main dd").filter(has_text=re.compile(r"(ms|µs)$"))]


def show_subscription(page, store):
    original = store.get("/control/v1/subscriptions")["subscriptions"][-1][
        "originalTransactionId"]
    page.goto(f"{store.url}/console/#/default/subscriptions/{original}")
    expect(page.get_by_text("Grace period ends").first).to_be_visible()
    return [numbers(page)]


def show_customer(page, store):
    page.goto(f"{store.url}/console/#/default/customers/sandbox/ann@example.com")
    expect(page.get_by_role("table", name="Purchases").locator("tbody tr")).to_have_count(4)
    return [numbers(page), page.locator("main dd time")]


def show_product(page, store):
    page.goto(f"{store.url}/console/#/default/shop/apps/{APP}/products/{APP}.club")
    expect(page.get_by_role("heading", name="Offers")).to_be_visible()
    return [page.locator("main time")]


def show_entries(page, store):
    page.goto(f"{store.url}/console/#/default/ledger/entries")
    expect(page.get_by_role("table", name="Entries").locator("tbody tr").first).to_be_visible()
    return [numbers(page)]


def list_of(place, label, count, covered=lambda page: []):
    """Shows a place by the rows of a table there."""
    def show(page, store):
        page.goto(f"{store.url}/console/#/{place}")
        rows = page.get_by_role("table", name=label, exact=True).locator("tbody tr")
        expect(rows).to_have_count(count)
        return covered(page)
    return show


def sessions(page):
    """Covers what differs in the list of worlds. Sessions rest after a while; here they do not."""
    page.get_by_text("Resting").evaluate_all("chips => chips.forEach(chip => { "
                                             "chip.className = 'chip good'; "
                                             "chip.textContent = 'Open'; })")
    sizes = page.locator("main td.number").filter(has_text="B")
    sizes.evaluate_all("""cells => cells.forEach(cell => {
        const size = document.createElement("span");
        size.textContent = "100.0 KB";
        cell.replaceChildren(size);
    })""")
    return [page.locator("main time"), sizes.locator("span")]


def show_receipt(page, store):
    page.goto(f"{store.url}/console/#/default/receipts?account=ann@example.com"
              f"&environment=sandbox&app={APP}")
    expect(page.get_by_text("Authentic", exact=True)).to_be_visible()
    # Its text differs from run to run.
    page.locator("textarea").evaluate("field => { field.value = ''; }")
    return [numbers(page)]


def show_faults(page, store):
    page.goto(f"{store.url}/console/#/bad-network/faults")
    expect(page.get_by_text("2 faults on")).to_be_visible()
    expect(page.locator(".screens .mark .chip")).to_have_text("on")
    expect(page.get_by_text("held", exact=True)).to_be_visible()
    return []


def show_settings(page, store):
    page.goto(f"{store.url}/console/#/default/settings/shop")
    expect(page.get_by_role("heading", name="Policy on products")).to_be_visible()
    return []


def show_submissions(page, store):
    page.goto(store.backend.address())
    expect(page.get_by_role("table", name="Submissions").locator("tbody tr")).to_have_count(3)
    return [page.locator("main time"), numbers(page)]


def show_requests(page, _):
    expect(page.get_by_role("table", name="Requests").locator("tbody tr")).to_have_count(3)
    return [page.locator("main time"), page.locator("main .number")]


def show_clock(page, store):
    page.goto(f"{store.url}/console/#/default/subscriptions")
    expect(page.get_by_role("table", name="Subscriptions").locator("tbody tr")).to_have_count(2)
    page.get_by_role("button", name="Clock: ").click()
    panel = page.get_by_role("dialog", name="Clock")
    panel.get_by_role("button", name="30 days").click()
    expect(panel.get_by_text("Due until then")).to_be_visible()
    return []


def show_deletion(page, store):
    show_customer(page, store)
    # A cover would be over the dialog.
    page.locator("main dd time").evaluate_all(
        "times => times.forEach(time => { time.textContent = '2026-03-01 00:00:00'; })")
    page.get_by_text("More actions").click()
    page.get_by_role("button", name="Delete…").click()
    page.get_by_role("dialog").get_by_label("to confirm").fill("ann@example")
    return []


SCREENS = {
    "now": show_now, "shop": list_of(f"default/shop/apps/{APP}", "Products", 5),
    "product": show_product, "customer": show_customer,
    "approvals": list_of("default/approvals", "Purchases that wait for approval", 3),
    "subscription": show_subscription, "refunds": list_of("default/refunds", "Refunds", 4),
    "notifications": list_of("default/notifications", "Notifications", 14),
    "receipts": show_receipt, "faults": show_faults,
    "worlds": list_of("default/worlds", "Worlds", 3, sessions),
    "ledger": show_entries, "settings": show_settings, "submissions": show_submissions,
    "clock": show_clock, "deletion": show_deletion,
}
ON_A_PHONE = {
    "now-phone": show_requests, "customers-phone": list_of("default/customers", "Customers", 12),
}
# By name: the theme, the size, and the way to the screen; it gives what is to be covered.
PICTURES = {f"{name}-{theme}": (theme, size, show)
            for size, screens in [(DESK, SCREENS), (PHONE, ON_A_PHONE)]
            for name, show in screens.items() for theme in ["light", "dark"]}


# The pixels of a picture as places in a list of 256 of its colours. Each in turn is the one that is
# most wrong until it is in the list; what is left gets the nearest.
REDUCE = """async file => {
  const image = await createImageBitmap(await (await fetch(file)).blob());
  const { width, height } = image;
  const canvas = new OffscreenCanvas(width, height).getContext("2d");
  canvas.drawImage(image, 0, 0);
  const { data } = canvas.getImageData(0, 0, width, height);
  const pixels = new Uint32Array(width * height).map((_, at) =>
    data[4 * at] << 16 | data[4 * at + 1] << 8 | data[4 * at + 2]);
  const counts = new Map();
  pixels.forEach(pixel => counts.set(pixel, (counts.get(pixel) ?? 0) + 1));
  const distance = (one, other) => [16, 8, 0].reduce((sum, shift) =>
    sum + ((one >> shift & 255) - (other >> shift & 255)) ** 2, 0);
  const all = [...counts].map(([colour, count]) => ({ colour, count, error: Infinity, place: 0 }));
  const colours = [];
  while (colours.length < Math.min(256, all.length)) {
    const { colour: next } = all.reduce((one, other) =>
      other.count * other.error > one.count * one.error ? other : one);
    for (const one of all) {
      const error = distance(one.colour, next);
      if (error < one.error) {
        Object.assign(one, { error, place: colours.length });
      }
    }
    colours.push(next);
  }
  const places = new Map(all.map(({ colour, place }) => [colour, place]));
  const reader = new FileReader();
  await new Promise(done => {
    reader.onload = done;
    reader.readAsDataURL(new Blob([Uint8Array.from(pixels, pixel => places.get(pixel))]));
  });
  return { width, height, colours, places: reader.result.split(",")[1] };
}"""


def reduced(browser, file):
    """A picture as a PNG file with a palette, which is less than half as large."""
    context = browser.new_context()
    found = context.new_page().evaluate(
        REDUCE, "data:image/png;base64," + base64.b64encode(file).decode())
    context.close()
    width, places = found["width"], base64.b64decode(found["places"])
    rows = [b"\0" + places[at:at + width] for at in range(0, len(places), width)]

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(
            ">I", zlib.crc32(kind + content))

    return b"\x89PNG\r\n\x1a\n" + b"".join([
        chunk(b"IHDR", struct.pack(">IIBBBBB", width, found["height"], 8, 3, 0, 0, 0)),
        chunk(b"PLTE", b"".join(struct.pack(">I", one)[1:] for one in found["colours"])),
        chunk(b"IDAT", zlib.compress(b"".join(rows), 9)),
        chunk(b"IEND", b"")])


# Numbers of a new world have 15 or 16 digits; the columns around them follow their width. Commands
# name the port and the id of a request.
EVEN = """body => {
  const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    texts.currentNode.data = texts.currentNode.data.replace(/\\d{13,}/g, "0".repeat(16))
      .replace(/127\\.0\\.0\\.1:\\d+/g, "127.0.0.1:8080")
      .replace(/[\\dA-F]{8}(-[\\dA-F]{4}){3}-[\\dA-F]{12}/gi,
        id => id.replace(/[^-]/g, "0"));
  }
}"""


def picture(browser, store, name, change=lambda page: None):
    """A picture as it is now, as a PNG file; after a change of the page."""
    theme, size, show = PICTURES[name]
    context = browser.new_context(viewport=size, color_scheme=theme, reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{store.url}/console/#code={store.code()}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    # What the frame asks for by itself.
    expect(page.locator(".screens .mark .chip")).to_have_count(3)
    covered = show(page, store)
    expect(page.get_by_text("Loading…")).to_have_count(0)
    expect(page.get_by_text("Connected", exact=True)).to_be_visible()
    change(page)
    page.locator("body").evaluate(EVEN)
    taken = page.screenshot(mask=covered, mask_color="#8a94a0")
    context.close()
    return taken


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    with prepared() as store, sync_playwright() as playwright:
        browser = launch(playwright)
        for name in PICTURES:
            (FOLDER / f"{name}.png").write_bytes(
                reduced(browser, picture(browser, store, name)))
        browser.close()


if __name__ == "__main__":
    main()
