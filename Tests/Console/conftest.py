"""The console in a browser, against a real store.

The program under test is BODEGA_PROGRAM (.build/debug/bodega if absent), with the files that are
embedded in it; BODEGA_CONSOLE_FILES=folder tests the files of that folder instead.
"""

import os
import pathlib
import re
import urllib.parse

import pytest
from playwright.sync_api import expect, sync_playwright

from actions import Screen, cases
from parts import LATER
from store import APP, CATALOGUE, Store
from worlds import World

expect.set_options(timeout=30_000)

# Other names of this machine: an attacker's page has one of them.
RESOLVER_RULES = "MAP *.attacker.example 127.0.0.1"


def launch(playwright):
    chromium = os.environ.get("BODEGA_CHROMIUM", "/usr/bin/chromium")
    arguments = [f"--host-resolver-rules={RESOLVER_RULES}"]
    if os.geteuid() == 0:
        arguments.append("--no-sandbox")
    return playwright.chromium.launch(
        executable_path=chromium if pathlib.Path(chromium).exists() else None, args=arguments)


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        running = launch(playwright)
        yield running
        running.close()


def filled(store):
    """A catalogue, customers and purchases: something for each screen."""
    store.run("catalog", "import", str(CATALOGUE), "--bundle-id", APP)
    store.run("clock", "hold", "2026-03-01")
    for name in ["ann", "ben", "cleo"]:
        store.run("account", "add", f"{name}@example.com", "--without-password")
    store.run("account", "add", "real@example.com", "--without-password",
              "--environment", "production")
    for product in ["fuel", "moontrack", "club"]:
        store.run("buy", f"{APP}.{product}", "--account", "ann@example.com")
    store.run("credit", "add", "ann@example.com", "12.50")
    store.run("family", "make", "cleo@example.com")
    store.run("world", "make", "checkout")
    return store


@pytest.fixture(scope="session")
def store():
    """A store that all tests share; each makes customers of its own."""
    running = filled(Store())
    yield running
    running.close()


@pytest.fixture
def own_store():
    """A store for one test, which may stop it."""
    running = filled(Store())
    yield running
    running.close()


# The method and path of each request that a page made and a store granted.
asked_for = set()


def pytest_collection_modifyitems(items):
    """What is asked of the whole run comes last."""
    items.sort(key=lambda item: item.path.name == "test_endpoints.py")


def pytest_generate_tests(metafunc):
    """The tables of a file of actions are the parameters of its tests."""
    module = metafunc.module
    if metafunc.function.__name__ == "test_an_action_changes_the_store":
        metafunc.parametrize("row, way", **cases(module.ROWS))
    if "refusal" in metafunc.fixturenames:
        metafunc.parametrize("refusal", module.REFUSALS, ids=lambda row: row.title)


class Watched:
    """Pages of which nothing may be logged, fail, or leave the store's origin."""

    def __init__(self, browser):
        self.browser, self.contexts, self.wrong = browser, [], []

    def open(self, store, place="/default/now", *, width=1280, theme="light", read_only=False,
             signs_in=True, allows=(), **options):
        """A page at a place of the console, signed in by a code. `allows` are expressions of what
        the browser may log, such as that a refusal has the status 404."""
        # Without motion, so that no check sees a colour that is still changing.
        context = self.browser.new_context(
            viewport={"width": width, "height": 800}, color_scheme=theme,
            reduced_motion="reduce", **options)
        self.contexts.append(context)
        page = context.new_page()

        def logged(message):
            if not any(re.search(allowed, message.text) for allowed in [LATER, *allows]):
                self.wrong.append(
                    f"{message.type}: {message.text} of {message.location} at {page.url}")

        def asked(request):
            if not request.url.startswith((store.url + "/", "data:", "blob:")):
                self.wrong.append(f"a request left the store: {request.url}")

        def answered(response):
            # An answer that a test made up has no such header.
            if response.status < 400 and "request-id" in response.headers:
                asked_for.add((response.request.method, urllib.parse.urlsplit(response.url).path))

        page.on("console", logged)
        page.on("pageerror", lambda error: self.wrong.append(f"error: {error} at {page.url}"))
        page.on("request", asked)
        page.on("response", answered)
        if not signs_in:
            page.goto(f"{store.url}/console/#{place}")
            return page
        page.goto(f"{store.url}/console/#code={store.code(read_only)}")
        expect(page.get_by_role("navigation", name="Screens", include_hidden=True)).to_be_attached()
        heading = page.get_by_role("heading", level=1)
        expect(heading).to_be_visible()
        if not place.startswith("/default/now"):
            # What is typed too early would be typed in the first screen.
            heading.evaluate("heading => { heading.dataset.isOfFirst = true; }")
        page.goto(f"{store.url}/console/#{place}")
        expect(page.locator("h1:not([data-is-of-first])")).to_be_visible()
        return page

    def close(self):
        for context in self.contexts:
            context.close()
        assert self.wrong == []


@pytest.fixture
def pages(browser):
    watched = Watched(browser)
    yield watched
    watched.close()


@pytest.fixture
def page(pages, store):
    """A page at the first screen of the shared store."""
    return pages.open(store)


@pytest.fixture
def customer(store, request):
    """The name of a customer that the test has for itself."""
    name = f"{request.node.name.split('[')[0].removeprefix('test_')[:40]}@example.com"
    store.run("account", "add", name, "--without-password")
    return name


@pytest.fixture(scope="module")
def world(store, request):
    """A test session that the tests of a file have for themselves."""
    name = request.module.__name__.removeprefix("test_").replace("_", "-")
    store.run("world", "make", name)
    made = World(store, name)
    made.run("clock", "hold", "2026-03-01")
    yield made
    store.run("world", "delete", name)


@pytest.fixture(scope="module")
def shared_screen(browser, world):
    shown = Screen(Watched(browser), world)
    yield shown
    shown.close()


@pytest.fixture
def screen(shared_screen):
    """A page in the world of the file's tests."""
    yield shared_screen
    shared_screen.check()
