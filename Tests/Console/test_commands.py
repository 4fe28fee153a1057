"""What is copied from the page: one command, of the world that is shown, about the name meant."""

import json
import re

import pytest
from playwright.sync_api import expect

from hands import Mouse
from parts import command, curl, customer_place, open_action
from store import APP, CATALOGUE

FOREIGN = "x; touch pwned; $(touch pwned) #"
HIDDEN = "ali\u200creza \U0001f469\u200d\U0001f680 \\n'"


def blocks(page):
    """The commands that the page offers for copying."""
    return page.get_by_role("group", name="bodega command").all_inner_texts()


def pwned(store, line):
    """Whether a line runs anything but `bodega`."""
    store.shell(f"cd {store.folder.name}; bodega() {{ :; }}; {line}")
    return "pwned" in [path.name for path in store.data.parent.iterdir()]


PLACES = ["{name}", "{name}/subscriptions", "{name}/devices", "{name}/credit", "{name}/family",
          "{name}/apps/com.example.none"]


@pytest.mark.parametrize("place", PLACES)
def test_a_name_in_an_address_runs_nothing(pages, store, place):
    store.send("POST", "/control/v1/accounts", {"name": FOREIGN, "environment": "sandbox"}) \
        if FOREIGN not in json.dumps(store.get("/control/v1/accounts?search=x")) else None
    page = pages.open(store, customer_place(FOREIGN, *place.split("/")[1:]),
                      allows=["status of 404"])
    expect(page.get_by_role("group", name="bodega command").first).to_be_visible()
    for line in blocks(page):
        assert not pwned(store, line), line


def test_an_app_in_an_address_runs_nothing(pages, store):
    page = pages.open(store, customer_place("ann@example.com", "apps", "a;touch pwned;"),
                      allows=["status of 404"])
    line = page.get_by_role("group", name="bodega command").first
    expect(line).to_contain_text("receipt show")
    assert not pwned(store, line.inner_text())


def test_commands_of_a_list_name_their_world(pages, store):
    page = pages.open(store, "/checkout/customers/sandbox/nobody@example.com/apps/com.example.a",
                      allows=["status of 404"])
    expect(page.get_by_role("group", name="bodega command").first).to_be_visible()
    for place in ["refunds", "faults", "subscriptions", "shop/gift-codes", "approvals"]:
        page.goto(f"{store.url}/console/#/checkout/{place}")
        expect(page.get_by_role("group", name="bodega command").first).to_have_text(
            re.compile("--world checkout$"))
    page.goto(f"{store.url}/console/#/checkout/worlds/default")
    expect(page.get_by_role("group", name="bodega command")).to_have_text(
        "bodega world snapshot default before-sale")


def test_a_reason_explains_itself_with_the_world(pages, store):
    page = pages.open(store, "/checkout/now/requests?of=all", allows=["status of 404"])
    page.evaluate("""() => fetch("/t/checkout/sandbox/verifyReceipt",
        { method: "POST", body: '{"receipt-data": "AAAA"}' })""")
    row = page.get_by_role("table", name="Requests").locator("tbody tr", has_text="21002")
    row.first.get_by_role("link").click()
    page.get_by_role("button", name="Why was it refused?").click()
    assert command(page.get_by_role("dialog")) == "bodega receipt show FILE --world checkout"


def test_hidden_characters_reach_the_store_as_they_are(pages, store):
    for way, shown in [(command, "\\342\\200\\214"), (curl, "\\u200c")]:
        store.send("POST", "/control/v1/accounts", {"name": HIDDEN, "environment": "sandbox"})
        page = pages.open(store, customer_place(HIDDEN))
        line = way(open_action(page, "Delete"))
        assert shown in line and "\u200c" not in line
        done = store.shell(line.replace(" DELETE", " DELETE --fail"))
        assert done.returncode == 0, done.stderr
        found = store.get("/control/v1/accounts?limit=200")["accounts"]
        assert HIDDEN not in [one["name"] for one in found if "deletedAt" not in one]


