/// The lines in which requests wait for a payment provider, the most urgent first.
package enum ProviderLine: CaseIterable, Sendable {
    /// To authorize what somebody waits for.
    case purchases
    /// To capture, to let go of and to give back.
    case settlements
    /// To authorize renewals, which may be many at once.
    case renewals
}

/// Which line is served next. People come first, and no line waits for ever behind another: of eight
/// turns each has some of its own, and what it does not need goes to the most urgent.
package struct ProviderTurns: Hashable, Sendable {
    private static let order: [ProviderLine] = [
        .purchases, .purchases, .settlements, .purchases,
        .purchases, .settlements, .purchases, .renewals,
    ]

    private var turn = 0

    package init() {}

    /// Nil when nothing waits.
    package mutating func next(of waiting: Set<ProviderLine>) -> ProviderLine? {
        guard let most = ProviderLine.allCases.first(where: waiting.contains) else { return nil }
        let own = Self.order[turn]
        turn = (turn + 1) % Self.order.count
        return waiting.contains(own) ? own : most
    }
}
