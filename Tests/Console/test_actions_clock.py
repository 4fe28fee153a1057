"""The clock: it holds, runs, moves on and sets the pace, for one tab and for two."""

import datetime
import threading
import time

import pytest
from playwright.sync_api import expect

from actions import CLICK, Refusal, Row
from parts import command, curl
from worlds import World, numbers

DAY = 86_400_000


def text(milliseconds, zone=""):
    """A time as a field has it, or with "Z" as a command does."""
    return datetime.datetime.fromtimestamp(milliseconds // 1000, datetime.timezone.utc) \
        .strftime("%Y-%m-%dT%H:%M:%S") + zone


def held(screen):
    screen.world.run("clock", "hold")
    now = screen.world.now() // 1000 * 1000
    return {"start": now, "time": text(now + 3_600_000 + 1000), "past": "2020-01-01T00:00"}


def running(screen):
    screen.world.run("clock", "run", text(screen.world.now() + 1000, "Z"))
    return held_nothing(screen)


def held_nothing(screen):
    return {"start": screen.world.now()}


def is_in_mode(mode):
    """The clock is held or runs, at about the time that it had."""
    def check(world, it):
        clock = world.get("clock")
        return clock["mode"] == mode and 0 <= clock["now"] - it.start < 60_000
    return check


def is_real(world, _):
    clock = world.get("clock")
    return clock["mode"] == "real" and \
        abs(clock["now"] - datetime.datetime.now().timestamp() * 1000) < 60_000


def is_set(mode):
    def check(world, it):
        clock = world.get("clock")
        return clock["mode"] == mode and 0 <= clock["now"] - it.start - 3_601_000 < 60_000
    return check


def at_calendar(screen):
    screen.world.run("clock", "pace", "calendar", "--environment", "production")
    return {}


def advancing(screen):
    """A long advance, which is under way."""
    world = screen.world
    screen.world.run("clock", "hold")
    world.run("clock", "pace", "oneRenewalEveryTwoSeconds")
    world.bought(world.app(), "monthly")
    body = {"to": world.now() + 365 * DAY}
    answer = threading.Thread(target=world.send, args=("POST", "clock/advance", body))
    answer.start()
    deadline = time.monotonic() + 60
    while world.get("clock").get("advance", {}).get("state") != "running":
        assert time.monotonic() < deadline, "no advance began"
    return {"number": world.get("clock")["advance"]["number"], "answer": answer}


def is_stopped(world, it):
    advance = world.get("clock")["advance"]
    if (advance["number"], advance["state"]) != (it.number, "cancelled"):
        return False
    it.answer.join()
    world.run("clock", "pace", "calendar")
    return True


ROWS = [
    Row("Hold", "subscriptions", is_in_mode("held"), running),
    Row("Run", "subscriptions", is_in_mode("real"), held, {"From": "here"}),
    Row("Set", "subscriptions", is_set("held"), held,
        {"Time": "{time}", "From then on": "held"}),
    Row("Set", "subscriptions", is_set("real"), held,
        {"Time": "{time}", "From then on": "real"}, about="and let it run"),
    Row("Pace", "subscriptions", lambda world, _:
        world.get("clock")["paces"]["production"] == "sandboxOneHour", at_calendar,
        {"Environment": "production", "Pace": "sandboxOneHour"}),
    Row("Stop", "subscriptions", is_stopped, advancing),
]


@pytest.fixture
def world_of_two(store):
    """A world of one test, whose clock is held, with a subscription."""
    name = f"clock-{next(numbers)}"
    store.run("world", "make", name)
    world = World(store, name)
    world.run("clock", "hold", "2026-03-01")
    world.run("clock", "pace", "calendar")
    world.bought(world.app(), "monthly")
    yield world
    store.run("world", "delete", name)


def test_an_action_changes_the_store(screen, row, way):
    screen.carry_out(row, way)


def test_the_clock_runs_from_the_real_time(screen):
    row = Row("Run", "subscriptions", is_real, held, {"From": "real"})
    screen.carry_out(row, CLICK)


def test_a_refusal_stands_beside_its_field(screen):
    world = screen.world
    world.bought(world.app(), "issue")
    screen.be_refused(Refusal("Set", "subscriptions", prepare=held, fill={"Time": "{past}"},
                              code="clockWouldGoBack", field="Time"))


def panel(page, world):
    """The clock's panel, opened in the bar on top."""
    page.evaluate("place => { location.hash = place; }", world.place("settings/console"))
    page.get_by_role("button", name="Clock: ").click()
    return page.get_by_role("dialog", name="Clock").get_by_role("region", name="Clock")


def submit(panel):
    button = panel.get_by_role("button", name="Advance", exact=True)
    expect(button).to_be_enabled()
    button.click()


@pytest.mark.parametrize("way", ["1 day", "a date", "the slider", "the command", "the curl"])
def test_an_advance_moves_the_clock_and_renews(world_of_two, pages, way):
    world = world_of_two
    start = world.now()
    clock = panel(pages.open(world.store, world.place("ledger")), world)
    if way == "the slider":
        clock.get_by_role("slider").focus()
        clock.get_by_role("slider").press("End")
        target = start + 365 * DAY
    elif way == "a date":
        target = start + 10 * DAY
        clock.get_by_label("Until").fill(text(target))
    else:
        target = start + 8 * DAY if way != "1 day" else start + DAY
        clock.get_by_role("button", name="1 week" if way != "1 day" else "1 day").click()
        if way != "1 day":
            clock.get_by_label("Until").fill(text(target))
    if way in ("the command", "the curl"):
        clock.get_by_text("As a command").click()
        done = world.store.shell((command if way == "the command" else curl)(clock))
        assert done.returncode == 0, done.stderr
    else:
        submit(clock)
    expect(clock.get_by_text("Done: from")).to_be_visible()
    assert world.now() == target
    renewals = world.get("subscriptions")["subscriptions"][0]["renewals"]
    assert renewals == world.get("clock")["advance"]["renewals"]
    assert (renewals > 0) is (target > start + 7 * DAY)


def test_the_next_due_date_is_forecast_and_reached(world_of_two, pages):
    world = world_of_two
    due = world.get("subscriptions")["subscriptions"][0]["expiresDate"]
    clock = panel(pages.open(world.store, world.place("ledger")), world)
    expect(clock.get_by_text("Due first: ")).to_contain_text("renews")
    clock.get_by_role("button", name="Next due").click()
    submit(clock)
    expect(clock.get_by_text("1 renewal")).to_be_visible()
    assert world.now() == due // 1000 * 1000


def test_two_tabs_advance_the_clock_one_after_the_other(world_of_two, pages):
    world = world_of_two
    start = world.now()
    clocks = [panel(pages.open(world.store, world.place("ledger")), world) for _ in range(2)]
    for clock in clocks:
        clock.get_by_role("button", name="1 day").click()
    for days, clock in enumerate(clocks, start=1):
        target = start + days * DAY
        clock.get_by_label("Until").fill(text(target))
        submit(clock)
        expect(clock.locator(".face time")).to_have_text(text(target).replace("T", " "))
        assert world.now() == target


def test_an_advance_is_seen_on_its_way_in_two_tabs(world_of_two, pages):
    world = world_of_two
    world.run("clock", "pace", "oneRenewalEveryTwoSeconds")
    world.bought(world.app(), "monthly")
    clocks = [panel(pages.open(world.store, world.place("ledger")), world) for _ in range(2)]
    bars = [clock.get_by_role("progressbar", name="Advance") for clock in clocks]
    for bar in bars:
        expect(bar).to_be_hidden()
    clocks[0].get_by_role("slider").press("End")
    submit(clocks[0])
    for clock, bar in zip(clocks, bars):
        expect(bar).to_be_visible()
        expect(clock.get_by_text("On the way to")).to_be_visible()
        before = bar.get_attribute("value")
        expect(bar).not_to_have_attribute("value", before)
        assert float(before) < float(bar.get_attribute("value")) < 1
    world.run("clock", "cancel")
    for clock, bar in zip(clocks, bars):
        expect(bar).to_be_hidden()
        expect(clock.get_by_text("Cancelled: from")).to_be_visible()


def test_an_advance_to_where_another_tab_has_been_is_refused(world_of_two, pages):
    world = world_of_two
    late = pages.open(world.store, world.place("ledger"), allows=[r"status of 4\d\d"])
    behind = panel(late, world)
    behind.get_by_role("button", name="1 day").click()
    held_back = []
    late.route("**/clock", lambda route: held_back.append(route))
    world.run("clock", "advance", "30d")
    reached = world.now()
    submit(behind)
    expect(behind.get_by_role("alert")).to_contain_text("clockWouldGoBack")
    assert world.now() == reached
    late.unroute("**/clock")
    for route in held_back:
        route.continue_()
