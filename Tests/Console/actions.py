"""Actions of the console as rows of tables: where a button is, what is filled in, and what the
store must then have, whether the button was clicked or reached by keys, or its command or curl was
copied."""

import dataclasses
import pathlib
import re
import tempfile
from types import SimpleNamespace
from typing import Callable
from urllib.parse import quote

from playwright.sync_api import expect

from hands import Keyboard, Mouse
from parts import REFUSED, command, curl

CLICK, KEYS, COMMAND, CURL = "by a click", "by keys", "by its command", "by its curl"
WAYS = (CLICK, KEYS, COMMAND, CURL)
PASSWORD = "rocket-fuel-1"
# Places that are drawn anew each time: one of them is neither the last place nor the next.
BLANK = ("settings/console", "settings/connect", "settings/certificates")


def nothing(_):
    return {}


@dataclasses.dataclass(frozen=True)
class Row:
    """An action that is carried out. Texts have names of what `prepare` made, in braces."""

    button: str
    place: str
    then: Callable = lambda world, it: False
    prepare: Callable = nothing
    fill: dict = dataclasses.field(default_factory=dict)
    confirm: str | None = None
    # A text of the table's row or of the card that has the button.
    within: str = ""
    ways: tuple = WAYS
    about: str = ""

    @property
    def title(self):
        return f"{self.button} {self.about}".strip()


@dataclasses.dataclass(frozen=True)
class Refusal(Row):
    """An action that the store refuses, beside the field or else in its dialog."""

    code: str = ""
    field: str | None = None


def cases(rows):
    """Each row in each of its ways, and how a test's report names them."""
    pairs = [(row, way) for row in rows for way in row.ways]
    return {"argvalues": pairs, "ids": [f"{row.title}, {way}" for row, way in pairs]}


def test_an_action_changes_the_store(screen, row, way):
    """Of each file that imports it: every one of its ROWS, in each of its ways."""
    screen.carry_out(row, way)


def test_a_refusal_stands_beside_its_field(screen, refusal):
    """Of each file that imports it: every one of its REFUSALS."""
    screen.be_refused(refusal)


