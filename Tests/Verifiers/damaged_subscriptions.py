#!/usr/bin/env python3
"""Damages golden answers about subscriptions, and wants each damage found by what
read_subscriptions.py holds every answer to first.

    damaged_subscriptions.py FOLDER

A judge that is never seen to find anything may be blind: whoever adds a check to
subscription_answers.py adds its damage here. Ends with exit status 1 when one is not found, or found
as something else.
"""

import copy
import json
import pathlib
import sys

import subscription_answers
from subscription_answers import Finding

GONE = object()
LATEST, RENEWAL = "latest_receipt_info.0", "pending_renewal_info.0"
EXPIRED = "latest_expired_receipt_info"

# The answer's name, where it is damaged, how, and what is found.
DAMAGES = [
    # Dates say the same in three forms.
    ("trial", f"{LATEST}.purchase_date", "2026-04-01 00:00:01 Etc/GMT", "purchase_date in UTC"),
    ("trial", f"{LATEST}.purchase_date", "2026-04-01T00:00:00Z", "purchase_date in UTC"),
    ("trial", f"{LATEST}.purchase_date_pst", "2026-03-31 16:00:00 America/Los_Angeles",
     "purchase_date in Los Angeles"),
    ("trial", f"{LATEST}.purchase_date_ms", "1775001600001", "whole second"),
    ("trial", f"{LATEST}.expires_date_pst", GONE, "expires_date in Los Angeles"),
    ("trial", "receipt.request_date_pst", "2026-04-01 00:00:00 America/Los_Angeles",
     "request_date in Los Angeles"),
    ("grace", f"{RENEWAL}.grace_period_expires_date_ms", "1777852801000",
     "grace_period_expires_date in UTC"),
    ("grace", f"{RENEWAL}.grace_period_expires_date", GONE, "grace_period_expires_date in UTC"),
    ("grace", f"{RENEWAL}.is_in_billing_retry_period", "0", "over and not renewed"),
    ("refunded", f"{LATEST}.cancellation_date_ms", "1775779201000", "cancellation_date in UTC"),
    ("old trial", "receipt.expires_date", "2026-04-08 00:00:00 Etc/GMT", "in milliseconds"),
    ("old trial", "receipt.expires_date_formatted", "2026-04-09 00:00:00 Etc/GMT",
     "expires_date in UTC"),
    ("old trial", "latest_receipt_info.expires_date_formatted_pst",
     "2026-04-08 00:00:00 America/Los_Angeles", "expires_date in Los Angeles"),
    # Values of pending renewals.
    ("renewal-off", f"{RENEWAL}.auto_renew_status", "false", "auto_renew_status"),
    ("renewal-off", f"{RENEWAL}.auto_renew_status", 0, "auto_renew_status is text"),
    ("renewal-off", f"{RENEWAL}.expiration_intent", "1", "both or none"),
    ("billing-retry", f"{RENEWAL}.expiration_intent", "6", "expiration_intent"),
    ("billing-retry", f"{RENEWAL}.expiration_intent", "1", "want of money"),
    ("billing-retry", f"{RENEWAL}.is_in_billing_retry_period", "true", "is_in_billing_retry_period"),
    ("expired-voluntary", f"{RENEWAL}.product_id", "com.example.rocketcar.gold", "product_id"),
    ("price-pending", f"{RENEWAL}.price_consent_status", "2", "price_consent_status"),
    ("price-pending", f"{RENEWAL}.price_consent_status", "1", "with consent only"),
    ("price-told", f"{RENEWAL}.price_increase_status", "yes", "price_increase_status"),
    ("promotional", f"{RENEWAL}.promotional_offer_id", "", "promotional_offer_id is text"),
    ("promotional", f"{RENEWAL}.offer_code_ref_name", "both", "one offer at most"),
    ("trial", f"{RENEWAL}.original_transaction_id", "2000000000000001", "renewal for each"),
    ("trial", f"{RENEWAL}.renewal", "1", "known fields"),
    # What only the latest periods have.
    ("upgraded", "latest_receipt_info.1.is_upgraded", "false", "is_upgraded"),
    ("upgraded", "latest_receipt_info.1.is_upgraded", GONE, "refunded for a reason"),
    ("refunded", f"{LATEST}.cancellation_reason", "2", "cancellation_reason"),
    ("code", f"{LATEST}.promotional_offer_id", "both", "one offer at most"),
    ("promotional", f"{LATEST}.offer_code_ref_name", "both", "one offer at most"),
    ("family-shared", f"{LATEST}.in_app_ownership_type", "PURCHASED", "in_app_ownership_type"),
    ("trial", f"{LATEST}.in_app_ownership_type", "OWNED", "in_app_ownership_type"),
    ("trial", f"{LATEST}.subscription_group_identifier", GONE, "has a group"),
    ("renewed", f"{LATEST}.subscription_group_identifier", "1", "subscription_group_identifier"),
    ("trial", f"{LATEST}.app_account_token", "not-one", "app_account_token"),
    ("trial", "receipt.in_app.0.subscription_group_identifier", "8D7C0A11", "known fields"),
    # Of every purchase.
    ("trial", f"{LATEST}.is_trial_period", "1", "is_trial_period"),
    ("trial", f"{LATEST}.is_in_intro_offer_period", "true", "no paid trial"),
    ("trial", f"{LATEST}.quantity", "0", "quantity"),
    ("trial", f"{LATEST}.web_order_line_item_id", "none", "web_order_line_item_id"),
    ("trial", "receipt.in_app.0.is_trial_period", "false", "is the latest"),
    ("trial", "receipt.in_app.0.original_transaction_id", "2000000000000001", "in_app is known"),
    ("trial", "receipt.app_item_id", "0", "app_item_id is a number"),
    ("production", "receipt.receipt_type", "ProductionSandbox", "receipt_type"),
    ("production", "receipt.adam_id", 0, "adam_id in Production"),
    ("production", "receipt.app_item_id", 7, "names one app"),
    ("production", "receipt.download_id", 0, "download_id in Production"),
    ("trial", "receipt.download_id", 7, "download_id in Sandbox"),
    ("trial", "receipt.original_application_version", "1.1", "began as 1.0"),
    # The old style.
    ("old trial", "auto_renew_status", "1", "auto_renew_status is a number"),
    ("old trial", "environment", "Sandbox", "names no environment"),
    ("old trial", "expiration_intent", "1", "both or none"),
    ("old trial", "receipt.bid", "com.example.other", "bid is the latest"),
    ("old trial", "receipt.quantity", "2", "receipt is the latest"),
    ("old trial", "latest_receipt", GONE, "latest_receipt is text"),
    ("old expired-voluntary", "latest_receipt", "MIIT", "known fields"),
    ("old expired-voluntary", f"{EXPIRED}.original_transaction_id", "2000000000000001",
     "original"),
    ("old active", "latest_receipt_info.purchase_date_ms", "1775001600000", "purchase_date in UTC"),
    ("old production", "receipt.app_item_id", GONE, "is the latest"),
]


