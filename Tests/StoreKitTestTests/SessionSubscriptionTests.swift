import Foundation
import StoreModel
import Testing

@testable import StoreKitTest

/// Renewals, ends, failed payments, prices and offers, as a test asks for them.
@Suite(.ownSessions, .timeLimit(.minutes(10))) struct SessionSubscriptionTests {
    @Test func `a forced renewal begins the next period, and is told`() async throws {
        let session = try Press.session()
        try await session.run {
            var updates = Transaction.updates.makeAsyncIterator()
            let first = try await Press.buy(Press.monthly)
            try session.forceRenewalOfSubscription(productIdentifier: Press.monthly)
            let next = try #require(await updates.next()).payloadValue
            #expect(next.originalID == first.id && next.id != first.id)
            #expect(next.reason == .renewal)
            #expect(try await Press.status(session).state == .subscribed)
            let periods = session.allTransactions()
            #expect(periods.map(\.originalTransactionIdentifier) == [Int(first.id), Int(first.id)])
            #expect(periods.map(\.autoRenewingEnabled) == [false, true])
            #expect(periods.last?.expirationDate == next.expirationDate)
        }
    }

    @Test func `a forced renewal ends the period now, renews again and asks for no price`()
        async throws
    {
        let session = try Press.session()
        try await session.run {
            let first = try await Press.buy(Press.yearly)
            try session.requestPriceIncreaseConsentForTransaction(identifier: Int(first.id))
            try session.disableAutoRenewForTransaction(identifier: Int(first.id))
            let before = Date()
            try session.forceRenewalOfSubscription(productIdentifier: Press.yearly)
            let periods = session.allTransactions()
            try #require(periods.count == 2)
            let end = try #require(periods[0].expirationDate)
            #expect((before.addingTimeInterval(-1)...Date()).contains(end))
            #expect(periods[1].purchaseDate == end)
            #expect(periods[1].autoRenewingEnabled && !periods[1].isPendingPriceIncreaseConsent)
            let told = try #require(await Transaction.latest(for: Press.yearly)).payloadValue
            #expect(told.price == first.price)
            let history = try await Transaction.all.first { result in
                result.unsafePayloadValue.id == first.id
            }
            #expect(try history?.payloadValue.expirationDate == end)
        }
    }

    @Test func `an expired subscription entitles to nothing and does not renew`() async throws {
        let session = try Press.session()
        try await session.run {
            let bought = try await Press.buy(Press.monthly)
            let before = Date()
            try session.expireSubscription(productIdentifier: Press.monthly)
            let end = try #require(session.allTransactions().last?.expirationDate)
            #expect((before.addingTimeInterval(-1)...Date()).contains(end))
            let told = try #require(await Transaction.latest(for: Press.monthly)).payloadValue
            #expect(told.id == bought.id && told.expirationDate == end)
            #expect(try await Transaction.currentEntitlements.first { _ in true } == nil)
            let status = try await Press.status(session)
            #expect(status.state == .expired)
            #expect(try !status.renewalInfo.payloadValue.willAutoRenew)
            #expect(session.allTransactions().last?.autoRenewingEnabled == false)
        }
    }

    @Test func `renewal is turned off and on again`() async throws {
        let session = try Press.session()
        try await session.run {
            let bought = try await Press.buy(Press.monthly)
            try session.disableAutoRenewForTransaction(identifier: Int(bought.id))
            #expect(try await !Press.status(session).renewalInfo.payloadValue.willAutoRenew)
            #expect(session.allTransactions().last?.autoRenewingEnabled == false)
            try session.enableAutoRenewForTransaction(identifier: Int(bought.id))
            #expect(try await Press.status(session).renewalInfo.payloadValue.willAutoRenew)
        }
    }

    @Test func `two-second periods renew by themselves`() async throws {
        let session = try Press.session()
        session.timeRate = .oneRenewalEveryTwoSeconds
        try await session.run {
            let updates = Transaction.updates
            var iterator = updates.makeAsyncIterator()
            let first = try await Press.buy(Press.yearly)
            let length = try #require(first.expirationDate).timeIntervalSince(first.purchaseDate)
            #expect(length == 2)
            for _ in 0..<2 {
                let renewal = try #require(await iterator.next()).payloadValue
                #expect(renewal.originalID == first.id)
                await renewal.finish()
            }
        }
    }

    // MARK: - Failed payments

    @Test(arguments: [false, true])
    func `a renewal that fails enters billing retry, and grace first if the app has it`(
        _ hasGrace: Bool
    ) async throws {
        let session = try Press.session()
        session.billingGracePeriodIsEnabled = hasGrace
        session.shouldEnterBillingRetryOnRenewal = true
        // A grace period of half an hour, and a retry of two.
        session.timeRate = .monthlyRenewalEveryHour
        try await session.run {
            let bought = try await Press.buy(Press.yearly)
            try session.forceRenewalOfSubscription(productIdentifier: Press.yearly)
            let statuses = try await Press.product(Press.yearly).subscription?.status
            let status = try #require(statuses?.first)
            #expect(status.state == (hasGrace ? .inGracePeriod : .inBillingRetryPeriod))
            #expect(try status.renewalInfo.payloadValue.isInBillingRetry)
            let listed = try #require(session.allTransactions().last)
            #expect(listed.identifier == Int(bought.id) && listed.hasPurchaseIssue)
            expectRefused(.invalidAction) {
                try session.resolveIssueForTransaction(identifier: listed.identifier)
            }
            session.shouldEnterBillingRetryOnRenewal = false
            try session.resolveIssueForTransaction(identifier: listed.identifier)
            #expect(
                try await Press.product(Press.yearly).subscription?.status.first?.state
                    == .subscribed)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a renewal that fails brings a message about it`() async throws {
        let session = try Press.session()
        session.shouldEnterBillingRetryOnRenewal = true
        try await session.run {
            var messages = Message.messages.makeAsyncIterator()
            try await Press.buy(Press.yearly)
            try session.forceRenewalOfSubscription(productIdentifier: Press.yearly)
            #expect(await messages.next()?.reason == .billingIssue)
        }
    }

    // MARK: - Higher prices

    @Test func `a customer who agrees to a higher price renews at it`() async throws {
        let session = try Press.session()
        try await session.run {
            let bought = try await Press.buy(Press.yearly)
            try session.requestPriceIncreaseConsentForTransaction(identifier: Int(bought.id))
            #expect(session.allTransactions().last?.isPendingPriceIncreaseConsent == true)
            expectRefused(.invalidAction) {
                try session.requestPriceIncreaseConsentForTransaction(identifier: Int(bought.id))
            }
            try session.consentToPriceIncreaseForTransaction(identifier: Int(bought.id))
            #expect(session.allTransactions().last?.isPendingPriceIncreaseConsent == false)
            try session.forceRenewalOfSubscription(productIdentifier: Press.yearly)
            let latest = try #require(await Transaction.latest(for: Press.yearly)).payloadValue
            #expect(try #require(latest.price) > #require(bought.price))
        }
    }

    @Test func `a customer who declines a higher price does not renew`() async throws {
        let session = try Press.session()
        try await session.run {
            let bought = try await Press.buy(Press.yearly)
            try session.requestPriceIncreaseConsentForTransaction(identifier: Int(bought.id))
            try session.declinePriceIncreaseForTransaction(identifier: Int(bought.id))
            #expect(session.allTransactions().last?.autoRenewingEnabled == false)
            expectRefused(.invalidAction) {
                try session.consentToPriceIncreaseForTransaction(identifier: Int(bought.id))
            }
        }
    }

    /// The body that moves the session's clock.
    private struct Advance: Encodable, Sendable {
        /// Milliseconds since 1970.
        let to: Int64
    }

    @Test(.timeLimit(.minutes(10)))
    func `a customer who does not answer is a subscriber until the period ends`() async throws {
        let session = try Press.session()
        try await session.run {
            let bought = try await Press.buy(Press.yearly)
            try session.requestPriceIncreaseConsentForTransaction(identifier: Int(bought.id))
            func status() async throws -> StoreKit.Product.SubscriptionInfo.Status? {
                try await Press.product(Press.yearly).subscription?.status.first
            }
            let asked = try #require(try await status())
            #expect(asked.state == .subscribed)
            #expect(try asked.renewalInfo.payloadValue.priceIncreaseStatus == .pending)
            var statuses = StoreKit.Product.SubscriptionInfo.Status.updates.makeAsyncIterator()
            let end = try #require(bought.expirationDate)
            try session.world.send(
                "POST", "/clock/advance",
                Advance(to: Int64((end.timeIntervalSince1970 * 1_000).rounded()) + 1))
            let ended = try #require(await statuses.next())
            #expect(ended.state == .expired)
            let renewal = try ended.renewalInfo.payloadValue
            #expect(renewal.expirationReason == .didNotConsentToPriceIncrease)
            #expect(!renewal.willAutoRenew)
            #expect(try ended.transaction.payloadValue.expirationDate == end)
            #expect(session.allTransactions().count == 1)
        }
    }

    // MARK: - What only a test buys

    @Test func `a subscription bought in the past renewed until now`() async throws {
        let session = try Press.session()
        try await session.run {
            let date = Date(timeIntervalSinceNow: -100 * 86_400)
            let bought = try await session.buyProduct(
                identifier: Press.monthly, options: [.purchaseDate(date)])
            #expect(abs(bought.purchaseDate.timeIntervalSince(date)) < 0.001)
            // A week's trial, and then three or four months.
            #expect(try await Press.status(session).state == .subscribed)
            #expect((4...5).contains(session.allTransactions().count))
        }
    }

    @Test func `a subscription bought in the past and cancelled at once has expired`()
        async throws
    {
        let session = try Press.session()
        try await session.run {
            try await Press.buy(
                Press.yearly,
                options: [
                    .purchaseDate(
                        Date(timeIntervalSinceNow: -400 * 86_400),
                        renewalBehavior: .cancelImmediately)
                ])
            #expect(try await Press.status(session).state == .expired)
            #expect(session.allTransactions().count == 1)
        }
    }

    @Test func `a date in the future is refused`() async throws {
        let session = try Press.session()
        await expectRefused(.invalidAction) {
            try await session.buyProduct(
                identifier: Press.issue,
                options: [.purchaseDate(Date(timeIntervalSinceNow: 86_400))])
        }
        #expect(session.allTransactions().isEmpty)
    }

    @Test func `of three win-back offers those that the file allows are eligible, in its order`()
        async throws
    {
        func offer(_ id: String, _ price: String, isEligible: Bool) -> String {
            """
            { "displayPrice": "\(price)", "internalID": "\(id)", "isEligible": \(isEligible),
              "numberOfPeriods": 1, "offerID": "\(id)", "paymentMode": "payAsYouGo",
              "referenceName": "\(id)", "subscriptionPeriod": "P1M" }
            """
        }
        let offers = [
            offer("second", "0.79", isEligible: true), offer("never", "0.19", isEligible: false),
            offer("first", "0.49", isEligible: true),
        ]
        let session = try Press.session { text in
            let place = try #require(text.range(of: #""winbackOffers": []"#))
            return text.replacingCharacters(
                in: place, with: "\"winbackOffers\": [\(offers.joined(separator: ","))]")
        }
        try await session.run {
            let bought = try await Press.buy(Press.monthly)
            func eligible() async throws -> [String] {
                try await Press.status(session).renewalInfo.payloadValue.eligibleWinBackOfferIDs
            }
            #expect(try await eligible() == [])
            try session.expireSubscription(productIdentifier: Press.monthly)
            #expect(try await eligible() == ["second", "first"])
            let info = try #require(try await Press.product(Press.monthly).subscription)
            #expect(info.winBackOffers.map(\.id) == ["second", "first"])
            let back = try await Press.buy(
                Press.monthly, options: [.winBackOffer(try #require(info.winBackOffers.last))])
            #expect(back.originalID == bought.originalID && back.id != bought.id)
            #expect(back.offer?.type == .winBack && back.offer?.id == "first")
            #expect(back.price == Decimal(string: "0.49"))
            #expect(try await Press.status(session).state == .subscribed)
            #expect(try await eligible() == [])
        }
    }

    @Test func `offers need neither a signature nor a code`() async throws {
        let session = try Press.session()
        try await session.run {
            let fair = try await Press.buy(
                Press.monthly, options: [.codeOffer(referenceName: "Fair")])
            #expect(fair.offer?.type == .code)
            session.clearTransactions()
            try await Press.buy(Press.yearly)
            try session.expireSubscription(productIdentifier: Press.yearly)
            let spring = try await session.buyProduct(
                identifier: Press.monthly, options: [.promotionalOffer(id: "spring")])
            #expect(spring.offer?.type == .promotional && spring.offer?.id == "spring")
            await expectRefused(.invalidAction) {
                try await session.buyProduct(
                    identifier: Press.monthly, options: [.promotionalOffer(id: "autumn")])
            }
        }
    }

    @Test func `an offer signed with an unknown key is refused, and nothing is bought`()
        async throws
    {
        func part(_ bytes: some Sequence<UInt8>) -> String {
            Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
                .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
        }
        let header = part(#"{"alg":"ES256","kid":"UNKNOWN123","typ":"JWT"}"#.utf8)
        let signature = part([UInt8](repeating: 1, count: 64))
        let jws = "\(header).\(part("{}".utf8)).\(signature)"
        let session = try Press.session()
        try await session.run {
            try await Press.buy(Press.yearly)
            try session.expireSubscription(productIdentifier: Press.yearly)
            for options: Set<StoreKit.Product.PurchaseOption> in [
                Set(StoreKit.Product.PurchaseOption.promotionalOffer("spring", compactJWS: jws)),
                [.introductoryOfferEligibility(compactJWS: jws)],
            ] {
                await #expect(throws: StoreKit.Product.PurchaseError.invalidOfferSignature) {
                    try await Press.buy(Press.monthly, options: options)
                }
            }
            for await result in Transaction.all {
                #expect(try result.payloadValue.productID == Press.yearly)
            }
        }
    }

    @Test(arguments: [Double.infinity, .nan, 1e30, -1e30])
    func `a date that no calendar has is refused`(_ seconds: Double) async throws {
        let session = try Press.session()
        let date = Date(timeIntervalSince1970: seconds)
        await #expect(throws: (any Error).self) {
            try await session.buyProduct(
                identifier: Press.issue, options: [.purchaseDate(date)])
        }
        #expect(session.allTransactions().isEmpty)
    }

    @Test func `a subscription that ended can neither renew nor be cancelled`() async throws {
        let session = try Press.session()
        try await session.run {
            let bought = try await Press.buy(Press.yearly)
            try session.expireSubscription(productIdentifier: Press.yearly)
            expectRefused(.invalidAction) {
                try session.forceRenewalOfSubscription(productIdentifier: Press.yearly)
            }
            expectRefused(.invalidAction) {
                try session.disableAutoRenewForTransaction(identifier: Int(bought.id))
            }
        }
    }

    // MARK: - Wrong arguments

    @Test func `subscriptions that are not there are refused with the reason`() async throws {
        let session = try Press.session()
        for change in [session.expireSubscription, session.forceRenewalOfSubscription] {
            expectRefused(.noSubscriptionFound) { try change(Press.monthly) }
            expectRefused(.invalidProductType) { try change(Press.archive) }
            expectRefused(.invalidProductIdentifier) { try change("nothing") }
            expectRefused(.invalidProductIdentifier) { try change("") }
        }
        try await session.run {
            let bought = try await Press.buy(Press.archive)
            expectRefused(.noSubscriptionFound) {
                try session.disableAutoRenewForTransaction(identifier: Int(bought.id))
            }
            expectRefused(.invalidAction) {
                try session.resolveIssueForTransaction(identifier: Int(bought.id))
            }
        }
    }

    @Test func `each rate has the pace of its name`() throws {
        let session = try Press.session()
        for raw in [0, 1, 2, 3, 4, 5, 6, 10, 11, 12, 13, 15] + Array(1_000...1_005) {
            let rate = try #require(SKTestSession.TimeRate(rawValue: raw))
            session.timeRate = rate
            #expect(session.timeRate == rate)
            #expect(rate.pace.rawValue == (raw == 0 ? "calendar" : "\(rate)"))
        }
        #expect(SKTestSession.TimeRate(rawValue: 14) == nil)
    }
}