class Screen:
    """A page that the tests of a file share, one after the other."""

    def __init__(self, watched, world, **options):
        self.watched, self.world, self.allows = watched, world, []
        self.page = watched.open(
            world.store, world.place("settings/console"), allows=self.allows, **options)
        self.page.set_default_timeout(30_000)
        self.folder = tempfile.TemporaryDirectory(prefix="bodega-actions-")
        self.files = pathlib.Path(self.folder.name)

    def close(self):
        self.watched.close()
        self.folder.cleanup()

    def check(self):
        """Nothing was logged, failed or left the store's origin since the last check."""
        wrong, self.watched.wrong, self.allows[:] = self.watched.wrong, [], []
        assert not wrong, wrong

    def file(self, name, content):
        path = self.files / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8")
        return path

    def go(self, place):
        """Shows a place of the world anew, also one that was shown before."""
        address = place if place.startswith("/") else self.world.place(place)
        here = self.page.evaluate("location.hash.slice(1)")
        blank = next(one for one in map(self.world.place, BLANK) if one not in (here, address))
        for path in [blank, address]:
            # What is shown is marked, so that nothing of it is taken for the next page.
            self.page.evaluate("""place => {
                document.querySelectorAll("main > *").forEach(part => { part.dataset.left = ""; });
                location.hash = place;
            }""", path)
            expect(self.page.locator("main > [data-left]")).to_have_count(0)
            expect(self.page.locator("main > *").first).to_be_attached()
        expect(self.page.locator("main [aria-busy=true]")).to_have_count(0)

    def button(self, name, within=""):
        area = self.page.locator("main")
        if within:
            area = area.locator(
                f"tr:has-text('{within}'), h2:text-is('{within}') + div .card").first
        return area.get_by_role("button", name=re.compile(f"^{re.escape(name)}…?$"),
                                include_hidden=True).first

    def titles(self):
        """The actions that the page offers."""
        return set(self.page.locator("main button[data-changes]").evaluate_all(
            """buttons => buttons.map(button =>
                button.getAttribute("aria-label") ?? button.textContent.replace("…", ""))"""))

    def open(self, row, it, hand=Mouse()):
        """The dialog of a row's action, filled in by a hand."""
        names = {name: quote(str(value), safe="") for name, value in vars(it).items()}
        self.go(row.place.format(**names))
        title = row.button.format(**vars(it))
        button = self.button(title, row.within.format(**vars(it)))
        expect(button).to_be_attached()
        closed = button.locator("xpath=ancestor::details[not(@open)]/summary")
        # A page that is drawn anew meanwhile has closed parts again.
        while not button.is_visible():
            hand.press(closed.first)
        hand.press(button)
        dialog = self.page.get_by_role("dialog", name=title, exact=True)
        expect(dialog).to_be_visible()
        for label, value in row.fill.items():
            hand.fill(labelled(dialog, label), filled(value, it))
        if row.confirm is not None:
            expect(dialog.get_by_role("button", name=title, exact=True)).to_be_disabled()
            hand.fill(dialog.get_by_label("to confirm"), row.confirm.format(**vars(it)))
        return dialog, title

    def shell(self, line):
        """What a copied line does in a shell, in the folder of the files that it may name."""
        return self.world.store.shell(
            f"cd {self.files} && export PASSWORD={PASSWORD} && {line}")

    def carry_out(self, row, way):
        it = SimpleNamespace(**row.prepare(self))
        assert not row.then(self.world, it), "the store was so before"
        hand = Keyboard(self.page) if way == KEYS else Mouse()
        dialog, title = self.open(row, it, hand)
        if way in (CLICK, KEYS):
            hand.press(dialog.get_by_role("button", name=title, exact=True))
            # One that shows a secret follows under the same name.
            expect(dialog.locator("form")).to_have_count(0)
        else:
            line = command(dialog) if way == COMMAND else curl(dialog)
            assert self.world.store.token not in line
            done = self.shell(line)
            assert done.returncode == 0 and '"error"' not in done.stdout, \
                f"{line}\n{done.stdout}{done.stderr}"
            self.page.keyboard.press("Escape")
        assert row.then(self.world, it), f"{title} {way} did not change the store"
        while self.page.get_by_role("dialog").count() > 0:
            self.page.keyboard.press("Escape")

    def be_refused(self, row):
        """The refusal stands in the dialog, and what was typed stays."""
        self.allows.append(REFUSED)
        it = SimpleNamespace(**row.prepare(self))
        dialog, title = self.open(row, it)
        lines = [f"{command(dialog)} --json"] if COMMAND in row.ways else []
        lines += [curl(dialog)] if CURL in row.ways else []
        dialog.get_by_role("button", name=title, exact=True).click()
        place = dialog if row.field is None else dialog.locator(
            ".field", has=self.page.get_by_label(labelled_text(row.field)))
        expect(place.get_by_text(row.code, exact=True)).to_be_visible()
        for label, value in row.fill.items():
            if isinstance(value, str):
                expect(labelled(dialog, label)).to_have_value(filled(value, it))
        for line in lines:
            done = self.shell(line)
            assert f'"code":"{row.code}"' in re.sub(r"\s", "", done.stdout + done.stderr), \
                f"{line}\n{done.stdout}{done.stderr}"
        self.page.keyboard.press("Escape")


def labelled_text(label):
    return re.compile(f"^{re.escape(label)}(, UTC)?( \\(optional\\))?$")


def labelled(dialog, label):
    return dialog.get_by_label(labelled_text(label))


def filled(value, it):
    return value.format(**vars(it)) if isinstance(value, str) else value(it) \
        if callable(value) else value