def test_a_name_with_hidden_characters_is_typed_as_it_is_shown(pages, store):
    store.send("POST", "/control/v1/accounts", {"name": HIDDEN, "environment": "sandbox"})
    page = pages.open(store, customer_place(HIDDEN), allows=["status of 404"])
    dialog = open_action(page, "Delete")
    label = dialog.get_by_text("to confirm").inner_text()
    dialog.get_by_label("to confirm").fill(re.fullmatch("Type “(.*)” to confirm", label)[1])
    dialog.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("heading", name="Customers")).to_be_visible()


def test_limits_of_the_settings_are_set_by_their_command(pages, store):
    store.run("server-api", "limits", "on", "--hourly-max", "5")
    page = pages.open(store, "/default/settings/shop")
    dialog = open_action(page, "Set limits")
    dialog.get_by_role("combobox", name="Limits").select_option("off")
    done = store.shell(command(dialog))
    assert done.returncode == 0, done.stderr
    assert store.get("/control/v1/server-api/limits") == {"isOn": False}


def test_an_upload_has_no_curl(pages, store):
    page = pages.open(store, f"/default/shop/apps/{APP}/content")
    dialog = open_action(page, "Add resources")
    assert command(dialog).startswith("bodega resource add")
    expect(dialog.get_by_role("group", name="curl")).to_have_count(0)


@pytest.mark.parametrize("place, title, fields, then", [
    ("", "Lock", {}, lambda world, name: world.account(name)["lock"]),
    ("credit", "Add credit", {"Amount": "5"},
     lambda world, name: world.get(f"accounts/details?account={name}&environment=sandbox")
        ["balances"]),
    ("family", "Make a family", {}, lambda world, name: world.get("families")["families"]),
    ("", "Buy", {"Product": f"{APP}.fuel"},
     lambda world, name: world.get(f"transactions?account={name}&environment=sandbox")
        ["transactions"]),
    ("", "Delete", {}, lambda world, name: name not in world.run("account", "list")),
])
def test_a_name_that_begins_as_an_option_does_is_none(pages, world, place, title, fields, then):
    store, name = world.store, f"--{title.lower().replace(' ', '-')}"
    world.run("catalog", "import", str(CATALOGUE), "--bundle-id", APP)
    world.send("POST", "accounts", {"name": name, "environment": "sandbox"})
    page = pages.open(store, customer_place(name, *filter(None, [place]), world=world.name))
    dialog = open_action(page, title)
    for label, value in fields.items():
        Mouse().fill(dialog.get_by_label(label, exact=True), value)
    done = store.shell(command(dialog))
    assert done.returncode == 0, done.stderr
    assert then(world, name)


def test_a_new_name_that_begins_as_an_option_does_is_none(pages, world):
    page = pages.open(world.store, world.place("customers"))
    dialog = open_action(page, "New customer")
    dialog.get_by_label("Name", exact=True).fill("--help")
    assert command(dialog).endswith(f" --world {world.name} -- --help")
    done = world.store.shell(command(dialog))
    assert done.returncode == 0, done.stderr
    assert world.account("--help")


@pytest.mark.parametrize("note", ["-h", "--help", "--json", "--"])
def test_a_note_that_is_an_option_is_a_note(pages, world, note):
    app = world.app()
    page = pages.open(world.store, world.place(f"shop/apps/{app}/products/{app}.monthly"))
    dialog = open_action(page, "Take off sale")
    Mouse().fill(dialog.get_by_label("Note"), note)
    done = world.store.shell(command(dialog))
    assert done.returncode == 0, done.stderr
    page.reload()
    expect(page.get_by_role("cell", name=note, exact=True)).to_be_visible()


@pytest.mark.parametrize("world", ["..", "."])
def test_dots_are_no_world(pages, store, world):
    page = pages.open(store, f"/{world}/customers", allows=["status of 404"])
    expect(page.locator("main").get_by_role("alert")).to_contain_text("worldUnknown")
    expect(page.get_by_text("ann@example.com")).to_have_count(0)
    page.get_by_role("link", name="Go to the default world").click()
    expect(page.get_by_text("ann@example.com")).to_be_visible()
