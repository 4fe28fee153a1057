#!/usr/bin/env python3
"""Asks a store's transaction history in every way that Apple's App Store Server Library can.

    server_api_history.py STORE_URL DATA_FOLDER [--tls-port PORT]

The store runs already, without an app. A customer and a member of the family buy products of every
type, in the sandbox and in production. The history must have exactly what its filters ask for, and
a revision that was kept must lead to exactly what changed since: a transaction that was bought,
renewed, replaced, refunded, given back or shared, and not one that was extended, finished or got a
token. A revision is good for its own question only. One line per check; stops with exit status 1
at the first that fails.
"""

import copy
import itertools
import json
import uuid

import requests
from appstoreserverlibrary.api_client import APIError, GetTransactionHistoryVersion
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.ExtendReasonCode import ExtendReasonCode
from appstoreserverlibrary.models.ExtendRenewalDateRequest import ExtendRenewalDateRequest
from appstoreserverlibrary.models.InAppOwnershipType import InAppOwnershipType
from appstoreserverlibrary.models.TransactionHistoryRequest import (
    Order, ProductType, TransactionHistoryRequest)
from appstoreserverlibrary.models.UpdateAppAccountTokenRequest import UpdateAppAccountTokenRequest

from notification_offers import COURSE, catalogue
from server_api import (
    BUNDLE, CATALOGUE, DAY, FUEL, GOLD, OTHER, SECONDS_MAX, SILVER, START, TOKEN, TURBO, Caller,
    Customer, Store, check, read_arguments, refused)

PURCHASED, SHARED = InAppOwnershipType.PURCHASED, InAppOwnershipType.FAMILY_SHARED


def numbers(transactions):
    return [each.transactionId for each in transactions]


class Watch:
    """A customer's history, of which each look has what changed since the last."""

    def __init__(self, caller, number):
        self.caller, self.number = caller, number
        self.revision = caller.history(number)[1]

    def expect(self, what, expected):
        found, request = [], TransactionHistoryRequest()
        while True:
            page = self.caller.client.get_transaction_history(
                self.number, self.revision, request, GetTransactionHistoryVersion.V2)
            found += [self.caller.read(each) for each in page.signedTransactions]
            self.revision = page.revision
            if not page.hasMore:
                break
        check(f"{what}: what comes after the revision", numbers(found) == expected,
              (numbers(found), expected))
        return found


class Shop:
    """One environment, with what its customers bought."""

    def __init__(self, store, caller, environment):
        self.store, self.caller, self.environment = store, caller, environment
        self.payer, self.member = self.customer("payer"), self.customer("member")
        self.fuels = [self.payer.buy(FUEL) for _ in range(3)]
        self.turbo, self.course = self.payer.buy(TURBO), self.payer.buy(COURSE)
        self.silver = self.payer.buy(SILVER)
        self.started = caller.info(self.silver).purchaseDate
        store.advance(40)
        self.periods = [each.transactionId for each in caller.history(self.silver)[0]
                        if each.productId == SILVER]
        check("a subscription's periods", len(self.periods) == 2, self.periods)
        self.theirs = self.member.buy(FUEL)

    def customer(self, name):
        return Customer(self.store, name, self.environment)

    def history(self, number, **filters):
        return numbers(self.caller.history(number, **filters)[0])

    def expect(self, what, number, expected, **filters):
        """Ascending in this order; descending, the same backwards."""
        for sort in [Order.ASCENDING, Order.DESCENDING]:
            found = self.history(number, sort=sort, **filters)
            check(f"the history by {what}, {sort.value.lower()}",
                  found == expected[::1 if sort == Order.ASCENDING else -1], (found, expected))

    def join(self):
        """Gives the numbers of what the member got."""
        before = set(self.history(self.theirs))
        self.family = self.store.share(self.payer.name, self.member.name, self.environment)
        return [each for each in self.history(self.theirs) if each not in before]

    def raw(self, query):
        """What a query that the library does not write finds."""
        answer = requests.get(
            f"{self.caller.base}/inApps/v2/history/{self.silver}?{query}", timeout=SECONDS_MAX,
            headers=self.caller.client._get_headers()).json()
        return numbers(self.caller.read(each) for each in answer["signedTransactions"])


