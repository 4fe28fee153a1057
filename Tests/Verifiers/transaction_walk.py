"""Takes a transaction receipt apart, written apart from the product's own code."""

import base64
import re
import struct
from typing import NamedTuple

PAIR = re.compile(r'\t"([a-z-]+)" = "([^"\\]*)";\n')


class Walked(NamedTuple):
    outer: dict[str, str]
    info_text: bytes  # what is signed, behind the version
    info: dict[str, str]
    blob: bytes
    version: int
    signature: bytes
    certificate: bytes


def pairs(text: str) -> dict[str, str]:
    """The entries of a property list of nothing but quoted texts, each on its line."""
    if not text.startswith("{\n") or not text.endswith("}"):
        raise ValueError("no dictionary")
    found = PAIR.findall(text)
    if len(text) != len("{\n}") + sum(len(f'\t"{key}" = "{value}";\n') for key, value in found):
        raise ValueError("more than quoted texts")
    return dict(found)


def walk(receipt: bytes) -> Walked:
    outer = pairs(receipt.decode("ascii"))
    info_text = base64.b64decode(outer["purchase-info"], validate=True)
    blob = base64.b64decode(outer["signature"], validate=True)
    version, signature = blob[0], blob[1:129]
    (length,) = struct.unpack(">I", blob[129:133])
    if version != 2 or len(blob) != 133 + length:
        raise ValueError("no signature of version 2")
    return Walked(
        outer, info_text, pairs(info_text.decode("ascii")), blob, version, signature, blob[133:])


def text(walked: Walked, **changes: bytes) -> bytes:
    """The receipt written anew, with another blob or another text that is signed."""
    values = dict(walked.outer)
    for key, value in changes.items():
        values[{"blob": "signature", "info_text": "purchase-info"}[key]] = base64.b64encode(
            value).decode()
    lines = "".join(f'\t"{key}" = "{value}";\n' for key, value in values.items())
    return ("{\n" + lines + "}").encode()


def forgeries(walked: Walked) -> dict[str, bytes]:
    """Copies that no store may take for its own."""
    def turned(data: bytes, offset: int) -> bytes:
        altered = bytearray(data)
        altered[offset] ^= 0x01
        return bytes(altered)

    quantity = walked.info_text.replace(
        f'"quantity" = "{walked.info["quantity"]}"'.encode(), b'"quantity" = "9"')
    return {
        "a receipt with one bit of the signature turned":
            text(walked, blob=turned(walked.blob, 64)),
        "a receipt with one bit of the certificate's signature turned":
            text(walked, blob=turned(walked.blob, len(walked.blob) - 1)),
        "a receipt of another quantity": text(walked, info_text=quantity),
        "a receipt that claims another place": text(walked).replace(b'"pod" = "', b'"pod" = "1'),
    }
