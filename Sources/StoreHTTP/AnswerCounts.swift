import Synchronization

/// How often requests of one kind were answered, by status, and how long that took. Counting takes no
/// lock and reserves no memory.
package final class AnswerCounts: Sendable {
    /// Those that a server of this package sends; every other one is counted as `other`.
    private static let known = [
        200, 201, 202, 204, 206, 303, 304, 400, 401, 403, 404, 405, 406, 408, 409, 410, 411, 412,
        413, 414, 415, 416, 421, 422, 423, 424, 428, 429, 431, 500, 501, 502, 503, 504,
    ]
    private static let places: [Int] = {
        var places = [Int](repeating: known.count, count: 600)
        for (place, status) in known.enumerated() { places[status] = place }
        return places
    }()

    /// Up to and including how many microseconds each place counts; one more has no bound.
    package static let durationBounds = [
        1_000, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 5_000_000,
    ]

    private let counts: InlineArray<35, Atomic<Int>>
    private let durationCounts: InlineArray<10, Atomic<Int>>
    private let totalMicroseconds = Atomic(0)

    package init() {
        precondition(Self.known.count + 1 == 35, "each status has its place")
        precondition(Self.durationBounds.count + 1 == 10, "each duration has its place")
        counts = InlineArray { _ in Atomic(0) }
        durationCounts = InlineArray { _ in Atomic(0) }
    }

    package func count(_ status: Int, microseconds: Int) {
        let place =
            Self.places.indices.contains(status) ? Self.places[status] : Self.known.count
        counts[place].add(1, ordering: .relaxed)
        let bounds = Self.durationBounds
        let slot = bounds.firstIndex { microseconds <= $0 } ?? bounds.count
        durationCounts[slot].add(1, ordering: .relaxed)
        totalMicroseconds.add(microseconds, ordering: .relaxed)
    }

    /// The numbers above zero, by the text of their status.
    package var figures: [(status: String, count: Int)] {
        (0..<35).compactMap { place in
            let count = counts[place].load(ordering: .relaxed)
            let name = place < Self.known.count ? "\(Self.known[place])" : "other"
            return count > 0 ? (name, count) : nil
        }
    }
}

extension AnswerCounts {
    /// How many answers each place of the durations has, and the sum of all in microseconds.
    package var durations: (counts: [Int], microseconds: Int) {
        // The sum first: it is then never of more answers than are counted.
        let sum = totalMicroseconds.load(ordering: .relaxed)
        return ((0..<10).map { durationCounts[$0].load(ordering: .relaxed) }, sum)
    }
}

/// The counts of a router's routes.
package struct RouteCounts: Sendable {
    package struct Route: Sendable {
        package let method: String
        package let pattern: RoutePattern
        package let counts = AnswerCounts()
    }

    /// By the routes' numbers.
    package let routes: [Route]
}
