import StoreModel
import StoreRules
import Testing

/// What an offer that a payment asks for makes of its attempt.
struct AskedOfferTests {
    private static let silver = Product(
        id: ProductID("silver"), kind: .autoRenewable, referenceName: nil,
        isFamilyShareable: false, subscriptionGroup: "fan", renewalPeriod: .month,
        state: .clearedForSale, basePrice: Price(decimal: "9.99").unsafelyUnwrapped, texts: [])

    private static func offer(
        _ kind: SubscriptionOffer.Kind, customers: Set<SubscriptionOffer.Customer> = []
    ) throws -> SubscriptionOffer {
        SubscriptionOffer(
            kind: kind, id: "spring", mode: .payAsYouGo, span: .months(1), periodCount: 3,
            price: try #require(Price(decimal: "0.99")), customers: customers)
    }

    private static func decide(
        _ asked: AskedOffer, current: Subscription? = nil, hasSubscribed: Bool = true,
        product: Product = silver, shown: Int64? = nil, settings: AccountSettings = .plain,
        returnsCurrentPeriod: Bool = false
    ) -> PurchaseDecision {
        let isSubscription = product.kind == .autoRenewable
        return PurchaseRules.decide(
            PurchaseCommand(
                account: AccountID(7), bodyDigest: [1], quantity: 1,
                shownPrice: shown.map { Samples.money($0) },
                returnsCurrentPeriod: returnsCurrentPeriod),
            given: PurchaseFacts(
                environment: .sandbox, storefront: .default, now: Samples.day(2023, 2, 10),
                knownAttempt: nil, product: product, firstPurchase: nil, settings: settings,
                subscription: isSubscription
                    ? SubscriptionPurchaseFacts(
                        plan: Samples.plan(), offers: [], current: current,
                        currentPlan: current.map { _ in Samples.plan() },
                        history: OfferHistory(hasSubscribed: hasSubscribed, hadIntroduction: false),
                        pace: .calendar) : nil,
                offer: asked))
    }

    private static func charge(_ decision: PurchaseDecision) -> Int64? {
        guard case .subscribe(let bill, _) = decision else { return nil }
        return bill.amount.milliunits
    }

    @Test func `a returning subscriber pays the offer's price at once`() throws {
        let ended = RenewalRules.expired(try Samples.bought(), .voluntary)
        let spring = AskedOffer.sound(try Self.offer(.promotional))
        #expect(Self.charge(Self.decide(spring, current: ended)) == 990)
        #expect(Self.charge(Self.decide(.none, current: ended)) == 9_990)
    }

    @Test func `a current subscriber pays the offer's price from the next renewal on`() throws {
        let spring = try Self.offer(.promotional)
        #expect(
            Self.decide(.sound(spring), current: try Samples.bought())
                == .changeRenewal(ProductID("silver"), spring, group: "fan"))
        #expect(Self.decide(.none, current: try Samples.bought()) == .refuse(.alreadySubscribed))
        #expect(
            Self.decide(.none, current: try Samples.bought(), returnsCurrentPeriod: true)
                == .changeRenewal(nil, nil, group: "fan"))
    }

    @Test func `a customer who never subscribed gets no promotional offer`() throws {
        let spring = AskedOffer.sound(try Self.offer(.promotional))
        #expect(Self.decide(spring, hasSubscribed: false) == .refuse(.offerNotEligible))
    }

    @Test func `a price other than the offer's shown price is not charged`() throws {
        let ended = RenewalRules.expired(try Samples.bought(), .voluntary)
        let spring = AskedOffer.sound(try Self.offer(.promotional))
        #expect(Self.charge(Self.decide(spring, current: ended, shown: 990)) == 990)
        #expect(Self.decide(spring, current: ended, shown: 9_990) == .refuse(.priceChanged))
        #expect(Self.decide(spring, current: ended, shown: 989) == .refuse(.priceChanged))
        #expect(Self.decide(.none, current: ended, shown: 990) == .refuse(.priceChanged))
    }

    @Test func `a signed offer waits for approval and an offer code does not`() throws {
        let settings = AccountSettings(needsApproval: true, interruptsPurchases: false)
        let ended = RenewalRules.expired(try Samples.bought(), .voluntary)
        let spring = AskedOffer.sound(try Self.offer(.promotional))
        #expect(Self.decide(spring, current: ended, settings: settings) == .wait(.approval))
        let fair = AskedOffer.sound(try Self.offer(.code, customers: [.expired]))
        #expect(Self.charge(Self.decide(fair, current: ended, settings: settings)) == 990)
    }

    @Test func `a win-back offer waits for approval in an app's payment, and not outside the app`()
        throws
    {
        let settings = AccountSettings(needsApproval: true, interruptsPurchases: false)
        let ended = RenewalRules.expired(try Samples.bought(), .voluntary)
        let back = try Self.offer(.winBack)
        #expect(
            Self.decide(.winBackInApp(back), current: ended, settings: settings)
                == .wait(.approval))
        #expect(Self.charge(Self.decide(.winBackInApp(back), current: ended)) == 990)
        #expect(Self.charge(Self.decide(.sound(back), current: ended, settings: settings)) == 990)
        #expect(
            Self.decide(.winBackInApp(back), current: try Samples.bought())
                == .refuse(.offerNotEligible))
    }

    @Test(
        arguments: OfferRefusal.allCases.map { RefusalCode($0) }
            + OfferCodeRefusal.allCases.map { RefusalCode($0) })
    func `a refused offer refuses the attempt for any product`(code: RefusalCode) {
        #expect(Self.decide(.refused(code)) == .refuse(code))
        #expect(Self.decide(.refused(code), product: .sample()) == .refuse(code))
        #expect(
            Self.decide(.refused(code), product: .sample(state: .removedFromSale))
                == .refuse(.productNotForSale), "what is wrong with the product comes first")
    }

    @Test func `each refusal of an offer has its own code`() {
        let codes =
            OfferRefusal.allCases.map { RefusalCode($0) }
            + OfferCodeRefusal.allCases.map { RefusalCode($0) }
        #expect(Set(codes).count == codes.count)
    }
}
