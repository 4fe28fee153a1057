#!/usr/bin/env python3
"""Receives a store's notifications, and verifies them with Apple's App Store Server Library.

    notifications.py STORE_URL DATA_FOLDER [--tls-port PORT]
    GOLDEN_UPDATE=1 notifications.py STORE_URL DATA_FOLDER

The store runs already, without an app. Customers buy, renew, fail to pay, upgrade, share and get
money back, in the sandbox and in production; each happening must be notified with its type and
subtype, its payload must pass the library's own verifier, and what it says must agree with what the
App Store Server API answers. The members of each type are those in golden/notifications.json
beside this file, which GOLDEN_UPDATE=1 writes anew. One line per check; stops with exit status 1 at
the first that fails.
"""

import json
import time

from appstoreserverlibrary.api_client import APIError
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.ExtendReasonCode import ExtendReasonCode
from appstoreserverlibrary.models.ExtendRenewalDateRequest import ExtendRenewalDateRequest
from appstoreserverlibrary.models.MassExtendRenewalDateRequest import MassExtendRenewalDateRequest
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.NotificationTypeV2 import NotificationTypeV2
from appstoreserverlibrary.models.SendAttemptResult import SendAttemptResult
from appstoreserverlibrary.models.Subtype import Subtype

from notification_first_version import version_1
from notification_offers import COURSE, PLATINUM, catalogue, offers
from notification_services import services
from notified_server import Golden, Server, change, decoded, name
from server_api import (
    BUNDLE, DAY, FUEL, GOLD, SILVER, TURBO, Customer, Store, check, read_arguments, refused)

HOUR = 3_600_000


def one_time(store, server, buyer):
    fuel = buyer.buy(FUEL)
    note = server.expect("a consumable", "ONE_TIME_CHARGE")
    check("its transaction", (note.transaction.transactionId, note.transaction.productId,
                              note.data.bundleVersion) == (fuel, FUEL, "1.2"), note)
    turbo = buyer.buy(TURBO)
    server.expect("a non-consumable", "ONE_TIME_CHARGE")
    buyer.buy(TURBO)
    server.expect("a product that is owned is no charge")
    buyer.buy(COURSE)
    server.expect("a non-renewing subscription", "ONE_TIME_CHARGE")
    store.control("POST", f"/refunds/{fuel}/request", {"reason": "UNINTENDED_PURCHASE"})
    note = server.expect("a refund that is requested", "CONSUMPTION_REQUEST")
    check("its reason", note.data.consumptionRequestReason.value == "UNINTENDED_PURCHASE", note)
    store.control("POST", f"/refunds/{fuel}/decline")
    server.expect("a refund that is declined", "REFUND_DECLINED")
    store.refund(turbo)
    found = server.expect("a refund that is granted", "CONSUMPTION_REQUEST", "REFUND")
    check("its transaction says when", found[1].transaction.revocationDate is not None
          and found[1].transaction.revocationType.value == "REFUND_FULL", found[1])
    store.control("POST", f"/refunds/{turbo}/reverse")
    note = server.expect("a refund that is reversed", "REFUND_REVERSED")
    check("it stands again", note.transaction.revocationDate is None, note)
    store.control("POST", f"/transactions/{buyer.buy(FUEL)}/revoke", {"reason": "issue"})
    server.expect("a purchase that the owner takes back", "ONE_TIME_CHARGE", "REFUND")


