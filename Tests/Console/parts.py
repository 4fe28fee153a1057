"""What tests do with parts of the page."""

from urllib.parse import quote

from playwright.sync_api import expect

REFUSED = r"Failed to load resource: the server responded with a status of 4\d\d"
AWAY = r"Failed to load resource: net::ERR_"
# A store that stops, restores a world or is busy; pages ask again.
LATER = r"Failed to load resource: the server responded with a status of 503"


def customer_place(name, *rest, environment="sandbox", world="default"):
    """The address of a customer."""
    return "/" + "/".join(quote(part, safe="") for part in
                          [world, "customers", environment, name, *rest])


def open_action(page, title):
    """The dialog of an action, opened by its button."""
    button = page.get_by_role("button", name=f"{title}…", exact=True, include_hidden=True)
    expect(button.first).to_be_attached()
    if not button.first.is_visible():
        page.get_by_text("More actions").click()
    button.first.click()
    dialog = page.get_by_role("dialog", name=title)
    expect(dialog).to_be_visible()
    return dialog


def submit(dialog, title):
    """Carries an action out, and waits until its dialog is closed."""
    dialog.get_by_role("button", name=title, exact=True).click()
    expect(dialog).to_be_hidden()


def command(dialog):
    return dialog.get_by_role("group", name="bodega command").inner_text()


def curl(dialog):
    return dialog.get_by_role("group", name="curl").inner_text()


def open_menu(page):
    """Shows the screens and switches where the page is narrow."""
    menu = page.get_by_role("button", name="Menu", exact=True)
    if menu.is_visible() and menu.get_attribute("aria-expanded") == "false":
        menu.click()
