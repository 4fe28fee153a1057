import StoreModel
import StoreRules
import Testing

struct GiftCodeRulesTests {
    private static let now = Timestamp(seconds: 100)
    private static let buyer = AccountID(1)

    private static func term(
        _ code: String = "USD", milliunits: Int64 = 10, expires: Int64? = nil,
        voided: Int64? = nil, redeemedBy: AccountID? = nil
    ) throws -> GiftCodeTerm {
        GiftCodeTerm(
            amount: Money(
                milliunits: milliunits, currency: try #require(Currency(code: code))),
            expiresAt: expires.map { Timestamp(seconds: $0) },
            voidedAt: voided.map { Timestamp(seconds: $0) }, redeemedBy: redeemedBy)
    }

    /// Refusals in their order, each with those after it true as well.
    @Test func `a gift code is redeemed once, in time and in its currency`() throws {
        let other = AccountID(2)
        let rows: [(GiftCodeTerm, GiftCodeState, GiftCodeDecision)] = [
            (try Self.term(), .open, .redeem),
            (try Self.term(expires: 101), .open, .redeem),
            (
                try Self.term("EUR", expires: 1, redeemedBy: Self.buyer), .redeemed, .answerKnown
            ),
            (
                try Self.term("EUR", expires: 1, redeemedBy: other), .redeemed,
                .refuse(.redeemed)
            ),
            (try Self.term("EUR", expires: 1, voided: 1), .voided, .refuse(.voided)),
            // Voided by a clock that was ahead.
            (try Self.term(voided: 900), .voided, .refuse(.voided)),
            (try Self.term("EUR", expires: 1), .expired, .refuse(.expired)),
            (try Self.term(expires: 100), .expired, .refuse(.expired)),
            (try Self.term("EUR"), .open, .refuse(.credit(.otherCurrency))),
        ]
        for (term, state, expected) in rows {
            #expect(GiftCodeRules.state(of: term, now: Self.now) == state)
            let decision = GiftCodeRules.redeeming(
                term, by: Self.buyer, in: .default, credit: .nothing(in: term.amount.currency),
                now: Self.now)
            #expect(decision == expected)
        }
    }

    @Test func `a gift code does not lift credit above its limit`() throws {
        let credit = Money(
            milliunits: CreditRules.creditMilliunitsMax - 9,
            currency: Storefront.default.currency)
        let decision = GiftCodeRules.redeeming(
            try Self.term(), by: Self.buyer, in: .default, credit: credit, now: Self.now)
        #expect(decision == .refuse(.credit(.creditLimit)))
    }

    @Test func `a gift code encodes its bytes, five bits a character`() {
        let all = (0..<32).map { UInt8($0) }
        #expect(GiftCode(bytes: Array(all[..<20])).text == "0123-4567-89AB-CDEF-GHJK")
        #expect(GiftCode(bytes: Array(all[12...])).text == "CDEF-GHJK-MNPQ-RSTV-WXYZ")
        let high = (0..<20).map { UInt8($0) | 0xE0 }
        #expect(GiftCode(bytes: high).letters == "0123456789ABCDEFGHJK")
    }

    @Test(arguments: [
        "0123-4567-89AB-CDEF-GHJK", "0123456789abcdefghjk", " o123 4567 89AB-cdef--GHJK ",
        "oi23-4567-89AB-CDEF-GHJK", "Ol23-4567-89AB-CDEF-GHJK", "OL23456789ABCDEFGHJK",
    ])
    func `a gift code is read as people type it`(text: String) {
        #expect(GiftCode(typed: text)?.letters == "0123456789ABCDEFGHJK")
    }

    @Test(arguments: [
        "", "0123-4567-89AB-CDEF-GHJ", "0123-4567-89AB-CDEF-GHJKM", "U123-4567-89AB-CDEF-GHJK",
        "0123_4567_89AB_CDEF_GHJK", "0123-4567-89AB-CDEF-GHJ\u{0}", "0123-4567-89AB-CDEF-GHJÄ",
        "0123456789ABCDEFGHJK" + String(repeating: " ", count: 45),
    ])
    func `malformed gift codes are rejected`(text: String) {
        #expect(GiftCode(typed: text) == nil)
    }
}
