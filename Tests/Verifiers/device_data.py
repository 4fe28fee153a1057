#!/usr/bin/env python3
"""Verifies what a device got of StoreKit 2 with libraries that this project did not write.

    device_data.py FILE

The store runs already; FILE is JSON: `url` of its environment, `bundleId`, `root` (DER in base64),
`key` of the App Store Server API with `keyId`, `issuerId` and `privateKey`, and what the app read as
`jwsRepresentation`: `transactions`, `renewals`, `appTransaction`. Apple's App Store Server Library must
accept each with its online checks on, and apple-purchase-receipt-verifier must, too; both refuse it
altered. Its payload must be what the App Store Server API signs of the same, but for the time of signing,
the device and the installed version (`appVersion`). One line per check; stops with exit status 1 at the first that fails.
"""

import base64
import json
import pathlib
import sys

from apple_purchase_receipt_verifier import Config, Reason, Verifier
from appstoreserverlibrary.api_client import AppStoreServerAPIClient
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException

APP_NUMBER = 1234567890
OF_THE_DEVICE = {"deviceVerification", "deviceVerificationNonce"}
# An app transaction names the time of its signing so.
OF_THE_TIME = {"signedDate", "receiptCreationDate"}


def check(what, is_true, found=None):
    if not is_true:
        print(f"FAILED: {what}: {found!r}")
        sys.exit(1)
    print(f"good: {what}", flush=True)


def unpacked(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def payload(jws):
    return json.loads(unpacked(jws.split(".")[1]))


def facts(jws):
    return {
        name: value for name, value in payload(jws).items()
        if name not in OF_THE_DEVICE | OF_THE_TIME}


def altered(jws):
    """With another payload, below the same signature."""
    head, _, signature = jws.split(".")
    text = json.dumps(payload(jws) | {"productId": "com.example.other"}).encode()
    return ".".join([head, base64.urlsafe_b64encode(text).rstrip(b"=").decode(), signature])


class Reader:
    """Reads one kind of signed data with both libraries."""

    def __init__(self, told):
        self.root = base64.b64decode(told["root"], validate=True)
        self.bundle = told["bundleId"]
        self.other = Verifier(Config(roots=[self.root]))

    def apple(self):
        """A new one, which remembers no answer of the responder."""
        return SignedDataVerifier(
            [self.root], True, Environment.SANDBOX, self.bundle, APP_NUMBER)

    def decode(self, kind, jws):
        apple = self.apple()
        return {
            "transaction": apple.verify_and_decode_signed_transaction,
            "renewal": apple.verify_and_decode_renewal_info,
            "app transaction": apple.verify_and_decode_app_transaction}[kind](jws)

    def refusal(self, kind, jws):
        try:
            self.decode(kind, jws)
            return ""
        except VerificationException as failure:
            return failure.status.name

    def read(self, kind, name, jws):
        """What Apple's library reads, once both have accepted it."""
        status = self.refusal(kind, jws)
        check(f"Apple's library accepts {kind} {name}", status == "", status)
        result = self.other.verify_signed_data(jws)
        check(f"the other library accepts {kind} {name}", result.verified, str(result.failure))
        status = self.refusal(kind, altered(jws))
        check(f"Apple's library refuses {kind} {name} altered",
              status == "VERIFICATION_FAILURE", status)
        result = self.other.verify_signed_data(altered(jws))
        check(f"the other library refuses {kind} {name} altered",
              not result.verified and result.failure.reason is Reason.INVALID_SIGNATURE,
              str(result.failure))
        return self.decode(kind, jws)


def compare(what, device, server, installed=frozenset()):
    """`installed` are members that the server knows of no installation."""
    check(f"{what} is of a device", OF_THE_DEVICE <= payload(device).keys(), payload(device))
    check(f"{what} of the Server API is of none", not OF_THE_DEVICE & payload(server).keys())
    check(f"{what} of the Server API is of no installation", not installed & facts(server).keys())
    rest = {name: value for name, value in facts(device).items() if name not in installed}
    check(f"{what} says what the Server API says", rest == facts(server), (rest, facts(server)))


def main():
    told = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    key = told["key"]
    client = AppStoreServerAPIClient(
        key["privateKey"].encode(), key["keyId"], key["issuerId"], told["bundleId"],
        Environment.SANDBOX)
    client._base_url = told["url"]
    reader = Reader(told)
    last = None
    for jws in told["transactions"]:
        read = reader.read("transaction", payload(jws)["transactionId"], jws)
        last = read.transactionId
        compare(f"transaction {last}, {read.productId}", jws,
                client.get_transaction_info(last).signedTransactionInfo)
    for jws in told["renewals"]:
        read = reader.read("renewal", payload(jws)["originalTransactionId"], jws)
        answer = client.get_all_subscription_statuses(read.originalTransactionId)
        (server,) = [
            each.signedRenewalInfo for group in answer.data for each in group.lastTransactions
            if each.originalTransactionId == read.originalTransactionId]
        compare(f"renewal of {read.originalTransactionId}", jws, server)
    jws = told["appTransaction"]
    read = reader.read("app transaction", payload(jws)["appTransactionId"], jws)
    check("an app transaction names the version on the device",
          payload(jws)["applicationVersion"] == told["appVersion"], payload(jws))
    compare(f"app transaction {read.appTransactionId}", jws,
            client.get_app_transaction_info(last).signedAppTransactionInfo,
            {"applicationVersion"})
    print(f"all checks passed: {len(told['transactions'])} transactions, "
          f"{len(told['renewals'])} renewals, an app transaction")


if __name__ == "__main__":
    main()
