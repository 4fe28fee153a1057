#!/usr/bin/env python3
"""Reaches a store by Apple's host names over TLS, with client libraries of which no line is changed.

    host_names.py STORE_URL DATA_FOLDER TLS_PORT

The authority is trusted by REQUESTS_CA_BUNDLE and SSL_CERT_FILE, as `bodega trust` says. One line per
check; stops with exit status 1 at the first that fails.
"""

import asyncio
import base64
import os
import socket
import ssl
import sys

# Running the checks leaves no compiled file beside them.
sys.dont_write_bytecode = True

import itunesiap  # noqa: E402
import requests  # noqa: E402
from appstoreserverlibrary.api_client import (  # noqa: E402
    APIError, APIException, AppStoreServerAPIClient)
from appstoreserverlibrary.models.Environment import Environment  # noqa: E402
from asynchronous_client import AsynchronousCaller  # noqa: E402
from itunesiap.exceptions import InvalidReceipt  # noqa: E402
from running_store import lead_names_to, options, read  # noqa: E402
from server_api import (  # noqa: E402
    BUNDLE, CATALOGUE, SECONDS_MAX, TURBO, Caller, Customer, Store, check)

HOSTS = {
    Environment.PRODUCTION: [
        "api.storekit.apple.com", "api.storekit.itunes.apple.com", "buy.itunes.apple.com"],
    Environment.SANDBOX: [
        "api.storekit-sandbox.apple.com", "api.storekit-sandbox.itunes.apple.com",
        "sandbox.itunes.apple.com"]}
# One that the store's certificate is not for.
FOREIGN = "www.apple.com"

itunesiap.receipt.WARN_UNDOCUMENTED_FIELDS = False


def check_caller(caller, number, other):
    """`other` is a transaction of the other environment."""
    found = caller.info(number)
    check(f"{caller.base} gives a transaction that its verifier accepts",
          found.transactionId == number and found.environment == caller.verifier._environment,
          found)
    for wrong in [other, "999"]:
        try:
            caller.client.get_transaction_info(wrong)
            check("an unknown transaction is refused", False)
        except APIException as refusal:
            check(f"{caller.base} refuses what it does not have", (
                refusal.http_status_code, refusal.api_error
            ) == (404, APIError.TRANSACTION_ID_NOT_FOUND), refusal)
    headers = caller.client._get_headers()
    for name, status in [(number, 200), ("999", 404)]:
        answer = requests.get(
            f"{caller.base}/inApps/v1/transactions/{name}", headers=headers, timeout=SECONDS_MAX)
        check(f"status and headers of {status}", (
            answer.status_code, answer.headers["Content-Type"], answer.reason
        ) == (status, "application/json", "OK" if status == 200 else "Not Found"),
            (answer.status_code, answer.headers))
        body = answer.json()
        check(f"the body of {status}", (
            "signedTransactionInfo" in body if status == 200 else
            body["errorCode"] == 4040010 and body["errorMessage"]), body)


def check_every_name(key, numbers):
    for environment, hosts in HOSTS.items():
        client = AppStoreServerAPIClient(
            key["privateKey"].encode(), key["keyId"], key["issuerId"], BUNDLE, environment)
        for host in hosts:
            answer = requests.get(
                f"https://{host}/inApps/v1/transactions/{numbers[environment]}",
                headers=client._get_headers(), timeout=SECONDS_MAX)
            check(f"{host} leads to {environment.value}", answer.status_code == 200, answer.text)


def receipt_status(data, environment):
    try:
        return itunesiap.verify(data, env=environment, timeout=SECONDS_MAX).status
    except InvalidReceipt as refusal:
        return refusal.status


def check_receipts(receipts):
    production, sandbox = itunesiap.env.production, itunesiap.env.sandbox
    for environment, place, expected in [
        (Environment.SANDBOX, sandbox, 0), (Environment.SANDBOX, production, 21007),
        (Environment.PRODUCTION, production, 0), (Environment.PRODUCTION, sandbox, 21008)]:
        found = receipt_status(receipts[environment], place)
        check(f"itunes-iap gets {expected}", found == expected, found)
    answer = itunesiap.verify(
        receipts[Environment.SANDBOX], env=itunesiap.env.review, timeout=SECONDS_MAX)
    check("itunes-iap goes on from production to the sandbox", answer.status == 0, answer)
    for host in ["buy.itunes.apple.com", "sandbox.itunes.apple.com"]:
        answer = requests.post(
            f"https://{host}/verifyReceipt", json={"receipt-data": "AAAA"}, timeout=SECONDS_MAX)
        check(f"{host} answers verifyReceipt", (
            answer.status_code, answer.headers["Content-Type"], answer.json()
        ) == (200, "application/json", {"status": 21002}), answer.text)


