#!/usr/bin/env python3
"""Reads answers about subscriptions with itunes-iap, a client that this project did not write.

    read_subscriptions.py golden FOLDER
    read_subscriptions.py live BASE_URL RECEIPT SECRET_FILE

Golden files are all verify-subscription-*.json and verify-old-subscription-*.json of a folder. A live
answer is asked for with the receipt, unified (DER) or of one transaction (text), and must be one that
itunes-iap takes or, for an expired transaction, its status 21006. What each value must be stands in
subscription_answers.py. One line per answer; stops with exit status 1 at the first value that cannot
be, or that the client reads as something else than it says.
"""

import base64
import datetime
import json
import os
import pathlib
import sys
import warnings

# A proxy of the machine must not stand between this client and a local store.
os.environ["NO_PROXY"] = "*"
warnings.simplefilter("ignore")

import itunesiap
import itunesiap.receipt
from itunesiap.exceptions import InvalidReceipt
from itunesiap.receipt import InApp, PendingRenewalInfo, Purchase, Response
from itunesiap.request import RequestBase

itunesiap.receipt.WARN_UNDOCUMENTED_FIELDS = False
itunesiap.receipt.WARN_UNLISTED_FIELDS = False

import subscription_answers
from subscription_answers import Finding, check

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def milliseconds(date):
    return (date - EPOCH) // datetime.timedelta(milliseconds=1)


def check_dates(purchase, name):
    """The three forms of a date say the same, and the client reads it."""
    for field in ["purchase_date", "original_purchase_date", "cancellation_date"]:
        if field in purchase:
            read = milliseconds(getattr(purchase, field))
            check(f"{name}.{field}", read == int(purchase[field + "_ms"]), str(read))
    if "expires_date" in purchase:
        read = milliseconds(purchase.expires_date)
        # The old style has milliseconds in the field itself.
        said = purchase._.get("expires_date_ms", purchase["expires_date"])
        check(f"{name}.expires_date", read == int(said), str(read))
        begins = milliseconds(purchase.purchase_date)
        check(f"{name} lasts", read > begins, f"{begins} to {read}")


def check_purchase(purchase, name):
    check(f"{name}.quantity", purchase.quantity == 1, str(purchase.quantity))
    for field in ["product_id", "transaction_id", "original_transaction_id"]:
        check(f"{name}.{field}", isinstance(getattr(purchase, field), str))
    check(f"{name}.is_trial_period", purchase.is_trial_period in (True, False))
    if "expires_date" in purchase:
        check(f"{name} has a line item", purchase.web_order_line_item_id.isdigit())
        check(
            f"{name}.is_in_intro_offer_period",
            purchase["is_in_intro_offer_period"] in ("true", "false"))
    if "cancellation_reason" in purchase:
        check(f"{name}.cancellation_reason", purchase.cancellation_reason in (0, 1))
    check_dates(purchase, name)


def check_renewal(renewal, name):
    """What the client makes of the texts."""
    for field in ["auto_renew_status", "expiration_intent"]:
        if field in renewal:
            check(f"{name}.{field}", getattr(renewal, field) == int(renewal[field]))
    check(
        f"{name}.auto_renew_product_id",
        renewal.auto_renew_product_id == renewal["auto_renew_product_id"])


def check_unified(answer, name):
    check(f"{name}.status", answer.status == 0, str(answer.status))
    for purchase in answer.receipt.in_app:
        check_purchase(purchase, f"{name}.in_app")
    latest = answer.latest_receipt_info
    check(f"{name} has periods", len(latest) > 0 and all(type(one) is InApp for one in latest))
    for purchase in latest:
        check_purchase(purchase, f"{name}.latest_receipt_info")
    pending = answer.pending_renewal_info
    check(f"{name} has renewals", all(type(one) is PendingRenewalInfo for one in pending))
    for renewal in pending:
        check_renewal(renewal, f"{name}.pending_renewal_info")


def check_old(answer, name):
    (purchase,) = answer.receipt.in_app
    check_purchase(purchase, f"{name}.receipt")
    # The client reads the field of the receipt as milliseconds, too.
    if "expires_date" in answer.receipt:
        read = milliseconds(answer.receipt.expires_date)
        check(f"{name}.receipt.expires_date", read == int(answer.receipt["expires_date"]))
    if answer.status == 0:
        latest = answer.latest_receipt_info
        check(f"{name} is one period", type(latest) is Purchase)
    else:
        latest = Purchase(answer["latest_expired_receipt_info"])
    check_purchase(latest, f"{name}.latest")


def read(name, body):
    """Checks an answer in the style that it has; what it says in short."""
    is_unified = "environment" in body
    said = (subscription_answers.unified if is_unified else subscription_answers.old)(name, body)
    (check_unified if is_unified else check_old)(Response(body), name)
    return said


def golden(folder):
    found = sorted(
        [*folder.glob("verify-subscription-*.json"), *folder.glob("verify-old-subscription-*.json")])
    check("there are golden files", found, str(folder))
    for path in found:
        print(f"ok: {path.name}: {read(path.name, json.loads(path.read_text()))}", flush=True)
    print(f"{len(found)} golden files")


def live(base, receipt, secret):
    RequestBase.PRODUCTION_VALIDATION_URL = f"{base}/production/verifyReceipt"
    RequestBase.SANDBOX_VALIDATION_URL = f"{base}/sandbox/verifyReceipt"
    try:
        answer = itunesiap.verify(
            base64.b64encode(receipt).decode(), password=secret, env=itunesiap.env.review,
            timeout=30.0)
    except InvalidReceipt as expired:
        check("it is valid", expired.status == 21006, str(expired.status))
        answer = expired
    print(f"ok: live: {read('live', answer._)}")


def main():
    try:
        if sys.argv[1] == "golden":
            golden(pathlib.Path(sys.argv[2]))
        else:
            live(
                sys.argv[2].rstrip("/"), pathlib.Path(sys.argv[3]).read_bytes(),
                pathlib.Path(sys.argv[4]).read_text().strip())
    except Finding as finding:
        sys.exit(f"FAILED: {finding}")


if __name__ == "__main__":
    main()
