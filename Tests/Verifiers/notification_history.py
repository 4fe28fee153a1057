#!/usr/bin/env python3
"""Reads one customer's notifications from the history, over several pages.

    notification_history.py STORE_URL DATA_FOLDER [--tls-port PORT]

The store runs already, without an app. Two customers buy, in the sandbox and in production, while
the app's server refuses some of what it gets. Get Notification History must give each customer's
notifications, or those that failed, once and the newest first, whichever of the customer's numbers
it is asked for; the token of a page is good for its own question only. One line per check; stops
with exit status 1 at the first that fails.
"""

import json

import requests
from appstoreserverlibrary.api_client import APIError
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.NotificationTypeV2 import NotificationTypeV2

from notification_offers import catalogue
from notified_server import Server
from server_api import (
    BUNDLE, CATALOGUE, DAY, FUEL, OTHER, SECONDS_MAX, SILVER, START, TURBO, Caller, Customer,
    Store, check, read_arguments, refused)

PAGE_COUNT_MAX = 20
FAILED_COUNT, SENT_COUNT = 23, 21


class Buyers:
    """One environment: a customer of many notifications, and one of few."""

    def __init__(self, store, server):
        self.store, self.server = store, server
        often, seldom = (Customer(store, name, server.name) for name in ["often", "seldom"])
        self.fuel = often.buy(FUEL)
        self.silver = often.buy(SILVER)
        for _ in range(SENT_COUNT - 3):
            often.buy(FUEL)
        server.settle()
        server.receiver.statuses = [500] * FAILED_COUNT
        for _ in range(FAILED_COUNT):
            # Each at another time, so that their order is certain.
            store.control("POST", "/clock/advance", {"milliseconds": 1_000})
            often.buy(FUEL)
            server.settle()
        store.control("POST", "/clock/advance", {"milliseconds": 1_000})
        self.turbo, self.theirs = often.buy(TURBO), seldom.buy(FUEL)
        server.settle()
        server.receiver.statuses = [500]
        seldom.buy(FUEL)
        server.settle()
        server.receiver.take()

    def payloads(self, **filters):
        return [each.signedPayload for each in self.server.history(**filters)]

    def dates(self, found):
        return [self.server.verifier.verify_and_decode_notification(each).signedDate
                for each in found]

    def raw(self, **filters):
        """What a body that the library does not write finds, on its first page."""
        now = self.store.control("GET", "/clock")["now"]
        answer = requests.post(
            f"{self.server.caller.base}/inApps/v1/notifications/history",
            json={"startDate": now - 29 * DAY, "endDate": now + DAY, **filters},
            headers=self.server.caller.client._get_headers(), timeout=SECONDS_MAX)
        return answer.status_code, answer.json()


def customers(buyers):
    mine = buyers.payloads(transactionId=buyers.fuel)
    check("all of one customer's, over three pages",
          len(set(mine)) == len(mine) == SENT_COUNT + FAILED_COUNT, len(mine))
    dates = buyers.dates(mine)
    check("the newest first", dates == sorted(dates, reverse=True), dates)
    app = buyers.server.caller.info(buyers.fuel).appTransactionId
    for what, number in [("a subscription", buyers.silver), ("the newest", buyers.turbo),
                         ("the app transaction", app)]:
        check(f"the same by {what}", buyers.payloads(transactionId=number) == mine)
    theirs = buyers.payloads(transactionId=buyers.theirs)
    check("the other customer's are others", len(theirs) == 2 and not set(theirs) & set(mine))
    everyone = buyers.payloads()
    check("all together are everybody's", sorted(everyone) == sorted(mine + theirs))
    for number, expected in [(buyers.silver, mine), (buyers.theirs, theirs)]:
        status, page = buyers.raw(originalTransactionId=number)
        found = [each["signedPayload"] for each in page["notificationHistory"]]
        check("the earlier name of transactionId finds the same", (
            status, found, page["hasMore"]) == (
                200, expected[:PAGE_COUNT_MAX], len(expected) > PAGE_COUNT_MAX), status)
    status, page = buyers.raw(originalTransactionId=buyers.silver, notificationType="TEST")
    check("and stands for it beside a type", (status, page.get("errorCode")) == (
        400, APIError.MULTIPLE_FILTERS_SUPPLIED.value), page)
    return mine


