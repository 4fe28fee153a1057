"""Reads the payload of a receipt; written apart from the product's own code."""

import pathlib
import subprocess


def verified_receipt(data: bytes, root: pathlib.Path, scratch: pathlib.Path) -> "Receipt":
    """What a receipt says, when openssl finds it signed below a root; ValueError otherwise."""
    receipt, payload = scratch / "receipt.der", scratch / "payload.der"
    receipt.write_bytes(data)
    done = subprocess.run(
        ["openssl", "cms", "-verify", "-inform", "der", "-in", str(receipt), "-CAfile", str(root),
         "-purpose", "any", "-out", str(payload)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ValueError("openssl does not verify it: " + done.stderr.strip().split("\n")[0])
    return Receipt(payload.read_bytes())


class Receipt:
    """The payload of a receipt: raw values by attribute, and the purchases by number."""

    def __init__(self, payload: bytes):
        self.raw: dict[int, bytes] = {}
        self.purchases: dict[int, dict] = {}
        for kind, value in attributes(payload):
            if kind != 17:
                self.raw[kind] = value
                continue
            fields = dict(attributes(value))
            number = int(text(fields[1703]))
            if number in self.purchases:
                raise ValueError(f"it has {number} twice")
            self.purchases[number] = {
                "product": text(fields[1702]),
                "quantity": int.from_bytes(elements(fields[1701])[0][1], "big"),
                "original": text(fields[1705]), "at": text(fields[1704]),
                "originally": text(fields[1706]),
                "cancelled": text(fields[1712]) if fields.get(1712) else "",
                "expires": text(fields[1708]) if fields.get(1708) else "",
                "trial": flag(fields.get(1713)), "introductory": flag(fields.get(1719)),
            }


def elements(data: bytes) -> list[tuple[int, bytes]]:
    """The DER elements that lie one after the other in some bytes: tag and contents."""
    found = []
    place = 0
    while place < len(data):
        tag, length, place = data[place], data[place + 1], place + 2
        if length >= 0x80:
            count = length & 0x7F
            length = int.from_bytes(data[place:place + count], "big")
            place += count
        if place + length > len(data):
            raise ValueError("an element is longer than what holds it")
        found.append((tag, data[place:place + length]))
        place += length
    return found


def attributes(data: bytes) -> list[tuple[int, bytes]]:
    """SET OF SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }."""
    found = []
    for _, attribute in elements(elements(data)[0][1]):
        kind, _, value = elements(attribute)
        found.append((int.from_bytes(kind[1], "big"), value[1]))
    return found


def flag(value: bytes | None) -> bool:
    """An INTEGER of 0 or 1; what is not there is false."""
    return bool(value) and int.from_bytes(elements(value)[0][1], "big") == 1


def integer(value: bytes) -> int:
    return int.from_bytes(elements(value)[0][1], "big", signed=True)


def text(value: bytes) -> str:
    return elements(value)[0][1].decode("utf-8")
