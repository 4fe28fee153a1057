"""The backend's own console: its words, its screens, and that it calls no other server."""

import json
import pathlib
import re
import subprocess
import tempfile

import pytest
from playwright.sync_api import expect

from parts import open_action
from store import APP, PROGRAM, ROOT

DOCUMENT = ROOT / "Tests" / "OpenAPITests" / "Golden" / "backend.json"


class Backend:
    """`bodega backend` for a store, until it is closed; its pages are opened as a store's are."""

    def __init__(self, store):
        self.folder = tempfile.TemporaryDirectory(prefix="bodega-console-")
        self.data = pathlib.Path(self.folder.name) / "data"
        secret = pathlib.Path(self.folder.name) / "secret"
        secret.write_text(json.loads(store.run("secret", "make", "--json"))["secret"])
        secret.chmod(0o600)
        self.process = subprocess.Popen(
            [PROGRAM, "backend", "--data", str(self.data), "--port", "0", "--allow-sandbox",
             "--production-url", f"{store.url}/production", "--sandbox-url", f"{store.url}/sandbox",
             "--shared-secret-file", str(secret),
             "--products", str(ROOT / "Examples/RocketCar/Backend/products.json")],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, text=True)
        self.url = self.process.stdout.readline().split("listens on ")[1].strip()
        self.token = (self.data / "operator-token").read_text(encoding="utf-8").strip()

    def address(self):
        done = subprocess.run([PROGRAM, "backend", "console", "--data", str(self.data)],
                              capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=30)
        self.process.stdout.close()
        self.folder.cleanup()


@pytest.fixture(scope="module")
def backend(store):
    running = Backend(store)
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
