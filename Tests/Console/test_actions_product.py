"""A product in the shop: each action changes the store, and what a device sees of it."""

from types import SimpleNamespace

from playwright.sync_api import expect

from actions import (
    CLICK, COMMAND, Refusal, Row,
    test_a_refusal_stands_beside_its_field, test_an_action_changes_the_store)
from parts import command
from worlds import Device

PLACE = "shop/apps/{app}/products/{app}."
ISSUE, MONTHLY, ARCHIVE = PLACE + "issue", PLACE + "monthly", PLACE + "archive"


def an_app(screen):
    """A new app, and a customer's device that has it."""
    app = screen.world.app()
    account = screen.world.customer()
    return {"app": app, "account": account, "device": Device(screen.world, app, account)}


def after(*words):
    """An app whose product was changed by a command before."""
    def prepare(screen):
        it = an_app(screen)
        named = [word.format(**it) for word in words]
        screen.world.run(*named, "--bundle-id", it["app"])
        return it
    return prepare


def product(world, it, name="issue"):
    found = world.get(f"apps/{it.app}/products")["products"]
    return next(one for one in found if one["productId"] == f"{it.app}.{name}")


def is_now(state, *, reason=None, note=None):
    """The store has the state with its reason, and devices see the product only if it is sold."""
    def check(world, it):
        one = product(world, it)
        return (one["state"], one.get("reason"), one.get("note")) == (state, reason, note) and \
            (it.device.price(f"{it.app}.issue") is not None) == (state == "clearedForSale")
    return check


def costs(price, storefront=None, shown=None):
    """The store has the price, and a device in the storefront shows it."""
    def check(world, it):
        one = product(world, it)
        known = one["price"] if storefront is None else one["storefrontPrices"].get(storefront)
        if storefront not in (None, "USA"):
            world.run("account", "storefront", it.account, storefront)
        return known == price and it.device.price(f"{it.app}.issue") == shown
    return check


def a_coming_price(screen):
    it = an_app(screen)
    path = f"apps/{it['app']}/products/{it['app']}.issue/price-schedule"
    screen.world.send("POST", path, {"storefront": "DEU", "price": "0.79", "from": CHRISTMAS})
    return {**it, "number": screen.world.get(path)["prices"][0]["number"]}


def prices(world, it):
    path = f"apps/{it.app}/products/{it.app}.issue/price-schedule"
    return [(one["storefront"], one.get("price"), one["state"], one.get("from"))
            for one in world.get(path)["prices"]]


def codes(world, it):
    return world.get(f"apps/{it.app}/products/{it.app}.monthly/offer-codes")["offerCodes"]


def a_code(screen):
    it = an_app(screen)
    world = screen.world
    made = world.send("POST", f"apps/{it['app']}/products/{it['app']}.monthly/offer-codes", {
        "offerId": "Fair", "word": f"W{it['app'][-4:].replace('.', 'x')}", "redemptionsMax": 9})
    return {**it, "word": made["offerCode"]["word"], "number": made["offerCode"]["number"],
            "taken": world.buy(it["app"], "issue", it["account"])["state"]}


def content(screen):
    """A folder of files to add, and a version that is there already."""
    it = an_app(screen)
    folder = screen.file("content/track.txt", f"A track of {it['app']}.\n").parent
    screen.world.run("content", "upload", f"{it['app']}.archive", str(folder),
                     "--content-version", "1.0", "--bundle-id", it["app"])
    # The store does not have this one yet.
    screen.file("content/track.txt", f"A longer track of {it['app']}.\n")
    return {**it, "folder": folder}


def versions(world, it):
    return [one["contentVersion"] for one in world.get(f"apps/{it.app}/content")["versions"]]


def has_versions(*expected):
    """The store has these versions of the content, and a device would get the newest."""
    def check(world, it):
        shown = it.device.product(f"{it.app}.archive").get("downloadContentVersion")
        return (versions(world, it), shown) == (
            list(expected), expected[0] if expected else None)
    return check


def resources(screen):
    it = content(screen)
    screen.world.run("resource", "add", "moon", str(it["folder"]), "--app-version", "1.0",
                     "--bundle-id", it["app"])
    return it


def has_tags(*expected):
    """The store has resources of these tags and kinds, and a device gets them."""
    def check(world, it):
        known = world.get(f"apps/{it.app}/resources")["resources"]
        return [[(one["tag"], one["kind"]) for one in tags]
                for tags in [known, it.device.tags()]] == [list(expected)] * 2
    return check


NOTE = "It's \"so\" & $HOME; `id`"
CHRISTMAS = 1924300800000  # 2030-12-24

