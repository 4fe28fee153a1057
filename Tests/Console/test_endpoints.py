"""A screen asks for every endpoint of a store's owner and of a backend's operator, or the reason is
listed."""

import json
import pathlib
import re

import pytest

from conftest import asked_for
from store import ROOT

DOCUMENTS = ROOT / "Tests" / "OpenAPITests" / "Golden"
FILES = sorted(path.name for path in pathlib.Path(__file__).parent.glob("test_*.py"))

# The reasons why no screen asks for an endpoint.
OF_STORE = {
    "GET /control/v1/families": "a customer's page has its family",
    "GET /control/v1/families/{number}": "a customer's page has its family",
    "GET /control/v1/refunds/{transaction}": "a transaction's page has its refund",
    "GET /control/v1/subscriptions/{original}": "a subscription's timeline has it",
    "GET /control/v1/transactions.csv": "a file for programs",
    "POST /control/v1/devices": "its answer is a token for a program",
    "DELETE /control/v1/transactions/{id}": "tests undo what they did; a shop owner refunds",
}


OF_BACKEND = {
    "GET /operator/v1/deliveries": "it compares all sales with the store's own list, for a program",
    "GET /operator/v1/prices": "records for the comparison, which a program keeps",
    "PUT /operator/v1/prices": "records for the comparison, which a program keeps",
}


def pattern(path):
    """An expression of the addresses of a path of the document."""
    parts = re.split(r"\{\w+\}", path)
    return re.compile(r"(/t/[^/]+)?" + "[^/]+".join(map(re.escape, parts)))


@pytest.mark.parametrize("document, prefix, reasons", [
    ("store.json", "/control/v1/", OF_STORE), ("backend.json", "/operator/v1/", OF_BACKEND),
], ids=["store", "backend"])
def test_every_endpoint_is_on_a_screen(request, document, prefix, reasons):
    if len({item.path.name for item in request.session.items}) < len(FILES):
        pytest.skip("only the whole run comes to every screen")
    paths = json.loads((DOCUMENTS / document).read_text(encoding="utf-8"))["paths"]
    endpoints = {f"{method.upper()} {path}": (method.upper(), pattern(path))
                 for path, operations in paths.items() if path.startswith(prefix)
                 for method, operation in operations.items() if "responses" in operation}
    unasked = {name for name, (method, address) in endpoints.items()
               if not any(method == sent and address.fullmatch(path) for sent, path in asked_for)}
    assert unasked == set(reasons)
