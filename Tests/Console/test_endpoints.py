"""A screen asks for every endpoint of the control interface, or the reason is listed."""

import json
import pathlib
import re

import pytest

from conftest import asked_for
from store import ROOT

DOCUMENT = ROOT / "Tests" / "OpenAPITests" / "Golden" / "store.json"
FILES = sorted(path.name for path in pathlib.Path(__file__).parent.glob("test_*.py"))

# The reasons why no screen asks for an endpoint.
REASONS = {
    "GET /control/v1/families": "a customer's page has its family",
    "GET /control/v1/families/{number}": "a customer's page has its family",
    "GET /control/v1/refunds/{transaction}": "a transaction's page has its refund",
    "GET /control/v1/subscriptions/{original}": "a subscription's timeline has it",
    "GET /control/v1/transactions.csv": "a file for programs",
    "POST /control/v1/devices": "its answer is a token for a program",
    "DELETE /control/v1/transactions/{id}": "tests undo what they did; a shop owner refunds",
}


def pattern(path):
    """An expression of the addresses of a path of the document."""
    parts = re.split(r"\{\w+\}", path)
    return re.compile(r"(/t/[^/]+)?" + "[^/]+".join(map(re.escape, parts)))


def test_every_endpoint_is_on_a_screen(request):
    if len({item.path.name for item in request.session.items}) < len(FILES):
        pytest.skip("only the whole run comes to every screen")
    paths = json.loads(DOCUMENT.read_text(encoding="utf-8"))["paths"]
    endpoints = {f"{method.upper()} {path}": (method.upper(), pattern(path))
                 for path, operations in paths.items() if path.startswith("/control/v1/")
                 for method, operation in operations.items() if "responses" in operation}
    unasked = {name for name, (method, address) in endpoints.items()
               if not any(method == sent and address.fullmatch(path) for sent, path in asked_for)}
    assert unasked == set(REASONS)
