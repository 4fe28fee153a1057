"""Offers that customers redeem, as `notifications.py` has them notified."""

import uuid

from appstoreserverlibrary.jws_signature_creator import PromotionalOfferV2SignatureCreator

from server_api import CLUB, GOLD, SILVER, Customer, check

PLATINUM = f"{CLUB}.platinum"
LESS, AGAIN, BACK = "LESS", "AGAIN", "BACK"


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


def offers(store, server, bundle):
    """From the first code to the win-back offer of one who left."""
    production = server.name == "production"
    buyer = Customer(store, "bargain hunter", server.name, credit="500.00" if production else None)

    def redeem(product):
        word = f"{server.name}{product.rpartition('.')[2]}".upper()
        store.control("POST", f"/apps/{bundle}/products/{product}/offer-codes", {
            "offerId": LESS, "word": word, "redemptionsMax": 9})
        answer = buyer.ask("POST", "/offer-codes/redeem", {
            "attemptId": str(uuid.uuid4()).upper(), "code": word})
        assert answer["state"] == "done", answer
        return answer["transaction"]["transactionId"]

    def offer(part):
        return part.rawOfferType, part.offerIdentifier, part.rawOfferDiscountType, part.offerPeriod

    first = buyer.buy(SILVER)
    server.expect("a subscriber without an offer", "SUBSCRIBED/INITIAL_BUY")
    redeem(SILVER)
    note = server.expect("a code for the present product", "OFFER_REDEEMED")
    check("the period goes on, and the offer comes next", (
        note.transaction.transactionId, note.transaction.offerType, offer(note.renewal),
        note.renewal.renewalPrice) == (
            first, None, (3, LESS, "PAY_AS_YOU_GO", "P1M"), 4_990), note)
    store.advance(31)
    note = server.expect("its renewal", "DID_RENEW")
    check("has the offer", (offer(note.transaction), note.transaction.price) == (
        (3, LESS, "PAY_AS_YOU_GO", "P1M"), 4_990), note)
    upgraded = redeem(PLATINUM)
    note = server.expect("a code for a higher level", "OFFER_REDEEMED/UPGRADE")
    check("begins at once", (
        note.transaction.transactionId, note.transaction.productId, offer(note.transaction),
        note.transaction.originalTransactionId) == (
            upgraded, PLATINUM, (3, LESS, "PAY_AS_YOU_GO", "P1M"), first), note)
    redeem(GOLD)
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
    key = server.caller.key
    jws = PromotionalOfferV2SignatureCreator(
        key["privateKey"].encode(), key["keyId"], key["issuerId"], bundle
    ).create_signature(GOLD, AGAIN, first)
    buyer.buy(GOLD, discount={"identifier": AGAIN, "compactJWS": jws})
    note = server.expect("a promotional offer of one who left", "SUBSCRIBED/RESUBSCRIBE")
    check("its offer", (offer(note.transaction), note.transaction.price) == (
        (2, AGAIN, "PAY_UP_FRONT", "P3M"), 2_990), note)
    store.control("POST", f"/subscriptions/{first}/expire", {})
    server.expect("the owner ends it again", "EXPIRED/VOLUNTARY")
