"""Walks every operation of the store's or the backend's OpenAPI document with schemathesis.

The server runs already, and is there for this walk only. Requests are made from the document,
good ones and bad ones, some of them with what is really there: an app, its products, accounts,
purchases. Every answer is held against the document: status, content type, headers, body, and the
code of an error. A member that the document does not know is a fault as well, and so is an
operation that was never answered with success: its other answers say little.
"""

import argparse
import base64
import json
import pathlib
import tempfile
import uuid

import requests
import schemathesis
from schemathesis.cli import schemathesis as command_line

import documents

BUNDLE = "com.example.rocketcar"
CATALOGUE = (
    pathlib.Path(__file__).parents[2] / "Examples/RocketCar/RocketCar.storekit"
).read_bytes()
SECONDS_MAX = 30


def call(method, url, *, token=None, body=None, data=None):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = requests.request(
        method, url, headers=headers, json=body, data=data, timeout=SECONDS_MAX
    )
    answer.raise_for_status()
    return answer


class Store:
    """A store with an app, two accounts and a device on which one of them bought everything."""

    def __init__(self, url, control_token, name):
        self.url = url
        # Nobody but this walk knows the first, so that wrong passwords lock only the second.
        self.walker = {"account": f"{name}-walker@example.com", "password": "walk-and-talk-1"}
        self.buyer = {"account": f"{name}-buyer@example.com", "password": "rocket-fuel-1"}
        self.control_token = control_token
        control = url + "/control/v1"
        call("PUT", f"{control}/apps/{BUNDLE}/catalog", token=control_token, data=CATALOGUE)
        for account in (self.walker, self.buyer):
            body = {
                "environment": "sandbox",
                "name": account["account"],
                "password": account["password"],
            }
            call("POST", control + "/accounts", token=control_token, body=body)
        listed = call("GET", f"{control}/apps/{BUNDLE}/products", token=control_token).json()
        self.products = [product["productId"] for product in listed["products"]]
        self.device_tokens = {"production": self.register("production")}
        self.device_tokens["sandbox"] = call(
            "POST",
            url + "/sandbox/device/v1/sign-in",
            token=self.register("sandbox"),
            body=self.walker,
        ).json()["deviceToken"]
        bought = [(product, self.buy(product)) for product in self.products]
        self.sold = {product: number for product, number in bought if number}
        self.receipt = call(
            "GET", url + "/sandbox/device/v1/receipt", token=self.device_tokens["sandbox"]
        ).content

    def register(self, environment):
        body = {"guid": str(uuid.uuid4()).upper(), "bundleId": BUNDLE, "appVersion": "1.0"}
        url = f"{self.url}/{environment}/device/v1/register"
        return call("POST", url, body=body).json()["deviceToken"]

    def buy(self, product):
        body = {"attemptId": str(uuid.uuid4()), "productId": product, "quantity": 1}
        answer = call(
            "POST",
            self.url + "/sandbox/device/v1/attempts",
            token=self.device_tokens["sandbox"],
            body=body,
        ).json()
        return answer.get("transaction", {}).get("transactionId")

    def real_values(self):
        """What is there, by the schemas that such values have."""
        return {
            "BundleID": [BUNDLE],
            "Identifier": self.products,
            "AccountName": [self.buyer["account"]],
            "TransactionID": list(self.sold.values()),
            "SignIn": [self.buyer],
            "FindProducts": [{"productIdentifiers": self.products}],
            "Attempt": [
                {"attemptId": str(uuid.uuid4()), "productId": product, "quantity": 1}
                for product in self.products
            ],
            "VerifyReceipt": [{"receipt-data": base64.b64encode(self.receipt).decode()}],
        }

    def token(self, case):
        if case.operation.path.startswith("/control/"):
            return self.control_token
        given = (case.path_parameters or {}).get("environment")
        environment = "production" if given == "production" else "sandbox"
        # These end the token they are called with.
        if case.operation.path.endswith(("/sign-in", "/sign-out")):
            return self.register(environment)
        return self.device_tokens[environment]

    def prepare(self, case):
        """Keeps a request from stopping the walk, or from taking away what it walks on."""
        query = case.query or {}
        if case.operation.path.endswith("/updates") and str(query.get("wait", "0")) != "0":
            if str(query["wait"]).isdecimal():
                query["wait"] = 1
        is_import = case.operation.definition.raw.get("operationId") == "importCatalogue"
        if is_import and isinstance(case.body, dict):
            if (case.path_parameters or {}).get("app") == BUNDLE:
                case.body = json.loads(CATALOGUE)


