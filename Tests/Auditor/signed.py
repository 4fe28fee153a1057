"""Compact JWS with ES256, read and verified with nothing but whole numbers.

Who signed is not looked at: the key is that of the first certificate in the header.
"""

import base64
import functools
import hashlib
import json

# The curve P-256. Source: FIPS 186-4, D.1.2.3.
P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
G = (0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
     0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5)
# A key's algorithm and curve, before its point, in a certificate.
KEY = bytes.fromhex("06072a8648ce3d020106082a8648ce3d03010703420004")


def text_of(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def data_of(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def jws(head: str, payload: str, signature: str) -> str:
    return f"{head}.{text_of(payload.encode())}.{signature}"


def verifies(text: str) -> bool:
    """Whether the key that the header names signed the text."""
    try:
        signed, _, signature = text.rpartition(".")
        key, raw = key_of(signed.split(".")[0]), data_of(signature)
    except (ValueError, LookupError):
        return False
    if key is None or len(raw) != 64:
        return False
    r, s = int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")
    if not (0 < r < N and 0 < s < N):
        return False
    digest = int.from_bytes(hashlib.sha256(signed.encode()).digest(), "big")
    inverse = pow(s, -1, N)
    point = combine(digest * inverse % N, r * inverse % N, key)
    return point is not None and point % N == r


@functools.cache
def key_of(head: str) -> tuple[int, int] | None:
    header = json.loads(data_of(head))
    if header["alg"] != "ES256":
        return None
    certificate = base64.b64decode(header["x5c"][0])
    place = certificate.index(KEY) + len(KEY)
    x = int.from_bytes(certificate[place:place + 32], "big")
    y = int.from_bytes(certificate[place + 32:place + 64], "big")
    return (x, y) if (y * y - x**3 + 3 * x - B) % P == 0 else None


def combine(one: int, other: int, key: tuple[int, int]) -> int | None:
    """The first coordinate of one times the curve's generator and other times the key."""
    both = added((*G, 1), (*key, 1))
    sum_ = (0, 1, 0)
    for place in range(max(one.bit_length(), other.bit_length()) - 1, -1, -1):
        sum_ = doubled(sum_)
        bits = (one >> place & 1, other >> place & 1)
        if any(bits):
            sum_ = added(sum_, {(1, 0): (*G, 1), (0, 1): (*key, 1), (1, 1): both}[bits])
    x, _, z = sum_
    return None if z == 0 else x * pow(z, -2, P) % P


# Points in Jacobian coordinates; the third is 0 at infinity.

def doubled(point: tuple[int, int, int]) -> tuple[int, int, int]:
    x, y, z = point
    square = z * z % P
    slope = 3 * (x - square) * (x + square) % P
    y2 = y * y % P
    part = 4 * x * y2 % P
    third = (slope * slope - 2 * part) % P
    return third, (slope * (part - third) - 8 * y2 * y2) % P, 2 * y * z % P


def added(one: tuple[int, int, int], other: tuple[int, int, int]) -> tuple[int, int, int]:
    if one[2] == 0:
        return other
    if other[2] == 0:
        return one
    (x1, y1, z1), (x2, y2, z2) = one, other
    s1, s2 = z1 * z1 % P, z2 * z2 % P
    u1, u2 = x1 * s2 % P, x2 * s1 % P
    v1, v2 = y1 * s2 * z2 % P, y2 * s1 * z1 % P
    if u1 == u2:
        return doubled(one) if v1 == v2 else (0, 1, 0)
    h, slope = u2 - u1, v2 - v1
    h2 = h * h % P
    h3, part = h * h2 % P, u1 * h2 % P
    third = (slope * slope - h3 - 2 * part) % P
    return third, (slope * (part - third) - v1 * h3) % P, h * z1 * z2 % P
