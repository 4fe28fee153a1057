"""Judges what verifyReceipt told of an account against what the database has."""

import base64
import datetime
import json
import pathlib

from receipt import verified_receipt

CANCELLED_FOR = {"issue": "1", "other": "0"}


def answer_findings(path: pathlib.Path, shown: list, rows: list, world, find) -> None:
    """One saved answer, which was asked for after everything else.

    `shown` are the transactions that it must have, `rows` the account's own subscriptions.
    """
    try:
        answer = json.loads(path.read_bytes())
    except ValueError as error:
        find("receipt-unreadable", f"{path.name}: {error}")
        return
    if answer.get("status") != 0:
        find("receipt-refused", f"{path.name} has the status {answer.get('status')}")
        return
    lists = {"in_app": answer["receipt"]["in_app"]}
    periods = [row for row in shown if row["kind"] == "autoRenewable"]
    if periods:
        lists["latest_receipt_info"] = answer["latest_receipt_info"]
    elif "latest_receipt_info" in answer:
        find("receipt-differs", "it tells of subscriptions, and there are none")
    for name, entries in lists.items():
        told = {int(entry["transaction_id"]): entry for entry in entries}
        if len(told) != len(entries) or told.keys() != {row["id"] for row in shown}:
            find("receipt-differs", f"{name} has {sorted(told)}")
        for row in shown:
            if row["id"] in told:
                entry_findings(name, told[row["id"]], row, world, find)
        items = {entry.get("web_order_line_item_id") for entry in entries} - {None}
        if len(items) != len(periods):
            find("receipt-differs", f"{name} has a web order line item twice, or none")
        grows_findings(name, entries, find)
    if not periods:
        return
    latest = answer["latest_receipt_info"]
    order = [(int(entry["purchase_date_ms"]), int(entry["transaction_id"])) for entry in latest]
    if order != sorted(order, reverse=True):
        find("receipt-differs", "latest_receipt_info is not newest first")
    shared = shared_subscriptions(periods, world)
    renewal_findings(answer["pending_renewal_info"], rows + shared, find)
    for entry in answer["pending_renewal_info"]:
        told = [key for key in entry if key.startswith("price_")]
        if told and int(entry["original_transaction_id"]) in {
                row["original_id"] for row in shared}:
            find("receipt-differs", f"the price of what is shared is told: {told}")
    signed_findings(answer["latest_receipt"], shown, world, find)


def shared_subscriptions(periods: list, world) -> list[dict]:
    """How somebody must be told of what others pay: as of theirs while it goes on, ended then."""
    newest = {row["original_id"]: row for row in periods if row["shared_id"] is not None}
    seen = []
    for original, row in newest.items():
        owned = world.subscriptions.get(row["shared_original_id"])
        if owned is None:
            continue
        mine = dict(owned) | {"original_id": original, "product_id": row["product_id"]}
        if row["id"] in world.revoked or row["shared_id"] != owned["newest_id"]:
            mine |= {
                "phase": "expired", "expiration_reason": 5, "is_auto_renewing": 0,
                "next_product_id": None, "grace_until_ms": None}
        seen.append(mine)
    return seen


def fields_of(row, world) -> dict:
    """What an entry must say of a period; dates have no parts of a second."""
    is_period = row["kind"] == "autoRenewable"
    is_intro = row["offer_kind"] == "introductory"
    is_trial = is_intro and row["offer_mode"] == "freeTrial"
    revocation = world.revocations.get(row["id"])
    ended = revocation["at_ms"] if revocation else row["upgraded_ms"]
    return {
        "product_id": row["product_id"], "quantity": str(row["quantity"]),
        "original_transaction_id": str(row["original_id"]),
        "purchase_date_ms": seconds(row["purchased_ms"]),
        "original_purchase_date_ms": seconds(row["originally_purchased_ms"]),
        "expires_date_ms": seconds(row["expires_ms"]) if is_period else None,
        "is_trial_period": str(is_trial).lower(),
        "is_in_intro_offer_period": str(is_intro and not is_trial).lower() if is_period else None,
        "cancellation_date_ms": None if ended is None else seconds(ended),
        "cancellation_reason": CANCELLED_FOR[revocation["reason"]] if revocation else None,
        "in_app_ownership_type": "PURCHASED" if row["shared_id"] is None else "FAMILY_SHARED",
    }


