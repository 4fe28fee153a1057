#!/usr/bin/env python3
"""Goes on, after a restart of the store, from the places in its histories that were kept before.

    kept_places.py STORE_URL DATA_FOLDER --keep FILE
    kept_places.py STORE_URL DATA_FOLDER --kept FILE

The first run finds a store without an app, makes purchases, and writes the first pages' places and
what follows them to the file. The second one finds the store started anew; Apple's App Store Server
Library must get just that from the places, and, from the end, what changes next. One line per
check; stops with exit status 1 at the first that fails.
"""

import json
import pathlib

from appstoreserverlibrary.api_client import GetTransactionHistoryVersion
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.TransactionHistoryRequest import (
    Order, TransactionHistoryRequest)

from notified_server import Receiver, settle
from running_store import options, read
from server_api import (
    BUNDLE, CATALOGUE, DAY, FUEL, START, Caller, Customer, Store, check)

PURCHASE_COUNT = 45
ORDERS = [Order.ASCENDING, Order.DESCENDING]
DATES = {"startDate": START, "endDate": START + DAY}


class Histories:
    """A customer's transactions in both orders, and the notifications about them."""

    def __init__(self, caller, number):
        self.caller, self.number = caller, number

    def transactions(self, revision, order):
        """(numbers, place of the next page, whether there is more) after a place."""
        page = self.caller.client.get_transaction_history(
            self.number, revision, TransactionHistoryRequest(sort=order),
            GetTransactionHistoryVersion.V2)
        return ([self.caller.read(each).transactionId for each in page.signedTransactions],
                page.revision, page.hasMore)

    def notifications(self, token):
        page = self.caller.client.get_notification_history(
            token, NotificationHistoryRequest(**DATES, transactionId=self.number))
        return ([each.signedPayload for each in page.notificationHistory],
                page.paginationToken, page.hasMore)

    def questions(self):
        return {**{order.value: lambda place, order=order: self.transactions(place, order)
                   for order in ORDERS}, "notifications": self.notifications}

    @staticmethod
    def rest(ask, place):
        """All that follows a place, and the last place."""
        found, has_more = [], True
        while has_more:
            page, place, has_more = ask(place)
            found += page
        return found, place


def keep(store, keys):
    store.control("PUT", "/clock", {"mode": "held", "now": START})
    store.control("PUT", f"/apps/{BUNDLE}/catalog", CATALOGUE)
    key = store.control("POST", f"/apps/{BUNDLE}/offer-keys")
    store.control("PUT", f"/apps/{BUNDLE}/notification-targets/sandbox", {
        "url": Receiver().url, "allowsPrivateAddresses": True})
    buyer = Customer(store, "buyer", "sandbox")
    for _ in range(PURCHASE_COUNT):
        number = buyer.buy(FUEL)
    settle(store)
    histories, kept = Histories(Caller(store, keys, Environment.SANDBOX, key), number), {}
    for name, ask in histories.questions().items():
        first, place, has_more = ask(None)
        rest, end = histories.rest(ask, place)
        check(f"{name}: a first page and the rest", has_more
              and len(set(first + rest)) == len(first + rest) == PURCHASE_COUNT)
        kept[name] = {"place": place, "rest": rest, "end": end}
    return {"key": key, "number": number, "places": kept}


def go_on(store, keys, kept):
    number = kept["number"]
    histories = Histories(Caller(store, keys, Environment.SANDBOX, kept["key"]), number)
    for name, ask in histories.questions().items():
        place = kept["places"][name]
        check(f"{name}: the rest follows the place that was kept",
              histories.rest(ask, place["place"]) == (place["rest"], place["end"]))
    end = kept["places"][Order.ASCENDING.value]["end"]
    check("nothing follows the end", histories.transactions(end, Order.ASCENDING)[0] == [])
    store.refund(number)
    found, _, _ = histories.transactions(end, Order.ASCENDING)
    check("until something changes", found == [number], found)


def main():
    parser = options(__doc__)
    way = parser.add_mutually_exclusive_group(required=True)
    way.add_argument("--keep", type=pathlib.Path, help="where to write what a later run expects")
    way.add_argument("--kept", type=pathlib.Path, help="what an earlier run wrote")
    arguments = read(parser)
    store = Store(arguments.url, arguments.token)
    if arguments.keep:
        arguments.keep.write_text(json.dumps(keep(store, arguments.keys)), encoding="utf-8")
    else:
        go_on(store, arguments.keys, json.loads(arguments.kept.read_text(encoding="utf-8")))
    print("all checks passed")


if __name__ == "__main__":
    main()
