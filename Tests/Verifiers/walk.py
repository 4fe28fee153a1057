"""Walks every operation of the store's or the backend's OpenAPI document with schemathesis.

The server runs already, and is there for this walk only. Requests are made from the document,
good ones and bad ones, some of them with what is really there: an app, its products, accounts,
purchases. Every answer is held against the document: status, content type, headers, body, and the
code of an error. A member that the document does not know is a fault as well, and so is an
operation that was never answered with success: its other answers say little.
"""

import argparse
import base64
import hashlib
import json
import pathlib
import re
import sys
import tempfile
import time
import uuid

import jwt
import requests
import schemathesis
from schemathesis.cli import schemathesis as command_line

import documents

BUNDLE = "com.example.rocketcar"
# What codes of the subscriptions are for.
OFFER = "Fair"
WIN_BACK = "come-back"
# What accounts can be asked about the prices of, one for each way to answer.
ANSWERS = ("agreeToPrice", "declineToPrice", "agreeOnDevice", "declineOnDevice")


def catalogue():
    """That of the example, and subscriptions."""
    path = pathlib.Path(__file__).parents[2] / "Examples/RocketCar/RocketCar.storekit"
    file = json.loads(path.read_bytes())
    file["subscriptionGroups"] = [
        {
            "id": "AAAAAAAA",
            "localizations": [],
            "name": "Club",
            "subscriptions": [
                {
                    "adHocOffers": [],
                    "codeOffers": [
                        {
                            "paymentMode": "free",
                            "referenceName": OFFER,
                            "subscriptionPeriod": "P1M",
                        }
                    ],
                    "winbackOffers": [
                        {
                            "offerID": WIN_BACK,
                            "paymentMode": "free",
                            "subscriptionPeriod": "P1M",
                        }
                    ],
                    "displayPrice": "1.99",
                    "familyShareable": False,
                    "groupNumber": 1,
                    "internalID": f"0000001{number}",
                    "introductoryOffer": None,
                    "localizations": [],
                    "productID": f"{BUNDLE}.club{number}",
                    "recurringSubscriptionPeriod": "P1M",
                    "referenceName": f"Club {number}",
                    "subscriptionGroupID": "AAAAAAAA",
                    "type": "RecurringSubscription",
                }
                for number, _ in enumerate(ANSWERS)
            ],
        }
    ]
    return json.dumps(file).encode()


CATALOGUE = catalogue()
SECONDS_MAX = 30
# These are about subscriptions that renew, and no store sells those to the walk yet.
WITHOUT_SUCCESS = {
    ("post", "/v1/offers"),
    ("post", "/operator/v1/subscriptions/{original}/check"),
    # Only tests may.
    ("delete", "/control/v1/transactions/{id}"),
}
# A session that the walk may seed, restore, reset and delete, and a snapshot of it.
# Nobody listens there.
NOTIFIED = {"url": "http://127.0.0.1:65535/notifications", "allowsPrivateAddresses": True}
SESSION = "walked"
SNAPSHOT = "before"
# Snapshots of the session after which it is made anew; a hundred are all it takes.
SNAPSHOTS_MAX = 50
# Content with a file of no bytes, which any part fits, and one of which a range can be asked.
FILES = {hashlib.sha256(each).hexdigest(): each for each in (b"b", b"")}
PACKAGE = {
    "contentVersion": "1.0",
    "files": [{"path": f"{len(FILES[each])}", "size": len(FILES[each]), "sha256": each}
              for each in FILES]}
# The same files as the resources of a tag.
TAG = "walkedtrack"
RESOURCE = {"kind": "onDemand", "files": PACKAGE["files"]}
# Refunds that are open, and as many that are granted; what comes after them is refused.
REFUNDS_MAX = 100
# Late in the last year that a world's clock can show.
LATE = 4_102_358_400_000


def call(method, url, *, token=None, body=None, data=None):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = requests.request(
        method, url, headers=headers, json=body, data=data, timeout=SECONDS_MAX
    )
    answer.raise_for_status()
    return answer


class Console:
    """Sessions of a server's console, which its own token begins."""

    def __init__(self, url, token):
        self.url = url + "/console/v1"
        self.own = token

    def code(self):
        return call("POST", self.url + "/codes", token=self.own).json()["code"]

    def token(self, case):
        """The token that one of its operations needs; a session is good until it is closed."""
        if case.operation.path.endswith("/codes"):
            return self.own
        return call("POST", self.url + "/sessions", body={"code": self.code()}).json()["session"]

    def prepare(self, case):
        if isinstance(case.body, dict) and case.path.endswith("/sessions") and "code" in case.body:
            case.body = {**case.body, "code": self.code()}
            case.body.pop("token", None)


