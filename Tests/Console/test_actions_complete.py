"""Each action that the page has is in a table of the tests, and each of those is in the page."""

import collections
import importlib
import pathlib
import re

import pytest
from playwright.sync_api import expect

import test_actions_worlds

FOLDER = pathlib.Path(__file__).parent
TABLES = sorted(path.stem for path in FOLDER.glob("test_actions_*.py")
                if path.stem != "test_actions_complete")


@pytest.fixture
def everything(screen, store):
    """A world in which what the rows prepare can be made, and gone afterwards."""
    screen.world.server = store.url  # It is no app's server, and refuses.
    screen.world.run("clock", "pace", "calendar")
    before = test_actions_worlds.names(store)
    yield screen
    for name in test_actions_worlds.names(store) - before:
        store.run("world", "delete", name)


def screen_of(place):
    return place.split("/")[2 if place.startswith("/") else 0]


def rows():
    return [row for name in TABLES for row in importlib.import_module(name).ROWS]


def is_button(row, title):
    """Whether the title is the row's, whatever its names stand for."""
    pattern = "".join(".+" if part.startswith("{") else re.escape(part)
                      for part in re.split(r"(\{\w+\})", row.button))
    return re.fullmatch(pattern, title) is not None


def see_rows(screen, found, listed):
    """Sees what the page offers wherever a row's action is, in the state that it needs."""
    for row in listed:
        it = row.prepare(screen)
        screen.go(row.place.format(**it))
        expect(screen.button(row.button.format(**it), row.within.format(**it))).to_be_attached()
        found[screen_of(row.place)] |= screen.titles()


def see_pages(screen, found):
    """Follows each link to a place of another form, and sees what the page offers there."""
    def hashes(links):
        return links.evaluate_all("links => links.map(link => link.hash)")

    start = f"#/{screen.world.name}/"
    screen.go("settings/console")
    places = hashes(screen.page.get_by_role("navigation", name="Screens").get_by_role("link"))
    forms = set()
    while places:
        place = places.pop()
        form = re.sub(r"[^/]*[0-9@.%][^/]*", "*", place.removeprefix(start).split("?")[0])
        if not place.startswith(start) or form in forms:
            continue
        forms.add(form)
        screen.go(place.removeprefix(start))
        content = screen.page.locator("main :is(table, .empty, .card, dl, form)")
        expect(content.first).to_be_attached()
        expect(screen.page.locator("main [aria-busy=true]")).to_have_count(0)
        found[screen_of(form)] |= screen.titles()
        places += hashes(screen.page.locator("main a"))
    return forms


def test_each_action_of_the_page_is_in_a_table(everything):
    screen, found = everything, collections.defaultdict(set)
    screen.allows.append("status of 404")  # Customers who never had an app.
    # The advance that is stopped leaves a very long life behind: it comes last.
    last = [row for row in rows() if row.button == "Stop"]
    # The page of servers shows fifty apps at once: it comes before the world has more.
    first = [row for row in rows() if row.place == "notifications/servers"]
    see_rows(screen, found, first)
    see_rows(screen, found, [row for row in rows() if row not in first + last])
    forms = see_pages(screen, found)
    see_rows(screen, found, last)
    screen.world.run("clock", "cancel")
    assert {"shop/apps/*/products/*", "customers/sandbox/*", "subscriptions/*", "refunds/*",
            "worlds/*", "notifications/sent/*", "settings/certificates"} <= forms
    assert {f"{name}: {title}" for name, titles in found.items() for title in titles
            if not any(screen_of(row.place) == name and is_button(row, title) for row in rows())
            } == set()
    assert {f"{screen_of(row.place)}: {row.button}" for row in rows()
            if not any(is_button(row, title) for title in found[screen_of(row.place)])} == set()
