"""A customer who buys by the requests that StoreKit makes."""

import json
import urllib.error
import urllib.request
import uuid


def request(method, url, body=None, token=None):
    """The status and the decoded body of an answer; of a refusal, its text."""
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    asked = urllib.request.Request(
        url, json.dumps(body).encode() if body is not None else None, headers, method=method)
    try:
        with urllib.request.urlopen(asked, timeout=30) as answer:
            return answer.status, json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as refusal:
        return refusal.code, refusal.read().decode()


def good(answer):
    assert answer[0] == 200, answer
    return answer[1]


def buy(store, bundle, account, password, product, **more):
    """The number of the transaction that an account buys in the sandbox, on a device of its own."""
    base = f"{store}/sandbox/device/v1"
    token = good(request("POST", f"{base}/register", {
        "guid": str(uuid.uuid4()).upper(), "bundleId": bundle, "appVersion": "1.0"}))["deviceToken"]
    token = good(request("POST", f"{base}/sign-in", {
        "account": account, "password": password}, token))["deviceToken"]
    answer = good(request("POST", f"{base}/attempts", {
        "attemptId": str(uuid.uuid4()).upper(), "productId": product, "quantity": 1, **more}, token))
    return answer["transaction"]["transactionId"]
