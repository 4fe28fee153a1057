/// The queues of requests to a payment provider, most urgent first.
package enum ProviderLine: CaseIterable, Sendable {
    /// Authorizations that a customer waits for.
    case purchases
    /// Captures, voids and refunds.
    case settlements
    /// Authorizations of renewals, which may be many at once.
    case renewals
}

/// Chooses the queue to serve next. Requests are scheduled 5:2:1, so that no queue waits for ever
/// behind another; unused turns go to the most urgent one.
package struct ProviderTurns: Hashable, Sendable {
    private static let order: [ProviderLine] = [
        .purchases, .purchases, .settlements, .purchases,
        .purchases, .settlements, .purchases, .renewals,
    ]

    private var turn = 0

    package init() {}

    /// Nil when no queue has a request.
    package mutating func next(of waiting: Set<ProviderLine>) -> ProviderLine? {
        guard let most = ProviderLine.allCases.first(where: waiting.contains) else { return nil }
        let own = Self.order[turn]
        turn = (turn + 1) % Self.order.count
        return waiting.contains(own) ? own : most
    }
}
