#!/usr/bin/env python3
"""Uses itunes-iap, a client that this project did not write, with a store's /verifyReceipt.

    verify_endpoint.py BASE_URL RECEIPT.der

One line per check; stops with exit status 1 at the first that fails. The receipt's own type
(attribute 0) says which environment must accept it.
"""

import argparse
import base64
import os
import pathlib
import sys

# A proxy of the machine must not stand between this client and a local store.
os.environ["NO_PROXY"] = "*"

import itunesiap
import itunesiap.receipt
from itunesiap.exceptions import InvalidReceipt
from itunesiap.request import RequestBase

# Running the checks leaves no compiled file beside them.
sys.dont_write_bytecode = True
import receipt_walk

TIMEOUT_SECONDS = 30.0

# It warns of fields that Apple sends without having documented them.
itunesiap.receipt.WARN_UNDOCUMENTED_FIELDS = False


def check(name: str, holds: bool, detail: str = "") -> None:
    print(f"{'ok' if holds else 'FAILED'}: {name}{': ' + detail if detail else ''}", flush=True)
    if not holds:
        sys.exit(1)


def status(data: str, environment: "itunesiap.environment.Environment") -> int:
    """The status that one environment answers."""
    try:
        return itunesiap.verify(data, env=environment, timeout=TIMEOUT_SECONDS).status
    except InvalidReceipt as refusal:
        return refusal.status


def check_statuses(receipt: bytes, is_sandbox: bool) -> None:
    data = base64.b64encode(receipt).decode()
    right, wrong = itunesiap.env.production, itunesiap.env.sandbox
    if is_sandbox:
        right, wrong = wrong, right
    expected = 21007 if is_sandbox else 21008
    bundle = receipt_walk.attributes(receipt)[2]
    payload = base64.b64encode(receipt_walk.flipped(receipt, bundle.end - 1)).decode()
    signature = base64.b64encode(receipt_walk.flipped(receipt, len(receipt) - 1)).decode()
    for name, sent, environment, wanted in [
        ("its own environment", data, right, 0),
        ("the other environment", data, wrong, expected),
        ("a receipt with an altered payload", payload, right, 21003),
        ("a receipt with an altered signature", signature, right, 21003),
        ("rubbish", base64.b64encode(b"no receipt").decode(), right, 21002),
        ("no receipt data", "", right, 21002),
    ]:
        found = status(sent, environment)
        check(f"{name} gets {wanted}", found == wanted, str(found))


def check_answer(receipt: bytes) -> None:
    """What the client reads, asking production first and the sandbox on 21007."""
    answer = itunesiap.verify(
        base64.b64encode(receipt).decode(), env=itunesiap.env.review, timeout=TIMEOUT_SECONDS)
    values = receipt_walk.attributes(receipt)
    check("the client gets status 0", answer.status == 0)
    found = answer.receipt
    bundle_id = receipt_walk.text(receipt, values[2])
    check("bundle_id", found.bundle_id == bundle_id, found.bundle_id)
    version = receipt_walk.text(receipt, values[3])
    check("application_version", found.application_version == version, version)
    created = found.receipt_creation_date.strftime("%Y-%m-%dT%H:%M:%SZ")
    check("receipt_creation_date", created == receipt_walk.text(receipt, values[12]), created)
    check(
        "receipt_creation_date_ms",
        found.receipt_creation_date_ms == int(found.receipt_creation_date.timestamp()) * 1000)
    check("request_date", found.request_date is not None, str(found.request_date))
    check("original_purchase_date", found.original_purchase_date is not None)
    for purchase in found.in_app if "in_app" in found else []:
        check(
            f"purchase {purchase.transaction_id}",
            purchase.quantity >= 1
            and isinstance(purchase.product_id, str)
            and isinstance(purchase.original_transaction_id, str)
            and int(purchase.purchase_date.timestamp()) * 1000 == purchase.purchase_date_ms
            and purchase.is_trial_period in (True, False),
            f"{purchase.quantity} x {purchase.product_id} on {purchase.purchase_date}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("base_url")
    parser.add_argument("receipt", type=pathlib.Path)
    options = parser.parse_args()
    base = options.base_url.rstrip("/")
    RequestBase.PRODUCTION_VALIDATION_URL = f"{base}/production/verifyReceipt"
    RequestBase.SANDBOX_VALIDATION_URL = f"{base}/sandbox/verifyReceipt"
    receipt = options.receipt.read_bytes()
    kind = receipt_walk.text(receipt, receipt_walk.attributes(receipt)[0])
    check_statuses(receipt, is_sandbox=kind.endswith("Sandbox"))
    check_answer(receipt)


if __name__ == "__main__":
    main()
