#!/usr/bin/env python3
"""Makes two worlds of one seed, and compares what Apple's App Store Server Library gets of them.

    seeded_worlds.py STORE_URL DATA_FOLDER

The store runs already. The same happens in both worlds: subscriptions renew, end and fail, refunds
are requested, granted and reversed, customers buy. Numbers, dates, UUIDs and whatever else signed
data says must be equal in both, in the sandbox and in production, while each was signed by itself;
in a world of another seed they must differ. One line per check; stops with exit status 1 at the
first that fails.
"""

import base64
import json

from appstoreserverlibrary.models.Environment import Environment

from notification_offers import catalogue
from notified_server import SIGNED, Receiver, change, decoded, settle
from running_store import options, read
from server_api import BUNDLE, FUEL, GOLD, SILVER, TURBO, Caller, Customer, Store, check

SEED = {
    "clock": {"mode": "held", "now": "2026-03-31T12:00:00Z"}, "pace": "calendar",
    "apps": [{"bundleId": BUNDLE, "catalogue": catalogue(), "gracePeriodDays": 16}],
    "accounts": [
        {"name": name, "password": "rocket-fuel-1"} for name in ["ann", "bob", "cyd", "dan"]],
    "families": [{"organiser": "ann", "members": ["bob"]}],
    "purchases": [
        {"account": "ann", "productId": SILVER, "at": "2026-01-31"},
        {"account": "cyd", "productId": GOLD, "at": "2026-02-14", "failsBilling": True},
        {"account": "cyd", "productId": FUEL, "at": "2026-02-15", "quantity": 3},
        {"account": "ann", "productId": TURBO, "at": "2026-03-01"},
        {"account": "dan", "productId": FUEL, "at": "2026-03-02", "refunded": True}],
    "subscriptions": [{"account": "dan", "state": "expired"}]}


def contents(jws):
    """What a JWS says, with the JWS in it decoded as well; and the signatures of all of them."""
    body, signatures = decoded(jws), [jws.rpartition(".")[2]]
    for part in [body, body.get("data", {})]:
        for member in SIGNED.values():
            if member in part:
                signatures.append(part[member].rpartition(".")[2])
                part[member] = decoded(part[member])
    return body, signatures


class Twin:
    """A world of a seed, with what a server learns of it."""

    def __init__(self, store, keys, name, seed):
        store.control("PUT", f"/worlds/{name}", seed)
        self.store = Store(f"{store.url}/t/{name}", store.token)
        key = self.store.control("POST", f"/apps/{BUNDLE}/offer-keys")
        self.callers, self.receivers, self.numbers = {}, {}, {}
        for environment in [Environment.SANDBOX, Environment.PRODUCTION]:
            self.callers[environment] = Caller(self.store, keys, environment, key)
            receiver = self.receivers[environment] = Receiver()
            self.store.control(
                "PUT", f"/apps/{BUNDLE}/notification-targets/{environment.value.lower()}",
                {"url": receiver.url, "allowsPrivateAddresses": True})
        self.live()

    def live(self):
        """What happens after the seed."""
        control = self.store.control
        bought = {}
        for one in control("GET", "/transactions")["transactions"]:
            bought.setdefault((one["account"], one["productId"]), one["transactionId"])
        silver, turbo = bought["ann", SILVER], bought["ann", TURBO]
        self.numbers[Environment.SANDBOX] = [
            silver, bought["cyd", GOLD], bought["dan", FUEL]]
        self.store.advance(31)
        change(self.store, self.original(silver), "cancel")
        self.store.refund(turbo)
        self.store.advance(31)
        control("POST", f"/refunds/{turbo}/reverse")
        payer = Customer(self.store, "payer", "production")
        self.numbers[Environment.PRODUCTION] = [payer.buy(each) for each in [TURBO, SILVER]]
        self.store.advance(31)
        settle(self.store)

    def original(self, number):
        return self.callers[Environment.SANDBOX].info(number).originalTransactionId

    def take(self, environment):
        """(what, JWS) of all that was sent and is answered."""
        caller, client = self.callers[environment], self.callers[environment].client
        sent = [json.loads(body)["signedPayload"]
                for _, body in self.receivers[environment].take()]
        for each in sent:
            caller.verifier.verify_and_decode_notification(each)
        found = [("notification", each) for each in sorted(
            sent, key=lambda each: decoded(each)["notificationUUID"])]
        for number in self.numbers[environment]:
            info = client.get_transaction_info(number).signedTransactionInfo
            caller.read(info)
            found.append(("transaction", info))
            app = client.get_app_transaction_info(number).signedAppTransactionInfo
            caller.verifier.verify_and_decode_app_transaction(app)
            found.append(("app transaction", app))
            for group in client.get_all_subscription_statuses(number).data:
                for last in group.lastTransactions:
                    found.append(("renewal", last.signedRenewalInfo))
            history, _ = caller.history(number)
            found += [("transaction", client.get_transaction_info(
                each.transactionId).signedTransactionInfo) for each in history]
        return found


def compare(one, other, environment):
    first, second = one.take(environment), other.take(environment)
    name = environment.value
    check(f"as much was signed in both worlds' {name}", [kind for kind, _ in first]
          == [kind for kind, _ in second], (len(first), len(second)))
    counts = {kind: sum(1 for each, _ in first if each == kind) for kind, _ in first}
    check(f"there was enough to compare: {counts}", len(counts) == 4 and
          counts["notification"] >= 3)
    signatures = [[], []]
    for (kind, mine), (_, theirs) in zip(first, second):
        left, right = contents(mine), contents(theirs)
        check(f"{kind} of {name}: both say the same", left[0] == right[0], (left[0], right[0]))
        signatures[0] += left[1]
        signatures[1] += right[1]
    check(f"no signature of {name} is in both", not set(signatures[0]) & set(signatures[1]))
    check("each world has its own certificate", leaf(first[0][1]) != leaf(second[0][1]))
    return {decoded(text)["notificationUUID"] for kind, text in first if kind == "notification"}


def leaf(jws):
    head = jws.partition(".")[0]
    return json.loads(base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)))["x5c"][0]


def main():
    arguments = read(options(__doc__))
    store = Store(arguments.url, arguments.token)
    one, other = (Twin(store, arguments.keys, name, SEED) for name in ["one", "other"])
    known = set()
    for environment in [Environment.SANDBOX, Environment.PRODUCTION]:
        known |= compare(one, other, environment)
    stranger = Twin(store, arguments.keys, "stranger", {
        **SEED, "accounts": [*SEED["accounts"], {"name": "eve", "password": "rocket-fuel-1"}]})
    for environment in [Environment.SANDBOX, Environment.PRODUCTION]:
        found = {decoded(text)["notificationUUID"]
                 for kind, text in stranger.take(environment) if kind == "notification"}
        check(f"another seed's {environment.value} has other UUIDs", found and not found & known)
    check("and other numbers", not set(stranger.numbers[Environment.SANDBOX])
          & set(one.numbers[Environment.SANDBOX]))
    print("all checks passed")


if __name__ == "__main__":
    main()