class Store:
    """A store with an app, some accounts and a device on which one of them bought everything."""

    def __init__(self, url, control_token, name):
        self.url = url
        # Nobody but this walk knows the first, so that wrong passwords lock only the second.
        self.walker = {"account": f"{name}-walker@example.com", "password": "walk-and-talk-1"}
        self.buyer = {"account": f"{name}-buyer@example.com", "password": "rocket-fuel-1"}
        # The control routes lock this one, sign it out and change its password.
        self.owned = {"account": f"{name}-owned@example.com", "password": "owned-and-held-1"}
        self.control_token = control_token
        self.console = Console(url, control_token)
        self.control = control = url + "/control/v1"
        call("PUT", f"{control}/apps/{BUNDLE}/catalog", token=control_token, data=CATALOGUE)
        for account in (self.walker, self.buyer, self.owned):
            body = {
                "environment": "sandbox",
                "name": account["account"],
                "password": account["password"],
            }
            call("POST", control + "/accounts", token=control_token, body=body)
        self.make_account(self.owned["account"], "production")
        listed = call("GET", f"{control}/apps/{BUNDLE}/products", token=control_token).json()
        self.products, self.clubs = (
            [each["productId"] for each in listed["products"]
             if (each["kind"] == "autoRenewable") == renews]
            for renews in (False, True)
        )
        self.device_tokens = {"production": self.register("production")}
        self.device_tokens["sandbox"] = call(
            "POST",
            url + "/sandbox/device/v1/sign-in",
            token=self.register("sandbox"),
            body=self.walker,
        ).json()["deviceToken"]
        bought = [(product, self.buy(product)) for product in self.products]
        self.sold = {product: number for product, number in bought if number}
        self.receipt = call(
            "GET", url + "/sandbox/device/v1/receipt", token=self.device_tokens["sandbox"]
        ).content
        answer = call(
            "POST",
            url + "/sandbox/device/v1/transaction-receipts",
            token=self.device_tokens["sandbox"],
            body={"transactionIds": list(self.sold.values())},
        ).json()
        self.transaction_receipts = [each["receipt"] for each in answer["receipts"]]
        self.prices = {self.add_price(product): product for product in self.products}
        owners = (f"apps/{BUNDLE}", "developers/default")
        self.secrets = {self.make_secret(owner): owner for owner in owners}
        self.offer_keys = [self.make_offer_key()["keyId"] for _ in range(3)]
        # Of the app's server; the walk revokes the others.
        self.server_key = self.make_offer_key()
        self.extension = self.extend_all()
        self.codes = {self.make_code(club): club for club in self.clubs}
        self.uploads = {self.begin_content(product): product for product in self.products}
        self.resource = self.keep_resource()
        self.requests = dict(zip(("approvePurchase", "declinePurchase"), self.ask_to_buy()))
        self.questions = {
            answer: call(
                "POST",
                control + "/price-consents",
                token=control_token,
                body=self.question(club, self.walker),
            ).json()["number"]
            for answer, club in zip(ANSWERS, self.clubs)
        }
        self.gift_code = self.make_gift_code()
        self.redemption = self.redeem()
        self.families = [self.keep_family()]
        # Asked for before the walk takes products off sale, and moves the clock on by years.
        self.consumables = [each["productId"] for each in listed["products"]
                            if each["kind"] == "consumable"]
        self.refunds = [
            [self.ask_back(self.consumables[0], is_granted) for _ in range(REFUNDS_MAX)]
            for is_granted in (False, True)]
        self.answered = self.turn_on_by_paying()
        self.keep_session()

    def question(self, club, person):
        """What somebody is asked about a price, who has no such subscription."""
        name = person["account"]
        return {"name": name, "bundleId": BUNDLE, "productId": club, "price": "9.99"}

    def make_account(self, name, environment="sandbox"):
        body = {"environment": environment, "name": name, "password": "made-and-left-1"}
        call("POST", self.control + "/accounts", token=self.control_token, body=body)
        return name

    def keep_resource(self, commits=True):
        """The upload of a tag's resources, which are there when this returns, unless the walk is to
        make them."""
        url = f"{self.control}/apps/{BUNDLE}/resources/1.0/{TAG}"
        if not commits:
            headers = {"Authorization": f"Bearer {self.control_token}"}
            requests.delete(url, headers=headers, timeout=SECONDS_MAX)
        upload = self.begin_upload(url + "/uploads", RESOURCE)
        if commits:
            call("POST", f"{url}/uploads/{upload}/commit", token=self.control_token)
        return upload

    def begin_content(self, product):
        """The upload of a package ; what it needs is there when this returns."""
        url = f"{self.control}/apps/{BUNDLE}/products/{product}/content-uploads"
        return self.begin_upload(url, PACKAGE)

    def begin_upload(self, url, package):
        begun = call("POST", url, token=self.control_token, body=package).json()
        for missing in begun["missing"]:
            part = f"{url}/{begun['uploadId']}/files/{missing['sha256']}?offset=0"
            call("PUT", part, token=self.control_token, data=FILES[missing["sha256"]])
        return begun["uploadId"]

    def keep_content(self, product):
        """Makes the package the product's content where that was removed."""
        upload = self.begin_content(product)
        url = f"{self.control}/apps/{BUNDLE}/products/{product}/content-uploads/{upload}/commit"
        call("POST", url, token=self.control_token)

    def ask_to_buy(self):
        """The numbers of two requests for approval."""
        for _ in range(2):
            self.buy(self.products[0], simulatesAskToBuy=True)
        listed = call("GET", self.control + "/approvals", token=self.control_token).json()
        return [each["number"] for each in listed["approvals"]][-2:]

    def add_price(self, product):
        """The number of a price that only comes when the world ends."""
        url = f"{self.control}/apps/{BUNDLE}/products/{product}/price-schedule"
        body = {"storefront": "DEU", "price": "0.79", "from": LATE}
        return call("POST", url, token=self.control_token, body=body).json()["number"]

    def make_secret(self, owner):
        url = f"{self.control}/{owner}/secrets"
        return call("POST", url, token=self.control_token).json()["number"]

    def make_offer_key(self):
        url = f"{self.control}/apps/{BUNDLE}/offer-keys"
        return call("POST", url, token=self.control_token).json()

    def extend_all(self):
        """An extension of all subscribers of a product: asked again, it is answered the same."""
        body = {"extendByDays": 7, "extendReasonCode": 0, "productId": self.clubs[0],
                "requestIdentifier": str(uuid.uuid4())}
        url = self.url + "/sandbox/inApps/v1/subscriptions/extend/mass"
        call("POST", url, token=self.server_token(), body=body)
        return body

    def make_code(self, product):
        url = f"{self.control}/apps/{BUNDLE}/products/{product}/offer-codes"
        body = {"offerId": OFFER, "count": 2}
        answer = call("POST", url, token=self.control_token, body=body)
        return answer.json()["offerCode"]["number"]

    def redeem(self):
        """A code that the walker redeemed: asked again, it is answered the same."""
        url = f"{self.control}/apps/{BUNDLE}/products/{self.clubs[0]}/offer-codes"
        body = {"offerId": OFFER, "word": "WALKED", "redemptionsMax": 9}
        call("POST", url, token=self.control_token, body=body)
        body = {"attemptId": str(uuid.uuid4()), "code": "WALKED"}
        url = self.url + "/sandbox/device/v1/offer-codes/redeem"
        call("POST", url, token=self.device_tokens["sandbox"], body=body)
        return body

    def make_gift_code(self):
        url = self.control + "/gift-codes"
        body = {"amount": "25", "currency": "USD"}
        return call("POST", url, token=self.control_token, body=body).json()

    def keep_family(self):
        """The number of a family of the buyer and the walker; one that was deleted is made anew."""
        url = self.control + "/families"
        listed = call("GET", url, token=self.control_token).json()["families"]
        people = {each["number"]: [who["name"] for who in each["members"]] for each in listed}
        mine = [number for number, names in people.items() if self.buyer["account"] in names]
        # Nobody is in two of them.
        for number, names in people.items():
            if self.walker["account"] in names and number not in mine:
                call("DELETE", f"{url}/{number}", token=self.control_token)
        if not mine:
            made = call("POST", url, token=self.control_token,
                        body={"organiser": self.buyer["account"]})
            mine = [made.json()["family"]["number"]]
        call("POST", f"{url}/{mine[0]}/add", token=self.control_token,
             body={"name": self.walker["account"]})
        return mine[0]

    def keep_subscription(self):
        """A subscription of the walker that is active and renews, begun a second ago."""
        for club in self.clubs[:2]:
            # All of them are of one level, so that each begins at once in the place of another.
            self.buy(club)
        headers = {"Authorization": f"Bearer {self.control_token}"}
        # Refused when the walk has moved the clock to its end.
        requests.post(
            self.control + "/clock/advance",
            headers=headers,
            json={"milliseconds": 1_000},
            timeout=SECONDS_MAX,
        )
        listed = call("GET", self.control + "/subscriptions", token=self.control_token).json()
        mine = [each for each in listed["subscriptions"]
                if each["account"] == self.walker["account"]]
        return mine[0]["originalTransactionId"]

    def turn_on_by_paying(self):
        """An attempt that only turned a renewal on again: its answer is finished by itself."""
        path = f"{self.control}/subscriptions/{self.keep_subscription()}"
        kept = call("POST", path + "/cancel", token=self.control_token).json()
        attempt = str(uuid.uuid4()).upper()
        number = self.buy(kept["productId"], attemptId=attempt)
        assert number == kept["transactionId"], "a payment that should buy nothing did"
        return attempt

    def ask_back(self, product, is_granted):
        """A purchase whose money was asked back, and perhaps went back."""
        bought = self.buy(product)
        refund = f"{self.control}/refunds/{bought}"
        body = {"reason": "UNINTENDED_PURCHASE"}
        call("POST", refund + "/request", token=self.control_token, body=body)
        if is_granted:
            body = {"type": "REFUND_FULL"}
            call("POST", refund + "/grant", token=self.control_token, body=body)
        return bought

    def keep_refund(self, operation):
        """A refund of which the operation can be asked, as long as there are any."""
        # What was open may have been taken back by hand; what was granted is granted again.
        left = self.refunds[operation in ("refundGrant", "refundReverse")]
        changes = operation not in ("getRefund", "refundRequest")
        return left.pop() if changes and len(left) > 1 else left[0]

    def keep_session(self):
        """Makes the session that the walk works on, and its snapshot, where they are not there."""
        worlds = self.control + "/worlds"
        snapshots = f"{worlds}/{SESSION}/snapshots"
        headers = {"Authorization": f"Bearer {self.control_token}"}
        found = requests.get(snapshots, headers=headers, timeout=SECONDS_MAX)
        names = []
        if found.status_code == 200:
            names = [each["name"] for each in found.json()["snapshots"]]
            if len(names) > SNAPSHOTS_MAX:
                call("DELETE", f"{worlds}/{SESSION}", token=self.control_token)
        if found.status_code == 404 or len(names) > SNAPSHOTS_MAX:
            call("POST", worlds, token=self.control_token, body={"name": SESSION})
            names = []
        if SNAPSHOT not in names:
            call("POST", snapshots, token=self.control_token, body={"name": SNAPSHOT})

    def register(self, environment):
        body = {"guid": str(uuid.uuid4()).upper(), "bundleId": BUNDLE, "appVersion": "1.0"}
        url = f"{self.url}/{environment}/device/v1/register"
        return call("POST", url, body=body).json()["deviceToken"]

    def buy(self, product, **more):
        body = {"attemptId": str(uuid.uuid4()), "productId": product, "quantity": 1} | more
        answer = call(
            "POST",
            self.url + "/sandbox/device/v1/attempts",
            token=self.device_tokens["sandbox"],
            body=body,
        ).json()
        return answer.get("transaction", {}).get("transactionId")

    def real_values(self):
        """What is there, by the schemas that such values have."""
        return {
            # Where somebody is signed in; what is first is asked most.
            "Environment": ["sandbox"],
            "BundleID": [BUNDLE],
            "Identifier": self.products,
            "AccountName": [self.owned["account"]],
            "NamedAccount": [{"name": self.owned["account"]}],
            "LockAccount": [{"name": self.owned["account"], "reason": "It is looked into."}],
            "DeveloperName": ["default"],
            "BeginContent": [PACKAGE],
            "ContentUploadID": list(self.uploads),
            "BeginResource": [RESOURCE],
            "ResourceTag": [TAG],
            "AppVersion": ["1.0"],
            "MakeDevice": [
                {"guid": str(uuid.uuid4()), "account": self.walker["account"],
                 "bundleId": BUNDLE, "appVersion": "1.0"}
            ],
            "SetAppTransaction": [
                {
                    "environment": "production",
                    "name": self.owned["account"],
                    "originalApplicationVersion": "1.2",
                    "originalPurchaseDate": 1_577_836_800_000,
                }
            ],
            "ContentVersion": [PACKAGE["contentVersion"]],
            "SHA256": list(FILES),
            "PriceNumber": list(self.prices),
            "AddPrice": [{"storefront": "FRA", "price": "0.89", "from": LATE}],
            "SecretNumber": list(self.secrets),
            "OfferKeyID": self.offer_keys,
            "OfferCodeNumber": list(self.codes),
            "OfferReferenceName": [OFFER],
            "MakeOfferCode": [
                {"offerId": OFFER, "word": "WALK", "redemptionsMax": 9},
                {"offerId": OFFER, "count": 3},
            ],
            "RedeemOfferCode": [self.redemption],
            "RedeemForAccount": [{"name": self.walker["account"], "code": "WALKED"}],
            "TakeWinBack": [{"offerId": WIN_BACK}],
            "ApprovalNumber": list(self.requests.values()),
            "AskPriceConsent": [self.question(club, self.owned) for club in self.clubs],
            "PriceConsentNumber": list(self.questions.values()),
            "TopUp": [
                {"name": self.owned["account"], "requestId": str(uuid.uuid4()), "amount": amount}
                for amount in ("1", "4.99")
            ],
            "CorrectCredit": [
                {
                    "name": self.owned["account"],
                    "requestId": str(uuid.uuid4()),
                    "amount": "2.5",
                    "reason": "It was wrong.",
                }
            ],
            # The owned account moves to other storefronts, where the code is worth nothing.
            "RedeemGiftCode": [
                {"name": self.walker["account"], "code": self.gift_code["code"]}
            ],
            "GiftCodeNumber": [self.gift_code["number"]],
            "MakeFamily": [{"organiser": self.owned["account"]}],
            "FamilyNumber": self.families[:1],
            "FamilyMemberName": [{"name": self.walker["account"]}],
            "FamilySharing": [{"name": self.walker["account"], "sharesPurchases": True}],
            "ChooseSubscription": [{"productId": club} for club in self.clubs[:2]],
            "IncreaseSubscriptionPrice": [{"needsConsent": False, "price": "99.99"}],
            "MassExtensionID": [self.extension["requestIdentifier"]],
            "MassExtendRenewalDate": [self.extension],
            "SetSaleState": [{"state": "clearedForSale"}],
            # The first device is in production, and tried nothing.
            "DeviceNumber": ["1", "2"],
            "EventNumber": ["1"],
            "NotificationNumber": [self.keep_notification()["number"]],
            "TestNotificationToken": [self.keep_test()],
            "SetNotificationTarget": [NOTIFIED],
            "WorldName": [SESSION],
            "SnapshotName": [SNAPSHOT],
            "Seed": [self.seed()],
            "TransactionID": list(self.sold.values()),
            "AnsweredAttemptID": [self.answered],
            "SignIn": [self.buyer],
            "FindProducts": [{"productIdentifiers": self.products}],
            "Attempt": [
                {"attemptId": str(uuid.uuid4()), "productId": product, "quantity": 1}
                for product in self.products
            ],
            "AskRestore": [{"restoreId": str(uuid.uuid4())}],
            "BuyForAccount": [
                {"attemptId": str(uuid.uuid4()), "account": self.walker["account"],
                 "bundleId": BUNDLE, "productId": product}
                for product in self.consumables
            ],
            "RestoreForAccount": [
                {"restoreId": str(uuid.uuid4()), "account": self.walker["account"],
                 "bundleId": BUNDLE, "finish": True}
            ],
            "ExplainReceipt": [{"receipt": base64.b64encode(self.receipt).decode()}],
            "RevokeCertificate": [{"reason": "superseded"}],
            "VerifyReceipt": [
                {"receipt-data": receipt}
                for receipt in [base64.b64encode(self.receipt).decode()]
                + self.transaction_receipts
            ],
        }

    def seed(self):
        return {
            "clock": {"mode": "held", "now": "2026-03-31T12:00:00Z"},
            "apps": [{"bundleId": BUNDLE, "catalogue": json.loads(CATALOGUE)}],
            "accounts": [{"name": "seeded@example.com", "password": "seeded-and-sown-1"}],
            "families": [{"organiser": "seeded@example.com", "members": []}],
            "purchases": [
                {"account": "seeded@example.com", "productId": product, "at": "2026-02-28"}
                for product in self.sold
            ],
        }

    def keep_target(self):
        """Gives the app's server an address, where nobody listens."""
        call("PUT", f"{self.control}/apps/{BUNDLE}/notification-targets/sandbox",
             token=self.control_token, body=NOTIFIED)

    def keep_notification(self):
        self.keep_target()
        test = f"{self.control}/apps/{BUNDLE}/notification-targets/sandbox/test"
        found = call("POST", test, token=self.control_token).json()
        return {"number": str(found["number"]), "uuid": found["notificationUUID"]}

    def keep_test(self):
        """A test whose first attempt was made."""
        found = self.keep_notification()
        call("POST", self.control + "/notifications/settle", token=self.control_token)
        return f"{found['uuid']}_{found['number']}"

    def keep_service_notice(self, body):
        """Leaves what the type takes in a body that is otherwise right."""
        forms = {"subtype": "CREATED|ACTIVE_TOKEN_REMINDER|UNREPORTED",
                 "transactionId": "[1-9][0-9]{0,17}", "account": "(?s:.{1,200})",
                 "externalPurchaseId": "(?s:.{1,100})", "tokenCreationDate": "-?[0-9]+"}
        if not isinstance(body, dict) or not all(
                body.get(name) is None
                or type(body[name]) is (int if name == "tokenCreationDate" else str)
                and re.fullmatch(form, str(body[name])) for name, form in forms.items()):
            return
        kind = body.get("notificationType")
        kept = {"EXTERNAL_PURCHASE_TOKEN": {"subtype": body.get("subtype") or "CREATED"},
                "RESCIND_CONSENT": {"account": self.walker["account"]}}
        members = kept.get(str(kind)) or {"transactionId": self.keep_subscription()}
        for name in forms:
            body.pop(name, None)
        body.update(members)

    def server_token(self):
        claims = {"iss": self.server_key["issuerId"], "bid": BUNDLE, "aud": "appstoreconnect-v1",
                  "exp": int(time.time()) + 300}
        return jwt.encode(
            claims, self.server_key["privateKey"], "ES256", {"kid": self.server_key["keyId"]})

    def token(self, case):
        if case.operation.path.startswith("/console/"):
            return self.console.token(case)
        if case.operation.path.startswith("/control/") or case.operation.path == "/metrics":
            return self.control_token
        if "/inApps/" in case.operation.path:
            return self.server_token()
        given = (case.path_parameters or {}).get("environment")
        environment = "production" if given == "production" else "sandbox"
        # These end the token they are called with.
        if case.operation.path.endswith(("/sign-in", "/sign-out")):
            return self.register(environment)
        return self.device_tokens[environment]

    def prepare_server_api(self, case, operation, given, query):
        """What a schema cannot say: which values go together."""
        if re.fullmatch("[0-9]{1,19}-[0-9a-f]{24}", str(query.get("revision"))):
            # It belongs to one customer and the same filters.
            del query["revision"]
        try:
            if int(query["startDate"]) >= int(query["endDate"]):
                del query["endDate"]
        except (KeyError, TypeError, ValueError):
            pass
        if operation == "requestTestNotification":
            self.keep_target()
        if operation == "getNotificationHistory" and isinstance(case.body, dict):
            query.pop("paginationToken", None)
            now = call("GET", self.control + "/clock", token=self.control_token).json()["now"]
            case.body.update(startDate=now - 86_400_000, endDate=now)
            for name in ("notificationType", "notificationSubtype", "transactionId"):
                case.body.pop(name, None)
        if operation.startswith("sendConsumption"):
            # Some of those known, and those found on the way, are subscriptions.
            if re.fullmatch("[1-9][0-9]{15}", str(given.get("transactionId"))):
                given["transactionId"] = self.sold[self.consumables[0]]
            if isinstance(case.body, dict) and isinstance(
                    case.body.get("consumptionPercentage", 0), (int, float)):
                if case.body.get("deliveryStatus") != "DELIVERED":
                    case.body.pop("consumptionPercentage", None)
                    if case.body.get("refundPreference") == "GRANT_PRORATED":
                        case.body["refundPreference"] = "DECLINE"
                elif case.body.get("refundPreference") == "GRANT_PRORATED":
                    case.body["consumptionPercentage"] = 40_000

    def prepare(self, case):
        """Keeps a request from stopping the walk, or from taking away what it walks on."""
        self.console.prepare(case)
        query = case.query or {}
        if case.operation.path.endswith(("/updates", "/key-values", "/events", "/activity")) and str(query.get("wait", "0")) != "0":
            if str(query["wait"]).isdecimal():
                query["wait"] = 1
        given = case.path_parameters or {}
        operation = case.operation.definition.raw.get("operationId")
        # What a schema cannot say: which values go together, and which a page gave.
        if operation == "listTransactions":
            try:
                if int(query["from"]) >= int(query["until"]):
                    del query["until"]
            except (KeyError, TypeError, ValueError):
                pass
        if operation == "buy" and query.get("receipts") == query.get("signed") == "true":
            query.pop("receipts")
        if operation in ("listEvents", "listActivity") and query.get("order") == "newest":
            query.pop("wait", None)
        if operation == "getActivity" and given.get("activity") == "1":
            # The first ones leave as the walk goes on.
            listed = call("GET", self.control + "/activity?order=newest&limit=1", token=self.control_token)
            given["activity"] = str(listed.json()["requests"][0]["number"])
        if operation == "getDevice":
            query.pop("after", None)
        if operation == "importCatalogue" and isinstance(case.body, dict):
            if given.get("app") == BUNDLE:
                case.body = json.loads(CATALOGUE)
        if operation == "cancelPrice" and given.get("number") in self.prices:
            given["product"] = self.prices[given["number"]]
        if operation in ("makeOfferCode", "listOfferCodes") and given.get("product") in self.products:
            given["product"] = self.clubs[0]
        if operation == "deactivateOfferCode" and given.get("number") in self.codes:
            given["product"] = self.codes[given["number"]]
        if operation in ("sendContent", "commitContent") and given.get("upload") in self.uploads:
            given["product"] = self.uploads[given["upload"]]
            self.begin_content(given["product"])
        if given.get("tag") == TAG:
            upload = self.keep_resource(operation not in ("sendResource", "commitResource"))
            if given.get("upload") in self.uploads:
                given["upload"] = upload
        if operation == "deleteAccount" and isinstance(case.body, dict):
            if case.body.get("name") == self.owned["account"]:
                case.body["name"] = self.make_account(f"{uuid.uuid4()}@example.com")
        if operation == "getAppTransaction" and query.get("account") == self.owned["account"]:
            query.update(account=self.walker["account"], environment="sandbox")
        if operation in ("removeContent", "removeAllContent"):
            if given.get("product") in self.products:
                self.keep_content(given["product"])
        if operation in ("getContent", "getContentFile") and given.get("id") in self.sold.values():
            product = next(product for product, id in self.sold.items() if id == given["id"])
            self.keep_content(product)
            # The one that was sold before may be finished by now.
            given["id"] = self.buy(product)
        if operation == "redeemGiftCode" and isinstance(case.body, dict):
            # The one that was made before may be void by now.
            if case.body.get("code") == self.gift_code["code"]:
                case.body["code"] = self.make_gift_code()["code"]
        if case.operation.path.startswith("/control/v1/families/{number}"):
            # The one that was made before may have ended by now; a path may hold it as a text.
            if str(given.get("number")) in map(str, self.families):
                given["number"] = self.keep_family()
                self.families.append(given["number"])
        if operation in ("setNotificationDisorder", "testNotification", "sendNotification",
                         "resendNotification"):
            self.keep_target()
        if operation == "sendNotification":
            self.keep_service_notice(case.body)
        if operation == "setNotificationDisorder" and isinstance(case.body, dict):
            if case.body.get("delayed") and not case.body.get("delayMilliseconds"):
                case.body["delayMilliseconds"] = 1
        if operation == "setNotificationTarget" and isinstance(case.body, dict):
            # Another text is neither a secret of the app nor a certificate.
            case.body.pop("sharedSecret", None)
            case.body.pop("certificateAuthority", None)
            # Nor is any text an address.
            if isinstance(case.body.get("url"), str):
                case.body |= NOTIFIED
        if operation == "setStorefrontPrice" and isinstance(case.body, dict):
            # Some storefronts have no fractions.
            if re.fullmatch(r"[0-9]+\.[0-9]+", str(case.body.get("price"))):
                case.body["price"] = "3"
        if operation in ("setClock", "advanceClock"):
            # Years of periods of two seconds would fill the receipt.
            call("PUT", self.control + "/clock/pace", token=self.control_token,
                 body={"sandbox": "calendar", "production": "calendar"})
        if "/inApps/" in case.operation.path:
            self.prepare_server_api(case, operation, given, query)
        if operation == "setServerAPILimits" and isinstance(case.body, dict):
            # Below Apple's numbers, which the walk does not reach, it would end the walk.
            if isinstance(case.body.get("hourlyMax"), int) and case.body["hourlyMax"] > 0:
                del case.body["hourlyMax"]
        if given.get("requestIdentifier") == self.extension["requestIdentifier"]:
            given["productId"] = self.extension["productId"]
        if operation == "extendSubscriptionRenewalDate":
            if given.get("originalTransactionId") in self.sold.values():
                given["originalTransactionId"] = self.keep_subscription()
        if "transaction" in given and given["transaction"] in self.sold.values():
            given["transaction"] = self.keep_refund(operation)
        if "original" in given and given["original"] in self.sold.values():
            given["original"] = self.keep_subscription()
            if operation == "subscriptionWinBack":
                # Refused when it has ended already.
                requests.post(
                    f"{self.control}/subscriptions/{given['original']}/expire",
                    headers={"Authorization": f"Bearer {self.control_token}"},
                    timeout=SECONDS_MAX,
                )
        if operation in self.requests and given.get("number") in self.requests.values():
            given["number"] = self.requests[operation]
        if operation in self.questions and given.get("number") in self.questions.values():
            given["number"] = self.questions[operation]
        if case.operation.path.startswith("/control/v1/worlds/"):
            # The default world is what everything else is asked of.
            if given.get("name") == "default":
                given["name"] = SESSION
            if given.get("name") == SESSION:
                self.keep_session()


