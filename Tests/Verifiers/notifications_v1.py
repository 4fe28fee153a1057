#!/usr/bin/env python3
"""Receives a store's notifications of version 1, beyond those of notifications.py.

    notifications_v1.py STORE_URL DATA_FOLDER [--tls-port PORT]
    GOLDEN_UPDATE=1 notifications_v1.py STORE_URL DATA_FOLDER

The store runs already, without an app. Subscribers come back, fail to pay until the retries end,
and share with their families, in the sandbox and in production; the payloads of each scenario are
those in golden/notification_v1_payloads.json. Then the app's server refuses what it gets, and must
get it again at the hours of version 1. One line per check; stops with exit status 1 at the first
that fails.
"""

import collections

from appstoreserverlibrary.models.Environment import Environment

from notification_first_version import FirstVersion
from notification_offers import catalogue
from notified_server import Server, change, compare
from server_api import BUNDLE, DAY, GOLD, SILVER, Store, check, read_arguments

HOUR = 3_600_000
# After the attempt before, in production.
RETRY_HOURS = [6, 24, 48]
REFUSED = "UNSUCCESSFUL_HTTP_RESPONSE_CODE"


def newest(payload):
    return payload["unified_receipt"]["latest_receipt_info"][0]


def renewal(payload):
    [found] = payload["unified_receipt"]["pending_renewal_info"]
    return found


def returns(store, first):
    """Subscribers who left, to what they had and to something else."""
    buyer = first.customer("returning")
    original = int(buyer.buy(SILVER))
    first.take("someone subscribes", "INITIAL_BUY")
    change(store, original, "expire")
    note = first.take("the subscription ends", "DID_CHANGE_RENEWAL_STATUS")
    check("renewal is off", note["auto_renew_status"] == "false", note)
    again = buyer.buy(SILVER)
    note = first.take("the same product again", "DID_CHANGE_RENEWAL_STATUS")
    check("renewal is on for the new period", (
        note["auto_renew_status"], note["auto_renew_product_id"], note["original_transaction_id"],
        newest(note)["transaction_id"]) == ("true", SILVER, original, again), note)
    check("no end is expected", "expiration_intent" not in note, note)
    change(store, original, "expire")
    first.take("it ends again", "DID_CHANGE_RENEWAL_STATUS")
    other = buyer.buy(GOLD)
    notes = first.take(
        "another product", "INTERACTIVE_RENEWAL", "DID_CHANGE_RENEWAL_STATUS")
    for note in notes:
        check("it has the new product", (
            note["auto_renew_status"], note["auto_renew_product_id"],
            note["original_transaction_id"], newest(note)["transaction_id"],
            newest(note)["product_id"]) == ("true", GOLD, original, other, GOLD), note)
    change(store, original, "expire")
    first.take("the other product ends", "DID_CHANGE_RENEWAL_STATUS")


def unpaid(store, first):
    """Payments that fail until the retries end."""
    buyer = first.customer("penniless")
    original = int(buyer.buy(SILVER))
    first.take("someone who will not pay", "INITIAL_BUY")
    change(store, original, "fail-billing")
    store.advance(31)
    if first.is_production:
        note = first.take("the renewal is not paid", "DID_FAIL_TO_RENEW")
        check("it is retried", (
            note["auto_renew_status"], renewal(note)["is_in_billing_retry_period"],
            note.get("expiration_intent")) == ("true", "1", 2), note)
    else:
        first.take("the renewal is not paid")
    store.advance(61)
    note = first.take("the retries end", "DID_CHANGE_RENEWAL_STATUS")
    check("renewal is off, and why", (
        note["auto_renew_status"], note["expiration_intent"], note["original_transaction_id"],
        renewal(note)["expiration_intent"], renewal(note)["is_in_billing_retry_period"]) == (
            "false", 2, original, "2", "0"), note)
    store.advance(9)
    first.take("nothing follows the end")


