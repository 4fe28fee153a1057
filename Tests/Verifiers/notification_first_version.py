"""Notifications of version 1, whose receipts must pass verifyReceipt."""

import json

import requests

from notified_server import change, no_nulls
from server_api import BUNDLE, FUEL, GOLD, SECONDS_MAX, SILVER, TURBO, Customer, check


class FirstVersion:
    """An environment of the app whose server is notified in version 1, until the end.

    `note` gets each notification, its name and its payload without what differs each time, with
    the payload and the receipt in it."""

    def __init__(self, store, server, note):
        self.store, self.server, self.note = store, server, note
        self.environment = server.name
        self.is_production = server.name == "production"
        self.secret = store.control("POST", f"/apps/{BUNDLE}/secrets")["secret"]
        self.aim({"version": "V1", "sharedSecret": self.secret})

    def aim(self, members):
        self.store.control("PUT", f"/apps/{BUNDLE}/notification-targets/{self.environment}", {
            "url": self.server.receiver.url, "allowsPrivateAddresses": True, **members})

    def end(self):
        """Goes back to version 2."""
        self.aim({})

    def customer(self, name):
        return Customer(self.store, name, self.environment)

    def take(self, what, *kinds):
        """The notifications since the last call, which must have these types in this order: those
        of one original transaction after those of another."""
        self.server.settle()
        got = sorted((json.loads(body) for _, body in self.server.receiver.take()),
                     key=lambda each: each["original_transaction_id"])
        found = [each["notification_type"] for each in got]
        check(f"version 1: {what}", found == list(kinds), found)
        for each in got:
            answer = self.verify(what, each)
        if len(kinds) == 1:
            check("its receipt is as verifyReceipt gives it", all(
                got[0]["unified_receipt"][member] == answer[member]
                for member in ["latest_receipt_info", "pending_renewal_info"]))
        return got[0] if len(got) == 1 else got

    def verify(self, what, payload):
        """Gives the answer of verifyReceipt."""
        receipt = payload["unified_receipt"]
        self.note(
            what, {**payload, "password": "…",
                   "unified_receipt": {**receipt, "latest_receipt": "…"}}, payload, receipt)
        assert no_nulls(payload) and payload["password"] == self.secret, payload
        assert payload["bid"] == BUNDLE, payload
        assert payload["environment"] == ("PROD" if self.is_production else "Sandbox"), payload
        assert isinstance(payload["original_transaction_id"], int), payload
        answer = requests.post(
            f"{self.store.url}/{self.environment}/verifyReceipt", timeout=SECONDS_MAX,
            json={"receipt-data": receipt["latest_receipt"], "password": self.secret}).json()
        assert answer["status"] == receipt["status"] == 0, answer["status"]
        assert receipt["environment"] == answer["environment"], receipt
        return answer


def version_1(store, server):
    """From a first purchase to the end of a family's access."""
    def note(what, whole, payload, receipt):
        server.golden.note(f"version 1: {whole['notification_type']} in {server.name}",
                           whole, payload=payload, receipt=receipt)

    first = FirstVersion(store, server, note)
    buyer = first.customer("old-fashioned")
    buyer.buy(FUEL)
    first.take("a consumable is not told")
    silver = buyer.buy(SILVER)
    note = first.take("a first purchase", "INITIAL_BUY")
    check("its members", (note["auto_renew_status"], note["auto_renew_product_id"], note["bvrs"],
                          note["original_transaction_id"]) == ("true", SILVER, "1.2", int(silver)),
          note)
    store.advance(31)
    first.take("a renewal", "DID_RENEW")
    change(store, silver, "cancel")
    note = first.take("renewal turned off", "DID_CHANGE_RENEWAL_STATUS")
    check("when", note["auto_renew_status"] == "false" and note["auto_renew_status_change_date_ms"]
          == str(store.control("GET", "/clock")["now"] // 1000 * 1000), note)
    change(store, silver, "resume")
    first.take("renewal turned on", "DID_CHANGE_RENEWAL_STATUS")
    buyer.buy(GOLD)
    first.take("an upgrade", "DID_CHANGE_RENEWAL_STATUS", "INTERACTIVE_RENEWAL")
    buyer.buy(SILVER)
    first.take("a downgrade", "DID_CHANGE_RENEWAL_PREF")
    more = (lambda *kinds: kinds) if first.is_production else (lambda *kinds: ())
    change(store, silver, "price-increase", {"needsConsent": True, "price": "14.99"})
    first.take("a price that needs consent", *more("PRICE_INCREASE_CONSENT"))
    [asked] = [each for each in store.control("GET", "/price-consents")["priceConsents"]
               if each["account"] == buyer.name and each["environment"] == server.name]
    store.control("POST", f"/price-consents/{asked['number']}/agree")
    first.take("the customer agrees")
    change(store, silver, "fail-billing")
    store.advance(31)
    first.take("a failed payment", *more("DID_FAIL_TO_RENEW"))
    change(store, silver, "recover")
    first.take("a recovery", *more("DID_RECOVER"))
    turbo = buyer.buy(TURBO)
    store.control("POST", f"/refunds/{turbo}/request", {"reason": "OTHER"})
    first.take("a refund requested", *more("CONSUMPTION_REQUEST"))
    store.control("POST", f"/refunds/{turbo}/grant", {"type": "REFUND_FULL"})
    first.take("another product refunded", "REFUND")
    newest = server.caller.client.get_all_subscription_statuses(silver).data[0].lastTransactions[0]
    last = server.caller.read(newest.signedTransactionInfo).transactionId
    store.control("POST", f"/transactions/{last}/revoke", {"reason": "issue"})
    first.take("a subscription refunded", "CANCEL", "DID_CHANGE_RENEWAL_STATUS")
    payer = first.customer("old-fashioned payer")
    payer.buy(SILVER)
    first.take("the payer's subscription", "INITIAL_BUY")
    payer.buy(TURBO)
    number = store.share(payer.name, buyer.name, server.name)
    first.take("a member's access is not told")
    store.control("POST", f"/families/{number}/remove", {"name": buyer.name})
    for each in first.take("the member leaves", *more("REVOKE", "REVOKE")):
        check("the receipt has all that was lost", all(
            "cancellation_date" in one for one in each["unified_receipt"]["latest_receipt_info"]
            if one["in_app_ownership_type"] == "FAMILY_SHARED"), each)
    token = server.caller.client.request_test_notification().testNotificationToken
    server.settle()
    [(_, body)] = server.receiver.take()
    check("a test has version 2 all the same",
          server.caller.client.get_test_notification_status(token).signedPayload
          == json.loads(body)["signedPayload"])
    first.end()