def types(shop):
    """Each type is complete, and types add up."""
    of_type = {
        ProductType.CONSUMABLE: shop.fuels, ProductType.NON_CONSUMABLE: [shop.turbo],
        ProductType.NON_RENEWABLE: [shop.course], ProductType.AUTO_RENEWABLE: shop.periods}
    everything = shop.history(shop.silver)
    check("every purchase has a type", sorted(everything) == sorted(sum(of_type.values(), [])))
    for count in range(1, len(ProductType) + 1):
        for some in itertools.combinations(ProductType, count):
            wanted = sum((of_type[each] for each in some), [])
            shop.expect(" and ".join(each.value for each in some), shop.silver,
                        [each for each in everything if each in wanted], productTypes=list(some))


def moves(shop):
    """What places a transaction at the end of the history, and what does not."""
    store, caller, silver = shop.store, shop.caller, shop.silver
    payer, member = Watch(caller, silver), Watch(caller, shop.theirs)
    payer.expect("nothing happened", [])

    copies = shop.join()
    found = member.expect("a family's purchases are shared", copies)
    check("they are the member's", {each.inAppOwnershipType for each in found} == {SHARED}, found)
    check("what can be shared was", {each.productId for each in found} == {TURBO, SILVER}, found)
    payer.expect("sharing changes nothing of the payer's", [])
    shop.expect("owner FAMILY_SHARED", shop.theirs, copies, inAppOwnershipType=SHARED)
    shop.expect("owner PURCHASED", shop.theirs, [shop.theirs], inAppOwnershipType=PURCHASED)
    [turbo] = shop.history(shop.theirs, inAppOwnershipType=SHARED, productIds=[TURBO])
    shop.expect("a shared copy's number, which finds its owner", turbo, [shop.theirs, *copies])
    shop.expect("owner FAMILY_SHARED of the payer", silver, [], inAppOwnershipType=SHARED)

    everything = shop.history(silver)
    for query, expected in [("revoked=true", []), ("revoked=false", everything),
                            ("excludeRevoked=true", everything)]:
        check(f"nothing is revoked: {query}", shop.raw(query) == expected, shop.raw(query))
    refund(shop, payer, shop.fuels[1])
    revoked(shop, everything, shop.fuels[1])
    store.control("POST", f"/refunds/{shop.fuels[1]}/reverse")
    [fuel] = payer.expect("a refund that is reversed", [shop.fuels[1]])
    check("it is not revoked", fuel.revocationDate is None, fuel)
    shop.expect("revoked, after the reversal", silver, [], revoked=True)
    member.expect("another's refund", [])

    refund(shop, payer, shop.turbo)
    [lost] = member.expect("what was shared is refunded", [turbo])
    check("the member lost it", lost.revocationDate is not None, lost)
    combinations(shop, turbo, copies)
    store.control("POST", f"/refunds/{shop.turbo}/reverse")
    payer.expect("the payer has it again", [shop.turbo])
    [back] = member.expect("the member gets another copy", shop.history(shop.theirs)[-1:])
    check("the copy is new, and not revoked", back.transactionId not in copies and (
        back.productId, back.inAppOwnershipType, back.revocationDate
    ) == (TURBO, SHARED, None), back)
    steady(shop, payer, member)
    copies = shop.history(shop.theirs, inAppOwnershipType=SHARED, revoked=False)
    store.control("POST", f"/families/{shop.family}/remove", {"name": shop.member.name})
    found = member.expect("the share ends", copies)
    check("all that was shared is lost", all(each.revocationDate for each in found), found)
    payer.expect("the end of sharing changes nothing of the payer's", [])
    store.advance(30)
    [period] = payer.expect("a renewal", shop.history(silver)[-1:])
    gold = shop.payer.buy(GOLD)
    payer.expect("an upgrade", [period.transactionId, gold])
    member.expect("what is no longer shared", [])