class Backend:
    """A backend whose user was granted a purchase that a store sold for this walk."""

    walker = {"name": "walker", "password": "walk-and-talk-1"}
    leaver = {"name": "leaver", "password": "leave-and-talk-1"}

    def __init__(self, url, store):
        self.url = url
        self.user_token = call("POST", url + "/v1/users", body=self.walker).json()["token"]
        call("POST", url + "/v1/users", body=self.leaver)
        self.submissions = [
            {
                "receiptData": base64.b64encode(store.receipt).decode(),
                "productId": product,
                "transactionId": number,
                "appVersion": "1.0",
            }
            for product, number in store.sold.items()
        ]
        owned = call(
            "POST", url + "/v1/receipts", token=self.user_token, body=self.submissions[0]
        ).json()
        self.values = {
            "ProductID": list(store.sold),
            "SubmissionID": [owned["submissionId"]],
            "Submission": self.submissions,
        }

    def real_values(self):
        return self.values

    def token(self, case):
        if case.method == "DELETE":
            return call("POST", self.url + "/v1/sessions", body=self.leaver).json()["token"]
        return self.user_token

    def prepare(self, case):
        pass


def register_hooks(place, seen):
    """Fills `seen` with the statuses of each operation."""
    codes = {}

    @schemathesis.hook
    def before_load_schema(context, raw_schema):
        codes.update(documents.error_codes(raw_schema))
        seen.update({operation[:2]: set() for operation in codes})
        documents.make_strict(raw_schema)
        documents.offer(raw_schema, place.real_values())

    @schemathesis.auth(refresh_interval=None)
    class Tokens:
        def get(self, case, context):
            return place.token(case) if documents.needs_token(case.operation) else None

        def set(self, case, data, context):
            if data:
                case.headers = {**(case.headers or {}), "Authorization": f"Bearer {data}"}

    @schemathesis.hook
    def before_call(context, case, kwargs):
        place.prepare(case)

    @schemathesis.hook
    def after_call(context, case, response):
        operation = (case.operation.method.lower(), case.operation.path)
        seen.get(operation, set()).add(response.status_code)

    @schemathesis.check
    def documented_code(context, response, case):
        documents.check_code(response, case, codes)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["store", "backend"])
    parser.add_argument("store_url")
    parser.add_argument("control_token")
    parser.add_argument("--backend-url")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--examples", type=int, default=5)
    options, more = parser.parse_known_args()
    place = Store(options.store_url, options.control_token, options.what)
    if options.what == "backend":
        place = Backend(options.backend_url, place)
    seen = {}
    register_hooks(place, seen)
    # From a file: an operation at the address that a document came from would be passed over.
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        file.write(call("GET", place.url + "/openapi.json").content)
        file.flush()
        code = run(place, file.name, options, more)
    for (method, path), statuses in seen.items():
        print(f"{method.upper():6} {path}: {sorted(statuses)}")
        if not any(200 <= status < 300 for status in statuses):
            print("       was never answered with success")
            code = 1
    raise SystemExit(code)


def run(place, document, options, more):
    """Walks; the exit code of schemathesis."""
    arguments = [
        f"--config-file={pathlib.Path(__file__).with_name('schemathesis.toml')}",
        "run",
        document,
        f"--url={place.url}",
        f"--seed={options.seed}",
        f"--max-examples={options.examples}",
        f"--request-timeout={SECONDS_MAX}",
        "--generation-database=none",
        "--continue-on-failure",
        "--no-color",
    ]
    try:
        command_line(args=arguments + more)
    except SystemExit as end:
        return end.code
    return 0


if __name__ == "__main__":
    main()
