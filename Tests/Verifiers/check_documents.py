"""Checks both OpenAPI documents: that they are valid, that their examples are what they describe,
and that the bodies which the golden files pin are what they describe."""

import json
import pathlib
import sys

import jsonschema
import requests
from openapi_spec_validator import OpenAPIV31SpecValidator

import documents

TESTS = pathlib.Path(__file__).parents[1]
# Where a golden file has something random, it has this.
HIDDEN = "\N{HORIZONTAL ELLIPSIS}"
SOME_UUID = "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11"
SOME_KEY = "2X9R4HXF34"
# By file where a UUID does not do, one for each in turn.
SOME = {
    "control-gift-code.json": ["7KQM-0D3T-XW9A-5FGH-2RNZ"],
    "control-offer-batch.json": ["X4NP7PAJ7WJF33LKYN"],
    "control-offer-key.json": [SOME_UUID.lower(), SOME_KEY, "-----BEGIN PRIVATE KEY-----\\n"],
    "control-offer-keys.json": [SOME_UUID.lower(), SOME_KEY],
    "control-secret.json": ["00112233445566778899aabbccddeeff"],
}

# The operation and the status of each pinned body; a backend's file says its status itself.
STORE = {
    "control-account.json": ("getAccount", 200),
    "control-accounts.json": ("listAccounts", 200),
    "control-apps.json": ("listApps", 200),
    "control-clock.json": ("getClock", 200),
    "control-credit-entry.json": ("topUpCredit", 200),
    "control-credit.json": ("getCredit", 200),
    "control-developers.json": ("listDevelopers", 200),
    "control-device.json": ("getDevice", 200),
    "control-devices.json": ("listDevices", 200),
    "control-event.json": ("getEvent", 200),
    "control-events.json": ("listEvents", 200),
    "control-families.json": ("listFamilies", 200),
    "control-family.json": ("getFamily", 200),
    "control-family-change.json": ("addFamilyMember", 200),
    "control-gift-code.json": ("makeGiftCode", 201),
    "control-gift-codes.json": ("listGiftCodes", 200),
    "control-import.json": ("importCatalogue", 200),
    "control-ledger-accounts.json": ("listLedgerAccounts", 200),
    "control-ledger-entries.json": ("listLedgerEntries", 200),
    "control-offer-batch.json": ("makeOfferCode", 201),
    "control-offer-code.json": ("makeOfferCode", 201),
    "control-offer-code-ended.json": ("deactivateOfferCode", 200),
    "control-offer-codes.json": ("listOfferCodes", 200),
    "control-offer-key.json": ("makeOfferKey", 201),
    "control-offer-keys.json": ("listOfferKeys", 200),
    "control-offers.json": ("listOffers", 200),
    "control-overview.json": ("getOverview", 200),
    "control-policy.json": ("getPolicy", 200),
    "control-price-consent.json": ("askPriceConsent", 201),
    "control-price-consents.json": ("listPriceConsents", 200),
    "control-price.json": ("addPrice", 201),
    "control-prices.json": ("listPrices", 200),
    "control-product.json": ("setSaleState", 200),
    "control-products.json": ("listProducts", 200),
    "control-refund.json": ("getRefund", 200),
    "control-reviews.json": ("listReviews", 200),
    "control-secret.json": ("makeAppSecret", 201),
    "control-secrets.json": ("listAppSecrets", 200),
    "control-shop.json": ("getShop", 200),
    "control-taken-offer.json": ("redeemForAccount", 200),
    "control-transaction.json": ("getTransaction", 200),
    "control-transactions.json": ("listTransactions", 200),
    "control-win-backs.json": ("listWinBacks", 200),
    "control-world.json": ("makeWorld", 201),
    "device-attempt-done.json": ("buy", 200),
    "device-attempt-refused.json": ("buy", 200),
    "device-error.json": ("buy", 409),
    "device-finish.json": ("finish", 200),
    "device-price-consent.json": ("agreeOnDevice", 200),
    "device-price-consent-updates.json": ("getUpdates", 200),
    "device-price-consent-transactions.json": ("listUnfinished", 200),
    "device-products.json": ("findProducts", 200),
    "device-register.json": ("registerDevice", 200),
    "device-restore.json": ("restorePurchases", 200),
    "device-sign-in.json": ("signIn", 200),
    "device-transactions.json": ("listUnfinished", 200),
    "device-updates.json": ("getUpdates", 200),
}
BACKEND = {
    "busy": "submitReceipt",
    "content": "getContent",
    "no-room": "submitReceipt",
    "not-signed-in": "submitReceipt",
    "offers": "signOffer",
    "operator-submission": "showSubmission",
    "operator-submissions": "lookUp",
    "operator-subscriptions": "lookUpSubscriptions",
    "products": "listProducts",
    "purchases": "listPurchases",
    "receipts-in-address": "submitReceipt",
    "receipts": "submitReceipt",
    "receipts-kept-state": "getSubmission",
    "receipts-refused-state": "getSubmission",
    "sessions": "signIn",
    "too-many-open": "submitReceipt",
    "too-many-refused": "submitReceipt",
    "users": "signUp",
}
# What the backend sends to a store, which no document of ours describes.
NO_ANSWERS = {"verify-request.txt", "verify-request-check.txt", "verify-request-secret.txt"}