def refund(shop, payer, number):
    shop.store.control("POST", f"/refunds/{number}/request", {"reason": "OTHER"})
    payer.expect("a refund that is only requested", [])
    shop.store.control("POST", f"/refunds/{number}/grant", {"type": "REFUND_FULL"})
    [found] = payer.expect("a refund", [number])
    check("it is revoked", found.revocationDate is not None, found)


def revoked(shop, everything, fuel):
    """With one that is."""
    others = [each for each in everything if each != fuel]
    shop.expect("revoked", shop.silver, [fuel], revoked=True)
    shop.expect("not revoked", shop.silver, others, revoked=False)
    shop.expect("both", shop.silver, [*others, fuel])
    for query, expected in [
            ("excludeRevoked=true", others), ("excludeRevoked=false", [*others, fuel]),
            ("revoked=True", [fuel]), ("revoked=False", others)]:
        check(f"the history by {query}", shop.raw(query) == expected, shop.raw(query))


def combinations(shop, turbo, copies):
    """Filters narrow one another."""
    clubs = [each for each in copies if each != turbo]
    consumable, durable = [ProductType.CONSUMABLE], [ProductType.NON_CONSUMABLE]
    for what, number, expected, filters in [
            ("a revoked type", shop.silver, [shop.turbo],
             {"revoked": True, "productTypes": durable}),
            ("a type that is not revoked", shop.silver, [],
             {"revoked": True, "productTypes": consumable}),
            ("a product of another type", shop.silver, [],
             {"productIds": [FUEL], "productTypes": durable}),
            ("a group's type", shop.silver, shop.periods, {
                "subscriptionGroupIdentifiers": ["CLUB"],
                "productTypes": [ProductType.AUTO_RENEWABLE]}),
            ("a group with a product outside it", shop.silver, [],
             {"subscriptionGroupIdentifiers": ["CLUB"], "productIds": [FUEL]}),
            ("an unknown group", shop.silver, [], {"subscriptionGroupIdentifiers": ["NONE"]}),
            ("a shared group", shop.theirs, clubs,
             {"subscriptionGroupIdentifiers": ["CLUB"], "inAppOwnershipType": SHARED}),
            ("a bought group", shop.theirs, [],
             {"subscriptionGroupIdentifiers": ["CLUB"], "inAppOwnershipType": PURCHASED}),
            ("shared and revoked", shop.theirs, [turbo],
             {"inAppOwnershipType": SHARED, "revoked": True}),
            ("shared and not revoked", shop.theirs, clubs,
             {"inAppOwnershipType": SHARED, "revoked": False}),
            ("a type and a start", shop.silver, shop.periods[1:], {
                "productTypes": [ProductType.AUTO_RENEWABLE], "startDate": shop.started + 1}),
            ("a type and an end", shop.silver, shop.periods[:1], {
                "productTypes": [ProductType.AUTO_RENEWABLE], "endDate": shop.started + 1})]:
        shop.expect(what, number, expected, **filters)


def steady(shop, payer, member):
    """What changes a transaction and leaves its place."""
    store, client, silver = shop.store, shop.caller.client, shop.silver
    before = shop.caller.info(shop.periods[-1]).expiresDate
    client.extend_subscription_renewal_date(silver, ExtendRenewalDateRequest(
        extendByDays=3, extendReasonCode=ExtendReasonCode.OTHER, requestIdentifier="outage"))
    check("the period is extended",
          shop.caller.info(shop.periods[-1]).expiresDate == before + 3 * DAY)
    payer.expect("an extension", [])
    member.expect("an extension of what is shared", [])
    for number in [silver, shop.turbo, shop.fuels[0]]:
        client.set_app_account_token(number, UpdateAppAccountTokenRequest(appAccountToken=TOKEN))
    payer.expect("a token", [])
    client.finish_transaction(shop.fuels[0])
    payer.expect("a finished transaction", [])
    shop.payer.ask("POST", "/restores", {"restoreId": str(uuid.uuid4()).upper()})
    payer.expect("restored transactions", [])
    store.control("POST", f"/subscriptions/{silver}/cancel", {})
    store.control("POST", f"/subscriptions/{silver}/resume", {})
    payer.expect("renewal turned off and on", [])