ROWS = [
    Row("Approve", ISSUE, is_now("clearedForSale"), after("product", "remove", "{app}.issue")),
    Row("Reject", ISSUE, is_now("rejected", reason="noIntermediaryCurrency"), an_app,
        {"Reason": "noIntermediaryCurrency"}),
    Row("Reject", ISSUE, is_now("rejected", reason="other", note=NOTE), an_app,
        {"Reason": "other", "Note": NOTE}, about="with a note that a shell might read"),
    Row("Hold for review", ISSUE, is_now("pendingApproval"), an_app),
    Row("Take off sale", ISSUE, is_now("removedFromSale"), an_app),
    Row("Set price", ISSUE, costs("1.49", shown="1.49 USD"), an_app, {"Price": "1.49"}),
    Row("Set price", ISSUE, costs("1.29", "DEU", "1.29 EUR"), an_app,
        {"Storefront": "DEU", "Price": "1.29"}, about="of a storefront"),
    Row("Set price", ISSUE, costs(None, "DEU", "0.99 EUR"),
        after("product", "price", "{app}.issue", "2.49", "--storefront", "DEU"),
        {"Storefront": "DEU", "Price": "none"}, about="to the base price again"),
    Row("Schedule a price", ISSUE,
        lambda world, it: ("DEU", "0.79", "coming", CHRISTMAS) in prices(world, it), an_app,
        {"Storefront": "DEU", "Price": "0.79", "From": "2030-12-24T00:00"}),
    Row("Cancel price {number}", ISSUE, lambda world, it:
        prices(world, it) == [("DEU", "0.79", "cancelled", CHRISTMAS)], a_coming_price,
        confirm="{number}"),
    Row("Set category", ISSUE, lambda world, it: product(world, it).get("category") == "content",
        an_app, {"Category": "content"}),
    Row("Make a custom code", MONTHLY, lambda world, it: [
        (one["word"], one["redemptionsMax"], one["expiresAt"]) for one in codes(world, it)] ==
        [("SPRING26", 7, CHRISTMAS)], an_app,
        {"Code": "SPRING26", "Redemptions at most": "7", "Expires": "2030-12-24T00:00"}),
    Row("Make one-time codes", MONTHLY, lambda world, it: [
        (one["kind"], one["redemptionsMax"]) for one in codes(world, it)] == [("oneTime", 3)],
        an_app, {"How many": "3"}),
    Row("Redeem an offer code", MONTHLY, lambda world, it:
        it.device.kinds() == ["purchased", "purchased"] and codes(world, it)[0]["redemptionCount"]
        == 1, a_code, {"Code": "{word}", "Customer": "{account}"}),
    Row("Deactivate {word}", MONTHLY, lambda world, it:
        codes(world, it)[0]["state"] == "deactivated", a_code, confirm="{word}"),
    Row("Add content", ARCHIVE, has_versions("1.1", "1.0"), content,
        {"Folder": lambda it: it.folder, "Version": "1.1"}, ways=(CLICK, COMMAND)),
    Row("Remove content 1.0", ARCHIVE, has_versions(), content, confirm="1.0"),
    Row("Remove all content", ARCHIVE, has_versions(), content, confirm="{app}.archive"),
    Row("Remove content 1.0", "shop/apps/{app}/content", has_versions(), content, confirm="1.0",
        about="in the app's list"),
    Row("Add resources", "shop/apps/{app}/content", has_tags(("garage", "prefetch")), content,
        {"Folder": lambda it: it.folder, "Tag": "garage", "Devices get it": "prefetch"},
        ways=(CLICK, COMMAND)),
    Row("Remove moon of 1.0", "shop/apps/{app}/content", has_tags(), resources, confirm="moon"),
]

REFUSALS = [
    Refusal("Reject", ISSUE, prepare=an_app, fill={"Reason": "other"}, code="noteMissing",
            field="Note"),
    Refusal("Set price", ISSUE, prepare=an_app, fill={"Storefront": "JPN", "Price": "0.991"},
            code="badPrice", field="Price"),
    Refusal("Schedule a price", ISSUE, prepare=an_app, code="dateIsOver", field="From",
            fill={"Price": "0.79", "From": "2020-12-24T00:00"}),
    Refusal("Make a custom code", MONTHLY, prepare=a_code, fill={"Code": "{word}"},
            code="offerCodeTaken", field="Code"),
    Refusal("Redeem an offer code", MONTHLY, prepare=an_app, code="offerCodeUnknown",
            fill={"Code": "NOPE1", "Customer": "{account}"}, field="Code"),
]


def test_devices_see_a_scheduled_price_from_its_date_on(screen):
    it = an_app(screen)
    row = next(row for row in ROWS if row.button == "Schedule a price")
    screen.carry_out(Row(**{**vars(row), "prepare": lambda _: it}), CLICK)
    screen.world.run("account", "storefront", it["account"], "DEU")
    assert it["device"].price(f"{it['app']}.issue") == "0.99 EUR"
    screen.world.run("clock", "hold", "2030-12-24")
    assert it["device"].price(f"{it['app']}.issue") == "0.79 EUR"


def test_a_file_that_is_no_data_is_refused_as_content(screen):
    folder = screen.file("program/a.so", "\x7fELF").parent
    screen.be_refused(Refusal("Add content", ARCHIVE, prepare=an_app, code="badContent",
                              field="Folder", fill={"Folder": folder, "Version": "1.1"},
                              ways=(CLICK,)))


def test_an_upload_offers_the_command_instead_of_one_request(screen):
    row = next(row for row in ROWS if row.button == "Add content")
    dialog, _ = screen.open(row, SimpleNamespace(**content(screen)))
    assert command(dialog).startswith("bodega content upload ")
    expect(dialog.get_by_role("group", name="curl")).to_have_count(0)
    screen.page.keyboard.press("Escape")