def renewals(store, server, environment):
    """The life of a subscription, from the first purchase to the last refund."""
    buyer = Customer(store, "subscriber", environment)
    silver = buyer.buy(SILVER)
    note = server.expect("a first purchase", "SUBSCRIBED/INITIAL_BUY")
    check("its state", (
        note.data.status.value, note.transaction.transactionId, note.renewal.originalTransactionId,
        note.renewal.autoRenewProductId, note.transaction.transactionReason.value,
        note.signedDate
    ) == (1, silver, silver, SILVER, "PURCHASE", note.transaction.purchaseDate), note)
    store.advance(31)
    note = server.expect("a renewal", "DID_RENEW")
    check("its period", (
        note.transaction.transactionReason.value, note.transaction.originalTransactionId,
        note.renewal.renewalDate, note.signedDate) == (
            "RENEWAL", silver, note.transaction.expiresDate, note.transaction.purchaseDate), note)
    store.advance(62)
    server.expect("renewals one by one", "DID_RENEW", "DID_RENEW")
    change(store, silver, "cancel")
    note = server.expect("renewal turned off", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED")
    check("it is off", note.renewal.autoRenewStatus.value == 0, note)
    change(store, silver, "cancel")
    server.expect("turned off again, nothing")
    change(store, silver, "resume")
    server.expect("renewal turned on", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED")

    gold = buyer.buy(GOLD)
    note = server.expect("an upgrade", "DID_CHANGE_RENEWAL_PREF/UPGRADE")
    check("the new period", (note.transaction.transactionId, note.transaction.productId,
                             note.transaction.originalTransactionId) == (gold, GOLD, silver), note)
    buyer.buy(SILVER)
    note = server.expect("a downgrade", "DID_CHANGE_RENEWAL_PREF/DOWNGRADE")
    check("the present period, and what it renews as", (
        note.transaction.productId, note.renewal.autoRenewProductId) == (GOLD, SILVER), note)
    change(store, silver, "choose", {"productId": GOLD})
    server.expect("a downgrade that is taken back", "DID_CHANGE_RENEWAL_PREF")

    change(store, silver, "extend", {"days": 10})
    server.expect("an extension by the owner", "RENEWAL_EXTENDED")
    before = server.caller.client.extend_subscription_renewal_date(
        silver, ExtendRenewalDateRequest(
            extendByDays=7, extendReasonCode=ExtendReasonCode.CUSTOMER_SATISFACTION,
            requestIdentifier="outage"))
    note = server.expect("an extension by the app's server", "RENEWAL_EXTENDED")
    check("the new date", note.transaction.expiresDate == before.effectiveDate, note)

    change(store, silver, "price-increase", {"needsConsent": True, "price": "12.99"})
    note = server.expect("a price that needs consent", "PRICE_INCREASE/PENDING")
    check("not answered", note.renewal.priceIncreaseStatus.value == 0, note)
    [asked] = [each for each in store.control("GET", "/price-consents")["priceConsents"]
               if each["account"] == buyer.name and each["environment"] == environment]
    store.control("POST", f"/price-consents/{asked['number']}/agree")
    note = server.expect("the customer agrees", "PRICE_INCREASE/ACCEPTED")
    check("agreed", note.renewal.priceIncreaseStatus.value == 1
          and note.renewal.renewalPrice == 12_990, note)
    change(store, silver, "price-increase", {"needsConsent": False, "price": "13.99"})
    server.expect("a price that needs none", "PRICE_INCREASE/ACCEPTED")

    store.control("PUT", f"/apps/{BUNDLE}/grace-period", {"days": 16})
    change(store, silver, "fail-billing")
    server.expect("payments that are to fail, nothing yet")
    left = note.renewal.renewalDate - store.control("GET", "/clock")["now"]
    store.advance(left // DAY + 1)
    note = server.expect("a failed payment with grace", "DID_FAIL_TO_RENEW/GRACE_PERIOD")
    check("it is served", note.data.status.value == 4
          and note.renewal.gracePeriodExpiresDate is not None, note)
    change(store, silver, "recover")
    note = server.expect("a recovery", "DID_RENEW/BILLING_RECOVERY")
    check("it is active", note.data.status.value == 1, note)
    change(store, silver, "fail-billing")
    store.advance(31)
    server.expect("it fails again", "DID_FAIL_TO_RENEW/GRACE_PERIOD")
    store.advance(20)
    note = server.expect("the grace period ends", "GRACE_PERIOD_EXPIRED")
    check("its payment is retried", note.data.status.value == 3, note)
    store.advance(60)
    note = server.expect("the retries end", "EXPIRED/BILLING_RETRY")
    check("it has expired", note.data.status.value == 2
          and note.renewal.expirationIntent.value == 2, note)
    change(store, silver, "recover")
    server.expect("nothing is owed")
    back = buyer.buy(GOLD)
    server.expect("a customer comes back", "SUBSCRIBED/RESUBSCRIBE")
    store.control("PUT", f"/apps/{BUNDLE}/grace-period", {})
    change(store, silver, "fail-billing")
    store.advance(31)
    note = server.expect("a failed payment without grace", "DID_FAIL_TO_RENEW")
    check("it is retried", note.data.status.value == 3
          and note.renewal.isInBillingRetryPeriod, note)
    change(store, silver, "recover")
    server.expect("it is recovered", "DID_RENEW/BILLING_RECOVERY")

    store.control("POST", f"/refunds/{back}/request", {"reason": "UNSATISFIED_WITH_PURCHASE"})
    found = server.expect(
        "a subscription's refund requested", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
        "CONSUMPTION_REQUEST")
    check("with its status", found[1].data.status.value == 1, found[1])
    store.control("POST", f"/refunds/{back}/grant", {"type": "REFUND_FULL"})
    server.expect("an earlier period refunded", "REFUND")
    newest = server.caller.client.get_all_subscription_statuses(silver).data[0].lastTransactions[0]
    last = server.caller.read(newest.signedTransactionInfo).transactionId
    store.control("POST", f"/transactions/{last}/revoke", {"reason": "issue"})
    note = server.expect("the newest period refunded", "REFUND")
    check("it is revoked", note.data.status.value == 5
          and note.transaction.transactionId == last, note)
    return silver


def endings(store, server, environment):
    buyer = Customer(store, "leaver", environment)
    silver = buyer.buy(SILVER)
    change(store, silver, "cancel")
    store.advance(31)
    server.expect("bought, turned off, ended", "SUBSCRIBED/INITIAL_BUY",
                  "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "EXPIRED/VOLUNTARY")
    buyer = Customer(store, "unwilling", environment)
    silver = buyer.buy(SILVER)
    change(store, silver, "price-increase", {"needsConsent": True, "price": "19.99"})
    store.advance(31)
    server.expect("a price nobody agreed to", "SUBSCRIBED/INITIAL_BUY", "PRICE_INCREASE/PENDING",
                  "EXPIRED/PRICE_INCREASE")
    buyer = Customer(store, "left behind", environment)
    buyer.buy(PLATINUM)
    store.control("PUT", f"/apps/{BUNDLE}/products/{PLATINUM}/state", {"state": "removedFromSale"})
    store.advance(31)
    server.expect("a product taken from sale", "SUBSCRIBED/INITIAL_BUY",
                  "EXPIRED/PRODUCT_NOT_FOR_SALE")
    store.control(
        "PUT", f"/apps/{BUNDLE}/products/{PLATINUM}/state", {"state": "clearedForSale"})


def mass_extensions(store, server):
    """Two within a year, and a third, which the subscriber may not have."""
    buyer = Customer(store, "extended", server.name)
    platinum = buyer.buy(PLATINUM)
    server.expect("a subscriber to be extended", "SUBSCRIBED/INITIAL_BUY")
    for number, (kind, counts) in enumerate(
            [("RENEWAL_EXTENDED", (1, 0)), ("RENEWAL_EXTENDED", (1, 0)),
             ("RENEWAL_EXTENSION/FAILURE", (0, 1))]):
        request = MassExtendRenewalDateRequest(
            extendByDays=5, extendReasonCode=ExtendReasonCode.SERVICE_ISSUE_OR_OUTAGE,
            productId=PLATINUM, requestIdentifier=f"00000000-0000-4000-8000-00000000000{number}",
            storefrontCountryCodes=["USA"])
        client = server.caller.client
        client.extend_renewal_date_for_all_active_subscribers(request)
        while not client.get_status_of_subscription_renewal_date_extensions(
                request.requestIdentifier, PLATINUM).complete:
            time.sleep(0.02)
        notes = server.expect(f"extension {number + 1} of all subscribers", kind,
                              "RENEWAL_EXTENSION/SUMMARY")
        summary = notes[1].summary
        check("its summary", (
            notes[0].transaction.originalTransactionId, summary.requestIdentifier,
            summary.productId, summary.storefrontCountryCodes,
            (summary.succeededCount, summary.failedCount)) == (
                platinum, request.requestIdentifier, PLATINUM, ["USA"], counts), summary)
    change(store, platinum, "expire", {"expirationReason": 5})
    note = server.expect("the owner ends it for another reason", "EXPIRED")
    check("its reason", note.renewal.expirationIntent.value == 5, note)


def family(store, server, environment):
    payer = Customer(store, "payer", environment)
    member = Customer(store, "member", environment)
    silver = payer.buy(SILVER)
    payer.buy(TURBO)
    server.expect("the payer's purchases", "SUBSCRIBED/INITIAL_BUY", "ONE_TIME_CHARGE")
    number = store.share(payer.name, member.name, environment)
    found = server.expect("a member joins", "SUBSCRIBED/INITIAL_BUY", "ONE_TIME_CHARGE")
    check("what is shared", all(
        each.transaction.inAppOwnershipType.value == "FAMILY_SHARED"
        and each.transaction.price is None for each in found)
        and found[0].renewal.renewalPrice is None, found)
    store.advance(31)
    found = server.expect("a renewal for both", "DID_RENEW", "DID_RENEW")
    store.control("POST", f"/families/{number}/remove", {"name": member.name})
    found = server.expect("the member leaves", "REVOKE", "REVOKE")
    check("what they lose", all(
        each.transaction.revocationType.value == "FAMILY_REVOKE" for each in found), found)
    change(store, silver, "expire")
    server.expect("the owner ends it", "EXPIRED/VOLUNTARY")


def tests(server):
    client = server.caller.client
    token = client.request_test_notification().testNotificationToken
    [note] = server.take()
    check("a test", (name(note), set(note.raw["data"])) == (
        "TEST", {"bundleId", "environment"} | (
            {"appAppleId"} if server.name == "production" else set())), note.raw)
    status = client.get_test_notification_status(token)
    check("its status", status.signedPayload == note.text and [
        each.sendAttemptResult for each in status.sendAttempts] == [SendAttemptResult.SUCCESS],
        status)
    refused("a token with a letter more", APIError.INVALID_TEST_NOTIFICATION_TOKEN,
            lambda: client.get_test_notification_status(token + "x"))
    other = token.replace(token[0], "0" if token[0] != "0" else "1", 1)
    refused("a token of nobody", APIError.TEST_NOTIFICATION_NOT_FOUND,
            lambda: client.get_test_notification_status(other))


def retries(store, server, buyer):
    """What is refused is sent again, with the same bytes, and the history tells it."""
    hours = [1, 12, 24, 48, 72] if server.name == "production" else []
    server.receiver.statuses = [500] * (len(hours) + 1)
    buyer.buy(FUEL)
    server.settle()
    first = server.receiver.take()
    due = store.control("GET", "/clock")["now"]
    dates, bodies = [due], [body for _, body in first]
    for number, step in enumerate(hours):
        store.control("POST", "/clock/advance", {"milliseconds": step * HOUR - 1})
        server.settle()
        check(f"no retry {number + 1} before its time", not server.receiver.take())
        store.control("POST", "/clock/advance", {"milliseconds": 1})
        server.settle()
        bodies += [body for _, body in server.receiver.take()]
        due += step * HOUR
        dates.append(due)
    store.advance(9)
    server.settle()
    check("no retry after the last", not server.receiver.take())
    check("as many attempts as Apple makes, all of the same bytes",
          len(bodies) == len(dates) and len(set(bodies)) == 1, len(bodies))
    [told] = server.history(onlyFailures=True)
    check("the history dates them when they were due", (
        [each.attemptDate for each in told.sendAttempts],
        {each.sendAttemptResult for each in told.sendAttempts},
        told.signedPayload) == (
            dates, {SendAttemptResult.UNSUCCESSFUL_HTTP_RESPONSE_CODE},
            json.loads(bodies[0])["signedPayload"]), told)
    listed = store.control("GET", "/notifications")["notifications"]
    failed = next(each for each in listed if "dueDate" not in each and
                  each["sendAttempts"][-1]["sendAttemptResult"] != "SUCCESS")
    store.control("POST", f"/notifications/{failed['number']}/resend")
    server.settle()
    check("one that is sent again by hand has the same bytes",
          [body for _, body in server.receiver.take()] == bodies[:1])
    check("and is no failure any more", not server.history(onlyFailures=True))
    for _ in range(25):
        buyer.buy(FUEL)
        store.control("POST", "/clock/advance", {"milliseconds": 1})
    server.settle()
    sent = [json.loads(body)["signedPayload"] for _, body in server.receiver.take()]
    found = server.history(notificationType=NotificationTypeV2.ONE_TIME_CHARGE)
    # Those of other purchases arrive in any order.
    sent.sort(key=lambda jws: decoded(jws)["signedDate"], reverse=True)
    check("the history has what was sent, the newest first",
          [each.signedPayload for each in found][:25] == sent, len(found))


def check_history(store, server, buyer, fuel):
    client, now = server.caller.client, store.control("GET", "/clock")["now"]
    ask = lambda token=None, **filters: client.get_notification_history(  # noqa: E731
        token, NotificationHistoryRequest(**{
            "startDate": now - 20 * DAY, "endDate": now, **filters}))
    days = 180 if server.name == "production" else 30
    refused("a start too long ago", APIError.START_DATE_TOO_FAR_IN_PAST,
            lambda: ask(startDate=now - days * DAY - 1))
    ask(startDate=now - days * DAY)
    refused("an end before the start", APIError.START_DATE_AFTER_END_DATE,
            lambda: ask(endDate=now - 20 * DAY))
    for value, error in [("startDate", APIError.INVALID_START_DATE),
                         ("endDate", APIError.INVALID_END_DATE)]:
        refused(f"no {value}", error, lambda: ask(**{value: None}))
    refused("a subtype alone", APIError.INVALID_NOTIFICATION_TYPE,
            lambda: ask(notificationSubtype=Subtype.UPGRADE))
    refused("a subtype of another type", APIError.INVALID_NOTIFICATION_TYPE,
            lambda: ask(notificationType=NotificationTypeV2.REFUND,
                        notificationSubtype=Subtype.UPGRADE))
    refused("a customer and a type", APIError.MULTIPLE_FILTERS_SUPPLIED,
            lambda: ask(notificationType=NotificationTypeV2.REFUND, transactionId=fuel))
    refused("a transaction that is no number", APIError.INVALID_TRANSACTION_ID,
            lambda: ask(transactionId="x"))
    refused("an unknown transaction", APIError.TRANSACTION_ID_NOT_FOUND,
            lambda: ask(transactionId="999"))
    mine = server.history(transactionId=fuel)
    check("one customer's history has only theirs", mine and all(
        server.caller.read(decoded(each.signedPayload)["data"]["signedTransactionInfo"])
        .appTransactionId == server.caller.info(fuel).appTransactionId for each in mine))
    token = ask().paginationToken
    check("there is a second page", token is not None and ask(token).notificationHistory)
    for altered in [token[:-1], token + "0", "x", token.replace("-", "_")]:
        refused(f"the token {altered[:8]}…", APIError.INVALID_PAGINATION_TOKEN,
                lambda: ask(altered))
    refused("another question's token", APIError.INVALID_PAGINATION_TOKEN,
            lambda: ask(token, onlyFailures=True))


def main():
    arguments = read_arguments(__doc__)
    store = Store(arguments.url, arguments.token)
    store.control("PUT", "/worlds/default?replace=true", {
        "clock": {"mode": "held", "now": "2026-01-01T00:00:00Z"}, "pace": "calendar",
        "apps": [{"bundleId": BUNDLE, "catalogue": catalogue()}]})
    key = store.control("POST", f"/apps/{BUNDLE}/offer-keys")
    golden = Golden()
    sandbox = Server(store, arguments.keys, Environment.SANDBOX, key, golden)
    production = Server(store, arguments.keys, Environment.PRODUCTION, key, golden)
    for server in [sandbox, production]:
        print(f"in {server.name}")
        one_time(store, server, Customer(store, "buyer", server.name))
        renewals(store, server, server.name)
        endings(store, server, server.name)
        offers(store, server)
        mass_extensions(store, server)
        family(store, server, server.name)
        tests(server)
        services(store, server)
        buyer = Customer(store, "often", server.name)
        retries(store, server, buyer)
        check_history(store, server, buyer, buyer.buy(FUEL))
        server.take()
        version_1(store, server)
    golden.check("notifications.json", "notification_payloads.json")
    print("all checks passed")


if __name__ == "__main__":
    main()
