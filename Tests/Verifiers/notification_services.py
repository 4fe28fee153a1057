"""Notifications of services that the store does not have, as `notifications.py` has them sent."""

import requests

from server_api import BUNDLE, FUEL, SILVER, Customer, check

SUBSCRIPTION = ["METADATA_UPDATE", "MIGRATION", "PRICE_CHANGE"]
TOKEN = [f"EXTERNAL_PURCHASE_TOKEN/{subtype}"
         for subtype in ["CREATED", "ACTIVE_TOKEN_REMINDER", "UNREPORTED"]]
CONSENT = "RESCIND_CONSENT"
SERVICES = [*SUBSCRIPTION, *TOKEN, CONSENT]


def services(store, server):
    """Each in its way, and requests for one that cannot be sent."""
    production = server.name == "production"
    path = f"/apps/{BUNDLE}/notification-targets/{server.name}/notifications"
    buyer = Customer(store, "served", server.name)
    subscription, fuel = buyer.buy(SILVER), buyer.buy(FUEL)
    server.take()

    def send(name, **members):
        kind, _, subtype = name.partition("/")
        return store.control("POST", path, {
            "notificationType": kind, **({"subtype": subtype} if subtype else {}), **members})

    def sent(name, **members):
        send(name, **members)
        [note] = server.take()
        assert note.rawNotificationType + (f"/{note.rawSubtype}" if note.rawSubtype else "") == name
        return note

    for name in SUBSCRIPTION:
        note = sent(name, transactionId=subscription)
        check(f"{name} is about the subscription",
              note.transaction.originalTransactionId == subscription
              and note.renewal.productId == SILVER and note.data.status.value == 1, note.raw)
    mark = "" if production else "SANDBOX_"
    token = f"{mark}5A7C1B0E"
    for name in TOKEN:
        note = sent(name, externalPurchaseId=token, tokenCreationDate=1_767_225_600_000)
        check(f"{name} is about the token", note.raw["externalPurchaseToken"] == {
            "appAppleId": note.externalPurchaseToken.appAppleId, "bundleId": BUNDLE,
            "externalPurchaseId": token, "tokenCreationDate": 1_767_225_600_000}, note.raw)
    made = [sent(TOKEN[0]).externalPurchaseToken.externalPurchaseId for _ in range(2)]
    check("a token that is made differs from others",
          made[0] != made[1] and all(one.startswith(mark) for one in made), made)
    note = sent(CONSENT, account=buyer.name)
    app = server.verifier.verify_and_decode_app_transaction(
        note.appData.signedAppTransactionInfo)
    check(f"{CONSENT} has the app transaction", app.bundleId == BUNDLE
          and app.receiptType.value.lower() == server.name, note.raw)
    for title, status, code, name, members in [
            ("no transaction", 422, "badField", "MIGRATION", {}),
            ("an account beside it", 422, "badField", "MIGRATION",
             {"transactionId": subscription, "account": buyer.name}),
            ("a transaction of nobody", 404, "transactionUnknown", "MIGRATION",
             {"transactionId": "1"}),
            ("a number with a zero before it", 404, "transactionUnknown", "MIGRATION",
             {"transactionId": f"0{subscription}"}),
            ("a purchase that is no subscription", 422, "badField", "PRICE_CHANGE",
             {"transactionId": fuel}),
            ("a subtype that is another's", 422, "badField", "MIGRATION/CREATED",
             {"transactionId": subscription}),
            ("a token without subtype", 422, "badField", "EXTERNAL_PURCHASE_TOKEN", {}),
            ("a token of the other environment", 422, "badField", TOKEN[0],
             {"externalPurchaseId": "SANDBOX_1" if production else "1"}),
            ("a token of tomorrow", 422, "badField", TOKEN[0],
             {"tokenCreationDate": 4_000_000_000_000}),
            ("a token of no time", 422, "badField", TOKEN[0], {"tokenCreationDate": -1}),
            ("an empty token", 422, "badField", TOKEN[0], {"externalPurchaseId": ""}),
            ("no customer", 422, "badField", CONSENT, {}),
            ("a customer whom nobody knows", 404, "accountUnknown", CONSENT,
             {"account": "nobody"}),
            ("a type that follows from what happens", 400, "badBody", "REFUND", {}),
    ]:
        try:
            send(name, **members)
            found = None
        except requests.HTTPError as error:
            found = (error.response.status_code, error.response.json()["error"]["code"])
        check(f"not sent with {title}", found == (status, code), found)
    check("nothing refused was sent", server.take() == [], "notifications came")
    store.control("POST", f"/subscriptions/{subscription}/expire", {})
    server.take()
