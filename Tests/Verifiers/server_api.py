#!/usr/bin/env python3
"""Asks a store everything with Apple's App Store Server Library, unmodified.

    server_api.py STORE_URL DATA_FOLDER [--tls-port PORT]

The store runs already, without an app. This makes an app with accounts that buy, renew, upgrade,
share and get money back, in the sandbox and in production; then each method of the library must
give what happened, and each error that can be provoked. All that is signed passes the library's own
verifier with the root that the store gives out. One line per check; stops with exit status 1 at the
first that fails.
"""

import base64
import datetime
import json
import pathlib
import sys
import time
import uuid

import jwt
import requests
from appstoreserverlibrary.api_client import (
    APIError, APIException, AppStoreServerAPIClient, GetTransactionHistoryVersion)
from appstoreserverlibrary.models.ConsumptionRequest import ConsumptionRequest
from appstoreserverlibrary.models.ConsumptionRequestV1 import ConsumptionRequestV1
from appstoreserverlibrary.models.DeliveryStatus import DeliveryStatus
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.ExtendReasonCode import ExtendReasonCode
from appstoreserverlibrary.models.ExtendRenewalDateRequest import ExtendRenewalDateRequest
from appstoreserverlibrary.models.InAppOwnershipType import InAppOwnershipType
from appstoreserverlibrary.models.MassExtendRenewalDateRequest import MassExtendRenewalDateRequest
from appstoreserverlibrary.models.OrderLookupStatus import OrderLookupStatus
from appstoreserverlibrary.models.Status import Status
from appstoreserverlibrary.models.TransactionHistoryRequest import (
    Order, ProductType, TransactionHistoryRequest)
from appstoreserverlibrary.models.TransactionReason import TransactionReason
from appstoreserverlibrary.models.Type import Type
from appstoreserverlibrary.models.UpdateAppAccountTokenRequest import UpdateAppAccountTokenRequest
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

from running_store import lead_names_to, options, read, rows

BUNDLE = "com.example.rocketcar"
OTHER = "com.example.other"
APP_NUMBER = 1234567890
FUEL, TURBO, CLUB = f"{BUNDLE}.fuel", f"{BUNDLE}.turbo", f"{BUNDLE}.club"
SILVER, GOLD = f"{CLUB}.silver", f"{CLUB}.gold"
START = 1_767_225_600_000  # 2026-01-01
DAY = 86_400_000
TOKEN = "11111111-2222-4333-8444-555555555555"
SECONDS_MAX = 30


def check(what, is_true, found=None):
    if not is_true:
        print(f"FAILED: {what}: {found!r}")
        sys.exit(1)
    print(f"good: {what}")


def product(name, kind, price):
    return {
        "displayPrice": price, "familyShareable": kind == "NonConsumable", "internalID": name,
        "localizations": [{"description": "d", "displayName": name, "locale": "en_US"}],
        "productID": f"{BUNDLE}.{name}", "referenceName": name, "type": kind}


def subscription(name, level):
    return {
        "adHocOffers": [], "codeOffers": [], "displayPrice": "9.99", "familyShareable": True,
        "groupNumber": level, "internalID": name,
        "introductoryOffer": {
            "displayPrice": "1.99", "internalID": f"{name}intro", "numberOfPeriods": 3,
            "paymentMode": "payUpFront", "subscriptionPeriod": "P1M"} if level == 1 else None,
        "localizations": [{"description": "d", "displayName": name, "locale": "en_US"}],
        "productID": f"{CLUB}.{name}", "recurringSubscriptionPeriod": "P1M",
        "referenceName": name, "subscriptionGroupID": "CLUB", "type": "RecurringSubscription"}


CATALOGUE = {
    "identifier": "A1", "nonRenewingSubscriptions": [],
    "products": [product("fuel", "Consumable", "0.99"), product("turbo", "NonConsumable", "2.99")],
    "settings": {"_applicationInternalID": str(APP_NUMBER)},
    "subscriptionGroups": [{
        "id": "CLUB", "localizations": [], "name": "Club",
        "subscriptions": [subscription("gold", 1), subscription("silver", 2)]}],
    "version": {"major": 3, "minor": 0}}


class Store:
    def __init__(self, url, token):
        self.url, self.token = url, token

    def control(self, method, path, body=None):
        answer = requests.request(
            method, f"{self.url}/control/v1{path}", json=body, timeout=SECONDS_MAX,
            headers={"Authorization": f"Bearer {self.token}"})
        if not answer.ok:
            raise requests.HTTPError(
                f"{method} {path}: {answer.status_code} {answer.text}", response=answer)
        return answer.json() if answer.content else None

    def open(self, catalogue, now):
        """Holds the clock, in months of their own length, and imports a catalogue; gives a key of
        its app."""
        self.control("PUT", "/clock", {"mode": "held", "now": now})
        self.control("PUT", "/clock/pace", {"sandbox": "calendar"})
        self.control("PUT", f"/apps/{BUNDLE}/catalog", catalogue)
        return self.control("POST", f"/apps/{BUNDLE}/offer-keys")

    def advance(self, days):
        """Moves the clock on, and returns when it is there, which may be later than its answer."""
        self.control("POST", "/clock/advance", {"milliseconds": days * DAY})
        deadline = time.monotonic() + 10 * SECONDS_MAX
        while (state := self.advance_state()) == "running" and time.monotonic() < deadline:
            time.sleep(0.01)
        assert state == "done", f"the advance by {days} days is {state}"

    def advance_state(self):
        return self.control("GET", "/clock").get("advance", {}).get("state", "done")

    def share(self, organiser, member, environment="sandbox"):
        """Makes a family of two customers, by their names; gives its number."""
        number = self.control("POST", "/families", {
            "environment": environment, "organiser": organiser})["family"]["number"]
        self.control("POST", f"/families/{number}/add", {"name": member})
        return number

    def refund(self, number):
        """Gives back all that was paid, on the customer's request."""
        self.control("POST", f"/refunds/{number}/request", {"reason": "OTHER"})
        self.control("POST", f"/refunds/{number}/grant", {"type": "REFUND_FULL"})