class Backend:
    """A backend whose user was granted a purchase that a store sold for this walk."""

    walker = {"name": "walker", "password": "walk-and-talk-1"}
    leaver = {"name": "leaver", "password": "leave-and-talk-1"}

    def __init__(self, url, operator_token, store):
        self.url = url
        self.operator_token = operator_token
        self.console = Console(url, operator_token)
        self.user_token = call("POST", url + "/v1/users", body=self.walker).json()["token"]
        call("POST", url + "/v1/users", body=self.leaver)
        self.submissions = [
            {
                "receiptData": base64.b64encode(store.receipt).decode(),
                "productId": product,
                "transactionId": number,
                "appVersion": "1.0",
            }
            for product, number in store.sold.items()
        ]
        owned = call(
            "POST", url + "/v1/receipts", token=self.user_token, body=self.submissions[0]
        ).json()
        refused = requests.post(
            url + "/v1/receipts",
            headers={"Authorization": f"Bearer {self.user_token}"},
            json={**self.submissions[0], "transactionId": "1"},
            timeout=SECONDS_MAX,
        ).json()
        # Used up once; the same use again is answered the same.
        self.use = {"useId": "walked", "quantity": 1}
        self.consumable = store.consumables[0]
        for path, body in [("/v1/receipts", self.submission(self.consumable)),
                           (f"/v1/products/{self.consumable}/uses", self.use)]:
            call("POST", url + path, token=self.user_token, body=body)
        self.values = {
            "ConsumableUse": [self.use],
            "ProductID": list(store.sold),
            "SubmissionID": [owned["submissionId"], refused["submissionId"]],
            "UserWord": [self.walker["name"]],
            "TransactionWord": list(store.sold.values()),
            "Submission": self.submissions,
        }

    def real_values(self):
        return self.values

    def token(self, case):
        if case.operation.path.startswith("/console/"):
            return self.console.token(case)
        if case.operation.path.startswith(("/operator/", "/metrics")):
            return self.operator_token
        if case.method == "DELETE":
            return call("POST", self.url + "/v1/sessions", body=self.leaver).json()["token"]
        return self.user_token

    def submission(self, product):
        return next(each for each in self.submissions if each["productId"] == product)

    def prepare(self, case):
        self.console.prepare(case)
        operation = case.operation.definition.raw.get("operationId")
        if operation == "useConsumable" and case.body == self.use:
            case.path_parameters["product"] = self.consumable