def seconds(moment: int) -> str:
    return str(moment // 1_000 * 1_000)


def entry_findings(name: str, entry: dict, row, world, find) -> None:
    due = fields_of(row, world)
    if name == "latest_receipt_info" and row["kind"] == "autoRenewable":
        due["subscription_group_identifier"] = row["subscription_group"]
        due["is_upgraded"] = "true" if row["upgraded_ms"] is not None else None
    for key, value in due.items():
        if entry.get(key) != value:
            find("receipt-differs", f"{name} {row['id']}: {key} is {entry.get(key)}, not {value}")


def renewal_findings(entries: list, rows: list, find) -> None:
    told = {int(entry["original_transaction_id"]): entry for entry in entries}
    if len(told) != len(entries) or told.keys() != {row["original_id"] for row in rows}:
        find("receipt-differs", f"pending_renewal_info has {sorted(told)}")
    for row in rows:
        entry = told.get(row["original_id"], {})
        is_owed = row["phase"] in ("gracePeriod", "billingRetry")
        intents = {"active": None, "expired": str(row["expiration_reason"]), "revoked": "5"}
        grace = row["grace_until_ms"]
        due = {
            "product_id": row["product_id"],
            "auto_renew_product_id": row["next_product_id"] or row["product_id"],
            "auto_renew_status": str(row["is_auto_renewing"]),
            "expiration_intent": "2" if is_owed else intents[row["phase"]],
            "is_in_billing_retry_period":
                None if row["phase"] == "active" else "1" if is_owed else "0",
            "grace_period_expires_date_ms": None if grace is None else seconds(grace),
        }
        for key, value in due.items():
            if entry.get(key) != value:
                find(
                    "receipt-differs",
                    f"renewal of {row['original_id']}: {key} is {entry.get(key)}, not {value}")


def signed_findings(text: str, shown: list, world, find) -> None:
    try:
        receipt = verified_receipt(base64.b64decode(text), world.root, world.scratch)
    except ValueError as error:
        find("receipt-unreadable", f"latest_receipt: {error}")
        return
    if receipt.purchases.keys() != {row["id"] for row in shown}:
        find("receipt-differs", f"latest_receipt has {sorted(receipt.purchases)}")
        return
    for row in shown:
        got, due = receipt.purchases[row["id"]], fields_of(row, world)
        cancelled = due["cancellation_date_ms"]
        mine = {
            "product": row["product_id"], "quantity": row["quantity"],
            "original": str(row["original_id"]),
            "at": date(due["purchase_date_ms"]),
            "expires": date(due["expires_date_ms"]) if due["expires_date_ms"] else "",
            "originally": date(due["original_purchase_date_ms"]),
            "cancelled": date(cancelled) if cancelled else "",
            "trial": due["is_trial_period"] == "true",
            "introductory": due["is_in_intro_offer_period"] == "true",
        }
        for key, value in mine.items():
            if got[key] != value:
                find("receipt-differs", f"signed {row['id']}: {key} is {got[key]}, not {value}")


def date(moment: str) -> str:
    at = datetime.datetime.fromtimestamp(int(moment) // 1_000, datetime.timezone.utc)
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def grows_findings(name: str, entries: list, find) -> None:
    """The order lines of a subscription grow with its periods."""
    lines: dict[str, list] = {}
    for entry in entries:
        if "web_order_line_item_id" in entry:
            lines.setdefault(entry["original_transaction_id"], []).append(
                (int(entry["purchase_date_ms"]), int(entry["web_order_line_item_id"])))
    for original, periods in lines.items():
        items = [item for _, item in sorted(periods)]
        if items != sorted(items):
            find("receipt-differs", f"{name} has order lines of {original} in another order")
