import StoreModel
import StoreRules
import Testing

/// What an upgrade is paid with, while the period it ends is still being paid for.
struct UpgradeMeansTests {
    private static func decide(
        _ plan: SubscriptionPlan, isBeingCaptured: Bool, credit: Int64 = 50_000,
        settings: AccountSettings = .plain
    ) throws -> PurchaseDecision {
        let product = Product(
            id: plan.product, kind: .autoRenewable, referenceName: nil,
            isFamilyShareable: false, subscriptionGroup: plan.group, renewalPeriod: plan.period,
            state: .clearedForSale, basePrice: Price(decimal: "19.99").unsafelyUnwrapped,
            texts: [])
        return PurchaseRules.decide(
            PurchaseCommand(account: AccountID(7), bodyDigest: [1], quantity: 1),
            given: PurchaseFacts(
                environment: .production, storefront: .default, now: Samples.day(2023, 2, 10),
                knownAttempt: nil, product: product, firstPurchase: nil, settings: settings,
                subscription: SubscriptionPurchaseFacts(
                    plan: plan, offers: [], current: try Samples.bought(),
                    currentPlan: Samples.plan(),
                    history: OfferHistory(hasSubscribed: true, hadIntroduction: false),
                    pace: .calendar),
                means: PurchaseMeans(
                    credit: Samples.money(credit), refundable: Samples.money(9_990),
                    isBeingCaptured: isBeingCaptured, asksProvider: true)))
    }

    @Test(arguments: [0, 50_000])
    func `an upgrade waits until the old payment is captured`(credit: Int64) throws {
        let later = try Self.decide(Samples.gold, isBeingCaptured: true, credit: credit)
        #expect(later == .later(price: Samples.money(19_990)))
    }

    @Test func `an upgrade after the capture is sold or the missing amount requested`() throws {
        let rich = try Self.decide(Samples.gold, isBeingCaptured: false)
        guard case .subscribe(_, let refund?) = rich else {
            throw Samples.Unexpected(what: "\(rich)")
        }
        let poor = try Self.decide(Samples.gold, isBeingCaptured: false, credit: 0)
        let missing = Samples.money(19_990 - refund.milliunits)
        #expect(poor == .ask(price: Samples.money(19_990), missing: missing))
    }

    @Test func `a purchase without a refund and a first request do not wait`() throws {
        let lower = try Self.decide(Samples.bronze, isBeingCaptured: true)
        #expect(lower == .changeRenewal(ProductID("bronze"), nil, group: "fan"))
        let child = AccountSettings(needsApproval: true, interruptsPurchases: false)
        let asked = try Self.decide(Samples.gold, isBeingCaptured: true, settings: child)
        #expect(asked == .wait(.approval))
    }
}
