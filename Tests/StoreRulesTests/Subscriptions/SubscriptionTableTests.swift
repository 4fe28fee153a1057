import StoreModel
import StoreRules
import Testing

/// Every state with every event.
struct SubscriptionTableTests {
    enum State: String, CaseIterable, Sendable {
        case active, turnedOff, changing, asked, askedOff, told, agreed, declined, offered
        case promised, promisedOff, changingWithOffer
        case grace, graceOff, retry, retryOff, expired, revoked
    }

    enum Event: String, CaseIterable, Sendable {
        case turnOff, turnOn, choose, takeBack, increase, agree, decline, extend, revoke, reverse
        case tooEarly, due, dueOffSale, paid, unpaid, graceOver, retryOver
        case buySame, buyHigher, buyLower, buyTwin, buyLonger
        case raise, payAgain, buyOffer
    }

    /// What each state comes to, in the order of `Event`.
    static let table: [State: String] = [
        .active: """
        active-off active active>bronze active active-pending ended ended active revoked active
        nothing charge expire-4 active grace active active
        alreadySubscribed charge+refund later-bronze charge+refund later-silver.year
        active-notNeeded active later-silver
        """,
        .turnedOff: """
        active-off active active>bronze active active-off-pending ended ended active-off revoked
        active-off nothing expire-1 expire-1 active grace-off active-off active-off
        goesOn charge+refund later-bronze charge+refund later-silver.year
        active-off-notNeeded active-off later-silver
        """,
        .changing: """
        active-off>gold active>gold active>bronze active active>gold-pending ended ended
        active>gold revoked active>gold nothing charge expire-4 active grace>gold active>gold
        active>gold
        goesOn charge+refund later-bronze charge+refund later-silver.year
        active>gold-notNeeded active>gold later-silver
        """,
        .asked: """
        active-off-pending active-pending active>bronze-pending active-pending active-pending
        active-agreed active-off-declined active-pending revoked active-pending nothing expire-3
        expire-3 active-pending grace-pending active-pending active-pending
        alreadySubscribed charge+refund later-bronze charge+refund later-silver.year
        active-notNeeded active-pending later-silver
        """,
        .askedOff: """
        active-off-pending active-pending active>bronze-pending active-pending
        active-off-pending active-off-agreed active-off-declined active-off-pending revoked
        active-off-pending nothing expire-1 expire-1 active-pending grace-off-pending
        active-off-pending active-off-pending
        goesOn charge+refund later-bronze charge+refund later-silver.year
        active-off-notNeeded active-off-pending later-silver
        """,
        .told: """
        active-off-notNeeded active-notNeeded active>bronze-notNeeded active-notNeeded
        active-pending active-notNeeded active-notNeeded active-notNeeded revoked
        active-notNeeded nothing charge expire-4 active grace-notNeeded active-notNeeded
        active-notNeeded
        alreadySubscribed charge+refund later-bronze charge+refund later-silver.year
        active-notNeeded active-notNeeded later-silver
        """,
        .agreed: """
        active-off-agreed active-agreed active>bronze-agreed active-agreed active-pending
        active-agreed active-agreed active-agreed revoked active-agreed nothing charge expire-4
        active grace-agreed active-agreed active-agreed
        alreadySubscribed charge+refund later-bronze charge+refund later-silver.year
        active-notNeeded active-agreed later-silver
        """,
        .declined: """
        active-off-declined active-pending active>bronze-pending active-pending
        active-off-pending active-off-declined active-off-declined active-off-declined revoked
        active-off-declined nothing expire-3 expire-3 active-declined grace-off-declined
        active-off-declined active-off-declined
        goesOn charge+refund later-bronze charge+refund later-silver.year
        active-off-notNeeded active-off-declined later-silver
        """,
        .offered: """
        active-off+1 active+1 active>bronze+1 active+1 active-pending+1 ended ended active+1
        revoked active+1 nothing charge expire-4 active grace+1 active+1 active+1
        alreadySubscribed charge+refund later-bronze charge+refund later-silver.year
        active-notNeeded+1 active+1 later-silver
        """,
        .promised: """
        active-off+promised active+promised active>bronze active+promised
        active-pending+promised ended
        ended active+promised revoked active+promised nothing charge expire-4 active
        grace+promised active+promised active+promised
        alreadySubscribed charge+refund later-bronze charge+refund later-silver.year
        active-notNeeded+promised active+promised later-silver
        """,
        .promisedOff: """
        active-off+promised active+promised active>bronze active+promised
        active-off-pending+promised ended
        ended active-off+promised revoked active-off+promised nothing expire-1 expire-1 active
        grace-off+promised active-off+promised active-off+promised
        goesOn charge+refund later-bronze charge+refund later-silver.year
        active-off-notNeeded+promised active-off+promised later-silver
        """,
        .changingWithOffer: """
        active-off>bronze+promised active>bronze+promised active>bronze+promised active
        active>bronze-pending+promised ended
        ended active>bronze+promised revoked active>bronze+promised nothing charge expire-4 active
        grace>bronze+promised active>bronze+promised active>bronze+promised
        goesOn charge+refund later-bronze charge+refund later-silver.year
        active>bronze-notNeeded+promised active>bronze+promised later-silver
        """,
        .grace: """
        grace-off grace grace>bronze grace grace-pending ended ended ended revoked grace nothing
        charge later active grace retry retry
        charge charge charge charge charge
        grace-notNeeded grace charge
        """,
        .graceOff: """
        grace-off grace grace>bronze grace grace-off-pending ended ended ended revoked grace-off
        nothing expire-1 expire-1 active grace-off retry-off retry-off
        charge charge charge charge charge
        grace-off-notNeeded grace-off charge
        """,
        .retry: """
        retry-off retry retry>bronze retry retry-pending ended ended ended revoked retry nothing
        charge expire-2 active retry retry expired-2
        charge charge charge charge charge
        retry-notNeeded retry charge
        """,
        .retryOff: """
        retry-off retry retry>bronze retry retry-off-pending ended ended ended revoked retry-off
        nothing expire-1 expire-1 active retry-off retry-off expired-1
        charge charge charge charge charge
        retry-off-notNeeded retry-off charge
        """,
        .expired: """
        ended ended ended ended ended ended ended ended expired-1 expired-1 nothing nothing
        nothing active expired-1 expired-1 expired-1
        charge charge charge charge charge
        ended expired-1 charge
        """,
        .revoked: """
        ended ended ended ended ended ended ended ended revoked active-off nothing nothing
        nothing active revoked revoked revoked
        charge charge charge charge charge
        ended revoked charge
        """,
    ]

