"""Worlds: each action changes the store, and devices lose what is replaced."""

import json

import pytest
from playwright.sync_api import expect

from actions import CLICK, CURL, Refusal, Row, test_a_refusal_stands_beside_its_field
from parts import command, curl
from store import Refused
from worlds import Device, World, numbers

LIST, ONE = "/default/worlds", "/default/worlds/{name}"


@pytest.fixture(scope="module", autouse=True)
def afterwards(store):
    """Deletes the worlds that the tests made."""
    before = names(store)
    yield
    for name in names(store) - before:
        store.run("world", "delete", name)


def names(store):
    return {one["name"] for one in store.get("/control/v1/worlds")["worlds"]}


def a_name(_):
    return {"name": f"made-{next(numbers)}"}


def a_world(screen):
    """A session with a customer's device, and a snapshot of it from before a purchase."""
    name = f"world-{next(numbers)}"
    store = screen.world.store
    store.run("world", "make", name)
    world = World(store, name)
    app, account = world.app(), world.customer()
    device = Device(world, app, account)
    store.run("world", "snapshot", name, "before")
    world.buy(app, "issue", account)
    return {"name": name, "of": world, "app": app, "device": device}


def a_file(screen):
    """A seed, for a name that no world has."""
    it = a_world(screen)
    seed = json.dumps(it["of"].get("seed"))
    return {**a_name(screen), "file": screen.file("seed.json", seed), "app": it["app"]}


def a_file_for_a_world(screen):
    it = a_world(screen)
    seed = screen.file("seed.json", json.dumps(it["of"].get("seed")))
    it["of"].customer()
    return {**it, "file": seed}


def a_broken_file(screen):
    return {**a_name(screen), "file": screen.file("seed.json", "{}x")}


def details(world, it):
    try:
        return world.store.get(f"/control/v1/worlds/{it.name}")
    except Refused:
        return {}


def snapshots(world, it):
    return [one["name"] for one in
            world.store.get(f"/control/v1/worlds/{it.name}/snapshots")["snapshots"]]


def counts(**expected):
    """The world has these counts, and its devices must register anew."""
    def check(world, it):
        found = details(world, it)
        return {name: found.get(name) for name in expected} == expected and \
            not it.device.is_known()
    return check


ROWS = [
    Row("New test session", LIST,
        lambda world, it: details(world, it).get("sandboxName") == "Xcode", a_name,
        {"Name": "{name}", "The sandbox's name in signed data": "Xcode"}),
    Row("Seed from a file", LIST,
        lambda world, it: details(world, it).get("transactions") == 1, a_file,
        {"Seed (.json)": lambda it: it.file, "Name": "{name}"}),
    Row("Seed from a file", LIST, counts(accounts=1, transactions=1), a_file_for_a_world, {
        "Seed (.json)": lambda it: it.file, "Name": "{name}",
        "Replace the world of that name": True}, confirm="{name}",
        about="in the place of a world"),
    Row("Take a snapshot", ONE, lambda world, it: "after" in snapshots(world, it), a_world,
        {"Name": "after"}),
    Row("Restore before", ONE, counts(accounts=1, transactions=0), a_world, confirm="{name}"),
    Row("Delete snapshot before", ONE, lambda world, it: snapshots(world, it) == [], a_world,
        confirm="before"),
    Row("Reset", ONE, counts(accounts=0, products=5), a_world, confirm="{name}"),
    Row("Reset", ONE, counts(accounts=0, products=0), a_world, {"Keep the catalogue": False},
        confirm="{name}", about="with its catalogue"),
    Row("Delete", ONE, lambda world, it: it.name not in names(world.store), a_world,
        confirm="{name}"),
]

REFUSALS = [
    Refusal("New test session", LIST, prepare=a_world, fill={"Name": "{name}"},
            code="worldExists", field="Name"),
    Refusal("Seed from a file", LIST, prepare=a_broken_file, code="badSeed",
            fill={"Seed (.json)": lambda it: it.file, "Name": "{name}"}, field="Seed (.json)",
            ways=(CURL,)),
]


def test_an_action_changes_the_store(screen, row, way):
    screen.allows.append("status of 404")  # What the page shows may be asked for once more.
    screen.carry_out(row, way)


def test_a_new_session_is_opened_at_once(screen):
    row = ROWS[0]
    it = a_name(screen)
    screen.carry_out(Row(**{**vars(row), "prepare": lambda _: it}), CLICK)
    expect(screen.page.get_by_role("button", name=f"World {it['name']}")).to_be_visible()


def test_a_world_is_exported_as_the_seed_of_the_same(screen):
    it = a_world(screen)
    screen.go(ONE.format(**it))
    with screen.page.expect_download() as saved:
        screen.page.get_by_role("button", name="Export as a seed").click()
    assert saved.value.suggested_filename == f"{it['name']}.json"
    with open(saved.value.path(), encoding="utf-8") as file:
        assert json.load(file) == it["of"].get("seed")


def test_the_default_world_is_restored_only_with_its_name_typed(own_store, pages):
    own_store.run("world", "snapshot", "default", "before")
    own_store.run("account", "add", "late@example.com", "--without-password")
    page = pages.open(own_store, "/default/worlds/default")
    page.get_by_role("button", name="Restore before").click()
    dialog = page.get_by_role("dialog", name="Restore before")
    assert command(dialog) == "bodega world restore default before --yes"
    assert "/control/v1/worlds/default/restore" in curl(dialog)
    button = dialog.get_by_role("button", name="Restore before")
    dialog.get_by_label("to confirm").fill("Default")
    expect(button).to_be_disabled()
    dialog.get_by_label("to confirm").fill("default")
    button.click()
    expect(dialog).to_be_hidden()
    accounts = own_store.get("/control/v1/accounts")["accounts"]
    assert "late@example.com" not in [one["name"] for one in accounts]
