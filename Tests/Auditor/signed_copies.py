"""Judges the copies that devices keep of signed purchases: what an app of StoreKit 2 is told from."""

import base64
import hashlib
import json
import pathlib

DIGEST_LETTERS = 16


def signed_copy_findings(
    device: pathlib.Path, told: list[list[str]], known: dict[int, object]) -> list[str]:
    """Whatever an app of StoreKit 2 was told is in its device's copies, and in the store as told.

    `told` are the words of the app's lines, `known` the store's transactions by number.
    """
    found: list[str] = []
    kept: dict[int, dict] = {}
    finished: set[int] = set()
    for path in sorted((device / "signed").glob("*.copy")):
        try:
            lines = read_copy(path)
        except (ValueError, KeyError) as error:
            found.append(f"copy-damaged: {path}: {error}")
            continue
        for line in lines:
            transaction = line.get("transaction")
            if transaction is not None:
                number = int(transaction["transactionId"])
                kept[number] = payload(transaction["transaction"])
                if transaction.get("isFinished"):
                    finished.add(number)
            if "finished" in line:
                finished.add(line["finished"])
    for number, says in sorted(kept.items()):
        row = known.get(number)
        if row is None:
            found.append(f"copy-unsold: {device.name} keeps {number}, which was not sold")
            continue
        due = (row["product_id"], row["quantity"], row["purchased_ms"], str(row["original_id"]))
        got = (
            says["productId"], says["quantity"], says["purchaseDate"],
            says["originalTransactionId"])
        if got != due:
            found.append(f"copy-wrong: {device.name} keeps {number} as {got} and not {due}")
    if ["storekit2"] not in told:
        return found
    numbers = {
        word: {int(words[2]) for words in told if words[0] == word and len(words) > 2}
        for word in ("purchased", "finished")}
    found += [
        f"copy-lost: {device.name} was told of {number}, and its copy lacks it"
        for number in sorted(numbers["purchased"] - kept.keys())]
    # A finish is in the journal until the store has it.
    found += [
        f"copy-unfinished: {device.name} finished {number}, and its copy does not say so"
        for number in sorted(numbers["finished"] & kept.keys() - finished)
        if not list((device / "journal").glob(f"finish-{number}*.json"))]
    return found


def read_copy(path: pathlib.Path) -> list[dict]:
    """The whole lines of a copy; the last of a killed app may be cut."""
    lines = []
    for line in path.read_bytes().split(b"\n")[:-1]:
        digest, text = line[:DIGEST_LETTERS], line[DIGEST_LETTERS + 1:]
        if hashlib.sha256(text).hexdigest()[:DIGEST_LETTERS].encode() != digest:
            raise ValueError(f"line {len(lines) + 1} is not as its digest says")
        lines.append(json.loads(text))
    return lines


def payload(text: str) -> dict:
    """What a JWS says: whole, or without its header as copies keep it."""
    part = text.split(".")[-2]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