    @Test(arguments: State.allCases)
    func `each subscription event leads to the state in the table`(state: State) throws {
        let expected = try #require(Self.table[state]).split { " \n".contains($0) }.map {
            String($0)
        }
        try #require(expected.count == Event.allCases.count)
        let before = try Self.subscription(in: state)
        let found = try Event.allCases.map { try Self.outcome(of: $0, before) }
        for (event, (found, expected)) in zip(Event.allCases, zip(found, expected)) {
            #expect(found == expected, "\(state) \(event)")
        }
    }

    private static func subscription(in state: State) throws -> Subscription {
        let active = try Samples.bought()
        let facts = Samples.facts(grace: .sixteenDays)
        let grace = RenewalRules.unpaid(active, facts, at: active.expiresAt)
        return switch state {
        case .active: active
        case .turnedOff: try SubscriptionChangeRules.setAutoRenew(false, active, at: Samples.start)
        case .changing:
            try SubscriptionChangeRules.choose(ProductID("gold"), active, at: Samples.start)
        case .asked:
            try SubscriptionChangeRules.increasePrice(
                to: Samples.money(12_990), question: 1, active)
        case .askedOff:
            try SubscriptionChangeRules.setAutoRenew(
                false, try subscription(in: .asked), at: Samples.start)
        case .told:
            try SubscriptionChangeRules.increasePrice(
                to: Samples.money(10_990), question: nil, active)
        case .agreed: try SubscriptionChangeRules.answer(.agreed, try subscription(in: .asked))
        case .declined: try SubscriptionChangeRules.answer(.declined, try subscription(in: .asked))
        case .offered: try Samples.bought(offer: monthly())
        case .promised: try bought(Samples.plan(), offer: monthly(), active)
        case .promisedOff:
            try SubscriptionChangeRules.setAutoRenew(
                false, try subscription(in: .promised), at: Samples.start)
        case .changingWithOffer: try bought(Samples.bronze, offer: monthly(), active)
        case .grace: grace
        case .graceOff: try SubscriptionChangeRules.setAutoRenew(false, grace, at: grace.expiresAt)
        case .retry: RenewalRules.graceEnded(grace)
        case .retryOff:
            try SubscriptionChangeRules.setAutoRenew(
                false, RenewalRules.graceEnded(grace), at: grace.expiresAt)
        case .expired: RenewalRules.expired(active, .voluntary)
        case .revoked: SubscriptionChangeRules.revoked(active)
        }
    }

    /// What buying it with an offer for the next renewal leaves.
    private static func bought(
        _ plan: SubscriptionPlan, offer: SubscriptionOffer, _ before: Subscription
    ) throws -> Subscription {
        guard case .atRenewal(let product, let offer) = decision(plan, offer: offer, before) else {
            throw Samples.Unexpected(what: "\(plan) begins at once")
        }
        return try SubscriptionChangeRules.choose(product, offer: offer, before, at: Samples.start)
    }

    /// Two months for less.
    private static func monthly() throws -> SubscriptionOffer {
        try SubscriptionOfferTests.offer(
            .payAsYouGo, .months(1), count: 2, 990, kind: .promotional)
    }

    private static func outcome(of event: Event, _ before: Subscription) throws -> String {
        do {
            return try tried(event, before)
        } catch let refusal as SubscriptionRefusal {
            return "\(refusal)"
        }
    }

    private static func tried(_ event: Event, _ before: Subscription) throws -> String {
        let facts = Samples.facts(grace: .sixteenDays)
        let due = before.dueAt ?? before.expiresAt
        let now = before.startedAt
        switch event {
        case .turnOff: return name(try SubscriptionChangeRules.setAutoRenew(false, before, at: now))
        case .turnOn: return name(try SubscriptionChangeRules.setAutoRenew(true, before, at: now))
        case .choose:
            return name(try SubscriptionChangeRules.choose(ProductID("bronze"), before, at: now))
        case .takeBack: return name(try SubscriptionChangeRules.choose(nil, before, at: now))
        case .increase:
            return name(
                try SubscriptionChangeRules.increasePrice(
                    to: Samples.money(14_990), question: 1, before))
        case .agree: return name(try SubscriptionChangeRules.answer(.agreed, before))
        case .decline: return name(try SubscriptionChangeRules.answer(.declined, before))
        case .extend: return name(try SubscriptionChangeRules.extend(byDays: 10, before))
        case .revoke: return name(SubscriptionChangeRules.revoked(before))
        case .reverse: return name(SubscriptionChangeRules.reversed(before, at: before.startedAt))
        case .tooEarly:
            return name(RenewalRules.due(before, facts, at: due.adding(milliseconds: -1)))
        case .due: return name(RenewalRules.due(before, facts, at: due))
        case .dueOffSale: return name(RenewalRules.due(before, Samples.facts(nil), at: due))
        case .paid:
            let bill = try Samples.dueBill(try Samples.bought())
            return name(RenewalRules.paid(before, bill))
        case .unpaid: return name(RenewalRules.unpaid(before, facts, at: due))
        case .graceOver: return name(RenewalRules.graceEnded(before))
        case .retryOver:
            let after = RenewalRules.graceEnded(before)
            guard let end = after.retry?.endsAt, case .billingRetry = after.phase,
                case .expire(let reason) = RenewalRules.due(after, facts, at: end),
                case .billingRetry = before.phase
            else { return name(after) }
            return name(RenewalRules.expired(after, reason))
        case .buySame: return buy(Samples.plan(), before)
        case .buyHigher: return buy(Samples.gold, before)
        case .buyLower: return buy(Samples.bronze, before)
        case .buyTwin: return buy(Samples.silverTwin, before)
        case .buyLonger: return buy(Samples.silverYear, before)
        case .raise:
            return name(
                try SubscriptionChangeRules.increasePrice(
                    to: Samples.money(14_990), question: nil, before))
        case .payAgain: return name(SubscriptionChangeRules.payingAgain(before, at: due))
        case .buyOffer: return buy(Samples.plan(), offer: try monthly(), before)
        }
    }

    private static func buy(
        _ plan: SubscriptionPlan, offer: SubscriptionOffer? = nil, _ before: Subscription
    ) -> String {
        switch decision(plan, offer: offer, before) {
        case .charge(_, let refund): refund == nil ? "charge" : "charge+refund"
        case .atRenewal(let product, _): "later-\(product)"
        case .goesOn: "goesOn"
        case .refuse(let refusal): "\(refusal)"
        }
    }

    private static func decision(
        _ plan: SubscriptionPlan, offer: SubscriptionOffer?, _ before: Subscription
    ) -> SubscriptionPurchaseDecision {
        SubscriptionPurchaseRules.decide(
            plan, offer: offer, subscription: before, currentPlan: Samples.plan(),
            history: OfferHistory(hasSubscribed: true, hadIntroduction: false), pace: .calendar,
            at: before.startedAt.adding(.days(10)))
    }

    private static func name(_ decision: RenewalDecision) -> String {
        switch decision {
        case .nothing: "nothing"
        case .charge: "charge"
        case .tryLater: "later"
        case .endGracePeriod: "end-grace"
        case .expire(let reason): "expire-\(reason.rawValue)"
        }
    }

    private static func name(_ subscription: Subscription) -> String {
        let phase =
            switch subscription.phase {
            case .active: "active"
            case .gracePeriod: "grace"
            case .billingRetry: "retry"
            case .expired(let reason): "expired-\(reason.rawValue)"
            case .revoked: "revoked"
            }
        guard subscription.isOpen else { return phase }
        return phase + (subscription.isAutoRenewing ? "" : "-off")
            + (subscription.nextProduct.map { ">\($0)" } ?? "")
            + (subscription.increase.map { "-\($0.consent.rawValue)" } ?? "")
            + (subscription.offer.map { "+\($0.periodsLeft)" } ?? "")
            + (subscription.nextOffer == nil ? "" : "+promised")
    }
}
