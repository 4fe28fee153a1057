"""Receipts as notifications carry them, read and verified with nothing but whole numbers.

Who signed is not looked at: the key is that of the certificate which the signature names.
"""

import base64
import hashlib

from receipt import Receipt, elements

# The beginning of what is signed, before the digest. Source: RFC 8017, 9.2, note 1.
SHA256 = bytes.fromhex("3031300d060960864801650304020105000420")


def contents(data: bytes, *path: int) -> bytes:
    """The contents of an element within elements, by their places."""
    for place in path:
        data = elements(data)[place][1]
    return data


def signed_receipt(text: str) -> Receipt | None:
    """What a receipt (base64) says; None unless a key of its certificates signed it.

    Source: RFC 2315, 9: a SignedData of one signer, without attributes.
    """
    try:
        signed = contents(base64.b64decode(text, validate=True), 0, 1, 0)
        parts = [value for _, value in elements(signed)]
        payload = contents(parts[2], 1, 0)
        [signer] = [value for _, value in elements(parts[4])]
        fields = [value for _, value in elements(signer)]
        issuer, serial = [value for _, value in elements(fields[1])]
        [key] = [key for key in map(key_of, elements(parts[3])) if key[:2] == (issuer, serial)]
        return Receipt(payload) if is_by(key[2:], fields[4], payload) else None
    except (ValueError, LookupError):
        return None


def key_of(certificate: tuple[int, bytes]) -> tuple[bytes, bytes, int, int]:
    """Issuer, serial number, modulus and exponent of a certificate."""
    fields = [value for _, value in elements(elements(certificate[1])[0][1])]
    modulus, exponent = elements(contents(elements(fields[6])[1][1][1:], 0))
    return (fields[3], fields[1],
            int.from_bytes(modulus[1], "big"), int.from_bytes(exponent[1], "big"))


def is_by(key: tuple[int, int], signature: bytes, data: bytes) -> bool:
    """Whether an RSA key signed the data. Source: RFC 8017, 8.2.2."""
    modulus, exponent = key
    size = (modulus.bit_length() + 7) // 8
    told = SHA256 + hashlib.sha256(data).digest()
    wanted = b"\x00\x01" + b"\xff" * (size - len(told) - 3) + b"\x00" + told
    return len(signature) == size and pow(
        int.from_bytes(signature, "big"), exponent, modulus) == int.from_bytes(wanted, "big")
