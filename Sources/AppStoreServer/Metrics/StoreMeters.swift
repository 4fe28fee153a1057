import StoreDatabase
package import StoreHTTP
import StoreModel
package import StoreRules
import Synchronization

/// The counts of a running store. Requests count without waiting for each other.
package final class StoreMeters: Sendable {
    let root = StoreRoutes.root.makeCounts()
    let control = StoreRoutes.control.makeCounts()
    private let production = StoreRoutes.environment.makeCounts()
    private let sandbox = StoreRoutes.environment.makeCounts()
    /// Answers to requests that reached no route.
    package let unrouted = AnswerCounts()
    let commits = CommitMeter()
    /// Of all test sessions together, since there may be thousands.
    let sessionCommits = CommitMeter()
    package let provider = ProviderCounts()

    package init() {}

    func environment(_ environment: StoreEnvironment) -> RouteCounts {
        switch environment {
        case .production: production
        case .sandbox: sandbox
        }
    }
}

/// Calls of the payment provider by what was asked and what came of it.
package final class ProviderCounts: Sendable {
    static let calls = ["authorize", "capture", "void", "refund"]
    static let outcomes = ["approved", "declined", "unknown"]

    private let counts: InlineArray<12, Atomic<Int>> = InlineArray { _ in Atomic(0) }

    func count(_ request: ProviderRequest, _ outcome: ProviderOutcome) {
        let call =
            switch request {
            case .authorize: 0
            case .capture: 1
            case .void: 2
            case .refund: 3
            }
        let place =
            switch outcome {
            case .approved: 0
            case .declined: 1
            case .unknown: 2
            }
        counts[call * Self.outcomes.count + place].add(1, ordering: .relaxed)
    }

    var figures: [(call: String, outcome: String, count: Int)] {
        Self.calls.enumerated().flatMap { call, name in
            Self.outcomes.enumerated().map { place, outcome in
                let count = counts[call * Self.outcomes.count + place].load(ordering: .relaxed)
                return (name, outcome, count)
            }
        }
    }
}

/// A payment provider whose calls are counted.
package struct CountedProvider: PaymentProvider {
    private let provider: any PaymentProvider
    private let counts: ProviderCounts

    package init(_ provider: any PaymentProvider, _ counts: ProviderCounts) {
        self.provider = provider
        self.counts = counts
    }

    package func ask(_ request: ProviderRequest) -> ProviderOutcome {
        let outcome = provider.ask(request)
        counts.count(request, outcome)
        return outcome
    }

    package func close() { provider.close() }
}
