#!/usr/bin/env python3
"""Sets app account tokens, and asks for the statuses of several subscriptions at once.

    server_api_accounts.py STORE_URL DATA_FOLDER [--tls-port PORT]

The store runs already, without an app. It has three groups of subscriptions. In the sandbox and in
production, each purchase must have the token that Apple's App Store Server Library set last, copies
must be refused by the error that says why, and the statuses must be those of each group, in order,
as far as they were asked for. One line per check; stops with exit status 1 at the first that fails.
"""

import uuid

from appstoreserverlibrary.api_client import APIError
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.InAppOwnershipType import InAppOwnershipType
from appstoreserverlibrary.models.Status import Status
from appstoreserverlibrary.models.UpdateAppAccountTokenRequest import UpdateAppAccountTokenRequest

from notification_offers import COURSE, catalogue
from server_api import (
    BUNDLE, FUEL, GOLD, SILVER, START, TOKEN, TURBO, Caller, Customer, Store, check,
    read_arguments, refused, subscription)

TOKENS = [TOKEN.replace("1", digit) for digit in "6789"]
# Before and after the club in the order of groups.
BAND, YARD = f"{BUNDLE}.band.drum", f"{BUNDLE}.yard.shed"


def with_groups():
    whole = catalogue()
    for group, product in [("YARD", YARD), ("BAND", BAND)]:
        one = subscription(product.rpartition(".")[2], 1)
        one.update(introductoryOffer=None, productID=product, subscriptionGroupID=group)
        whole["subscriptionGroups"].append({
            "id": group, "localizations": [], "name": group.title(), "subscriptions": [one]})
    return whole


class Place:
    """One environment of the app."""

    def __init__(self, store, caller, environment):
        self.store, self.caller, self.environment = store, caller, environment

    def customer(self, name):
        return Customer(self.store, name, self.environment)

    def set(self, number, token):
        self.caller.client.set_app_account_token(
            number, UpdateAppAccountTokenRequest(appAccountToken=token))

    def token(self, number):
        return self.caller.info(number).appAccountToken

    def share(self, organiser, member):
        return self.store.share(organiser.name, member.name, self.environment)

    def subscriptions(self, number, *statuses):
        """(group, its subscriptions) in the order of the answer."""
        answer = self.caller.client.get_all_subscription_statuses(number, list(statuses) or None)
        assert answer.bundleId == BUNDLE, answer
        assert answer.environment.value.lower() == self.environment, answer
        return [(group.subscriptionGroupIdentifier, [
            (each.status, self.caller.read(each.signedTransactionInfo).productId)
            for each in group.lastTransactions]) for group in answer.data]


def tokens(place):
    buyer, other = place.customer("buyer"), place.customer("other buyer")
    fuel, turbo, course = (buyer.buy(each) for each in [FUEL, TURBO, COURSE])
    more, theirs = buyer.buy(FUEL, applicationUsername=TOKEN), other.buy(FUEL)
    check("a purchase without a token has none", place.token(fuel) is None)
    check("a purchase has the token that the app gave", place.token(more) == TOKEN)
    for what, number in [("a consumable", fuel), ("a non-consumable", turbo),
                         ("a non-renewing subscription", course),
                         ("a consumable with a token", more)]:
        for token in TOKENS[:2]:
            place.set(number, token)
            check(f"{what} has the token ending in {token[:4]}", place.token(number) == token)
    place.set(fuel, TOKENS[2].upper())
    check("the newest replaces the others, in lowercase", place.token(fuel) == TOKENS[2])
    check("and nobody else's", {place.token(each) for each in [turbo, course, more]}
          == {TOKENS[1]} and place.token(theirs) is None)
    everyone = [fuel, turbo, course, more, theirs]
    for number in everyone:
        place.set(number, TOKENS[3])
    check("one token is given to many",
          [place.token(each) for each in everyone] == [TOKENS[3]] * len(everyone))
    found, _ = place.caller.history(fuel)
    check("the history has it, too",
          {each.appAccountToken for each in found} == {TOKENS[3]}, found)
    copies(place, buyer, turbo)


