"""A small DER walker for receipts, written apart from the product's own code."""

from typing import Iterator, NamedTuple


class Element(NamedTuple):
    tag: int
    start: int  # of the contents
    end: int


def elements(data: bytes, start: int, end: int) -> Iterator[Element]:
    """The elements between two offsets, one after the other."""
    while start < end:
        tag, length, start = data[start], data[start + 1], start + 2
        if length >= 0x80:
            count = length & 0x7F
            length = int.from_bytes(data[start : start + count], "big")
            start += count
        yield Element(tag, start, start + length)
        start += length


def child(data: bytes, parent: Element, index: int) -> Element:
    return list(elements(data, parent.start, parent.end))[index]


def content(receipt: bytes) -> Element:
    """What is signed: contentInfo, [0], signedData, encapContentInfo, [0], OCTET STRING."""
    outer = next(elements(receipt, 0, len(receipt)))
    signed_data = child(receipt, child(receipt, outer, 1), 0)
    return child(receipt, child(receipt, child(receipt, signed_data, 2), 1), 0)


def attributes(receipt: bytes) -> dict[int, Element]:
    """The value OCTET STRING of each attribute, by type; of attribute 17 the last one."""
    found = {}
    payload = child(receipt, content(receipt), 0)
    for attribute in elements(receipt, payload.start, payload.end):
        kind, _, value = elements(receipt, attribute.start, attribute.end)
        found[int.from_bytes(receipt[kind.start : kind.end], "big")] = value
    return found


def octets(receipt: bytes, element: Element) -> bytes:
    return receipt[element.start : element.end]


def text(receipt: bytes, element: Element) -> str:
    """The string inside a value."""
    inner = child(receipt, element, 0)
    return receipt[inner.start : inner.end].decode("utf-8")


def flipped(data: bytes, offset: int) -> bytes:
    """A copy with one bit of one byte turned."""
    altered = bytearray(data)
    altered[offset] ^= 0x01
    return bytes(altered)
