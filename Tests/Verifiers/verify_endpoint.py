#!/usr/bin/env python3
"""Uses itunes-iap, a client that this project did not write, with a store's /verifyReceipt.

    verify_endpoint.py BASE_URL RECEIPT

One line per check; stops with exit status 1 at the first that fails. The receipt is a unified one
(DER) or a transaction's own (text) and says itself which environment must accept it.
"""

import argparse
import base64
import datetime
import os
import pathlib
import sys
import zoneinfo

# A proxy of the machine must not stand between this client and a local store.
os.environ["NO_PROXY"] = "*"

import itunesiap
import itunesiap.receipt
from itunesiap.exceptions import InvalidReceipt
from itunesiap.request import RequestBase

# Running the checks leaves no compiled file beside them.
sys.dont_write_bytecode = True
import receipt_walk
import transaction_walk

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


def check_statuses(receipt: bytes, altered: dict[str, bytes], is_sandbox: bool) -> None:
    data = base64.b64encode(receipt).decode()
    right, wrong = itunesiap.env.production, itunesiap.env.sandbox
    if is_sandbox:
        right, wrong = wrong, right
    expected = 21007 if is_sandbox else 21008
    forged = [
        (name, base64.b64encode(copy).decode(), right, 21003) for name, copy in altered.items()]
    for name, sent, environment, wanted in [
        ("its own environment", data, right, 0),
        ("the other environment", data, wrong, expected),
        *forged,
        ("rubbish", base64.b64encode(b"no receipt").decode(), right, 21002),
        ("no receipt data", "", right, 21002),
    ]:
        found = status(sent, environment)
        check(f"{name} gets {wanted}", found == wanted, str(found))


def check_unified(receipt: bytes) -> None:
    values = receipt_walk.attributes(receipt)
    check_statuses(
        receipt,
        {
            "a receipt with an altered payload":
                receipt_walk.flipped(receipt, values[2].end - 1),
            "a receipt with an altered signature":
                receipt_walk.flipped(receipt, len(receipt) - 1),
        },
        is_sandbox=receipt_walk.text(receipt, values[0]).endswith("Sandbox"))
    check_unified_answer(receipt)


def check_transaction(receipt: bytes) -> None:
    walked = transaction_walk.walk(receipt)
    check_statuses(
        receipt, transaction_walk.forgeries(walked),
        is_sandbox=walked.outer.get("environment") == "Sandbox")
    answer = itunesiap.verify(
        base64.b64encode(receipt).decode(), env=itunesiap.env.review, timeout=TIMEOUT_SECONDS)
    check("the client gets status 0", answer.status == 0)
    signed = {key.replace("-", "_"): value for key, value in walked.info.items()}
    check("every signed field is in the answer, and nothing else", answer._receipt == signed)
    check("there is no environment", "environment" not in answer)
    check("there is nothing of subscriptions", not {
        key for key in answer._ if key.startswith("latest") or key.startswith("auto_renew")})
    (purchase,) = answer.receipt.in_app
    check("product_id", purchase.product_id == walked.info["product-id"], purchase.product_id)
    check("quantity", purchase.quantity == int(walked.info["quantity"]), str(purchase.quantity))
    check("transaction_id", purchase.transaction_id == walked.info["transaction-id"])
    for name in ["purchase_date", "original_purchase_date"]:
        date = getattr(purchase, name)
        milliseconds = getattr(purchase, name + "_ms")
        check(f"{name}_ms", int(date.timestamp()) == milliseconds // 1000, str(milliseconds))
        pacific = datetime.datetime.fromtimestamp(
            milliseconds // 1000, zoneinfo.ZoneInfo("America/Los_Angeles"))
        written = pacific.strftime("%Y-%m-%d %H:%M:%S America/Los_Angeles")
        check(f"{name}_pst", purchase[name + "_pst"] == written, written)


def check_unified_answer(receipt: bytes) -> None:
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
    check_transaction(receipt) if receipt.startswith(b"{") else check_unified(receipt)


if __name__ == "__main__":
    main()