def copies(place, buyer, turbo):
    """Restored and shared transactions are not the purchaser's original ones."""
    place.caller.client.finish_transaction(turbo)
    answer = buyer.ask("POST", "/restores", {"restoreId": str(uuid.uuid4()).upper()})
    [restored] = [each["transactionId"] for each in answer["transactions"]
                  if each["productId"] == TURBO]
    check("a restored transaction has another number", restored != turbo)
    refused("a restored one's token", APIError.TRANSACTION_ID_IS_NOT_ORIGINAL_TRANSACTION_ID_ERROR,
            lambda: place.set(restored, TOKEN))
    member = place.customer("relative")
    theirs = member.buy(FUEL)
    family = place.share(buyer, member)
    [shared] = place.caller.history(
        theirs, inAppOwnershipType=InAppOwnershipType.FAMILY_SHARED)[0]
    check("a shared transaction has no token", (
        shared.productId, shared.appAccountToken) == (TURBO, None), shared)
    refused("a shared one's token", APIError.FAMILY_TRANSACTION_NOT_SUPPORTED_ERROR,
            lambda: place.set(shared.transactionId, TOKEN))
    check("refused, nothing changed", (
        place.token(turbo), place.token(restored), place.token(shared.transactionId)) == (
            TOKENS[3], TOKENS[3], None))
    place.store.control("DELETE", f"/families/{family}")


def statuses(place):
    store, buyer = place.store, place.customer("member of all")
    yard, club, band = (buyer.buy(each) for each in [YARD, SILVER, BAND])
    active, expired, revoked = Status.ACTIVE, Status.EXPIRED, Status.REVOKED
    expected = {"BAND": (active, BAND), "CLUB": (active, SILVER), "YARD": (active, YARD)}

    def expect(what, *asked):
        wanted = [(group, [state]) for group, state in expected.items()
                  if not asked or state[0] in asked]
        for number in [yard, club, band]:
            found = place.subscriptions(number, *asked)
            check(f"{what}: {[each.name for each in asked] or 'all'}", found == wanted, found)

    expect("subscriptions by the order of their groups")
    store.advance(31)
    newest = last(place, club)
    store.refund(club)
    expect("a refunded period that is over")
    store.refund(newest.transactionId)
    expected["CLUB"] = (revoked, SILVER)
    expect("the newest period is refunded")
    ended = last(place, club)
    check("the revoked period is the newest", ended.transactionId == newest.transactionId
          and ended.revocationDate == store.control("GET", "/clock")["now"], ended)
    store.control("POST", f"/subscriptions/{yard}/expire", {})
    expected["YARD"] = (expired, YARD)
    for asked in [(), (active,), (expired,), (revoked,), (active, revoked), (revoked, active),
                  (expired, revoked), (active, expired, revoked), tuple(Status),
                  (Status.BILLING_RETRY, Status.BILLING_GRACE_PERIOD)]:
        expect("three states", *asked)
    store.control("POST", f"/refunds/{newest.transactionId}/reverse")
    expected["CLUB"] = (active, SILVER)
    expect("the refund is reversed")
    renewal = place.caller.verifier.verify_and_decode_renewal_info(
        item(place, club).signedRenewalInfo)
    check("its renewal stays off", renewal.autoRenewStatus.value == 0, renewal)
    shared(place, buyer)


def shared(place, buyer):
    """A member's own subscription and the shared one are both in the group."""
    member = place.customer("relative of all")
    gold = member.buy(GOLD)
    family = place.share(buyer, member)
    found = dict(place.subscriptions(gold))
    active = Status.ACTIVE
    check("a member has both of a group", {
        group: sorted(states, key=str) for group, states in found.items()} == {
            "BAND": [(active, BAND)], "CLUB": [(active, GOLD), (active, SILVER)]}, found)
    place.store.control("DELETE", f"/families/{family}")
    found = dict(place.subscriptions(gold, active))
    check("they keep their own", found == {"CLUB": [(active, GOLD)]}, found)


def item(place, number):
    """What the club's subscription of a customer is."""
    [found] = [group.lastTransactions[0] for group in
               place.caller.client.get_all_subscription_statuses(number).data
               if group.subscriptionGroupIdentifier == "CLUB"]
    return found


def last(place, number):
    return place.caller.read(item(place, number).signedTransactionInfo)


def main():
    arguments = read_arguments(__doc__)
    store = Store(arguments.url, arguments.token)
    key = store.open(with_groups(), START)
    for environment in [Environment.SANDBOX, Environment.PRODUCTION]:
        print(f"in {environment.value}")
        place = Place(store, Caller(store, arguments.keys, environment, key),
                      environment.value.lower())
        tokens(place)
        statuses(place)
    print("all checks passed")


if __name__ == "__main__":
    main()
