"""Judges what was given back: each transaction of a restore against the purchase it stands for."""

import collections
import sqlite3

RESTORABLE = ("nonConsumable", "autoRenewable")
# What a transaction that gives a purchase back has of it.
SAME = (
    "environment", "account_id", "app_id", "product_id", "kind", "quantity", "original_id",
    "originally_purchased_ms", "application_username")


def restore_findings(database: sqlite3.Connection, given: list, sold: dict) -> list[str]:
    """Sentences with their codes; `given` are the rows of restores, `sold` the purchases by id."""
    restores = {
        (row["device_id"], row["restore_id"]): row
        for row in database.execute("SELECT * FROM restore")}
    pages = collections.defaultdict(list)
    for row in database.execute("SELECT * FROM restore_page ORDER BY after_id"):
        pages[(row["device_id"], row["restore_id"])].append(row)
    found = []
    for key, rows in pages.items():
        found += page_findings(key[1], rows)
    copies = collections.Counter()
    for row in given:
        key = (row["device_id"], row["restore_id"])
        copies[key + (row["restored_id"],)] += 1
        if row["kind"] == "nonConsumable":
            copies[key + ("original", row["original_id"])] += 1
        problem = problem_of(row, sold.get(row["restored_id"]), restores.get(key), pages[key])
        if problem:
            found.append(f"restored-wrong: {row['id']} {problem}")
        if row["charged_milliunits"] != 0:
            found.append(f"money: {row['id']} was charged for giving back")
    for key, count in copies.items():
        if count > 1:
            found.append(f"restored-twice: {key[-1]} came back {count} times in {key[1]}")
    # What a reversed refund gave back may have been away when a page was given.
    revoked = {
        row["transaction_id"] for row in database.execute(
            "SELECT transaction_id FROM revocation UNION "
            "SELECT transaction_id FROM event WHERE kind = 'refundReversed'")}
    apps = {row["id"]: row["app_id"] for row in database.execute("SELECT * FROM device")}
    came = collections.defaultdict(set)
    for row in given:
        came[(row["device_id"], row["restore_id"])].add(row["original_id"])
    kept = collections.defaultdict(list)
    for row in sold.values():
        if row["kind"] == "nonConsumable":
            kept[row["account_id"]].append(row)
    for key, rows in pages.items():
        owned = owned_by(restores.get(key), apps.get(key[0]), kept, revoked)
        found += [
            f"restore-lost: {row['id']} did not come back in {key[1]}"
            for page in rows for row in owned
            if is_of(page, row) and row["original_id"] not in came[key]]
    return found


def owned_by(restore, app, kept: dict, revoked: set) -> list:
    """What must come back as long as it is of a page: bought once, for ever, under the name."""
    if restore is None:
        return []
    name = restore["application_username"]
    return [
        row for row in kept[restore["account_id"]]
        if row["app_id"] == app and row["id"] not in revoked
        and name in (None, row["application_username"])]


def is_of(page, row) -> bool:
    """Whether a page looked at a purchase, which had been finished before that."""
    return (
        page["after_id"] < row["id"] <= (page["last_id"] or row["id"])
        and row["finished_ms"] is not None and row["finished_ms"] < page["given_ms"])


def page_findings(restore: str, rows: list) -> list[str]:
    """Pages begin at 0, and each where the one before ended."""
    begins = [row["after_id"] for row in rows]
    ends = [row["last_id"] for row in rows]
    if begins != [0] + ends[:-1] or None in ends[:-1]:
        return [f"restore-broken: the pages of {restore} begin at {begins} and end at {ends}"]
    return []


def problem_of(row, purchase, restore, pages: list) -> str | None:
    if purchase is None:
        return f"gives back {row['restored_id']}, which was not sold"
    if restore is None or restore["account_id"] != row["account_id"]:
        return f"comes from no restore of its account ({row['restore_id']})"
    different = [name for name in SAME if row[name] != purchase[name]]
    if different:
        return f"differs from {purchase['id']} in {', '.join(different)}"
    if purchase["kind"] not in RESTORABLE or purchase["finished_ms"] is None:
        return f"gives back {purchase['id']}, which does not come back"
    if row["id"] <= purchase["id"] or row["purchased_ms"] < purchase["finished_ms"]:
        return f"is older than the end of {purchase['id']}"
    name = restore["application_username"]
    if name is not None and name != purchase["application_username"]:
        return f"was not bought under {name}"
    if not any(
        page["after_id"] < row["restored_id"] <= (page["last_id"] or row["restored_id"])
        for page in pages):
        return "is in no page of its restore"
    return None