def revisions(shop):
    """A revision with another question than its own."""
    client, number = shop.caller.client, shop.silver

    def ask(revision, number=number, **filters):
        return client.get_transaction_history(
            number, revision, TransactionHistoryRequest(**filters),
            GetTransactionHistoryVersion.V2)

    plain = ask(None).revision
    check("a revision is good for each transaction of its customer",
          ask(plain).revision == ask(plain, shop.turbo).revision)
    narrow = ask(None, productIds=[FUEL], revoked=False).revision
    ask(narrow, productIds=[FUEL], revoked=False)
    for what, revision, question in [
            ("a product", plain, {"productIds": [FUEL]}),
            ("a type", plain, {"productTypes": [ProductType.CONSUMABLE]}),
            ("a group", plain, {"subscriptionGroupIdentifiers": ["CLUB"]}),
            ("an owner", plain, {"inAppOwnershipType": PURCHASED}),
            ("revoked ones", plain, {"revoked": True}),
            ("a start", plain, {"startDate": START}), ("an end", plain, {"endDate": START}),
            ("the other order", plain, {"sort": Order.DESCENDING}),
            ("no filter", narrow, {}), ("one filter less", narrow, {"productIds": [FUEL]}),
            ("another product", narrow, {"productIds": [TURBO], "revoked": False}),
            ("another customer", plain, {"number": shop.theirs})]:
        refused(f"a revision with {what}", APIError.INVALID_REQUEST_REVISION,
                lambda: ask(revision, **question))
    refused("a revision of the history in that of refunds", APIError.INVALID_REQUEST_REVISION,
            lambda: client.get_refund_history(number, plain))
    refunds = client.get_refund_history(number, None).revision
    refused("a revision of refunds in the history", APIError.INVALID_REQUEST_REVISION,
            lambda: ask(refunds))
    refused("a revision of refunds of another customer", APIError.INVALID_REQUEST_REVISION,
            lambda: client.get_refund_history(shop.theirs, refunds))


def in_another_app(store, keys, shop):
    """The same customer's revision in two apps."""
    store.control("PUT", f"/apps/{OTHER}/catalog", json.loads(
        json.dumps(CATALOGUE).replace(BUNDLE, OTHER)))
    key = store.control("POST", f"/apps/{OTHER}/offer-keys")
    device = copy.copy(shop.payer)
    device.enter(OTHER)
    number = device.buy(f"{OTHER}.fuel")
    other = Caller(store, keys, shop.caller.environment, key, OTHER)
    check("another app has its own history", numbers(other.history(number)[0]) == [number])
    for caller, number, revision in [
            (other, number, shop.caller.history(shop.silver)[1]),
            (shop.caller, shop.silver, other.history(number)[1])]:
        refused(f"the other app's revision in {caller.bundle}", APIError.INVALID_REQUEST_REVISION,
                lambda: caller.client.get_transaction_history(
                    number, revision, TransactionHistoryRequest(),
                    GetTransactionHistoryVersion.V2))


def main():
    arguments = read_arguments(__doc__)
    store = Store(arguments.url, arguments.token)
    key = store.open(catalogue(), START)
    shops = []
    for environment in [Environment.SANDBOX, Environment.PRODUCTION]:
        print(f"in {environment.value}")
        caller = Caller(store, arguments.keys, environment, key)
        shop = Shop(store, caller, environment.value.lower())
        types(shop)
        moves(shop)
        revisions(shop)
        shops.append(shop)
    for shop, other in [shops, shops[::-1]]:
        _, revision = other.caller.history(other.silver)
        refused(f"a revision of the {other.environment} account in {shop.environment}",
                APIError.INVALID_REQUEST_REVISION,
                lambda: shop.caller.client.get_transaction_history(
                    shop.silver, revision, TransactionHistoryRequest(),
                    GetTransactionHistoryVersion.V2))
    in_another_app(store, arguments.keys, shops[0])
    print("all checks passed")


if __name__ == "__main__":
    main()
