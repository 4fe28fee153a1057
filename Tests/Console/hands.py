"""How tests press buttons and fill fields."""

import datetime
import json
import pathlib

from playwright.sync_api import expect


class Mouse:
    """Presses and fills what it points at."""

    def press(self, button):
        button.click()

    def fill(self, field, value):
        """Enters a text, a choice, a switch (a boolean) or a file or folder (a path)."""
        if isinstance(value, bool):
            field.set_checked(value)
        elif isinstance(value, pathlib.Path):
            field.set_input_files(value)
        elif is_choice(field):
            field.select_option(value)
        else:
            field.fill(value)


class Keyboard:
    """The same by keys alone: what Tab does not reach cannot be used."""

    def __init__(self, page):
        self.page = page

    def reach(self, target):
        for _ in range(400):
            if target.evaluate("target => target === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab never reached {target}")

    def press(self, button):
        self.reach(button)
        self.page.keyboard.press("Enter")

    def fill(self, field, value):
        self.reach(field)
        keys = self.page.keyboard
        if isinstance(value, bool):
            if field.is_checked() != value:
                keys.press("Space")
        elif field.get_attribute("type") == "datetime-local":
            keys.type(datetime.datetime.fromisoformat(value).strftime("%m%d%Y"))
            keys.press("ArrowRight")  # A year may have six digits.
            keys.type(datetime.datetime.fromisoformat(value).strftime("%I%M%S%p"))
        elif isinstance(value, pathlib.Path):
            field.set_input_files(value)  # The window of files is the system's.
        elif is_choice(field):
            # The store may have the choices.
            text = json.dumps(value)
            expect(field.locator(f"option[value={text}], option:text-is({text})")
                   ).to_be_attached()
            wanted = field.evaluate("(field, value) => [...field.options].findIndex("
                                    "one => [one.value, one.label].includes(value))", value)
            keys.press("Home")
            for _ in range(wanted):
                keys.press("ArrowDown")
            assert field.evaluate("field => field.selectedIndex") == wanted, value
        else:
            keys.press("Control+A")
            keys.press("Delete")
            keys.type(value)


def is_choice(field):
    return field.evaluate("field => field.tagName") == "SELECT"