class Customer:
    """An account on a device of its own, which has money where it needs some."""

    def __init__(self, store, name, environment, bundle=BUNDLE, storefront="USA"):
        self.store, self.base, self.name = store, f"{store.url}/{environment}/device/v1", name
        store.control("POST", "/accounts", {
            "environment": environment, "name": name, "password": "rocket-fuel-1",
            "storefront": storefront})
        if environment == "production":
            store.control("POST", "/accounts/credit/top-up", {
                "environment": environment, "name": name, "amount": "500.00",
                "requestId": str(uuid.uuid4()).upper()})
        self.enter(bundle)

    def enter(self, bundle):
        """Signs in on another device, in an app."""
        self.token = None
        self.token = self.ask("POST", "/register", {
            "guid": str(uuid.uuid4()).upper(), "bundleId": bundle, "appVersion": "1.2"}
        )["deviceToken"]
        self.token = self.ask("POST", "/sign-in", {
            "account": self.name, "password": "rocket-fuel-1"})["deviceToken"]

    def ask(self, method, path, body=None):
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        answer = requests.request(
            method, self.base + path, json=body, headers=headers, timeout=SECONDS_MAX)
        assert answer.ok, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json()

    def buy(self, product, **more):
        body = {"attemptId": str(uuid.uuid4()).upper(), "productId": product, "quantity": 1}
        answer = self.ask("POST", "/attempts", {**body, **more})
        assert answer["state"] == "done", answer
        return answer["transaction"]["transactionId"]


def read_arguments(description):
    """The arguments of a program whose library may call Apple's host names."""
    parser = options(description)
    parser.add_argument(
        "--tls-port", type=int,
        help="the library calls Apple's host names, which lead to this port")
    arguments = read(parser)
    if arguments.tls_port:
        lead_names_to(arguments.tls_port)
        Caller.by_name = True
    return arguments


class Caller:
    """An app's server, with the library's client and verifier."""

    # Whether the library calls the address that is built into it.
    by_name = False

    def __init__(self, store, keys, environment, key, bundle=BUNDLE):
        name = environment.value
        self.environment, self.bundle, self.key = environment, bundle, key
        self.client = AppStoreServerAPIClient(
            key["privateKey"].encode(), key["keyId"], key["issuerId"], bundle, environment)
        if not self.by_name:
            self.client._base_url = f"{store.url}/{name.lower()}"
        self.base = self.client._base_url
        kind = "root-test" if "/t/" in store.url else "root"
        root = pathlib.Path(keys, f"signed-data-{kind}-{name.lower()}.der").read_bytes()
        self.verifier = SignedDataVerifier(
            [root], False, environment, bundle,
            APP_NUMBER if environment == Environment.PRODUCTION else None)

    def info(self, number):
        answer = self.client.get_transaction_info(number)
        return self.read(answer.signedTransactionInfo)

    def read(self, signed):
        return self.verifier.verify_and_decode_signed_transaction(signed)

    def history(self, number, version=GetTransactionHistoryVersion.V2, **filters):
        """All pages; each must have 20 but the last."""
        request, revision, found = TransactionHistoryRequest(**filters), None, []
        while True:
            page = self.client.get_transaction_history(number, revision, request, version)
            found += [self.read(each) for each in page.signedTransactions]
            assert page.bundleId == self.bundle and page.revision, page
            revision = page.revision
            if not page.hasMore:
                return found, revision
            assert len(page.signedTransactions) == 20, page


