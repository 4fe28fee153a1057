"""Offers that customers redeem, as `notifications.py` has them notified."""

import json
import uuid

from appstoreserverlibrary.jws_signature_creator import PromotionalOfferV2SignatureCreator

from server_api import (
    BUNDLE, CATALOGUE, CLUB, GOLD, SILVER, Customer, check, product, subscription)

PLATINUM, COURSE = f"{CLUB}.platinum", f"{BUNDLE}.course"
LESS, AGAIN, BACK = "LESS", "AGAIN", "BACK"


def catalogue():
    """With a level that no introductory offer precedes, and offers."""
    whole = json.loads(json.dumps(CATALOGUE))
    [group] = whole["subscriptionGroups"]
    for number, each in enumerate(group["subscriptions"]):
        each["groupNumber"] = number + 2
        each["introductoryOffer"] = None
    top = subscription("platinum", 1)
    top["introductoryOffer"] = None
    group["subscriptions"].append(top)
    for each in group["subscriptions"]:
        add_offers(each)
    course = product("course", "NonRenewingSubscription", "4.99")
    whole["nonRenewingSubscriptions"] = [course]
    return whole


def add_offers(club):
    """Gives a subscription an offer for codes, a promotional one, and one to win customers back."""
    club["codeOffers"] = [{
        "displayPrice": "4.99", "paymentMode": "payAsYouGo", "numberOfPeriods": 2,
        "referenceName": LESS, "subscriptionPeriod": "P1M"}]
    club["adHocOffers"] = [{
        "displayPrice": "2.99", "paymentMode": "payUpFront", "offerID": AGAIN,
        "referenceName": AGAIN, "subscriptionPeriod": "P3M"}]
    club["winbackOffers"] = [
        {"offerID": BACK, "paymentMode": "free", "subscriptionPeriod": "P1M"}]


def redeem(buyer, product):
    """Makes a code for the product's offer, and has the customer redeem it."""
    word = f"{product.rpartition('.')[2]}{uuid.uuid4().hex[:12]}".upper()
    buyer.store.control("POST", f"/apps/{BUNDLE}/products/{product}/offer-codes", {
        "offerId": LESS, "word": word, "redemptionsMax": 9})
    answer = buyer.ask("POST", "/offer-codes/redeem", {
        "attemptId": str(uuid.uuid4()).upper(), "code": word})
    assert answer["state"] == "done", answer
    return answer["transaction"]["transactionId"]


def promoted(buyer, product, transaction, key):
    """Buys the product with its promotional offer, which the app's server signs for a customer,
    named by any of their transactions."""
    jws = PromotionalOfferV2SignatureCreator(
        key["privateKey"].encode(), key["keyId"], key["issuerId"], BUNDLE
    ).create_signature(product, AGAIN, transaction)
    return buyer.buy(product, discount={"identifier": AGAIN, "compactJWS": jws})


def offer(part):
    return part.rawOfferType, part.offerIdentifier, part.rawOfferDiscountType, part.offerPeriod


def offers(store, server):
    """From the first code to the win-back offer of one who left."""
    buyer = Customer(store, "bargain hunter", server.name)

    first = buyer.buy(SILVER)
    server.expect("a subscriber without an offer", "SUBSCRIBED/INITIAL_BUY")
    redeem(buyer, SILVER)
    note = server.expect("a code for the present product", "OFFER_REDEEMED")
    check("the period goes on, and the offer comes next", (
        note.transaction.transactionId, note.transaction.offerType, offer(note.renewal),
        note.renewal.renewalPrice) == (
            first, None, (3, LESS, "PAY_AS_YOU_GO", "P1M"), 4_990), note)
    store.advance(31)
    note = server.expect("its renewal", "DID_RENEW")
    check("has the offer", (offer(note.transaction), note.transaction.price) == (
        (3, LESS, "PAY_AS_YOU_GO", "P1M"), 4_990), note)
    upgraded = redeem(buyer, PLATINUM)
    note = server.expect("a code for a higher level", "OFFER_REDEEMED/UPGRADE")
    check("begins at once", (
        note.transaction.transactionId, note.transaction.productId, offer(note.transaction),
        note.transaction.originalTransactionId) == (
            upgraded, PLATINUM, (3, LESS, "PAY_AS_YOU_GO", "P1M"), first), note)
    redeem(buyer, GOLD)
    note = server.expect("a code for a lower level", "OFFER_REDEEMED/DOWNGRADE")
    check("comes with the renewal", (
        note.transaction.productId, note.renewal.autoRenewProductId, offer(note.renewal)) == (
            PLATINUM, GOLD, (3, LESS, "PAY_AS_YOU_GO", "P1M")), note)
    store.control("POST", f"/subscriptions/{first}/cancel", {})
    store.advance(31)
    notes = server.expect("renewal turned off, and the end",
                          "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "EXPIRED/VOLUNTARY")
    check("one who left may be won back",
          notes[1].renewal.eligibleWinBackOfferIds == [BACK], notes[1])
    store.control("POST", f"/subscriptions/{first}/win-back", {"offerId": BACK})
    note = server.expect("a win-back offer", "SUBSCRIBED/RESUBSCRIBE")
    check("its offer", (offer(note.transaction), note.transaction.price) == (
        (4, BACK, "FREE_TRIAL", "P1M"), 0), note)
    store.control("POST", f"/subscriptions/{first}/expire", {})
    server.expect("the owner ends it", "EXPIRED/VOLUNTARY")
    promoted(buyer, GOLD, first, server.caller.key)
    note = server.expect("a promotional offer of one who left", "SUBSCRIBED/RESUBSCRIBE")
    check("its offer", (offer(note.transaction), note.transaction.price) == (
        (2, AGAIN, "PAY_UP_FRONT", "P3M"), 2_990), note)
    store.control("POST", f"/subscriptions/{first}/expire", {})
    server.expect("the owner ends it again", "EXPIRED/VOLUNTARY")
