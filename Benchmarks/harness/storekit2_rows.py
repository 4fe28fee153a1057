"""StoreKit 2 on devices, and test sessions. Each row but the launch has a store of its own, which
the bench's program starts as any test would."""

from statistics import median

from programs import Failure, run_bench

ENTITLEMENTS = 1_000
SESSIONS = 1_000


def timed(times, seconds):
    times = sorted(times)
    if not times:
        raise Failure("nothing was measured")
    return {"rate": len(times) / seconds, "p50_ms": median(times),
            "p99_ms": times[int(len(times) * 0.99)]}


class StoreKit2Rows:
    def signed_purchase_seen(self):
        return timed(run_bench("signed-buy", "--seconds", self.seconds)["milliseconds"],
                     self.seconds)

    def renewal_heard(self):
        return timed(run_bench("signed-renew", "--seconds", self.seconds)["milliseconds"],
                     self.seconds)

    def entitlements_1000(self):
        found = run_bench("signed-entitlements", "--count", ENTITLEMENTS)
        return {f"entitlements_1000_{name}": value for name, value in found.items()}

    def signed_launch_10k(self):
        return self.open_launches().measure("signed-launch", "signed_launch_10k")

    def test_session(self):
        found = run_bench("session", "--seconds", self.seconds)
        return {f"test_session_{name}": median(times) for name, times in found.items()}

    def test_sessions_1000(self):
        return self.sessions("test_sessions_1000", "sessions")

    def listening_sessions_1000(self):
        return self.sessions("listening_sessions_1000", "listening-sessions")

    def sessions(self, row, part):
        found = run_bench(part, "--count", SESSIONS)
        return {f"{row}_s": found["seconds"], f"{row}_threads": found["threads"],
                f"{row}_mb": found["resident_mb"] + found["store_mb"]}
