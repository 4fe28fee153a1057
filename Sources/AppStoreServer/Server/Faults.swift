import StoreHTTP
import StoreModel
import StoreRules
import Synchronization

/// Faults that a world's owner injects into the store's answers, to test clients: at most one for
/// each place. They are not stored: a forgotten one ends when the store restarts.
package struct Faults: ~Copyable, Sendable {
    /// The requests that a fault applies to.
    struct Place: Hashable, Sendable {
        /// Nil for both.
        let environment: StoreEnvironment?
        /// Below the environment.
        let pattern: RoutePattern
    }

    private let table = Mutex<[Place: Fault]>([:])

    func set(_ fault: Fault?, at place: Place) {
        table.withLock { $0[place] = fault }
    }

    func present(at place: Place) -> Fault? { table.withLock { $0[place] } }

    var isEmpty: Bool { table.withLock { $0.isEmpty } }

    /// All of them, in the order of their paths.
    var all: [(place: Place, fault: Fault)] {
        table.withLock { table in
            table.map { ($0.key, $0.value) }.sorted {
                ($0.place.pattern.text, $0.place.environment?.rawValue ?? "")
                    < ($1.place.pattern.text, $1.place.environment?.rawValue ?? "")
            }
        }
    }

    /// Sets all of them.
    func replace(with all: [Place: Fault]) {
        table.withLock { $0 = all }
    }

    /// The fault that the next request meets; that of its environment before that of both. Nil for a
    /// request that is not in a fault's percentage.
    func next(in environment: StoreEnvironment, _ pattern: RoutePattern) -> Fault? {
        table.withLock { table in
            for place in [environment, nil].map({ Place(environment: $0, pattern: pattern) }) {
                guard let fault = table[place] else { continue }
                table[place] = fault.afterRequest
                return fault.isMet ? fault : nil
            }
            return nil
        }
    }
}

/// An injected fault of some requests, or of all until it is removed.
struct Fault: Hashable, Sendable {
    enum Effect: Hashable, Sendable {
        /// A status that `verifyReceipt` gives instead of an answer; `isRetryable`, for 21100 to
        /// 21199, is nil when the answer leaves it out.
        case receiptStatus(Int, isRetryable: Bool?)
        /// The answer to a request after a time; nil for its usual answer.
        case answer(HTTPResponse?, afterMilliseconds: Int)
    }

    /// The counts that an owner may set.
    static let counts = 1...1_000_000

    /// How many requests in a hundred meet it.
    struct Chance: Hashable, Sendable {
        static let percentages = 1...100

        let percentage: Int
        /// Decides which ones.
        let seed: Int64
        /// The requests that came so far.
        var requestCount: UInt64 = 0

        fileprivate var isMet: Bool {
            SeededDraw.number(seed, requestCount) % 100 < UInt64(percentage)
        }
    }

    let effect: Effect
    /// The number of further requests that meet it; nil for all until it is removed.
    var count: Int?
    /// Nil when every request meets it.
    var chance: Chance?

    /// Whether the next request meets it.
    fileprivate var isMet: Bool { chance?.isMet ?? true }

    /// The fault that is left after the next request; nil when that was the last to meet it.
    fileprivate var afterRequest: Fault? {
        var left = self
        left.chance?.requestCount += 1
        guard let count, isMet else { return left }
        left.count = count - 1
        return count > 1 ? left : nil
    }
}
