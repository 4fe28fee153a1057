import Dispatch

/// The durations of single pieces of work.
struct Stopwatch {
    private(set) var milliseconds: [Double] = []

    static func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// Runs a body and records its duration.
    mutating func time(_ body: () throws -> Void) rethrows {
        let start = Self.now()
        try body()
        add(since: start)
    }

    mutating func add(since start: UInt64) {
        milliseconds.append(Double(Self.now() - start) / 1e6)
    }

    /// The time below which a given share of the pieces stay.
    static func percentile(_ part: Double, of milliseconds: [Double]) -> Double {
        let sorted = milliseconds.sorted()
        guard !sorted.isEmpty else { return 0 }
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
    }

    /// How often each of two bodies runs per second. They alternate every quarter of a second, so
    /// that both meet the same noise.
    static func rates(
        seconds: Double, _ first: () throws -> Void, _ second: () throws -> Void
    ) throws -> (first: Double, second: Double) {
        var counts = (0.0, 0.0)
        var spent = (0.0, 0.0)
        while spent.0 + spent.1 < seconds {
            let one = try turn(first)
            let other = try turn(second)
            counts = (counts.0 + one.count, counts.1 + other.count)
            spent = (spent.0 + one.seconds, spent.1 + other.seconds)
        }
        return (counts.0 / spent.0, counts.1 / spent.1)
    }

    private static func turn(
        _ body: () throws -> Void
    ) rethrows -> (count: Double, seconds: Double) {
        let start = now()
        var count = 0.0
        while now() - start < 250_000_000 {
            try body()
            count += 1
        }
        return (count, Double(now() - start) / 1e9)
    }
}