def register_hooks(place, seen):
    """Fills `seen` with the statuses of each operation."""
    codes = {}

    schemathesis.serializer.alias("application/ocsp-request", "application/octet-stream")

    @schemathesis.hook
    def before_load_schema(context, raw_schema):
        codes.update(documents.error_codes(raw_schema))
        seen.update({operation[:2]: set() for operation in codes})
        documents.make_strict(raw_schema)
        documents.offer(raw_schema, place.real_values())

    @schemathesis.auth(refresh_interval=None)
    class Tokens:
        def get(self, case, context):
            return place.token(case) if documents.needs_token(case.operation) else None

        def set(self, case, data, context):
            if data:
                case.headers = {**(case.headers or {}), "Authorization": f"Bearer {data}"}

    @schemathesis.hook
    def before_call(context, case, kwargs):
        place.prepare(case)

    @schemathesis.hook
    def after_call(context, case, response):
        operation = (case.operation.method.lower(), case.operation.path)
        seen.get(operation, set()).add(response.status_code)

    @schemathesis.check
    def documented_code(context, response, case):
        documents.check_code(response, case, codes)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["store", "backend"])
    parser.add_argument("store_url")
    parser.add_argument("--backend-url")
    parser.add_argument("--operator-token")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--examples", type=int, default=5)
    # The control token comes third. A token may begin with a hyphen and is no option then.
    words = sys.argv[1:]
    control_token = words.pop(2)
    if "--operator-token" in words:
        at = words.index("--operator-token")
        words[at : at + 2] = [f"--operator-token={words[at + 1]}"]
    options, more = parser.parse_known_args(words)
    place = Store(options.store_url, control_token, options.what)
    if options.what == "backend":
        place = Backend(options.backend_url, options.operator_token, place)
    seen = {}
    register_hooks(place, seen)
    # From a file: an operation at the address that a document came from would be passed over.
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        file.write(call("GET", place.url + "/openapi.json").content)
        file.flush()
        code = run(place, file.name, options, more)
    for (method, path), statuses in seen.items():
        print(f"{method.upper():6} {path}: {sorted(statuses)}")
        has_success = any(200 <= status < 300 for status in statuses)
        if has_success == ((method, path) in WITHOUT_SUCCESS):
            known = "answered with success: take it out of WITHOUT_SUCCESS"
            print(f"       was {known if has_success else 'never answered with success'}")
            code = 1
    raise SystemExit(code)


def run(place, document, options, more):
    """Walks; the exit code of schemathesis."""
    arguments = [
        f"--config-file={pathlib.Path(__file__).with_name('schemathesis.toml')}",
        "run",
        document,
        f"--url={place.url}",
        f"--seed={options.seed}",
        f"--max-examples={options.examples}",
        f"--request-timeout={SECONDS_MAX}",
        "--generation-database=none",
        "--continue-on-failure",
        "--no-color",
    ]
    try:
        command_line(args=arguments + more)
    except SystemExit as end:
        return end.code
    return 0


if __name__ == "__main__":
    main()
