"""Everything by keyboard."""

from playwright.sync_api import expect

from parts import customer_place


def test_every_screen_has_a_key(page):
    page.keyboard.press("?")
    help_dialog = page.get_by_role("dialog", name="Keys")
    expect(help_dialog).to_be_visible()
    keys = help_dialog.locator("dt", has_text="g then").all_inner_texts()
    titles = help_dialog.locator("dd", has_text="Go to ").all_inner_texts()
    page.keyboard.press("Escape")
    expect(help_dialog).to_be_hidden()
    screens = page.get_by_role("navigation", name="Screens").get_by_role("link")
    assert sorted(title.removeprefix("Go to ") for title in titles) == \
        sorted(screens.all_inner_texts())
    assert len(set(keys)) == len(keys)
    for key, title in zip(keys, titles):
        page.keyboard.press("g")
        page.keyboard.press(key.removeprefix("g then ").strip())
        expect(screens.and_(page.locator("[aria-current=page]"))).to_have_text(
            title.removeprefix("Go to "))


def test_a_list_is_searched_walked_and_opened(pages, store):
    page = pages.open(store, "/default/customers")
    expect(page.get_by_role("link", name="ann@example.com")).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("n@example.com")
    expect(page.get_by_role("link", name="cleo@example.com")).to_be_hidden()
    expect(page.get_by_role("link", name="ben@example.com")).to_be_visible()
    page.keyboard.press("Enter")
    links = page.get_by_role("table", name="Customers").get_by_role("link")
    page.keyboard.press("j")
    expect(links.nth(0)).to_be_focused()
    page.keyboard.press("j")
    expect(links.nth(1)).to_be_focused()
    page.keyboard.press("k")
    expect(links.nth(0)).to_be_focused()
    name = links.nth(0).inner_text()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=name)).to_be_visible()


def test_a_dialog_gives_the_focus_back(pages, store):
    page = pages.open(store, customer_place("ann@example.com"))
    button = page.get_by_role("button", name="Buy…")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Buy").get_by_label("App", exact=True)).to_be_focused()
    page.keyboard.press("g")
    page.keyboard.press("Escape")
    expect(button).to_be_focused()


def test_the_content_is_reached_past_the_navigation(page):
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()


def test_a_world_is_chosen_by_its_name(page):
    page.keyboard.press("w")
    expect(page.get_by_role("dialog", name="Worlds").get_by_role("link", name="default")
           ).to_be_visible()
    page.keyboard.type("checkout")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="World checkout")).to_be_visible()