def family(store, first):
    """A member's own notifications, which the sandbox does not send."""
    payer, member = first.customer("sharing"), first.customer("shared with")
    original = int(payer.buy(SILVER))
    first.take("a subscription to share", "INITIAL_BUY")
    number = store.share(payer.name, member.name, first.environment)
    first.take("a first access is for purchasers only")

    def both(what, *kinds):
        """The payer's notifications, and the member's, which are of the same types."""
        notes = first.take(what, *kinds, *(kinds if first.is_production else ()))
        notes = notes if isinstance(notes, list) else [notes]
        owners = [(each["original_transaction_id"] == original,
                   newest(each)["in_app_ownership_type"]) for each in notes]
        mine, theirs = (True, "PURCHASED"), (False, "FAMILY_SHARED")
        check("each is about its own receipt", owners == [mine] * len(kinds) + (
            [theirs] * len(kinds) if first.is_production else []), owners)

    store.advance(31)
    both("a renewal that is shared", "DID_RENEW")
    payer.buy(GOLD)
    both("an upgrade that is shared", "DID_CHANGE_RENEWAL_STATUS", "INTERACTIVE_RENEWAL")
    store.control("DELETE", f"/families/{number}")
    first.take("the family ends", *(["REVOKE"] if first.is_production else []))
    change(store, original, "expire")
    first.take("the payer's subscription ends", "DID_CHANGE_RENEWAL_STATUS")


def transport(store, first):
    """What is answered with another status than 200 was not taken."""
    receiver, hours = first.server.receiver, RETRY_HOURS if first.is_production else []
    for status in [201, 204]:
        receiver.statuses = [status] * (len(hours) + 1)
        original = first.customer(f"refused with {status}").buy(SILVER)
        first.server.settle()
        due = store.control("GET", "/clock")["now"]
        bodies, dates = [body for _, body in receiver.take()], [due]
        for step in hours:
            for milliseconds, count in [(step * HOUR - 1, 0), (1, 1)]:
                store.control("POST", "/clock/advance", {"milliseconds": milliseconds})
                first.server.settle()
                got = [body for _, body in receiver.take()]
                check(f"{status}: {count} attempts, of the {step} hours {milliseconds} ms later",
                      len(got) == count, got)
                bodies += got
            due += step * HOUR
            dates.append(due)
        check(f"{status}: the attempts have the same bytes", len(set(bodies)) == 1
              and len(bodies) == len(dates), bodies)
        store.control("POST", "/clock/advance", {"milliseconds": 9 * DAY})
        first.server.settle()
        check(f"{status}: no attempt after the last", not receiver.take())
        [told] = [each for each in store.control("GET", "/notifications")["notifications"]
                  if each.get("originalTransactionId") == original
                  and each["signedDate"] == dates[0]]
        check(f"{status}: each attempt failed", (
            told["version"], told["notificationType"], told["sendAttempts"], "dueDate" in told) == (
                "V1", "INITIAL_BUY", [{"attemptDate": date, "sendAttemptResult": REFUSED}
                                       for date in dates], False), told)
        change(store, original, "expire")
        first.server.settle()
        receiver.take()
    store.control("POST", f"/notifications/{told['number']}/resend")
    first.server.settle()
    check("by hand it is sent with the same bytes",
          [body for _, body in receiver.take()] == bodies[:1])
    [told] = [each for each in store.control("GET", "/notifications")["notifications"]
              if each["number"] == told["number"]]
    check("and 200 is success", told["sendAttempts"][-1]["sendAttemptResult"] == "SUCCESS", told)


def main():
    arguments = read_arguments(__doc__)
    store = Store(arguments.url, arguments.token)
    store.control("PUT", "/worlds/default?replace=true", {
        "clock": {"mode": "held", "now": "2026-01-01T00:00:00Z"}, "pace": "calendar",
        "apps": [{"bundleId": BUNDLE, "catalogue": catalogue()}]})
    key = store.control("POST", f"/apps/{BUNDLE}/offer-keys")
    payloads = collections.defaultdict(list)
    for environment in [Environment.SANDBOX, Environment.PRODUCTION]:
        server = Server(store, arguments.keys, environment, key)
        print(f"in {server.name}")
        first = FirstVersion(store, server, lambda what, whole, payload, receipt: payloads[
            f"{what} in {server.name}"].append(whole))
        returns(store, first)
        unpaid(store, first)
        family(store, first)
        transport(store, first)
    compare("notification_v1_payloads.json", payloads)
    print("all checks passed")


if __name__ == "__main__":
    main()