def check_control(store):
    """The owner's paths are not at Apple's names, whichever port they are asked for at."""
    headers = {"Authorization": f"Bearer {store.token}"}
    hosts = [host for hosts in HOSTS.values() for host in hosts]
    for host in [*hosts, "ocsp.apple.com"]:
        expected = 421 if host == "ocsp.apple.com" else 404
        for path in ["/control/v1/worlds", "/control/v1/accounts", "/t/x/control/v1/accounts"]:
            for url, more in [(f"https://{host}", {}), (store.url, {"Host": host})]:
                answer = requests.get(
                    url + path, headers={**headers, **more}, timeout=SECONDS_MAX)
                # A world that does not exist is not said to, before anything else.
                check(f"{host}{path} is closed", answer.status_code in (expected, 404),
                      (answer.status_code, answer.text))
    answer = requests.get(
        f"{store.url}/control/v1/accounts", headers=headers, timeout=SECONDS_MAX)
    check("the same is open at the store's own address", answer.ok, answer.text)


def check_trust():
    for what, url, trusted in [
        ("a name that the certificate is not for", f"https://{FOREIGN}/health", True),
        ("an authority that is not trusted", "https://buy.itunes.apple.com/health",
         requests.certs.where())]:
        try:
            requests.get(url, verify=trusted, timeout=SECONDS_MAX)
            check(f"{what} ends the call", False)
        except requests.exceptions.SSLError as error:
            check(f"{what} ends the call", True, error)
    strict = ssl.create_default_context(cafile=os.environ["SSL_CERT_FILE"])
    strict.verify_flags |= ssl.VERIFY_X509_STRICT
    for version in [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3]:
        strict.minimum_version = strict.maximum_version = version
        for host in [host for hosts in HOSTS.values() for host in hosts] + ["ocsp.apple.com"]:
            with socket.create_connection((host, 443), SECONDS_MAX) as plain, \
                    strict.wrap_socket(plain, server_hostname=host) as secure:
                check(f"{host} passes the strictest checks by {secure.version()}", True)


def main():
    parser = options(__doc__)
    parser.add_argument("port", type=int, help="its port for TLS")
    arguments = read(parser)
    store = Store(arguments.url, arguments.token)
    store.control("PUT", f"/apps/{BUNDLE}/catalog", CATALOGUE)
    key = store.control("POST", f"/apps/{BUNDLE}/offer-keys")
    customers = {
        Environment.SANDBOX: Customer(store, "buyer", "sandbox"),
        Environment.PRODUCTION: Customer(store, "payer", "production")}
    numbers = {each: customer.buy(TURBO) for each, customer in customers.items()}
    receipts = {
        each: base64.b64encode(requests.get(
            customer.base + "/receipt", timeout=SECONDS_MAX,
            headers={"Authorization": f"Bearer {customer.token}"}).content).decode()
        for each, customer in customers.items()}
    orders = {each["transactionId"]: each.get("orderId")
              for each in store.control("GET", "/transactions")["transactions"]}

    lead_names_to(arguments.port)
    Caller.by_name = True
    sandbox, production = (
        Caller(store, arguments.keys, each, key)
        for each in [Environment.SANDBOX, Environment.PRODUCTION])
    check("the library's addresses are its own", {sandbox.base, production.base} == {
        "https://api.storekit-sandbox.apple.com", "https://api.storekit.apple.com"})
    check_caller(sandbox, numbers[Environment.SANDBOX], numbers[Environment.PRODUCTION])
    check_caller(production, numbers[Environment.PRODUCTION], numbers[Environment.SANDBOX])
    for caller in [sandbox, production]:
        number = numbers[caller.environment]
        asyncio.run(AsynchronousCaller(caller).run(
            store, customers[caller.environment], number, orders[number]))
    check_every_name(key, numbers)
    check_receipts(receipts)
    check_control(store)
    check_trust()


if __name__ == "__main__":
    main()
