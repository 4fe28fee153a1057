"""Faults: each action changes the store, and how it answers devices and servers."""

import http.client
import time
import urllib.error
import urllib.request

import pytest

from actions import (
    CURL, Refusal, Row, test_a_refusal_stands_beside_its_field, test_an_action_changes_the_store)

PATH = "/inApps/v1/transactions/{{transactionId}}"


def without(*_):
    def prepare(screen):
        screen.world.run("fault", "clear")
        return {}
    return prepare


def with_fault(*words):
    """A world that has one fault alone."""
    def prepare(screen):
        screen.world.run("fault", "clear")
        screen.world.run("fault", *words)
        return {}
    return prepare


def limits(*words):
    def prepare(screen):
        screen.world.run("server-api", "limits", *words)
        return {}
    return prepare


def answer(world, path="/sandbox/verifyReceipt", method="POST"):
    """The status of a request and its body, or None if it is not answered."""
    request = urllib.request.Request(
        f"{world.store.url}{world.path}{path}", method=method,
        data=b'{"receipt-data": "AAAA"}' if method == "POST" else None)
    try:
        with urllib.request.urlopen(request) as answered:
            return answered.status, answered.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()
    except (http.client.RemoteDisconnected, ConnectionResetError):
        return None


def has(requests=None, receipts=None):
    """These are the only faults of the world."""
    expected = {name: value for name, value in [
        ("requests", requests), ("verifyReceipt", receipts)] if value}
    return lambda world: {name: value for name, value in world.get("faults").items()
                          if value} == expected


def answers_status(status):
    def check(world, _):
        known = {"status": status, "isRetryable": True, "count": 3}
        return has(receipts=known)(world) and f'"status":{status}' in answer(world)[1]
    return check


def is_well(world, _):
    return has()(world) and answer(world)[0] == 200 and '"status":21002' in answer(world)[1]


def answers(fault, expected):
    """The fault is on for both environments, and requests are answered by it."""
    def check(world, _):
        return has(requests=[{"path": "/verifyReceipt", **fault}])(world) and \
            expected(answer(world))
    return check


def is_late(world, _):
    if not has(requests=[{"path": "/verifyReceipt", "delayMilliseconds": 1500, "count": 1}])(world):
        return False
    start = time.monotonic()
    return answer(world)[0] == 200 and time.monotonic() - start >= 1.5


def is_met_by_some(world, _):
    """The same of ten requests as whenever a fault of this seed begins."""
    fault = {"path": "/verifyReceipt", "status": 502, "percentage": 40, "seed": 7}
    first = [answer(world)[0] for _ in range(10)]
    world.send("PUT", "faults/requests", fault)
    again = [answer(world)[0] for _ in range(10)]
    return has(requests=[fault])(world) and first == again and set(first) == {200, 502}


def one_is_left(world, _):
    return [one["path"] for one in world.get("faults").get("requests", [])] == ["/verifyReceipt"]


def two_faults(screen):
    with_fault("request", "/verifyReceipt", "--status", "503")(screen)
    screen.world.run("fault", "request", "/device/v1/products", "--break",
                     "--environment", "production")
    return {}


def has_error(world, _):
    """Apple's error is answered in the sandbox alone."""
    return has(requests=[{
        "path": PATH.format(), "environment": "sandbox", "errorCode": 4040010}])(world) and \
        '"errorCode":4040010' in answer(world, "/sandbox/inApps/v1/transactions/1", "GET")[1] and \
        "4040010" not in answer(world, "/production/inApps/v1/transactions/1", "GET")[1]


FAULTS = "faults"

ROWS = [
    Row("Set a status", FAULTS, answers_status(21150), without(),
        {"Status": "21150", "Try again": "yes", "For how many requests": "3"}),
    Row("End it", FAULTS, is_well, with_fault("verify-receipt", "21005")),
    Row("Add a fault", FAULTS,
        answers({"status": 502}, lambda found: found is not None and found[0] == 502),
        without(), {"Path": "/verifyReceipt", "Answer": "status", "HTTP status": "502"}),
    Row("Add a fault", FAULTS, has_error, without(), {
        "Path": PATH, "Environment": "sandbox", "Answer": "error", "Error": "4040010"},
        about="with an error of Apple's"),
    Row("Add a fault", FAULTS, answers({"breaks": True}, lambda found: found is None),
        without(), {"Path": "/verifyReceipt", "Answer": "break"}, about="without an answer"),
    Row("Add a fault", FAULTS, is_late, without(), {
        "Path": "/verifyReceipt", "Answer": "late", "Delay, in seconds": "1.5",
        "For how many requests": "1"}, about="with a late answer"),
    Row("Add a fault", FAULTS, is_met_by_some, without(), {
        "Path": "/verifyReceipt", "Answer": "status", "HTTP status": "502",
        "Percentage of requests": "40", "Seed": "7"}, about="that some requests meet"),
    Row("End", FAULTS, one_is_left, two_faults, within="/device/v1/products"),
    Row("End all faults", FAULTS, is_well, two_faults),
    Row("Set limits", FAULTS,
        lambda world, _: world.get("server-api/limits") == {"isOn": True, "hourlyMax": 5},
        limits("off"), {"Limits": "on", "Requests an hour, at most": "5"}),
    Row("Set limits", FAULTS, lambda world, _: world.get("server-api/limits") == {"isOn": False},
        limits("on", "--hourly-max", "5"), {"Limits": "off"}, about="to off"),
]

REFUSALS = [
    # The command refuses it by itself, before it asks the store.
    Refusal("Set a status", FAULTS, prepare=without(), fill={"Status": "7"}, code="badField",
            field="Status", ways=()),
    Refusal("Add a fault", FAULTS, prepare=without(), fill={"Path": "/none", "Answer": "break"},
            code="badField", field="Path"),
    *(Refusal("Add a fault", FAULTS, prepare=without(), field=field, code="badField", ways=(CURL,),
              fill={"Path": "/verifyReceipt", "Answer": answer, field: value}, about=about)
      for about, answer, field, value in [
          ("with a status that is none", "status", "HTTP status", "7"),
          ("with an error that is none", "error", "Error", "1"),
          ("that is too late", "late", "Delay, in seconds", "61"),
          ("for no request", "break", "For how many requests", "0"),
          ("that none of them meets", "break", "Percentage of requests", "0")]),
]


@pytest.fixture(scope="module", autouse=True)
def afterwards(world):
    yield
    world.run("fault", "clear")
