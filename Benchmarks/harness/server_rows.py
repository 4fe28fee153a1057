"""The rows of scripts/bench about the App Store Server API."""

import os
import uuid

from programs import load, run_bench
from store import BUNDLE_ID, PASSWORD, PRODUCT, Store

# A customer's transactions, of which a page of the history has 20.
TRANSACTIONS = 100
# More than the store remembers.
FRESH_TOKENS = 12_000
API = "/sandbox/inApps"


class ServerRows:
    """Rows of `Bench`: an app's server asks about one customer."""

    def transaction_info(self):
        """With one token for all requests."""
        return self.ask_info(self.open_customer(), self.store.url)

    def tls_transaction_info(self):
        """The same over connections that are kept."""
        store, customer = self.open_tls()
        return self.ask_info(customer, store.tls_url)

    def tls_connections(self):
        """Each request with a connection and a handshake of its own."""
        found = load("connect", self.open_tls()[0].tls_url + "/health", self.seconds)
        return {"rate": found.rate, "p50_ms": found.p50_ms, "p99_ms": found.p99_ms}

    def ask_info(self, customer, url):
        return self.ask(
            "info", [f"{API}/v1/transactions/{each}" for each in customer.transactions],
            customer.tokens(1), "signedTransactionInfo", url)

    def transaction_info_fresh(self):
        """Each with another token, whose signature must be checked."""
        customer = self.open_customer()
        return self.ask(
            "fresh", [f"{API}/v1/transactions/{customer.transactions[0]}"],
            customer.tokens(FRESH_TOKENS), "signedTransactionInfo")

    def transaction_history(self):
        customer = self.open_customer()
        return self.ask(
            "history", [f"{API}/v2/history/{customer.transactions[0]}"], customer.tokens(1),
            '"hasMore":true')

    def subscription_statuses(self):
        customer = self.open_customer()
        return self.ask(
            "statuses", [f"{API}/v1/subscriptions/{customer.transactions[0]}"],
            customer.tokens(1), "signedRenewalInfo")

    def signed_data_verify(self):
        found = run_bench("signed-data", "--data", self.data, "--seconds", self.seconds)
        return {"rate": found["rate"], "ratio": found["rate"] / found["floor"],
                "openssl": found["floor"]}

    def signed_data_chain(self):
        found = run_bench("signed-data", "--data", self.data, "--seconds", self.seconds)
        return {"rate": found["chain_rate"], "ratio": found["chain_rate"] / found["chain_floor"],
                "openssl": found["chain_floor"]}

    def ask(self, name, paths, tokens, expected, url=None):
        path = self.path(name)
        count = max(len(paths), len(tokens))
        with open(path, "w") as file:
            file.writelines(f"{paths[n % len(paths)]} {tokens[n % len(tokens)]}\n"
                            for n in range(count))
        found = load("server", url or self.store.url, self.seconds, BENCH_REQUESTS=path,
                     BENCH_EXPECTED=expected)
        return {"rate": found.rate, "p50_ms": found.p50_ms, "p99_ms": found.p99_ms,
                "bytes_per_second": found.bytes_per_second}

    def open_tls(self):
        """A store of its own: a port for TLS takes connections from the other."""
        if not self.tls:
            self.say(f"a customer buys {TRANSACTIONS} times, at a store that speaks TLS")
            store = Store(self.path("tls"), self.folder, options=["--tls-port", "0"])
            store.fill()
            self.tls = store, Customer(store, self.path("customer"))
        return self.tls

    def open_customer(self):
        if not self.customer:
            self.say(f"a customer buys {TRANSACTIONS} times")
            self.customer = Customer(self.store, self.path("customer"))
        return self.customer


class Customer:
    """An account with purchases and a subscription, and the key of its app's server."""

    def __init__(self, store, folder):
        self.folder = folder
        os.mkdir(folder)
        name = f"{uuid.uuid4()}@example.com"
        store.make_accounts([name])
        base = "/sandbox/device/v1"
        device = store.ask("POST", base + "/register", {
            "guid": str(uuid.uuid4()), "bundleId": BUNDLE_ID, "appVersion": "1.0"})
        device = store.ask("POST", base + "/sign-in", {"account": name, "password": PASSWORD},
                           device["deviceToken"])
        self.transactions = [
            store.ask("POST", base + "/attempts", {
                "attemptId": str(uuid.uuid4()), "productId": product, "quantity": 1},
                device["deviceToken"])["transaction"]["transactionId"]
            for product in [BUNDLE_ID + ".club"] + [PRODUCT] * (TRANSACTIONS - 1)]
        self.key = store.ask(
            "POST", f"/control/v1/apps/{BUNDLE_ID}/offer-keys", token=store.token)
        self.key_path = os.path.join(folder, "key.p8")
        with open(self.key_path, "w") as file:
            file.write(self.key["privateKey"])

    def tokens(self, count):
        """Good for five minutes."""
        path = os.path.join(self.folder, "tokens")
        run_bench("server-tokens", "--key", self.key_path, "--key-id", self.key["keyId"],
                  "--issuer", self.key["issuerId"], "--bundle-id", BUNDLE_ID, "--count", count,
                  "--out", path)
        with open(path) as file:
            return file.read().split()