def damaged(answer, place, value):
    answer = copy.deepcopy(answer)
    *way, last = place.split(".")
    one = answer
    for step in way:
        one = one[int(step) if step.isdigit() else step]
    if value is GONE:
        del one[last]
    else:
        one[last] = value
    return answer


def in_other_order(answer, name):
    """The latest periods oldest first."""
    answer = copy.deepcopy(answer)
    answer["latest_receipt_info"].reverse()
    return name, answer, "newest first"


def cases(folder):
    def answer(name):
        style = "old-" if name.startswith("old ") else ""
        path = folder / f"verify-{style}subscription-{name.removeprefix('old ')}.json"
        return json.loads(path.read_text())

    for name, place, value, words in DAMAGES:
        yield f"{name}: {place}", damaged(answer(name), place, value), words
    for name in ["renewed", "several-groups", "upgraded", "exclude-old-beside-others"]:
        yield in_other_order(answer(name), f"{name}: order")


def main():
    blind = 0
    count = 0
    for name, answer, words in cases(pathlib.Path(sys.argv[1])):
        count += 1
        is_old = name.startswith("old ")
        try:
            (subscription_answers.old if is_old else subscription_answers.unified)("it", answer)
            found = "nothing"
        except Finding as finding:
            found = str(finding)
        if words not in found:
            blind += 1
            print(f"NOT FOUND: {name}: {found}, not {words}")
    print(f"{count - blind} of {count} damages found")
    sys.exit(1 if blind else 0)


if __name__ == "__main__":
    main()
