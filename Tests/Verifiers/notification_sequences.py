#!/usr/bin/env python3
"""Follows subscriptions and refunds from their first notification to the last.

    notification_sequences.py STORE_URL DATA_FOLDER [--tls-port PORT]
    GOLDEN_UPDATE=1 notification_sequences.py STORE_URL DATA_FOLDER

The store runs already, without an app. In the sandbox and in production, each scenario must be
notified in the sequence that Apple documents, each step with the transaction and the renewal that
are true by then. The members of each type are those in golden/notification_sequences.json beside
this file, which GOLDEN_UPDATE=1 writes anew. One line per check; stops with exit status 1 at the
first that fails.
"""

from appstoreserverlibrary.models.Environment import Environment

from notification_offers import LESS, catalogue, offer, redeem
from notified_server import Golden, Server, change
from server_api import (
    BUNDLE, CLUB, FUEL, GOLD, SILVER, START, Customer, Store, check, read_arguments,
    subscription)

# Of the same level as gold.
ROSE, YEARLY = f"{CLUB}.rose", f"{CLUB}.yearly"
CODE = (3, LESS, "PAY_AS_YOU_GO", "P1M")


def with_equals():
    """The club with two more products of one level, the second with another duration."""
    whole = catalogue()
    [group] = whole["subscriptionGroups"]
    [gold] = [each for each in group["subscriptions"] if each["productID"] == GOLD]
    for product, duration in [(ROSE, "P1M"), (YEARLY, "P1Y")]:
        one = subscription(product.rpartition(".")[2], gold["groupNumber"])
        one.update(introductoryOffer=None, recurringSubscriptionPeriod=duration)
        group["subscriptions"].append(one)
    return whole


def told(note):
    """What a notification says of the period, and of what follows it."""
    return (note.transaction.originalTransactionId, note.transaction.productId,
            note.transaction.transactionReason.value, note.data.status.value,
            note.renewal.autoRenewProductId)


def downgrade(store, server, buyer):
    gold = buyer.buy(GOLD)
    server.expect("a higher level", "SUBSCRIBED/INITIAL_BUY")
    buyer.buy(SILVER)
    note = server.expect("a downgrade", "DID_CHANGE_RENEWAL_PREF/DOWNGRADE")
    check("the period stays", told(note) == (gold, GOLD, "PURCHASE", 1, SILVER), note)
    end = note.transaction.expiresDate
    store.advance(31)
    note = server.expect("its renewal", "DID_RENEW")
    check("the renewal is of the lower level",
          told(note) == (gold, SILVER, "RENEWAL", 1, SILVER), note)
    check("it begins where the other ended", note.transaction.purchaseDate == end, note)
    finish(store, server, gold)


def equals(store, server, buyer):
    """Products of one level: the same duration begins at once, another one at the renewal."""
    gold = buyer.buy(GOLD)
    first = server.expect("one of three of a level", "SUBSCRIBED/INITIAL_BUY")
    store.advance(10)
    rose = buyer.buy(ROSE)
    note = server.expect("another with the same duration", "DID_CHANGE_RENEWAL_PREF/UPGRADE")
    check("it begins at once", told(note) == (gold, ROSE, "PURCHASE", 1, ROSE)
          and note.transaction.transactionId == rose
          and note.transaction.purchaseDate == store.control("GET", "/clock")["now"], note)
    check("the period before it is replaced", server.caller.info(
        first.transaction.transactionId).isUpgraded)
    buyer.buy(YEARLY)
    note = server.expect("another with another duration", "DID_CHANGE_RENEWAL_PREF/DOWNGRADE")
    check("it waits for the renewal", told(note) == (gold, ROSE, "PURCHASE", 1, YEARLY)
          and note.transaction.transactionId == rose, note)
    end = note.transaction.expiresDate
    store.advance(31)
    note = server.expect("the renewal for a year", "DID_RENEW")
    check("it has come", told(note) == (gold, YEARLY, "RENEWAL", 1, YEARLY)
          and note.transaction.purchaseDate == end, note)
    finish(store, server, gold)


