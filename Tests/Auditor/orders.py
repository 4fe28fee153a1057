"""Judges orders: payments that an app asked for under a name which it uses only once."""

import collections
import sqlite3


def order_findings(
    database: sqlite3.Connection, told: dict, guids: dict, sold: list, given: list,
    is_settled: bool) -> list[str]:
    """Sentences with their codes, on the devices whose app named its orders.

    `told` are the words of each device's lines, `guids` the identifiers of devices by name, `sold`
    and `given` the rows of purchases and of what was given back.
    """
    asked = {}
    told = {device: lines for device, lines in told.items() if ["started"] in lines}
    naming = {
        row["id"] for row in database.execute("SELECT id, guid FROM device")
        if row["guid"] in {guids[device] for device in told}}
    sold = [row for row in sold if row["device_id"] in naming]
    given = [row for row in given if row["device_id"] in naming]
    second = {device for device, lines in told.items() if ["storekit2"] in lines}
    for device, lines in told.items():
        for words in lines:
            if words[0] == "asked":
                asked[words[2]] = (guids[device], words[1], int(words[3]))
    if not asked:
        return []
    return (
        sale_findings(database, asked, sold)
        + failure_findings(database, told, sold)
        + delivery_findings(told, sold + given)
        + early_findings(told)
        + unverified_findings(told)
        + (waiting_findings(
            database, told,
            {name for name, (guid, *_) in asked.items()
             if guid in {guids[device] for device in second}}) if is_settled else []))


def sale_findings(database: sqlite3.Connection, asked: dict, sold: list) -> list[str]:
    """Each order became at most one purchase, of what was asked for, on the device that asked."""
    found = []
    guids = {row["id"]: row["guid"] for row in database.execute("SELECT id, guid FROM device")}
    sales = collections.defaultdict(list)
    for row in sold:
        name = row["application_username"]
        sales[name].append(row["id"])
        got = (guids.get(row["device_id"]), row["product_id"], row["quantity"])
        if name not in asked:
            found.append(f"order-unknown: {row['id']} is for {name}, which nobody asked for")
        elif asked[name] != got:
            found.append(f"order-wrong: {name} was {asked[name]} and became {got}")
    for name, numbers in sales.items():
        if len(numbers) > 1:
            found.append(f"order-twice: {name} was bought as {sorted(numbers)}")
    return found


def failure_findings(database: sqlite3.Connection, told: dict, sold: list) -> list[str]:
    """What was told as failed is not paid for, unless it was interrupted and resolved later."""
    interrupted = {
        row["application_username"] for row in database.execute(
            "SELECT application_username FROM waiting_purchase WHERE cause = 'interruption'")}
    paid = {row["application_username"]: row["id"] for row in sold}
    return [
        f"failed-and-sold: {device} was told that {words[2]} failed, and it is {paid[words[2]]}"
        for device, lines in told.items() for words in lines
        if words[0] == "failed" and words[2] in paid and words[2] not in interrupted]


def delivery_findings(told: dict, rows: list) -> list[str]:
    """Nothing is finished that no app delivered."""
    delivered = {
        words[2] for lines in told.values() for words in lines if words[0] == "delivered"}
    return [
        f"finished-undelivered: {row['id']} is finished and no app delivered it"
        for row in rows if row["finished_ms"] is not None and str(row["id"]) not in delivered]


def early_findings(told: dict) -> list[str]:
    """Nobody hears of a purchase that the receipt lacks, unless another device delivered it."""
    delivered = {
        (words[2], device) for device, lines in told.items() for words in lines
        if words[0] == "delivered"}
    return [
        f"told-early: {device} was told of {words[2]} before its receipt had it"
        for device, lines in told.items() for words in lines
        if words[0] == "receipt" and words[3:] == ["lacks"]
        and not any(number == words[2] and other != device for number, other in delivered)]


def unverified_findings(told: dict) -> list[str]:
    """No device of a store got what it could not verify."""
    return [
        f"signed-unverified: {device} got {words[1]}, {words[2]}"
        for device, lines in told.items() for words in lines if words[0] == "unverified"]


def waiting_findings(database: sqlite3.Connection, told: dict, untold: set) -> list[str]:
    """Every request was answered, and who asked heard of a refusal. StoreKit 2 reports none: `untold`
    are the names asked for with it."""
    failed = {words[2] for lines in told.values() for words in lines if words[0] == "failed"}
    refused = {row["attempt_id"]: row["state"] == "refused" for row in database.execute(
        "SELECT attempt_id, state FROM attempt")}
    found = []
    for row in database.execute("SELECT * FROM waiting_purchase"):
        name = row["application_username"]
        if row["answer"] is None:
            found.append(f"request-open: {name} was never answered")
        elif row["cause"] == "approval" and refused[row["attempt_id"]] \
                and name not in failed and name not in untold:
            found.append(f"refusal-untold: {name} was refused and no app heard of it")
    return found
