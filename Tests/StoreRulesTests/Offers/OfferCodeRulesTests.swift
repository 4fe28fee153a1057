import StoreModel
import StoreRules
import Testing

struct OfferCodeRulesTests {
    private static let end = Timestamp(seconds: 1_000)

    private static func code(
        word: String? = "SPRING", max: Int64 = 3, ends: Bool = true, isActive: Bool = true
    ) -> OfferCode {
        OfferCode(
            number: 1, app: AppID(1), product: ProductID("club"), offerID: "fair",
            kind: word.flatMap { OfferCodeWord($0) }.map { .custom($0) } ?? .oneTime,
            redemptionsMax: max, expiresAt: ends ? end : nil, madeAt: Timestamp(seconds: 1),
            deactivatedAt: isActive ? nil : Timestamp(seconds: 2))
    }

    struct Row: Sendable {
        let code: OfferCode
        let count: Int64
        let isByAccount: Bool
        let at: Timestamp
        let refusal: OfferCodeRefusal?

        init(
            _ code: OfferCode, count: Int64 = 0, isByAccount: Bool = false,
            at milliseconds: Int64 = 0, _ refusal: OfferCodeRefusal?
        ) {
            self.code = code
            self.count = count
            self.isByAccount = isByAccount
            at = Timestamp(milliseconds: milliseconds)
            self.refusal = refusal
        }
    }

    @Test(arguments: [
        Row(code(), nil),
        Row(code(), count: 2, nil),
        Row(code(), count: 3, .usedUp),
        Row(code(), count: 4, .usedUp),
        Row(code(), isByAccount: true, .usedBefore),
        Row(code(), count: 3, isByAccount: true, .usedBefore),
        Row(code(), at: 999_999, nil),
        Row(code(), at: 1_000_000, .expired),
        Row(code(ends: false), at: Int64.max, nil),
        Row(code(isActive: false), .deactivated),
        Row(code(isActive: false), count: 3, isByAccount: true, at: 1_000_000, .deactivated),
        Row(code(), count: 3, isByAccount: true, at: 1_000_000, .expired),
        // Of a batch of three, each is good once.
        Row(code(word: nil), nil),
        Row(code(word: nil), count: 1, .usedUp),
        Row(code(word: nil), count: 1, isByAccount: true, .usedBefore),
        Row(code(word: nil), count: 0, isByAccount: true, .usedBefore),
        Row(code(word: nil), at: 1_000_000, .expired),
        Row(code(word: nil, isActive: false), .deactivated),
    ])
    func `an offer code is redeemed or refused for the first reason`(row: Row) {
        let use = OfferCodeUse(count: row.count, hasAccountUsedOffer: row.isByAccount)
        #expect(OfferCodeRules.refusal(of: row.code, use, at: row.at) == row.refusal)
    }

    @Test(
        arguments: [
            (code(), 0, 0, .active), (code(), 2, 0, .active), (code(), 3, 0, .usedUp),
            (code(), 3, 1_000_000, .expired), (code(isActive: false), 3, 1_000_000, .deactivated),
            (code(word: nil), 1, 0, .active), (code(word: nil), 3, 0, .usedUp),
        ] as [(OfferCode, Int64, Int64, OfferCodeState)])
    func `the owner sees an offer code's state`(
        code: OfferCode, count: Int64, milliseconds: Int64, expected: OfferCodeState
    ) {
        let now = Timestamp(milliseconds: milliseconds)
        #expect(OfferCodeRules.state(of: code, redemptionCount: count, at: now) == expected)
    }

    @Test(
        arguments: [
            ("spring", "SPRING"), ("Spring2026", "SPRING2026"), ("7", "7"), ("", nil),
            ("two words", nil), ("a-b", nil), ("é", nil), ("ı", nil), ("a\u{0}", nil),
            (String(repeating: "a", count: 64), String(repeating: "A", count: 64)),
            (String(repeating: "a", count: 65), nil),
        ] as [(String, String?)])
    func `an offer code is letters and digits in any case`(typed: String, text: String?) {
        #expect(OfferCodeWord(typed)?.text == text)
    }

    @Test func `an offer code finds only an offer-code offer of its product`() throws {
        func offer(_ kind: SubscriptionOffer.Kind, _ id: String?) -> SubscriptionOffer {
            SubscriptionOffer(
                kind: kind, id: id, mode: .freeTrial, span: .days(7), periodCount: 1, price: .free)
        }
        func product(_ offers: [SubscriptionOffer]) -> Product {
            Product(
                id: ProductID("club"), kind: .autoRenewable, referenceName: nil,
                isFamilyShareable: false, subscriptionGroup: "g", offers: offers,
                state: .clearedForSale, basePrice: .free, texts: [])
        }
        let mine = offer(.code, "fair")
        let others = [offer(.promotional, "fair"), offer(.code, "other"), offer(.code, nil)]
        #expect(Self.code().offer(of: product(others + [mine])) == mine)
        #expect(Self.code().offer(of: product(others)) == nil)
    }
}
