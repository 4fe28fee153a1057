import Foundation
import Testing

@testable import StoreKit

@Suite struct PurchaseTermsTests {
    typealias Option = Product.PurchaseOption

    private let user = UUID()

    @Test func `without options one is bought, at its price and by nobody in particular`() throws {
        let terms = try PurchaseTerms([])
        #expect(terms.quantity == 1)
        #expect(terms.appAccountToken == nil)
        #expect(!terms.simulatesAskToBuy)
        #expect(terms.offer == nil)
        #expect(terms.introductoryEligibilityJWS == nil)
        #expect(terms.custom.isEmpty)
        #expect(terms.shouldContinue == nil)
    }

    @Test func `every option is read`() throws {
        var options: Set<Option> = [
            .quantity(10), .appAccountToken(user), .simulatesAskToBuyInSandbox(true),
            .introductoryOfferEligibility(compactJWS: "a.b.c"), .billingPlanType(.upFront),
            .custom(key: "text", value: "x"), .custom(key: "number", value: 1.5),
            .custom(key: "flag", value: true), .custom(key: "bytes", value: Data([7])),
            .onStorefrontChange { $0.countryCode == "DEU" },
        ]
        options.formUnion(Option.promotionalOffer("spring", compactJWS: "d.e.f"))
        let terms = try PurchaseTerms(options)
        #expect(terms.quantity == 10)
        #expect(terms.appAccountToken == user)
        #expect(terms.simulatesAskToBuy)
        #expect(terms.introductoryEligibilityJWS == "a.b.c")
        #expect(
            terms.custom == [
                "text": .text("x"), "number": .number(1.5), "flag": .flag(true),
                "bytes": .bytes(Data([7])),
            ])
        #expect(terms.offer == .promotional(id: "spring", compactJWS: "d.e.f"))
        #expect(terms.shouldContinue?(Storefront(countryCode: "DEU", id: "143443")) == true)
        #expect(terms.shouldContinue?(Storefront(countryCode: "USA", id: "143441")) == false)
    }

    @Test func `a win-back offer of the product is meant by its identifier`() throws {
        let club = try ProductValueTests.product(ProductValueTests.club)
        let offer = try #require(club.subscription?.winBackOffers.first)
        #expect(try PurchaseTerms([.winBackOffer(offer)]).offer == .winBack(id: "back"))
        let trial = try #require(club.subscription?.introductoryOffer)
        #expect(throws: Product.PurchaseError.missingOfferParameters) {
            try PurchaseTerms([.winBackOffer(trial)])
        }
    }

    @Test(arguments: [-1, 0, 11, .max])
    func `a quantity that is not 1 to 10 is refused`(quantity: Int) {
        #expect(throws: Product.PurchaseError.invalidQuantity) {
            try PurchaseTerms([.quantity(quantity)])
        }
    }

    struct Contradiction: Sendable {
        let options: Set<Option>
        let error: Product.PurchaseError

        init(_ options: [Option], _ error: Product.PurchaseError) {
            self.options = Set(options)
            self.error = error
        }
    }

    @Test(arguments: [
        Contradiction([.quantity(1), .quantity(2)], .invalidQuantity),
        Contradiction(
            [.appAccountToken(UUID()), .appAccountToken(UUID())], .purchaseNotAllowed),
        Contradiction(
            [.simulatesAskToBuyInSandbox(true), .simulatesAskToBuyInSandbox(false)],
            .purchaseNotAllowed),
        Contradiction(
            [.custom(key: "k", value: "a"), .custom(key: "k", value: true)], .purchaseNotAllowed),
        Contradiction(
            [.onStorefrontChange { _ in true }, .onStorefrontChange { _ in true }],
            .purchaseNotAllowed),
        Contradiction(
            [.billingPlanType(.upFront), .billingPlanType(.monthly)], .purchaseNotAllowed),
        Contradiction(
            Option.promotionalOffer("a", compactJWS: "x")
                + Option.promotionalOffer("b", compactJWS: "x"), .invalidOfferIdentifier),
        Contradiction(
            [
                .introductoryOfferEligibility(compactJWS: "a"),
                .introductoryOfferEligibility(compactJWS: "b"),
            ], .invalidOfferIdentifier),
        Contradiction(Option.promotionalOffer("", compactJWS: "x"), .missingOfferParameters),
        Contradiction(Option.promotionalOffer("a", compactJWS: ""), .missingOfferParameters),
        Contradiction([.introductoryOfferEligibility(compactJWS: "")], .missingOfferParameters),
    ])
    func `options that contradict each other or lack something are refused`(
        row: Contradiction
    ) {
        #expect(throws: row.error) { try PurchaseTerms(row.options) }
    }

    @Test func `an option that is given twice is one option`() {
        #expect(([.quantity(2), .quantity(2)] as Set<Option>).count == 1)
        let question = Option.onStorefrontChange { _ in true }
        #expect(Set([question, question]).count == 1)
        #expect(question != .onStorefrontChange { _ in true })
    }

    @Test func `an offer with a signature of its parts is read, and its parts are needed`() throws {
        let older: any OlderOptions.Type = Option.self
        let signed = older.promotionalOffer(
            offerID: "spring", keyID: "KEY", nonce: user, signature: Data([1]), timestamp: 7)
        let option = try #require(signed as? Option)
        let signature = PurchaseTerms.OfferSignature(
            keyID: "KEY", nonce: user, timestamp: 7, signature: Data([1]))
        #expect(try PurchaseTerms([option]).offer == .signed(id: "spring", signature))
        let unsigned = older.promotionalOffer(
            offerID: "spring", keyID: "KEY", nonce: user, signature: Data(), timestamp: 7)
        let incomplete = try #require(unsigned as? Option)
        #expect(throws: Product.PurchaseError.missingOfferParameters) {
            try PurchaseTerms([incomplete])
        }
    }

    @Test func `a plan of several payments is unavailable`() {
        #expect(throws: Product.PurchaseError.productUnavailable) {
            try PurchaseTerms([.billingPlanType(.monthly)])
        }
    }

    @Test func `the description of an option keeps signatures and the app's values out`() {
        let options: [Option] =
            [.custom(key: "secret", value: "s3cret"), .quantity(2)]
            + Option.promotionalOffer("spring", compactJWS: "s3cret")
        #expect(
            options.map(\.debugDescription) == [
                "custom: secret", "quantity: 2", "promotionalOffer: spring",
            ])
    }
}

/// Deprecated members, which a requirement names without a warning.
private protocol OlderOptions {
    static func promotionalOffer(
        offerID: String, keyID: String, nonce: UUID, signature: Data, timestamp: Int
    ) -> Self
}

extension Product.PurchaseOption: OlderOptions {}