def unpaid(store, server, buyer):
    """Without a grace period."""
    silver = buyer.buy(SILVER)
    server.expect("one who will not pay", "SUBSCRIBED/INITIAL_BUY")
    change(store, silver, "fail-billing")
    store.advance(31)
    note = server.expect("the payment fails", "DID_FAIL_TO_RENEW")
    check("it is retried, and not served", told(note) == (silver, SILVER, "PURCHASE", 3, SILVER)
          and note.renewal.gracePeriodExpiresDate is None
          and note.renewal.isInBillingRetryPeriod, note)
    store.advance(57)
    server.expect("nothing until the 60 days are over")
    store.advance(4)
    note = server.expect("the retries end", "EXPIRED/BILLING_RETRY")
    check("it has expired", told(note) == (silver, SILVER, "PURCHASE", 2, SILVER)
          and note.renewal.expirationIntent.value == 2
          and not note.renewal.isInBillingRetryPeriod, note)
    store.advance(61)
    server.expect("nothing follows")


def refunded(store, server, buyer):
    """A consumable, to the reversal of its refund."""
    fuel = buyer.buy(FUEL)
    server.expect("a consumable to be refunded", "ONE_TIME_CHARGE")
    steps = [("request", {"reason": "FULFILLMENT_ISSUE"}, "CONSUMPTION_REQUEST", False),
             ("grant", {"type": "REFUND_FULL"}, "REFUND", True),
             ("reverse", {}, "REFUND_REVERSED", False)]
    for action, body, kind, is_revoked in steps:
        store.advance(1)
        store.control("POST", f"/refunds/{fuel}/{action}", body)
        note = server.expect(f"{action} a refund", kind)
        found = server.caller.info(fuel)
        for each in [note.transaction, found]:
            check("the transaction is revoked" if is_revoked else "it is not revoked", (
                each.transactionId, each.productId, each.revocationDate) == (
                    fuel, FUEL, note.signedDate if is_revoked else None), each)
        check("it is no subscription's", note.renewal is None and note.data.status is None, note)
        check("the reason is that of the request", (
            note.data.rawConsumptionRequestReason == "FULFILLMENT_ISSUE") == (
                kind == "CONSUMPTION_REQUEST"), note)


def new_by_code(store, server, buyer):
    """A first subscription by a code, and a code for another product once that has ended."""
    first = redeem(buyer, SILVER)
    note = server.expect("a first subscription by a code", "SUBSCRIBED/INITIAL_BUY")
    redeemed(note, first, first, SILVER)
    finish(store, server, first)
    back_by_code(server, buyer, first, GOLD)
    finish(store, server, first)


def known_by_code(store, server, buyer):
    """A code for the same product, once that has ended."""
    first = buyer.buy(SILVER)
    server.expect("a subscription at full price", "SUBSCRIBED/INITIAL_BUY")
    finish(store, server, first)
    back_by_code(server, buyer, first, SILVER)
    finish(store, server, first)


def back_by_code(server, buyer, first, product):
    again = redeem(buyer, product)
    note = server.expect("a code of one who left", "SUBSCRIBED/RESUBSCRIBE")
    redeemed(note, first, again, product)


def redeemed(note, first, number, product):
    check("the period has the offer, at its price", (
        told(note), note.transaction.transactionId, note.transaction.price,
        offer(note.transaction)) == (
            (first, product, "PURCHASE", 1, product), number, 4_990, CODE), note)


def finish(store, server, original):
    change(store, original, "expire")
    note = server.expect("the owner ends it", "EXPIRED/VOLUNTARY")
    check("it has expired", note.data.status.value == 2, note)


def main():
    arguments = read_arguments(__doc__)
    store = Store(arguments.url, arguments.token)
    key = store.open(with_equals(), START)
    golden = Golden()
    for environment in [Environment.SANDBOX, Environment.PRODUCTION]:
        server = Server(store, arguments.keys, environment, key, golden)
        print(f"in {server.name}")
        for scenario in [downgrade, equals, unpaid, refunded, new_by_code, known_by_code]:
            scenario(store, server, Customer(store, scenario.__name__, server.name))
    golden.check("notification_sequences.json")
    print("all checks passed")


if __name__ == "__main__":
    main()
