import Synchronization

/// Counts the commits of one or more databases. Their writers count, without a lock, and everyone
/// may read.
package final class CommitMeter: Sendable {
    /// From the first command of a batch to the end of its commit, in nanoseconds.
    package let durations = Histogram(bounds: [
        250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000,
        100_000_000, 250_000_000, 1_000_000_000, 5_000_000_000,
    ])
    /// The number of commands in a commit.
    package let batches = Histogram(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256])
    private let failures = Atomic(0)

    package init() {}

    /// How many commits failed because the disk is full or failing.
    package var failed: Int { failures.load(ordering: .relaxed) }

    func commit(commands: Int, nanoseconds: UInt64) {
        durations.count(Int(clamping: nanoseconds))
        batches.count(commands)
    }

    func failure() {
        failures.add(1, ordering: .relaxed)
    }
}

/// Values by size, counted without a lock.
package final class Histogram: Sendable {
    /// Up to and including which value each place counts, in rising order; the last place has no
    /// bound.
    package let bounds: [Int]
    private let counts: InlineArray<16, Atomic<Int>> = InlineArray { _ in Atomic(0) }
    private let total = Atomic(0)

    package init(bounds: [Int]) {
        precondition(bounds.count < 16 && bounds == bounds.sorted(), "bounds must rise and fit")
        self.bounds = bounds
    }

    package func count(_ value: Int) {
        let place = bounds.firstIndex { value <= $0 } ?? bounds.count
        counts[place].add(1, ordering: .relaxed)
        total.add(value, ordering: .relaxed)
    }

    /// How many values each place has, and their sum.
    package var figures: (counts: [Int], sum: Int) {
        // The sum first: it is then never of more values than are counted.
        let sum = total.load(ordering: .relaxed)
        return ((0...bounds.count).map { counts[$0].load(ordering: .relaxed) }, sum)
    }
}
