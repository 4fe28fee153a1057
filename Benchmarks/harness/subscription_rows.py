"""The rows of scripts/bench about subscriptions, each measured on a store of its own."""

from programs import load
from subscribers import (READERS, RECEIPT_RENEWALS, RECEIPTS_MS, RENEWALS, YEAR_MS,
                         YEAR_SUBSCRIBERS, Subscribers)


class SubscriptionRows:
    """Rows of `Bench`, which has a folder and stops the stores in `subscribers`, by their size."""

    def renewals_100k(self):
        return self.renew(100_000)

    def renewals_1m(self):
        return self.renew(1_000_000)

    def renew(self, count):
        """Advances the clock of a separate world until a number of its subscriptions have been
        renewed; the next round continues from there."""
        return self.open_subscribers(count).renew(RENEWALS)

    def open_subscribers(self, count):
        if count not in self.subscribers:
            self.say(f"making {count:,} subscribers")
            world = Subscribers(self.path("subscribers"), count)
            self.subscribers[count] = world
            world.fill()
        return self.subscribers[count]

    def verify_receipt_subscription(self):
        world = self.subscribers.get(READERS) or self.open_readers()
        found = load("verify", world.store.url, self.seconds, BENCH_RECEIPTS=world.receipts)
        return {"rate": found.rate, "p50_ms": found.p50_ms, "p99_ms": found.p99_ms,
                "bytes_per_second": found.bytes_per_second}

    def open_readers(self):
        self.say(f"{READERS} subscribers are renewed {RECEIPT_RENEWALS} times")
        world = Subscribers(self.path("subscribers"), READERS)
        self.subscribers[READERS] = world
        world.subscribe_all()
        world.advance(RECEIPTS_MS, READERS * RECEIPT_RENEWALS)
        world.write_bodies()
        return world

    def renewals_1m_memory(self):
        """The current and the peak memory of a store with a million subscriptions, when many have
        just been renewed."""
        world = self.open_subscribers(1_000_000)
        world.renew(RENEWALS)
        return {"renewals_1m_resident_mb": world.store.resident_mb(),
                "renewals_1m_peak_mb": world.store.resident_mb("VmHWM")}

    def renewals_year(self):
        """A year of monthly renewals for a thousand subscriptions, including the few made by the
        store."""
        world = self.open_subscribers(YEAR_SUBSCRIBERS)
        count = 12 * world.subscriptions()
        return {"renewals_year_s": count / world.advance(YEAR_MS, count)["rate"]}
