import StoreModel
import StoreRules
import Testing

/// Every state of a refund with every event.
struct RefundTableTests {
    enum Event: String, CaseIterable, Sendable {
        case sameRequest, otherRequest, answer, otherAnswer, grantFull, grantShare, decline, reverse
    }

    enum State: String, CaseIterable, Sendable {
        case requested, answered, granted, share, declined, reversed
    }

    /// What each state comes to, in the order of `Event`; `=` when nothing is changed.
    static let table: [State: String] = [
        .requested: "= requestedBefore answered answered granted unknown declined notGranted",
        .answered: "= requestedBefore = answeredBefore granted share declined notGranted",
        .granted: "= requestedBefore = answeredBefore = decided decided reversed",
        .share: "= requestedBefore = answeredBefore decided = decided reversed",
        .declined: "= requestedBefore = answeredBefore decided decided = notGranted",
        .reversed: "= requestedBefore = answeredBefore decided decided decided =",
    ]

    @Test(arguments: State.allCases)
    func `each refund event leads to the state in the table`(state: State) throws {
        let expected = try #require(Self.table[state]).split(separator: " ").map(String.init)
        let before = try RefundSamples.refund(in: state)
        let found = Event.allCases.map { RefundSamples.outcome(of: $0, before) }
        #expect(found == expected)
    }

    @Test(arguments: State.allCases)
    func `a repeated refund event changes nothing at a later time`(state: State) throws {
        let before = try RefundSamples.refund(in: state)
        for event in Event.allCases {
            let once = try? RefundSamples.applying(event, before, at: RefundSamples.later)
            guard let once else { continue }
            #expect(try RefundSamples.applying(event, once, at: RefundSamples.muchLater) == once)
        }
    }

    @Test func `a decided refund request accepts no consumption answer`() throws {
        for event in [RefundEvent.grant(.full), .decline] {
            let decided = try RefundRules.applying(
                event, to: RefundSamples.refund(in: .requested), RefundSamples.facts,
                at: RefundSamples.later)
            #expect(throws: RefundRequestRefusal.decided(decided.state)) {
                _ = try RefundRules.applying(
                    .answer(RefundSamples.consumption), to: decided, RefundSamples.facts,
                    at: RefundSamples.later)
            }
        }
    }
}

enum RefundSamples {
    static let start = Timestamp(seconds: 1_000_000)
    static let later = start.adding(milliseconds: 60_000)
    static let muchLater = start.adding(milliseconds: 1_000_000)
    static let dollar = Currency(code: "USD") ?? Storefront.default.currency
    static let facts = RefundFacts(
        kind: .consumable, purchasedAt: start,
        charged: Money(milliunits: 9_990, currency: dollar))
    static let consumption = Consumption(
        customerConsented: true, consumptionPercentage: 40_000, deliveryStatus: .delivered,
        sampleContentProvided: false)
    private static let other = Consumption(
        customerConsented: true, consumptionPercentage: 50_000, deliveryStatus: .delivered,
        sampleContentProvided: true)

    static func refund(in state: RefundTableTests.State) throws -> Refund {
        let requested = try RefundRules.request(
            of: TransactionID(1), for: .other, known: nil, facts, at: start)
        if state == .requested { return requested }
        let answered = try applying(.answer, requested, at: start)
        return switch state {
        case .requested, .answered: answered
        case .granted: try applying(.grantFull, answered, at: start)
        case .share: try applying(.grantShare, answered, at: start)
        case .declined: try applying(.decline, answered, at: start)
        case .reversed:
            try applying(.reverse, try applying(.grantFull, answered, at: start), at: start)
        }
    }

    static func applying(
        _ event: RefundTableTests.Event, _ refund: Refund, at now: Timestamp
    ) throws(RefundRequestRefusal) -> Refund {
        let happened: RefundEvent
        switch event {
        case .sameRequest, .otherRequest:
            return try RefundRules.request(
                of: refund.transaction, for: event == .sameRequest ? .other : .legal,
                known: refund, facts, at: now)
        case .answer: happened = .answer(consumption)
        case .otherAnswer: happened = .answer(other)
        case .grantFull: happened = .grant(.full)
        case .grantShare: happened = .grant(.prorated)
        case .decline: happened = .decline
        case .reverse: happened = .reverse
        }
        return try RefundRules.applying(happened, to: refund, facts, at: now)
    }

    static func outcome(of event: RefundTableTests.Event, _ before: Refund) -> String {
        do {
            let after = try applying(event, before, at: later)
            if after == before { return "=" }
            return after.state == .granted && after.grant?.type == .prorated
                ? "share" : after.state.rawValue
        } catch .requestedBefore {
            return "requestedBefore"
        } catch .answeredBefore {
            return "answeredBefore"
        } catch .consumptionUnknown {
            return "unknown"
        } catch .notGranted {
            return "notGranted"
        } catch .decided(before.state) {
            return "decided"
        } catch {
            return "\(error)"
        }
    }
}
