#!/usr/bin/env python3
"""An app's server that follows Apple's advice, notified in disorder, knows what the store knows.

    notification_disorder.py STORE_URL DATA_FOLDER [--seeds 1-2]

The store runs already, without an app. By each seed, customers buy, renew, redeem offers, fail to
pay, change their minds, answer about prices, get money back, and share with their families, while
notifications are lost, doubled, delayed and swapped, and the server refuses some, breaks off, or
forgets to say that it took one. It verifies each, takes each once by its UUID, orders them by
signedDate, asks the App Store Server API when two are of the same moment, and fetches what it
missed from the notification history. Then it must know each subscription as Get All Subscription
Statuses tells it, and each transaction as Get Transaction History does; late ones that still come
must not change that. Family members are not notified when the owner's period moves or ends, so
only what a member received and lost is compared. Stops with exit status 1 at the first difference.
"""

import collections
import http.server
import json
import random
import threading

import requests
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest

from notification_offers import BACK, PLATINUM, catalogue, offer, promoted, redeem
from notified_server import Listener, name, settle
from running_store import options, read
from server_api import (
    BUNDLE, DAY, FUEL, GOLD, SILVER, START, TURBO, Caller, Customer, Store, check)

HOUR = 3_600_000
# The history reaches back 30 days in the sandbox.
ROUNDS, ACTIONS, ROUND_DAYS_MAX = 4, 27, 24
PINNED = range(1, 3)
# What those seeds bring about.
MUST = {"OFFER_REDEEMED", "PRICE_INCREASE/ACCEPTED", "PRICE_INCREASE/PENDING", "REVOKE shared",
        "SUBSCRIBED/INITIAL_BUY shared"}
CLUBS = [SILVER, GOLD, PLATINUM]
FAULTS = {"refuse": 15, "break off": 10, "forget": 10}


class Knowledge:
    """What an app's server knows of transactions and subscriptions."""

    def __init__(self, caller):
        self.caller, self.lock = caller, threading.RLock()
        self.seen = set()
        # With the date of what is known: a transaction by its number, the status and renewal of a
        # subscription by its original's.
        self.transactions, self.subscriptions = {}, {}
        self.counts = collections.Counter()
        # The types and subtypes of all, also of those that a family's member got.
        self.kinds = set()

    def take(self, signed, way):
        note = self.caller.verifier.verify_and_decode_notification(signed)
        with self.lock:
            if note.notificationUUID in self.seen:
                self.counts[f"doubled by {way}"] += 1
                return
            self.seen.add(note.notificationUUID)
            self.counts[f"taken by {way}"] += 1
            transaction = self.caller.read(note.data.signedTransactionInfo)
            self.kinds.add(name(note) + (" shared" if is_shared(transaction) else ""))
            self.learn(transaction, way)
            if note.data.signedRenewalInfo is None:
                return
            original, date = transaction.originalTransactionId, note.signedDate
            known = self.subscriptions.get(original)
            if known and known[0] == date:
                self.counts["asked"] += 1
                self.ask(original)
            elif known and known[0] > date:
                self.counts[f"older by {way}"] += 1
            else:
                renewal = self.caller.verifier.verify_and_decode_renewal_info(
                    note.data.signedRenewalInfo)
                self.subscriptions[original] = (date, note.data.rawStatus, renewal)

    def learn(self, transaction, way):
        number, date = transaction.transactionId, transaction.signedDate
        known = self.transactions.get(number)
        if known and known[0] == date and facts(known[1]) != facts(transaction):
            # Two of the same moment differ: the store knows which is true.
            transaction = self.caller.info(number)
            date = transaction.signedDate
        if not known or known[0] <= date:
            self.transactions[number] = (date, transaction)

    def ask(self, original):
        """Takes the present state, as Get All Subscription Statuses tells it."""
        answer = self.caller.client.get_all_subscription_statuses(original)
        for group in answer.data:
            for last in group.lastTransactions:
                transaction = self.caller.read(last.signedTransactionInfo)
                renewal = self.caller.verifier.verify_and_decode_renewal_info(
                    last.signedRenewalInfo)
                self.transactions[transaction.transactionId] = (
                    transaction.signedDate, transaction)
                if last.originalTransactionId == original:
                    self.subscriptions[original] = (
                        renewal.signedDate, last.rawStatus, renewal)

    def standing(self, original):
        _, status, renewal = self.subscriptions[original]
        newest = max(
            (each for _, each in self.transactions.values()
             if each.originalTransactionId == original),
            key=lambda each: (each.purchaseDate, int(each.transactionId)))
        return standing(status, newest, renewal)


def is_shared(transaction):
    return transaction.rawInAppOwnershipType == "FAMILY_SHARED"


def facts(transaction):
    """What notifications tell of a transaction; that it was upgraded is told of the next one."""
    return (transaction.transactionId, transaction.originalTransactionId, transaction.productId,
            transaction.rawInAppOwnershipType, transaction.purchaseDate,
            None if is_shared(transaction) else transaction.expiresDate,
            transaction.revocationDate, transaction.rawRevocationReason,
            transaction.revocationPercentage, transaction.price, offer(transaction))


