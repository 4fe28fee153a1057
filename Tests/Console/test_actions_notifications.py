"""Notifications: each action changes the store, and what an app's server receives."""

import http.server
import json
import threading
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from actions import (
    CLICK, COMMAND, CURL, Refusal, Row,
    test_a_refusal_stands_beside_its_field, test_an_action_changes_the_store)
from parts import command, curl
from worlds import payload

SERVERS = "notifications/servers"


@pytest.fixture(scope="module", autouse=True)
def server(world):
    """An app's server, which takes every notification and keeps what came, while it is open."""
    received, is_open = [], threading.Event()
    is_open.set()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            is_open.wait()
            body = self.rfile.read(int(self.headers["Content-Length"]))
            received.append((self.path, json.loads(body)))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    running = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=running.serve_forever)
    thread.start()
    world.received, world.server_is_open = received, is_open
    world.server = f"http://127.0.0.1:{running.server_port}"
    yield
    running.shutdown()
    thread.join()
    running.server_close()


def an_app(screen):
    """An app, and the address of its server."""
    app = screen.world.app()
    return {"app": app, "url": f"{screen.world.server}/{app}"}


def with_server(*more):
    """An app whose server is notified, and what a command did to it."""
    def prepare(screen):
        it = an_app(screen)
        screen.world.run("notification", "set", it["app"], it["url"], "--private")
        if more:
            screen.world.run("notification", more[0], it["app"], *more[1:])
        return it
    return prepare


def with_secret(screen):
    """An app with a shared secret, which its server gets with notifications of version 1."""
    it = an_app(screen)
    made = screen.world.send("POST", f"apps/{it['app']}/secrets", {"overlapMilliseconds": 0})
    screen.file("shared-secret", made["secret"]).chmod(0o600)
    return {**it, "secret": made["secret"]}


def with_subscription(screen):
    it = with_server()(screen)
    transaction, account = screen.world.bought(it["app"], "monthly")
    return {**it, "transaction": transaction, "account": account}


def delivered(screen):
    it = with_server("test")(screen)
    screen.world.run("notification", "settle")
    number = screen.world.get(f"notifications?app={it['app']}")["notifications"][0]["number"]
    return {**it, "number": number}


def target(world, it):
    found = world.get(f"apps/{it.app}/notification-targets")["targets"]
    return found[0] if found else None


def arrived(world, it):
    """The types of what the app's server received, once all that is due was sent."""
    world.run("notification", "settle")
    return [payload(body["signedPayload"])["notificationType"] if "signedPayload" in body
            else body["notification_type"]
            for path, body in world.received if path == f"/{it.app}"]


def is_notified(version):
    """The server has its address, and receives a notification of the version."""
    def check(world, it):
        found = target(world, it)
        if found is None or (found["url"], found["version"]) != (it.url, version):
            return False
        world.bought(it.app, "monthly")
        return arrived(world, it) == ["SUBSCRIBED" if version == "V2" else "INITIAL_BUY"]
    return check


def receives(*types):
    return lambda world, it: arrived(world, it) == list(types)


def has_no_server(world, it):
    return target(world, it) is None


def is_spoiled(world, it):
    expected = {"dropped": 100, "delayed": 20, "delayMilliseconds": 30_000, "seed": 3}
    found = target(world, it).get("disorder", {})
    return {name: found.get(name) for name in expected} == expected


ADDRESS = {"URL": "{url}", "May be on this machine or network, and by plain HTTP": True}

# It changes nothing by itself: see test_settling_waits_for_what_is_due.
SETTLE = Row("Settle", "notifications", ways=())

ROWS = [
    Row("Set URL", SERVERS, is_notified("V2"), an_app, ADDRESS, within="{app}"),
    Row("Set URL", SERVERS, is_notified("V1"), with_secret,
        {**ADDRESS, "Version": "V1", "Shared secret": "{secret}"}, within="{app}",
        ways=(CLICK, COMMAND), about="of version 1"),
    Row("Send a test", SERVERS, receives("TEST"), with_server(), within="{app}"),
    Row("Send another type", SERVERS, receives("EXTERNAL_PURCHASE_TOKEN"), with_server(),
        {"Type": "EXTERNAL_PURCHASE_TOKEN", "Subtype": "UNREPORTED"}, within="{app}"),
    Row("Send another type", SERVERS, receives("SUBSCRIBED", "RESCIND_CONSENT"),
        with_subscription,
        {"Type": "RESCIND_CONSENT", "Customer": "{account}"}, within="{app}",
        about="of a customer"),
    Row("Send another type", SERVERS, receives("SUBSCRIBED", "MIGRATION"),
        with_subscription,
        {"Type": "MIGRATION", "Transaction": "{transaction}"}, within="{app}",
        about="of a subscription"),
    Row("Disorder", SERVERS, is_spoiled, with_server(), {
        "Dropped, in percent": "100", "Delayed, in percent": "20",
        "For up to, in seconds": "30", "Seed": "3"}, within="{app}"),
    Row("Disorder", SERVERS, lambda world, it: "disorder" not in target(world, it),
        with_server("disorder", "--dropped", "100", "--seed", "3"),
        {"Dropped, in percent": "", "Seed": ""}, within="{app}", about="ends"),
    Row("Remove", SERVERS, has_no_server, with_server(), confirm="{app}", within="{app}"),
    SETTLE,
    Row("Send again", "notifications/sent/{number}", receives("TEST", "TEST"), delivered),
]

REFUSALS = [
    Refusal("Set URL", SERVERS, prepare=an_app, fill={"URL": "ftp://files"}, within="{app}",
            code="badField", field="URL"),
    Refusal("Disorder", SERVERS, prepare=with_server(), fill={"Dropped, in percent": "101"},
            within="{app}", code="badField", field="Dropped, in percent", ways=(CURL,)),
]


def test_settling_waits_for_what_is_due(screen):
    world = screen.world
    it = with_server()(screen)
    world.server_is_open.clear()
    world.run("notification", "test", it["app"])
    dialog, title = screen.open(SETTLE, SimpleNamespace(**it))
    lines = [command(dialog), curl(dialog)]
    button = dialog.get_by_role("button", name=title, exact=True)
    with screen.page.expect_request("**/notifications/settle"):
        button.click()
    expect(button).to_be_disabled()
    world.server_is_open.set()
    expect(dialog).to_be_hidden()
    expect(screen.page.get_by_text("0 notifications still due").first).to_be_visible()
    assert arrived(world, SimpleNamespace(**it)) == ["TEST"]
    for line in lines:
        done = screen.shell(line)
        assert (done.returncode, "0" in done.stdout) == (0, True), done.stderr