class Document:
    def __init__(self, url):
        self.url = url
        self.raw = requests.get(url + "/openapi.json", timeout=30).json()
        OpenAPIV31SpecValidator(self.raw).validate()
        documents.make_strict(self.raw)
        self.operations = {
            operation["operationId"]: operation
            for _, _, _, operation in documents.operations(self.raw)
        }

    def check(self, schema, value, what):
        whole = {"components": self.raw["components"], "allOf": [schema]}
        error = jsonschema.exceptions.best_match(
            jsonschema.Draft202012Validator(whole).iter_errors(value)
        )
        if error:
            raise SystemExit(f"{self.url}: {what}: {error.json_path}: {error.message}")

    def answer(self, operation, status):
        answer = self.operations[operation]["responses"].get(str(status))
        if answer is None:
            raise SystemExit(f"{self.url}: {operation} has no answer {status}")
        if "$ref" in answer:
            answer = self.raw["components"]["responses"][answer["$ref"].rsplit("/", 1)[1]]
        return answer["content"]["application/json"]["schema"]

    def check_examples(self, part, place=""):
        """Every `example` beside or in a schema; the number of them."""
        count = 0
        if isinstance(part, dict):
            if "example" in part:
                schema = part.get("schema", {k: v for k, v in part.items() if k != "example"})
                self.check(schema, part["example"], f"the example at {place}")
                count += 1
            for key, member in part.items():
                if key not in ("example", "properties") or isinstance(member, dict):
                    count += self.check_examples(member, f"{place}/{key}")
        elif isinstance(part, list):
            for index, member in enumerate(part):
                count += self.check_examples(member, f"{place}/{index}")
        return count


def main():
    store, backend = Document(sys.argv[1]), Document(sys.argv[2])
    for document in (store, backend):
        count = document.check_examples(document.raw)
        assert count > 5, f"{document.url} has only {count} examples"
        print(f"{document.url}: valid, {len(document.operations)} operations, {count} examples")
    bodies = 0
    for path in sorted((TESTS / "AppStoreServerTests/Golden").glob("*.json")):
        operation, status = STORE.get(path.name, (None, None))
        if path.name.startswith("verify-"):
            operation, status = "verifyReceipt", 200
        if operation is None:
            raise SystemExit(f"{path.name} is not in STORE: which operation answers it?")
        text = path.read_text()
        for some in SOME.get(path.name, ()):
            text = text.replace(HIDDEN, some, 1)
        body = json.loads(text.replace(HIDDEN, SOME_UUID))
        store.check(store.answer(operation, status), body, path.name)
        bodies += 1
    for path in sorted((TESTS / "PurchaseBackendTests/Golden").glob("*.txt")):
        known = [name for name in BACKEND if path.stem == name or path.stem.startswith(name + "-")]
        if path.name in NO_ANSWERS:
            continue
        if not known:
            raise SystemExit(f"{path.name} is not in BACKEND: which operation answers it?")
        lines = path.read_text().splitlines()
        schema = backend.answer(BACKEND[max(known, key=len)], int(lines[0]))
        backend.check(schema, json.loads(lines[-1]), path.name)
        bodies += 1
    assert bodies > 30, f"only {bodies} golden files were found"
    print(f"{bodies} bodies are as described")


if __name__ == "__main__":
    main()