def standing(status, newest, renewal):
    access = {"newest": newest.transactionId, "product": newest.productId,
              "revoked": newest.revocationDate}
    if is_shared(newest):
        return access
    return {
        **access, "status": status, "expires": newest.expiresDate,
        "renews": renewal.rawAutoRenewStatus, "renews as": renewal.autoRenewProductId,
        "renewal": renewal.renewalDate, "grace": renewal.gracePeriodExpiresDate,
        "ended by": renewal.rawExpirationIntent, "retried": renewal.isInBillingRetryPeriod,
        "price": renewal.renewalPrice, "consent": renewal.rawPriceIncreaseStatus,
        "offer": offer(renewal)}


class Server:
    """One environment of the app: a receiver that fails by chance, and what it knows."""

    def __init__(self, store, keys, environment, key):
        self.store, self.name = store, environment.value.lower()
        self.caller = Caller(store, keys, environment, key)
        self.knowledge, self.random = Knowledge(self.caller), random.Random()
        # Those of the present seed, and what each bought by hand.
        self.customers, self.originals, self.family = [], {}, None
        self.faults, self.lock, self.caught_up = {}, threading.Lock(), START
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                fault = server.fault()
                if fault == "break off":
                    self.close_connection = True
                    return
                if fault != "refuse":
                    server.knowledge.take(json.loads(body)["signedPayload"], "delivery")
                self.send_response(500 if fault else 200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *arguments):
                pass

        self.http = Listener(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        self.target = f"/apps/{BUNDLE}/notification-targets/{self.name}"
        store.control("PUT", self.target, {
            "url": f"http://127.0.0.1:{self.http.server_address[1]}/",
            "allowsPrivateAddresses": True})

    def fault(self):
        with self.lock:
            draw = self.random.randrange(100)
        for fault, chance in self.faults.items():
            if draw < chance:
                return fault
            draw -= chance
        return None

    def spoil(self, seed):
        self.random.seed(seed)
        self.customers, self.faults = [], FAULTS
        self.store.control("PUT", self.target + "/disorder", {
            "seed": seed, "dropped": 15, "duplicated": 25, "reordered": 25, "delayed": 30,
            "delayMilliseconds": 7 * DAY})

    def join(self, name):
        """A customer, who is known by a purchase; the first one organises a family."""
        customer = Customer(self.store, name, self.name)
        self.originals[name] = [(customer.buy(FUEL), FUEL)]
        if not self.customers:
            self.family = self.store.control("POST", "/families", {
                "environment": self.name, "organiser": name})["family"]["number"]
        self.customers.append(customer)

    # What happens

    def act(self, chance):
        """Something, as far as the store allows it."""
        customer = chance.choice(self.customers)
        originals = self.originals[customer.name]
        clubs = [number for number, product in originals if product in CLUBS]
        match chance.randrange(16):
            case 0 | 1:
                self.buy(customer, chance.choice([FUEL, *CLUBS]))
            case 2 if not any(each[1] == TURBO for each in originals):
                self.buy(customer, TURBO)
            case 3:
                number = chance.choice(originals)[0]
                self.ask(f"/refunds/{number}/request", {"reason": "OTHER"})
                step = chance.choice(["decline", "grant", "grant", "reverse"])
                if step == "reverse":
                    self.ask(f"/refunds/{number}/grant", {"type": "REFUND_FULL"})
                self.ask(f"/refunds/{number}/{step}", {
                    "type": "REFUND_FULL"} if step == "grant" else {})
            case 4:
                self.buy(customer, chance.choice(CLUBS), redeem)
            case 5 if clubs:
                self.buy(customer, chance.choice(CLUBS), lambda buyer, product: promoted(
                    buyer, product, clubs[0], self.caller.key))
            case 6 if clubs:
                self.ask(f"/subscriptions/{clubs[0]}/win-back", {"offerId": BACK})
            case 7 | 8:
                step = chance.choice(["add", "add", "remove"])
                self.ask(f"/families/{self.family}/{step}", {
                    "name": chance.choice(self.customers[1:]).name})
            case 9:
                self.answer_prices(chance)
            case _ if clubs:
                self.change(clubs[0], chance)

    def buy(self, customer, product, way=Customer.buy):
        try:
            self.originals[customer.name].append((way(customer, product), product))
        except (AssertionError, requests.HTTPError):
            pass  # They have it already, may not have it, or it waits for their renewal.

    def answer_prices(self, chance):
        for each in self.store.control("GET", "/price-consents")["priceConsents"]:
            if each["state"] == "pending":
                self.ask(f"/price-consents/{each['number']}/{chance.choice(['agree', 'decline'])}",
                         {})

    def change(self, original, chance):
        step = chance.choice([
            "cancel", "resume", "fail-billing", "recover", "recover", "extend", "choose",
            "price-increase", "price-increase", "expire"])
        body = {
            "extend": {"days": chance.randint(1, 5)},
            "choose": {"productId": chance.choice(CLUBS)},
            "price-increase": {
                "price": f"{chance.randint(20, 90)}.99", "needsConsent": chance.random() < 0.6},
        }.get(step, {})
        self.ask(f"/subscriptions/{original}/{step}", body)

    def ask(self, path, body):
        try:
            self.store.control("POST", path, body)
        except requests.HTTPError as refusal:
            assert refusal.response.status_code < 500, refusal

    # What it knows

    def catch_up(self):
        """Fetches what was missed since the last time."""
        now, token = self.store.control("GET", "/clock")["now"], None
        request = NotificationHistoryRequest(startDate=self.caught_up, endDate=now)
        while True:
            page = self.caller.client.get_notification_history(token, request)
            for each in page.notificationHistory:
                self.knowledge.take(each.signedPayload, "history")
            if not page.hasMore:
                break
            token = page.paginationToken
        self.caught_up = now

    def compare(self, what, names):
        """What it knows of customers, with what the store answers."""
        known, transactions, subscriptions, apps = self.knowledge, {}, {}, set()
        for name in names:
            numbers = [number for number, _ in self.originals[name]]
            if not numbers:
                continue
            for each in self.caller.history(numbers[0])[0]:
                transactions[each.transactionId] = facts(each)
                apps.add(each.appTransactionId)
            for group in self.caller.client.get_all_subscription_statuses(numbers[0]).data:
                for last in group.lastTransactions:
                    subscriptions[last.originalTransactionId] = standing(
                        last.rawStatus, self.caller.read(last.signedTransactionInfo),
                        self.caller.verifier.verify_and_decode_renewal_info(
                            last.signedRenewalInfo))
        mine = {number: facts(each) for number, (_, each) in known.transactions.items()
                if each.appTransactionId in apps}
        same(f"{what}: {len(transactions)} transactions", mine, transactions)
        mine = {number: known.standing(number)
                for number, (_, _, renewal) in known.subscriptions.items()
                if renewal.appTransactionId in apps}
        same(f"{what}: {len(subscriptions)} subscriptions", mine, subscriptions)


def same(what, mine, theirs):
    check(what, mine == theirs, [
        (number, mine.get(number), theirs.get(number)) for number in mine.keys() | theirs.keys()
        if mine.get(number) != theirs.get(number)])


def run(store, servers, seed):
    chance = random.Random(seed)
    for server in servers:
        server.spoil(seed)
        for number in range(3):
            server.join(f"customer {seed}-{number}")
    for number in range(1, ROUNDS + 1):
        days = ROUND_DAYS_MAX
        for _ in range(ACTIONS):
            for server in servers:
                server.act(chance)
            step = chance.randint(0, 3)
            if step and step <= days:
                days -= step
                store.control("POST", "/clock/advance", {
                    "milliseconds": step * DAY + chance.randrange(HOUR)})
        settle(store)
        for server in servers:
            server.catch_up()
            server.compare(
                f"seed {seed}, round {number}, {server.name}",
                [each.name for each in server.customers])


def seeds_of(text):
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def main():
    parser = options(__doc__)
    parser.add_argument("--seeds", type=seeds_of, default=PINNED)
    arguments = read(parser)
    store = Store(arguments.url, arguments.token)
    store.control("PUT", "/clock", {"mode": "held", "now": START})
    store.control("PUT", "/clock/pace", {"sandbox": "calendar"})
    store.control("PUT", f"/apps/{BUNDLE}/catalog", catalogue())
    store.control("PUT", f"/apps/{BUNDLE}/grace-period", {"days": 16})
    key = store.control("POST", f"/apps/{BUNDLE}/offer-keys")
    servers = [Server(store, arguments.keys, environment, key)
               for environment in [Environment.SANDBOX, Environment.PRODUCTION]]
    for seed in arguments.seeds:
        run(store, servers, seed)
    for _ in range(2):
        # What was delayed for long still comes, late.
        store.control("POST", "/clock/advance", {"milliseconds": 4 * DAY})
        settle(store)
    for server in servers:
        server.catch_up()
        server.compare(f"at last, {server.name}", server.originals)
        counts = server.knowledge.counts
        print(f"{server.name}: {dict(sorted(counts.items()))}; {sorted(server.knowledge.kinds)}")
        for each in ["taken by delivery", "taken by history", "doubled by delivery", "asked"]:
            check(f"some were {each}", counts[each] > 0, counts)
        # A slow machine may deliver the older ones first, however they were disordered.
        check("some were older", counts["older by delivery"] + counts["older by history"] > 0)
    if arguments.seeds == PINNED:
        check_kinds(servers)
    print("all checks passed")


def check_kinds(servers):
    kinds = set().union(*(server.knowledge.kinds for server in servers))
    check("families, offers and consents were notified", MUST <= kinds, MUST - kinds)


if __name__ == "__main__":
    main()