def refused(what, error, work):
    try:
        work()
    except APIException as refusal:
        number = error.value if isinstance(error, APIError) else error
        found = refusal.raw_api_error
        is_same = found == number and (
            found is None or refusal.http_status_code == found // 10_000)
        return check(f"{what} gives {number}", is_same, (found, refusal.http_status_code))
    check(f"{what} is refused", False)


class Refusals:
    """Requests with bad tokens: none changes a row, and the next request is answered."""

    def __init__(self, caller, known, data):
        self.url = f"{caller.base}/inApps/v1/transactions/{known}"
        self.data, self.good, self.kept = data, caller.client._get_headers(), rows(data)
        assert self.kept["store_transaction"] and self.kept["data_certificate"], self.kept

    def ask(self, headers):
        return requests.get(self.url, timeout=SECONDS_MAX, headers=headers)

    def expect(self, what, token):
        answer = self.ask({"Authorization": f"Bearer {token}"} if token is not None else {})
        is_word = answer.status_code == 401 and answer.text.strip() == "Unauthenticated" \
            and answer.headers["Content-Type"] == "text/plain"
        check(f"{what} is not authenticated", is_word, (answer.status_code, answer.text))
        found = rows(self.data)
        check("no row differs", found == self.kept, [
            name for name in found.keys() | self.kept.keys()
            if found.get(name) != self.kept.get(name)])
        next_one = self.ask(self.good)
        check("the next request is answered", next_one.status_code == 200, next_one.text)


def signed(head, claims, key):
    """A JWS of texts as they are."""
    def part(data):
        return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
    text = part(head.encode()) + "." + part(claims.encode())
    der = serialization.load_pem_private_key(key.encode(), None).sign(
        text.encode(), ec.ECDSA(hashes.SHA256()))
    r, s = utils.decode_dss_signature(der)
    return text + "." + part(r.to_bytes(32, "big") + s.to_bytes(32, "big"))


def check_tokens(caller, known, store, data):
    now = int(datetime.datetime.now(datetime.timezone.utc).timestamp())
    good = {"bid": BUNDLE, "iss": caller.key["issuerId"], "aud": "appstoreconnect-v1",
            "exp": now + 300}
    head = {"kid": caller.key["keyId"], "typ": "JWT"}

    def made(claims=None, head=head, key=caller.key["privateKey"], algorithm="ES256"):
        return jwt.encode({**good, **(claims or {})}, key, algorithm, head)

    for what, claims in [
        ("without iat", {}), ("with iat, an hour long", {"iat": now, "exp": now + 3_600}),
        ("with another claim", {"nonce": TOKEN}), ("that expired half a minute ago",
                                                   {"exp": now - 30}),
        ("with its issuer in capitals", {"iss": caller.key["issuerId"].upper()})]:
        token = made(claims)
        for _ in range(2):  # The second time it is known.
            answer = requests.get(
                f"{caller.base}/inApps/v1/transactions/{known}", timeout=SECONDS_MAX,
                headers={"Authorization": f"Bearer {token}"})
            assert answer.status_code == 200, (what, answer.text)
        check(f"a token {what} is accepted", True)
    refusals = Refusals(caller, known, data)
    stranger = ec.generate_private_key(ec.SECP256R1())
    none = jwt.encode(good, None, "none", head)
    for what, token in [
        ("no token", None), ("an empty one", ""), ("rubbish", "a.b.c"), ("alg none", none),
        ("HS256 with the public text", made(key="x" * 64, algorithm="HS256")),
        ("another's signature", made(key=stranger)), ("another kid", made(head={"kid": "ABCDEFGHIJ"})),
        ("a token without kid", made(head={})), ("another issuer", made({"iss": TOKEN})),
        ("another audience", made({"aud": "elsewhere"})), ("another app", made({"bid": OTHER})),
        ("an unknown app", made({"bid": "com.example.nowhere"})),
        ("an expired token", made({"exp": now - 120})),
        ("a token of 61 minutes", made({"iat": now, "exp": now + 3_660})),
        ("a token of two hours without iat", made({"exp": now + 7_200})),
        ("a token from the future", made({"iat": now + 600, "exp": now + 900})),
        ("a date as text", made({"exp": str(now + 300)})),
        ("claims of 30 KB", made({"x": "y" * 20_000})),
        ("an altered token", made()[:-4] + "AAAA"), ("a signed list", "W10." * 2 + "AA")]:
        refusals.expect(what, token)
    claims = json.dumps({**good, "iat": now})
    for what, head_text, claims_text in [
        ("a member twice in the claims", json.dumps({"alg": "ES256", **head}),
         claims[:-1] + f', "bid": "{BUNDLE}"}}'),
        ("a member twice in the header", '{"alg":"ES256","kid":"%s","kid":"%s"}' % (
            (head["kid"],) * 2), claims),
        ("another typ", json.dumps({"alg": "ES256", **head, "typ": "JOSE"}), claims),
        ("a hundred claims", json.dumps({"alg": "ES256", **head}), json.dumps(
            {**good, **{f"c{number}": 1 for number in range(100)}})),
        ("a list of claims", json.dumps({"alg": "ES256", **head}), f"[{claims}]")]:
        refusals.expect(what, signed(head_text, claims_text, caller.key["privateKey"]))
    check("a token signed here is accepted", requests.get(
        f"{caller.base}/inApps/v1/transactions/{known}", timeout=SECONDS_MAX,
        headers={"Authorization": "Bearer " + signed(
            json.dumps({"alg": "ES256", **head}), claims, caller.key["privateKey"])}
    ).status_code == 200)
    key = store.control("POST", f"/apps/{BUNDLE}/offer-keys")
    other = jwt.encode({**good, "iss": key["issuerId"]}, key["privateKey"], "ES256",
                       {"kid": key["keyId"]})
    before = refusals.ask({"Authorization": f"Bearer {other}"})
    check("a token of another key is accepted", before.status_code == 200, before.text)
    store.control("DELETE", f"/apps/{BUNDLE}/offer-keys/{key['keyId']}")
    Refusals(caller, known, data).expect("a token whose key is revoked", other)


def check_ids(caller, known, app_transaction, foreign):
    """`foreign` are numbers of another environment and of another app."""
    client = caller.client
    one_transaction = {
        "info": client.get_transaction_info, "finish": client.finish_transaction,
        "consumption": lambda number: client.send_consumption_information(
            number, consumption())}
    for name, method in one_transaction.items():
        for text in ["0", "01", "x", "1e3", "9223372036854775808", "%2B1", "1%20"]:
            refused(f"{name} of {text}", APIError.INVALID_TRANSACTION_ID, lambda: method(text))
        for number in [*foreign, "999"]:
            refused(f"{name} of an unknown number", APIError.TRANSACTION_ID_NOT_FOUND,
                    lambda: method(number))
        refused(f"{name} of an app transaction", APIError.APP_TRANSACTION_ID_NOT_SUPPORTED_ERROR,
                lambda: method(app_transaction))
    customers = {
        "history": lambda number: client.get_transaction_history(
            number, None, TransactionHistoryRequest(), GetTransactionHistoryVersion.V2),
        "statuses": client.get_all_subscription_statuses,
        "refunds": lambda number: client.get_refund_history(number, None),
        "app transaction": client.get_app_transaction_info}
    for name, method in customers.items():
        refused(f"{name} of x", APIError.INVALID_TRANSACTION_ID, lambda: method("x"))
        for number in [*foreign, "999"]:
            refused(f"{name} of an unknown number", APIError.TRANSACTION_ID_NOT_FOUND,
                    lambda: method(number))
        method(app_transaction)
        method(known)
        check(f"{name} takes a transaction and an app transaction", True)


def consumption(**changes):
    return ConsumptionRequest(**{
        "customerConsented": True, "deliveryStatus": DeliveryStatus.DELIVERED,
        "sampleContentProvided": False, **changes})


def check_history(caller, fuels, turbo, silver):
    found, revision = caller.history(turbo)
    numbers = [each.transactionId for each in found]
    check("the history has every purchase once, oldest first",
          numbers == sorted(numbers, key=int) and len(set(numbers)) == len(numbers)
          and set(fuels) | {turbo, silver} <= set(numbers), numbers)
    back, _ = caller.history(turbo, sort=Order.DESCENDING)
    check("descending, it is the same backwards",
          [each.transactionId for each in back] == numbers[::-1])
    for what, filters, expected in [
        ("product", {"productIds": [TURBO]}, [turbo]),
        ("two products", {"productIds": [TURBO, FUEL]}, fuels + [turbo]),
        ("type", {"productTypes": [ProductType.CONSUMABLE]}, fuels),
        ("group", {"subscriptionGroupIdentifiers": ["CLUB"]},
         [each for each in numbers if each not in fuels + [turbo]]),
        ("owner", {"inAppOwnershipType": InAppOwnershipType.FAMILY_SHARED}, []),
        ("revoked", {"revoked": True}, []), ("not revoked", {"revoked": False}, numbers),
        ("start", {"startDate": START}, numbers), ("later start", {"startDate": START + 1}, []),
        ("end", {"endDate": START + 1}, numbers), ("earlier end", {"endDate": START}, [])]:
        some, _ = caller.history(turbo, **filters)
        check(f"the history by {what}", [each.transactionId for each in some] == expected, some)
    return revision, len(numbers)


def check_queries(caller, turbo):
    url = f"{caller.base}/inApps/v2/history/{turbo}"

    def error(query):
        answer = requests.get(f"{url}?{query}", headers=caller.client._get_headers(),
                              timeout=SECONDS_MAX)
        return answer.json().get("errorCode"), answer.headers["Content-Type"]

    page = requests.get(url, headers=caller.client._get_headers(), timeout=SECONDS_MAX).json()
    revision = page["revision"]
    for query, number in [
        ("startDate=x", 4000015), ("endDate=1.5", 4000016), ("startDate=5&endDate=5", 4000016),
        ("sort=UP", 4000021), ("productType=CAR", 4000022), ("productId=", 4000023),
        ("subscriptionGroupIdentifier=", 4000024), ("excludeRevoked=1", 4000025),
        ("inAppOwnershipType=MINE", 4000026), ("revoked=maybe", 4000030),
        (f"revision={revision[:-1]}x", 4000005), ("revision=1", 4000005),
        (f"revision={revision}&sort=DESCENDING", 4000005), ("revision=", 4000005)]:
        check(f"?{query} gives {number}", error(query) == (number, "application/json"),
              error(query))
    for query in ["revoked=False", "revoked=false", "excludeRevoked=true", f"revision={revision}",
                  "", "unknown=1"]:
        answer = requests.get(f"{url}?{query}", headers=caller.client._get_headers(),
                              timeout=SECONDS_MAX)
        check(f"?{query} is accepted", answer.status_code == 200, answer.text)
    statuses = requests.get(
        f"{caller.base}/inApps/v1/subscriptions/{turbo}?status=6",
        headers=caller.client._get_headers(), timeout=SECONDS_MAX)
    check("status 6 gives 4000031", statuses.json()["errorCode"] == 4000031)


def check_first_consumption(caller, fuel, gold, silver, store):
    """Version 1 of the consumption information, on a refund that was requested."""
    store.control("POST", f"/refunds/{fuel}/request", {"reason": "LEGAL"})
    good = {"customerConsented": True, "sampleContentProvided": True, "consumptionStatus": 3,
            "platform": 1, "deliveryStatus": 0, "appAccountToken": "", "accountTenure": 2,
            "playTime": 1, "lifetimeDollarsRefunded": 1, "lifetimeDollarsPurchased": 3,
            "userStatus": 1, "refundPreference": 2}

    def send(number, **changes):
        body = {name: value for name, value in {**good, **changes}.items() if value is not None}
        return requests.put(
            f"{caller.base}/inApps/v1/transactions/consumption/{number}", json=body,
            headers=caller.client._get_headers(), timeout=SECONDS_MAX)

    for name, value, error in [
        ("customerConsented", False, 4000035), ("sampleContentProvided", None, 4000041),
        ("consumptionStatus", 4, 4000034), ("platform", 3, 4000039), ("platform", None, 4000039),
        ("deliveryStatus", 6, 4000036), ("accountTenure", -1, 4000032), ("playTime", 8, 4000040),
        ("lifetimeDollarsRefunded", 8, 4000038), ("lifetimeDollarsPurchased", "1", 4000037),
        ("userStatus", 5, 4000042), ("appAccountToken", "x", 4000033),
        ("appAccountToken", None, 4000033), ("refundPreference", 4, 4000044)]:
        answer = send(fuel, **{name: value})
        check(f"{name} {value} gives {error}",
              (answer.status_code, answer.json().get("errorCode")) == (400, error), answer.text)
    open_one = store.control("GET", f"/refunds/{fuel}")
    check("a refused report keeps nothing", "consumption" not in open_one, open_one)
    check("a non-consumable's gives 4000047", send(
        caller.history(silver, productTypes=[ProductType.NON_CONSUMABLE])[0][0].transactionId
    ).json()["errorCode"] == 4000047)
    check("a subscription's is accepted", send(gold).status_code == 202)
    caller.client.send_consumption_data(fuel, ConsumptionRequestV1(
        **{name: value for name, value in good.items() if name not in (
            "consumptionStatus", "platform", "deliveryStatus", "accountTenure", "playTime",
            "lifetimeDollarsRefunded", "lifetimeDollarsPurchased", "userStatus",
            "refundPreference")},
        rawConsumptionStatus=3, rawPlatform=1, rawDeliveryStatus=0, rawAccountTenure=2,
        rawPlayTime=1, rawLifetimeDollarsRefunded=1, rawLifetimeDollarsPurchased=3,
        rawUserStatus=1, rawRefundPreference=2))
    kept = store.control("GET", f"/refunds/{fuel}")["consumption"]
    check("version 1 is kept with the refund", (
        kept["consumptionPercentage"], kept["deliveryStatus"], kept["refundPreference"]
    ) == (100_000, "DELIVERED", "DECLINE"), kept)


def check_restored(caller, buyer, last, silver):
    """A restored number leads to the purchase as it is now."""
    caller.client.finish_transaction(last.transactionId)
    answer = buyer.ask("POST", "/restores", {"restoreId": str(uuid.uuid4()).upper()})
    copies = [caller.info(each["transactionId"]) for each in answer["transactions"]]
    copy = next(each for each in copies if each.expiresDate == last.expiresDate)
    check("a restored transaction has the price and the end of its purchase", (
        copy.price, copy.productId, copy.originalTransactionId, copy.webOrderLineItemId
    ) == (last.price, last.productId, silver, last.webOrderLineItemId)
        and copy.transactionId != last.transactionId, copy)
    known = {each.transactionId for each in caller.history(copy.transactionId)[0]}
    check("a restored transaction finds its customer and is not in the history",
          silver in known and copy.transactionId not in known)


def check_upgrade(caller, buyer, silver, set_token):
    set_token(silver, TOKEN.replace("1", "2"))
    gold = buyer.buy(GOLD)
    check("an upgrade keeps the token that the server set",
          caller.info(gold).appAccountToken == TOKEN.replace("1", "2"))


def check_deleted(caller, store, buyer, silver, set_token):
    for refund in store.control("GET", "/refunds")["refunds"]:
        if refund["state"] in ("requested", "answered"):
            store.control("POST", f"/refunds/{refund['transactionId']}/decline")
    [family] = store.control("GET", "/families")["families"]
    store.control("DELETE", f"/families/{family['number']}")
    store.control("POST", "/accounts/delete", {
        "name": buyer.name, "requestId": str(uuid.uuid4()).upper()})
    refused("a deleted customer's history", APIError.ACCOUNT_NOT_FOUND,
            lambda: caller.history(silver))
    refused("their statuses", APIError.ACCOUNT_NOT_FOUND,
            lambda: caller.client.get_all_subscription_statuses(silver))
    refused("their transaction", APIError.TRANSACTION_ID_NOT_FOUND, lambda: caller.info(silver))
    refused("their token", APIError.ORIGINAL_TRANSACTION_ID_NOT_FOUND, lambda: set_token(silver))


def check_mass_extension(caller, store):
    """All active subscribers of a product of the other app, by their storefronts."""
    clubs = {name: f"{OTHER}.club.{name}" for name in ("silver", "gold")}
    people = {name: Customer(store, name, "sandbox", bundle=OTHER, storefront=storefront)
              for name, storefront in [("ann", "USA"), ("bob", "DEU"), ("cyd", "USA"),
                                       ("dan", "USA"), ("eve", "USA")]}
    bought = {name: people[name].buy(clubs[level]) for name, level in [
        ("ann", "silver"), ("bob", "silver"), ("cyd", "silver"), ("eve", "gold")]}
    family = store.share("ann", "dan")
    shared = people["dan"].ask("GET", "/transactions")["transactions"]
    bought["dan"] = next(
        each for each in (one.get("transaction", one) for one in shared)
        if each["productId"] == clubs["silver"])["transactionId"]
    store.control("POST", f"/subscriptions/{bought['cyd']}/expire")

    def ends():
        return {name: caller.info(number).expiresDate for name, number in bought.items()}

    def ask(request, **changes):
        return caller.client.extend_renewal_date_for_all_active_subscribers(
            MassExtendRenewalDateRequest(**{
                "extendByDays": 7, "extendReasonCode": ExtendReasonCode.SERVICE_ISSUE_OR_OUTAGE,
                "productId": clubs["silver"], "requestIdentifier": request, **changes}))

    def status(request, product=clubs["silver"]):
        return caller.client.get_status_of_subscription_renewal_date_extensions(request, product)

    def ended(request):
        until = time.monotonic() + SECONDS_MAX
        while not (answer := status(request)).complete:
            check("an incomplete request has no counts", (
                answer.completeDate, answer.succeededCount, answer.failedCount) == (None,) * 3)
            assert time.monotonic() < until, "the request is not carried out"
            time.sleep(0.01)
        assert answer.requestIdentifier == request and answer.completeDate, answer
        return answer.succeededCount, answer.failedCount

    before = ends()
    first, second, third = (str(uuid.uuid4()).upper() for _ in range(3))
    check("a mass extension is accepted", ask(first).requestIdentifier == first)
    check("it extends the active subscribers of its product", ended(first) == (2, 0))
    check("each once, with their families, and nobody else", ends() == {
        name: end + (7 * DAY if name in ("ann", "bob", "dan") else 0)
        for name, end in before.items()}, (before, ends()))
    again = ask(first.lower(), extendByDays=90, productId=clubs["gold"])
    check("the same identifier does nothing, however it is written",
          again.requestIdentifier == first.lower() and ended(first.lower()) == (2, 0))
    ask(second, storefrontCountryCodes=["DEU", "FRA"])
    check("a storefront's subscribers alone are extended", ended(second) == (1, 0))
    slash = requests.post(
        f"{caller.base}/inApps/v1/subscriptions/extend/mass/", timeout=SECONDS_MAX,
        headers=caller.client._get_headers(), json={
            "extendByDays": 1, "extendReasonCode": 0, "productId": clubs["silver"],
            "requestIdentifier": third})
    check("a slash at the end is taken", slash.json() == {"requestIdentifier": third}, slash.text)
    check("who had two within a year is not extended", ended(third) == (1, 1))
    check("the others are", ends() == {
        name: end + {"ann": 8, "dan": 8, "bob": 14}.get(name, 0) * DAY
        for name, end in before.items()}, (before, ends()))
    fresh = str(uuid.uuid4())
    for changes, error in [
        ({"extendByDays": 0}, APIError.INVALID_EXTEND_BY_DAYS),
        ({"extendByDays": 91}, APIError.INVALID_EXTEND_BY_DAYS),
        ({"extendByDays": None}, APIError.INVALID_EXTEND_BY_DAYS),
        ({"extendReasonCode": None}, APIError.INVALID_EXTEND_REASON_CODE),
        ({"requestIdentifier": "outage-7"}, APIError.INVALID_REQUEST_IDENTIFIER),
        ({"productId": "x"}, APIError.INVALID_PRODUCT_ID),
        ({"productId": f"{OTHER}.turbo"}, APIError.INVALID_PRODUCT_ID),
        ({"storefrontCountryCodes": []}, APIError.INVALID_EMPTY_STOREFRONT_COUNTRY_CODE_LIST),
        ({"storefrontCountryCodes": ["US"]}, APIError.INVALID_STOREFRONT_COUNTRY_CODE)]:
        refused(f"a mass extension with {changes}", error, lambda: ask(fresh, **changes))
    refused("an unknown request's status", APIError.STATUS_REQUEST_NOT_FOUND,
            lambda: status(fresh))
    refused("another product's", APIError.STATUS_REQUEST_NOT_FOUND,
            lambda: status(first, clubs["gold"]))
    refused("that of no UUID", APIError.INVALID_REQUEST_IDENTIFIER, lambda: status("outage-7"))
    store.control("DELETE", f"/families/{family}")


def check_limits(caller, known, store):
    """A limit of requests, and when it ends. They are counted by the hour of the real clock."""
    def error():
        try:
            caller.client.get_transaction_info(known)
        except APIException as refusal:
            return refusal.http_status_code, refusal.api_error

    hour = None
    while hour != time.time() // 3_600:
        hour = time.time() // 3_600
        store.control("PUT", "/server-api/limits", {"isOn": True, "hourlyMax": 2})
        found = [error() for _ in range(3)]
        answer = requests.get(f"{caller.base}/inApps/v1/transactions/{known}", timeout=SECONDS_MAX,
                              headers=caller.client._get_headers())
    check("two requests in the hour, and no third",
          found == [None, None, (429, APIError.RATE_LIMIT_EXCEEDED)], found)
    check("Retry-After is the end of the hour in milliseconds",
          (answer.status_code, answer.headers.get("Retry-After"), answer.json())
          == (429, str(int(hour + 1) * 3_600_000),
              {"errorCode": 4290000, "errorMessage": "Rate limit exceeded."}), answer.text)
    check("what has another limit is not concerned",
          caller.client.look_up_order_id("M1").status == OrderLookupStatus.INVALID)
    store.control("PUT", "/server-api/limits", {"isOn": False})
    caller.client.get_transaction_info(known)


def check_missing(caller):
    """What the store does not have says so: through the library, and at addresses beside it."""
    for name, work in {
        "retention messaging": caller.client.get_image_list,
        "messages": caller.client.get_message_list}.items():
        try:
            work()
        except APIException as refusal:
            check(f"{name} is not there", (refusal.http_status_code, refusal.raw_api_error)
                  == (501, 5000000), refusal)
    for method, path in [
        ("POST", "/advancedCommerce/v1/subscription/cancel/1"), ("GET", "/groups/v1/group/1"),
        ("PUT", "/externalPurchase/v1/reports"), ("GET", "/groups/v1/transactions/1/seats")]:
        answer = requests.request(method, caller.base + path, timeout=SECONDS_MAX,
                                  headers=caller.client._get_headers())
        check(f"{method} {path} is not there", (
            answer.status_code, answer.headers["Content-Type"], answer.json()["errorCode"]
        ) == (501, "application/json", 5000000), answer.text)
        check("and asks for a token first", requests.request(
            method, caller.base + path, timeout=SECONDS_MAX).status_code == 401)


def statuses(caller, number):
    """(status, product, transaction, renewal) of each subscription."""
    answer = caller.client.get_all_subscription_statuses(number)
    return [
        (item.status, caller.read(item.signedTransactionInfo),
         caller.verifier.verify_and_decode_renewal_info(item.signedRenewalInfo))
        for group in answer.data for item in group.lastTransactions]


def main():
    arguments = read_arguments(__doc__)
    store = Store(arguments.url, arguments.token)
    store.control("PUT", "/clock", {"mode": "held", "now": START})
    store.control("PUT", "/clock/pace", {"sandbox": "calendar"})
    store.control("PUT", f"/apps/{BUNDLE}/catalog", CATALOGUE)
    store.control("PUT", f"/apps/{OTHER}/catalog", json.loads(
        json.dumps(CATALOGUE).replace(BUNDLE, OTHER).replace(str(APP_NUMBER), "77")))
    key = store.control("POST", f"/apps/{BUNDLE}/offer-keys")
    sandbox = Caller(store, arguments.keys, Environment.SANDBOX, key)
    production = Caller(store, arguments.keys, Environment.PRODUCTION, key)

    buyer = Customer(store, "buyer", "sandbox")
    fuels = [buyer.buy(FUEL) for _ in range(21)]
    turbo = buyer.buy(TURBO, applicationUsername=TOKEN.upper())
    silver = buyer.buy(SILVER)
    payer = Customer(store, "payer", "production")
    order = payer.buy(TURBO)

    one = sandbox.info(turbo)
    check("a non-consumable's transaction", (
        one.type, one.productId, one.quantity, one.price, one.currency, one.storefront,
        one.storefrontId, one.appAccountToken, one.transactionReason, one.expiresDate,
        one.purchaseDate, one.inAppOwnershipType, one.originalTransactionId, one.environment
    ) == (
        Type.NON_CONSUMABLE, TURBO, 1, 2990, "USD", "USA", "143441", TOKEN,
        TransactionReason.PURCHASE, None, START, InAppOwnershipType.PURCHASED, turbo,
        Environment.SANDBOX), one)
    app_transaction = one.appTransactionId
    check("a customer has one app transaction in an app",
          app_transaction == sandbox.info(silver).appTransactionId)
    app = sandbox.verifier.verify_and_decode_app_transaction(
        sandbox.client.get_app_transaction_info(turbo).signedAppTransactionInfo)
    check("the sandbox's app transaction has Apple's constants", (
        app.originalApplicationVersion, app.originalPurchaseDate, app.appTransactionId
    ) == ("1.0", 1_375_340_400_000, app_transaction), app)
    app = production.verifier.verify_and_decode_app_transaction(
        production.client.get_app_transaction_info(order).signedAppTransactionInfo)
    check("production's has the first version and date", (
        app.originalApplicationVersion, app.originalPurchaseDate, app.appAppleId
    ) == ("1.2", START, APP_NUMBER), app)

    check_tokens(sandbox, turbo, store, arguments.data)
    other_key = store.control("POST", f"/apps/{OTHER}/offer-keys")
    other = Caller(store, arguments.keys, Environment.SANDBOX, other_key, OTHER)
    foreign = Customer(store, "foreigner", "sandbox", bundle=OTHER).buy(f"{OTHER}.turbo")
    check_ids(sandbox, turbo, app_transaction, [order, foreign])
    refused("another app's number", APIError.TRANSACTION_ID_NOT_FOUND,
            lambda: other.client.get_transaction_info(turbo))
    revision, count = check_history(sandbox, fuels, turbo, silver)
    check_queries(sandbox, turbo)

    # What comes later is found from the last revision on.
    sandbox.client.finish_transaction(fuels[0])
    sandbox.client.finish_transaction(fuels[0])
    check("a finished consumable is not in the history of version 1",
          fuels[0] not in [each.transactionId for each in
                           sandbox.history(turbo, GetTransactionHistoryVersion.V1)[0]])
    check("and stays in that of version 2", len(sandbox.history(turbo)[0]) == count)
    store.advance(15)
    gold = buyer.buy(GOLD)
    page = sandbox.client.get_transaction_history(
        turbo, revision, TransactionHistoryRequest(), GetTransactionHistoryVersion.V2)
    newer = [sandbox.read(each) for each in page.signedTransactions]
    check("a revision leads to what changed since: the replaced period and the new one",
          [(each.transactionId, each.isUpgraded) for each in newer]
          == [(silver, True), (gold, None)], newer)
    check("an introductory offer with its period", (
        newer[1].offerType.value, newer[1].offerDiscountType.value, newer[1].offerPeriod,
        newer[1].price) == (1, "PAY_UP_FRONT", "P3M", 1990), newer[1])

    [(status, last, renewal)] = statuses(sandbox, turbo)
    check("an active subscription", (
        status, last.transactionId, renewal.autoRenewStatus.value, renewal.autoRenewProductId,
        renewal.renewalPrice, renewal.recentSubscriptionStartDate, renewal.renewalDate,
        renewal.expirationIntent, renewal.isInBillingRetryPeriod
    ) == (Status.ACTIVE, gold, 1, GOLD, 9990, START, last.expiresDate, None, None), renewal)
    extend = lambda number, days=30, name="outage": sandbox.client.extend_subscription_renewal_date(  # noqa: E731,E501
        number, ExtendRenewalDateRequest(
            extendByDays=days, extendReasonCode=ExtendReasonCode.CUSTOMER_SATISFACTION,
            requestIdentifier=name))
    for number in range(2):
        before = statuses(sandbox, turbo)[0][1].expiresDate
        answer = extend(silver, name=f"outage {number}")
        check("an extension moves the date", answer.success
              and answer.effectiveDate == before + 30 * DAY
              and statuses(sandbox, turbo)[0][1].expiresDate == answer.effectiveDate, answer)
        again = extend(silver, 1, f"outage {number}")
        check("a repeated request moves nothing", again.effectiveDate == answer.effectiveDate)
    refused("a third one", APIError.SUBSCRIPTION_MAX_EXTENSION, lambda: extend(silver))
    refused("91 days", APIError.INVALID_EXTEND_BY_DAYS, lambda: extend(silver, 91))
    refused("a long name", APIError.INVALID_REQUEST_IDENTIFIER,
            lambda: extend(silver, name="x" * 129))
    refused("a renewal's number", APIError.ORIGINAL_TRANSACTION_ID_NOT_FOUND, lambda: extend(gold))
    refused("what is no subscription", APIError.SUBSCRIPTION_EXTENSION_INELIGIBLE,
            lambda: extend(turbo))
    refused("extending x", APIError.INVALID_ORIGINAL_TRANSACTION_ID, lambda: extend("x"))

    set_token = lambda number, text=TOKEN: sandbox.client.set_app_account_token(  # noqa: E731
        number, UpdateAppAccountTokenRequest(appAccountToken=text))
    set_token(silver)
    check("a token is set for the present period and not for past ones", (
        sandbox.info(gold).appAccountToken, sandbox.info(silver).appAccountToken) == (TOKEN, None))
    store.advance(200)
    [(status, last, renewal)] = statuses(sandbox, turbo)
    check("and for those to come", (
        last.appAccountToken, renewal.appAccountToken, last.transactionReason
    ) == (TOKEN, TOKEN, TransactionReason.RENEWAL), last)
    for text in ["", "x", TOKEN[:-1]]:
        refused(f"the token {text!r}", APIError.INVALID_APP_ACCOUNT_TOKEN_UUID_ERROR,
                lambda: set_token(silver, text))
    refused("a period's token",
            APIError.TRANSACTION_ID_IS_NOT_ORIGINAL_TRANSACTION_ID_ERROR, lambda: set_token(gold))
    refused("an unknown one's token", APIError.ORIGINAL_TRANSACTION_ID_NOT_FOUND,
            lambda: set_token("999"))

    check_mass_extension(other, store)
    check_missing(sandbox)
    check_limits(sandbox, turbo, store)

    # A family member has transactions of their own.
    member = Customer(store, "member", "sandbox")
    store.share(buyer.name, member.name)
    shared = [each["transaction"] if "transaction" in each else each for each in
              member.ask("GET", "/transactions")["transactions"]]
    club = next(each for each in shared if each["productId"] == GOLD)["transactionId"]
    theirs = sandbox.info(club)
    check("a shared transaction", (
        theirs.inAppOwnershipType, theirs.price, theirs.currency, theirs.appAccountToken
    ) == (InAppOwnershipType.FAMILY_SHARED, None, None, None)
        and theirs.appTransactionId != app_transaction, theirs)
    [(status, last, renewal)] = statuses(sandbox, club)
    check("a shared subscription", (
        status, last.transactionId, renewal.originalTransactionId, renewal.renewalPrice
    ) == (Status.ACTIVE, club, theirs.originalTransactionId, None), renewal)
    refused("extending a shared one", APIError.FAMILY_SHARED_SUBSCRIPTION_EXTENSION_INELIGIBLE,
            lambda: extend(theirs.originalTransactionId))
    refused("a shared one's token", APIError.FAMILY_TRANSACTION_NOT_SUPPORTED_ERROR,
            lambda: set_token(theirs.originalTransactionId))
    refused("a shared one's consumption", APIError.FAMILY_TRANSACTION_NOT_SUPPORTED_ERROR,
            lambda: sandbox.client.send_consumption_information(club, consumption()))

    # Refunds.
    asked, unasked = (buyer.buy(FUEL) for _ in range(2))
    store.control("POST", f"/refunds/{asked}/request", {"reason": "UNINTENDED_PURCHASE"})
    for changes, error in [
        ({"customerConsented": False}, APIError.INVALID_CUSTOMER_CONSENTED),
        ({"consumptionPercentage": 100_001}, 4000000)]:
        refused(f"consumption {changes}", error,
                lambda: sandbox.client.send_consumption_information(
                    asked, consumption(**changes)))
    refused("a subscription's percentage", 4000209,
            lambda: sandbox.client.send_consumption_information(
                gold, consumption(consumptionPercentage=1)))
    sandbox.client.send_consumption_information(asked, consumption(consumptionPercentage=40_000))
    sandbox.client.send_consumption_information(unasked, consumption())
    answered = store.control("GET", f"/refunds/{asked}")
    check("the consumption is kept with the refund",
          answered["consumption"]["consumptionPercentage"] == 40_000, answered)
    store.control("POST", f"/refunds/{asked}/grant", {"type": "REFUND_PRORATED"})
    store.control("POST", f"/transactions/{turbo}/revoke", {"reason": "issue"})
    history = sandbox.client.get_refund_history(silver, None)
    refunds = [sandbox.read(each) for each in history.signedTransactions]
    check("the refunds by their dates", not history.hasMore and [
        (each.transactionId, each.rawRevocationReason, each.revocationType.value,
         each.revocationPercentage) for each in refunds
    ] == [(asked, 0, "REFUND_PRORATED", 60_000), (turbo, 1, "REFUND_FULL", 100_000)], refunds)
    first = requests.get(
        f"{sandbox.base}/inApps/v1/refund/lookup/{silver}", timeout=SECONDS_MAX,
        headers=sandbox.client._get_headers()).json()
    check("version 1 has the newest first",
          [sandbox.read(each).transactionId for each in first["signedTransactions"]]
          == [turbo, asked])
    store.control("POST", f"/refunds/{asked}/reverse")
    check("a reversed refund leaves the history of refunds", [
        sandbox.read(each).transactionId for each in
        sandbox.client.get_refund_history(silver, None).signedTransactions] == [turbo])
    store.refund(unasked)
    asked = unasked
    check_first_consumption(sandbox, buyer.buy(FUEL), gold, silver, store)
    found, _ = sandbox.history(silver, revoked=True)
    check("the history finds what was revoked",
          [each.transactionId for each in found] == [turbo, asked])
    lost = sandbox.history(club, revoked=True)[0]
    check("a member lost what was revoked", [each.revocationType.value for each in lost]
          == ["FAMILY_REVOKE"], lost)

    # Orders.
    sold = store.control("GET", "/transactions")["transactions"]
    number = next(each for each in sold if each["transactionId"] == order)["orderId"]
    found = production.client.look_up_order_id(number)
    check("an order is looked up", found.status == OrderLookupStatus.VALID and [
        production.read(each).transactionId for each in found.signedTransactions] == [order])
    for text in ["M00000000000", "W1", number.lower()]:
        check(f"order {text} is invalid", production.client.look_up_order_id(text).status
              == OrderLookupStatus.INVALID)
    check("the sandbox has no orders", sandbox.client.look_up_order_id(number).status
          == OrderLookupStatus.INVALID and not any(
              "orderId" in each for each in sold if each["environment"] == "Sandbox"))

    # The other states of a subscription.
    store.control("PUT", f"/apps/{BUNDLE}/grace-period", {"days": 16})
    store.control("POST", f"/subscriptions/{silver}/fail-billing")
    left = statuses(sandbox, silver)[0][2].renewalDate - store.control("GET", "/clock")["now"]
    for days, expected in [(left // DAY + 1, Status.BILLING_GRACE_PERIOD),
                           (20, Status.BILLING_RETRY), (60, Status.EXPIRED)]:
        store.advance(days)
        [(status, _, renewal)] = statuses(sandbox, silver)
        check(f"a subscription in {expected.name}", status == expected, status)
        has_grace = renewal.gracePeriodExpiresDate is not None
        check("its renewal info agrees", (
            has_grace, renewal.isInBillingRetryPeriod, renewal.rawExpirationIntent
        ) == {
            Status.BILLING_GRACE_PERIOD: (True, True, None),
            Status.BILLING_RETRY: (False, True, 2), Status.EXPIRED: (False, False, 2),
        }[expected], renewal)
    check("only the asked-for statuses are told", not sandbox.client.get_all_subscription_statuses(
        silver, [Status.ACTIVE, Status.REVOKED]).data)
    began = renewal.recentSubscriptionStartDate
    check_restored(sandbox, buyer, statuses(sandbox, silver)[0][1], silver)
    refused("extending what ended", APIError.SUBSCRIPTION_EXTENSION_INELIGIBLE,
            lambda: extend(silver))
    store.control("POST", f"/subscriptions/{silver}/recover")
    store.advance(90)
    buyer.buy(SILVER)
    [(_, last, renewal)] = statuses(sandbox, silver)
    check("a long gap begins another run",
          began == START and renewal.recentSubscriptionStartDate == last.purchaseDate, renewal)
    check_upgrade(sandbox, buyer, silver, set_token)
    check_deleted(sandbox, store, buyer, silver, set_token)
    store.control("POST", "/accounts/delete", {
        "environment": "production", "name": payer.name, "requestId": str(uuid.uuid4()).upper()})
    check("a deleted customer's order is invalid",
          production.client.look_up_order_id(number).status == OrderLookupStatus.INVALID)


if __name__ == "__main__":
    main()