def failures(buyers, mine):
    failed = buyers.payloads(transactionId=buyers.fuel, onlyFailures=True)
    check("one customer's failures, over two pages", failed == [
        each for each in mine if each in failed] and len(set(failed)) == FAILED_COUNT, len(failed))
    check("the rest was taken", buyers.payloads(transactionId=buyers.fuel, onlyFailures=False)
          == mine)
    theirs = buyers.payloads(transactionId=buyers.theirs, onlyFailures=True)
    check("the other's failure is another", len(theirs) == 1 and theirs[0] not in mine)
    check("both customers' failures", sorted(buyers.payloads(onlyFailures=True))
          == sorted(failed + theirs))
    charged = buyers.payloads(
        notificationType=NotificationTypeV2.ONE_TIME_CHARGE, onlyFailures=True)
    check("failures of a type", sorted(charged) == sorted(failed + theirs))
    check("no failures of another", buyers.payloads(
        notificationType=NotificationTypeV2.SUBSCRIBED, onlyFailures=True) == [])


def tokens(buyers, others):
    """`others` ask with the tokens, too: of another environment and of another app."""
    client, now = buyers.server.caller.client, buyers.store.control("GET", "/clock")["now"]
    start = now - 9 * DAY

    def ask(token, client=client, **filters):
        return client.get_notification_history(token, NotificationHistoryRequest(**{
            "startDate": start, "endDate": now, **filters}))

    all_ = ask(None).paginationToken
    mine = ask(None, transactionId=buyers.fuel).paginationToken
    first = ask(mine, transactionId=buyers.fuel)
    check("a token is good for each number of its customer",
          ask(mine, transactionId=buyers.turbo) == first and len(first.notificationHistory)
          == PAGE_COUNT_MAX)
    check("and twice", ask(mine, transactionId=buyers.fuel) == first)
    customer = {"transactionId": buyers.fuel}
    for what, token, question in [
            ("another customer", mine, {"transactionId": buyers.theirs}),
            ("no customer", mine, {}), ("a customer", all_, customer),
            ("only failures", mine, {**customer, "onlyFailures": True}),
            ("another start", mine, {**customer, "startDate": start + 1}),
            ("a type", all_, {"notificationType": NotificationTypeV2.ONE_TIME_CHARGE})]:
        refused(f"a token with {what}", APIError.INVALID_PAGINATION_TOKEN,
                lambda: ask(token, **question))
    for what, other in others.items():
        refused(f"a token of {what}", APIError.INVALID_PAGINATION_TOKEN, lambda: ask(all_, other))


def main():
    arguments = read_arguments(__doc__)
    store = Store(arguments.url, arguments.token)
    key = store.open(catalogue(), START)
    store.control("PUT", f"/apps/{OTHER}/catalog", json.loads(
        json.dumps(CATALOGUE).replace(BUNDLE, OTHER)))
    other_key = store.control("POST", f"/apps/{OTHER}/offer-keys")
    everyone = {}
    for environment in [Environment.SANDBOX, Environment.PRODUCTION]:
        server = Server(store, arguments.keys, environment, key)
        print(f"in {server.name}")
        buyers = Buyers(store, server)
        failures(buyers, customers(buyers))
        everyone[environment] = buyers
    for environment, buyers in everyone.items():
        [foreign] = [each for each in everyone if each != environment]
        app = Caller(store, arguments.keys, environment, other_key, OTHER)
        tokens(buyers, {
            f"{environment.value} in {foreign.value}": everyone[foreign].server.caller.client,
            "another app": app.client})
    print("all checks passed")


if __name__ == "__main__":
    main()
