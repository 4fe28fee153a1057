import Foundation
import Testing

@testable import StoreKit

@Suite struct SignedTransactionTests {
    typealias Samples = SignedSamples

    @Test func `a transaction has every member of its payload`() throws {
        let transaction = try Transaction(Samples.signed(Samples.transaction))
        #expect(transaction.id == 2_814_739_550_399_414)
        #expect(transaction.originalID == 2_814_739_550_399_413)
        #expect(transaction.webOrderLineItemID == "990000000000001")
        #expect(transaction.productID == "com.example.rocketcar.club")
        #expect(transaction.subscriptionGroupID == "club")
        #expect(transaction.appBundleID == "com.example.rocketcar")
        #expect(transaction.purchaseDate == Date(milliseconds: 1_700_000_000_000))
        #expect(transaction.originalPurchaseDate == Date(milliseconds: 1_600_000_000_000))
        #expect(transaction.expirationDate == Date(milliseconds: 1_700_000_600_000))
        #expect(transaction.purchasedQuantity == 3)
        #expect(transaction.isUpgraded)
        #expect(transaction.offer?.id == "spring")
        #expect(transaction.offer?.type == .promotional)
        #expect(transaction.offer?.paymentMode == .payAsYouGo)
        #expect(transaction.offer?.period == .everyThreeMonths)
        #expect(transaction.revocationDate == Date(milliseconds: 1_700_000_300_000))
        #expect(transaction.revocationReason == .developerIssue)
        #expect(transaction.revocationType == .proratedRefund)
        #expect(transaction.revocationTypeStringRepresentation == "REFUND_PRORATED")
        #expect(transaction.revocationPercentage == 50)
        #expect(transaction.productType == .autoRenewable)
        #expect(transaction.appAccountToken == UUID(uuidString: Samples.token))
        #expect(transaction.environment == .sandbox)
        #expect(transaction.reason == .renewal)
        #expect(transaction.storefront.countryCode == "DEU")
        #expect(transaction.storefront.id == "143443")
        #expect(transaction.storefront.currency == Locale.Currency("EUR"))
        #expect(transaction.price == Decimal(string: "9.99"))
        #expect(transaction.currency == Locale.Currency("EUR"))
        #expect(transaction.appTransactionID == "704312345678901")
        #expect(transaction.deviceVerification == Data([1, 2, 3, 4]))
        #expect(transaction.deviceVerificationNonce == UUID(uuidString: Samples.nonce))
        #expect(transaction.ownershipType == .purchased)
        #expect(transaction.signedDate == Date(milliseconds: 1_700_000_400_000))
        #expect(transaction.billingPlanType == .monthly)
        #expect(transaction.commitmentInfo?.billingPeriodNumber == 2)
        #expect(transaction.commitmentInfo?.totalBillingPeriods == 12)
        #expect(transaction.commitmentInfo?.price == Decimal(string: "119.88"))
        #expect(
            transaction.commitmentInfo?.expirationDate == Date(milliseconds: 1_800_000_000_000))
        #expect(transaction.advancedCommerceInfo == nil)
    }

    @Test func `members that are absent are nil, false or empty`() throws {
        let transaction = try Transaction(
            Samples.signed(Samples.transaction.only(Samples.neededByTransactions)))
        #expect(transaction.webOrderLineItemID == nil)
        #expect(transaction.subscriptionGroupID == nil)
        #expect(transaction.expirationDate == nil)
        #expect(!transaction.isUpgraded)
        #expect(transaction.offer == nil)
        #expect(transaction.revocationDate == nil)
        #expect(transaction.revocationReason == nil)
        #expect(transaction.revocationType == nil)
        #expect(transaction.revocationPercentage == nil)
        #expect(transaction.appAccountToken == nil)
        #expect(transaction.storefront.id == "")
        #expect(transaction.price == nil)
        #expect(transaction.currency == nil)
        #expect(transaction.appTransactionID == "")
        #expect(transaction.deviceVerification.isEmpty)
        #expect(transaction.billingPlanType == nil)
        #expect(transaction.commitmentInfo == nil)
    }

    @Test(arguments: SignedSamples.neededByTransactions)
    func `a transaction without a member that it needs is an error`(name: String) throws {
        let without = try Samples.signed(Samples.transaction.without(name))
        #expect(throws: MissingProperty(name: name)) { try Transaction(without) }
        let null = try Samples.signed(Samples.transaction.with(name, [String]()))
        #expect(throws: MissingProperty(name: name), "of another type") { try Transaction(null) }
    }

    @Test(arguments: ["", "[]", "7", "{", #"{"transactionId": 7}"#])
    func `a payload that is not a transaction lacks its number`(json: String) throws {
        let signed = try Samples.signed(Data(json.utf8))
        #expect(throws: MissingProperty(name: "transactionId")) { try Transaction(signed) }
    }

    @Test func `an unknown value keeps its raw value`() throws {
        let payload = Samples.transaction.with("type", "Bundle").with("environment", "Moon")
            .with("offerType", 9).with("offerDiscountType", "GIFT").with("revocationReason", 7)
            .with("revocationType", "SOME").with("inAppOwnershipType", "ASSIGNED")
            .with("transactionReason", "GIFT").with("billingPlanType", "WEEKLY")
        let transaction = try Transaction(Samples.signed(payload))
        #expect(transaction.productType.rawValue == "Bundle")
        #expect(transaction.productType.localizedDescription == "Bundle")
        #expect(transaction.environment.rawValue == "Moon")
        #expect(transaction.offer?.type.rawValue == 9)
        #expect(transaction.offer?.type.localizedDescription == "9")
        #expect(transaction.offer?.paymentMode?.rawValue == "GIFT")
        #expect(transaction.revocationReason?.rawValue == 7)
        #expect(transaction.revocationType?.rawValue == "SOME")
        #expect(transaction.ownershipType.rawValue == "ASSIGNED")
        #expect(transaction.reason.rawValue == "GIFT")
        #expect(transaction.billingPlanType?.rawValue == "WEEKLY")
    }

    @Test func `dates may have a fraction of a millisecond, as Xcode signs them`() throws {
        let payload = Samples.transaction.with("purchaseDate", 1_697_679_936_049.7297)
            .with("originalPurchaseDate", -62_135_769_600_000)
        let transaction = try Transaction(Samples.signed(payload))
        // A date counts seconds from 2001, so that its last digits may differ.
        let seconds = transaction.purchaseDate.timeIntervalSince1970
        #expect(abs(seconds - 1_697_679_936.0497297) < 0.000_001)
        #expect(transaction.originalPurchaseDate.timeIntervalSince1970 == -62_135_769_600)
    }

    @Test func `a date beyond all numbers counts as absent`() throws {
        let payload = try JSONSerialization.data(
            withJSONObject: Samples.transaction.with("expiresDate", "HERE"))
        let text = String(decoding: payload, as: UTF8.self).replacing("\"HERE\"", with: "1e999")
        #expect(try Transaction(Samples.signed(Data(text.utf8))).expirationDate == nil)
    }

    @Test func `the numbers of Xcode's test store count from 0`() throws {
        let payload = Samples.transaction.with("transactionId", "0")
            .with("originalTransactionId", "0")
        #expect(try Transaction(Samples.signed(payload)).id == 0)
    }

    @Test(arguments: [
        ("-1", "transactionId"), ("18446744073709551616", "transactionId"),
        (" 7", "originalTransactionId"),
    ])
    func `a number that is not one of a transaction counts as absent`(
        text: String, name: String
    ) throws {
        let signed = try Samples.signed(Samples.transaction.with(name, text))
        #expect(throws: MissingProperty(name: name)) { try Transaction(signed) }
    }

    @Test(arguments: [
        (1, "0.001"), (990, "0.99"), (0, "0"), (12_345_678_901_234, "12345678901.234"),
    ])
    func `a price is exact to a thousandth`(milliunits: Int, price: String) throws {
        let signed = try Samples.signed(Samples.transaction.with("price", milliunits))
        #expect(try Transaction(signed).price == Decimal(string: price))
    }

    @Test func `the JSON of a transaction is the payload's bytes`() throws {
        let payload = Data(
            try JSONSerialization.data(withJSONObject: Samples.transaction) + Data(" \n".utf8))
        let transaction = try Transaction(Samples.signed(payload))
        #expect(transaction.jsonRepresentation == payload)
        #expect(transaction.debugDescription == String(decoding: payload, as: UTF8.self))
    }

    @Test func `a transaction equals its copy, and not the same one signed at another time`() throws
    {
        let one = try Transaction(Samples.signed(Samples.transaction))
        let copy = try Transaction(Samples.signed(Samples.transaction))
        let later = try Transaction(
            Samples.signed(Samples.transaction.with("signedDate", 1_700_000_400_001)))
        #expect(one == copy)
        #expect(one != later)
        #expect(Set([one, copy, later]).count == 2)
    }

    @Test func `what an app sold from its own catalogue is read with its parts`() throws {
        let offer: Samples.Payload = [
            "price": 1_000, "period": "P1M", "periodCount": 2, "reason": "WIN_BACK",
        ]
        let refund: Samples.Payload = [
            "refundReason": "LEGAL", "refundType": "CUSTOM", "refundDate": 1_700_000_000_000,
            "refundAmount": 500,
        ]
        let item: Samples.Payload = [
            "SKU": "song-1", "displayName": "Song", "description": "A song", "price": 2_000,
            "offer": offer, "refunds": [refund], "revocationDate": 1_700_000_000_001,
        ]
        let info: Samples.Payload = [
            "requestReferenceId": "r-1", "taxCode": "C003", "estimatedTax": 190,
            "taxRate": "0.19", "taxExclusivePrice": 1_810, "period": "P1Y", "items": [item],
            "descriptors": ["displayName": "Songs", "description": "Many songs"],
        ]
        let signed = try Samples.signed(Samples.transaction.with("advancedCommerceInfo", info))
        let sold = try #require(try Transaction(signed).advancedCommerceInfo)
        #expect(sold.requestReferenceID == "r-1")
        #expect(sold.taxCode == "C003")
        #expect(sold.estimatedTax == Decimal(string: "0.19"))
        #expect(sold.taxRate == Decimal(string: "0.19"))
        #expect(sold.taxExclusivePrice == Decimal(string: "1.81"))
        #expect(sold.displayName == "Songs")
        #expect(sold.description == "Many songs")
        #expect(sold.period == .yearly)
        let first = try #require(sold.items.first)
        #expect(first.details.sku == "song-1")
        #expect(first.details.displayName == "Song")
        #expect(first.details.description == "A song")
        #expect(first.details.price == 2)
        #expect(first.details.offer?.price == 1)
        #expect(first.details.offer?.period == .monthly)
        #expect(first.details.offer?.periodCount == 2)
        #expect(first.details.offer?.reason == .winBack)
        #expect(first.refunds?.first?.reason == .legal)
        #expect(first.refunds?.first?.type == .custom)
        #expect(first.refunds?.first?.amount == Decimal(string: "0.5"))
        #expect(first.refunds?.first?.date == Date(milliseconds: 1_700_000_000_000))
        #expect(first.revocationDate == Date(milliseconds: 1_700_000_000_001))
    }

    @Test func `the texts that stood in for types agree with them`() throws {
        let transaction: any OlderTransaction = try Transaction(
            Samples.signed(Samples.transaction))
        #expect(transaction.offerType == .promotional)
        #expect(transaction.offerID == "spring")
        #expect(transaction.offerPaymentModeStringRepresentation == "PAY_AS_YOU_GO")
        #expect(transaction.offerPeriodStringRepresentation == "P3M")
        #expect(transaction.environmentStringRepresentation == "Sandbox")
        #expect(transaction.reasonStringRepresentation == "RENEWAL")
        #expect(transaction.storefrontCountryCode == "DEU")
        #expect(transaction.currencyCode == "EUR")
    }
}

/// Deprecated members, which a requirement names without a warning.
private protocol OlderTransaction {
    var offerType: Transaction.OfferType? { get }
    var offerID: String? { get }
    var offerPaymentModeStringRepresentation: String? { get }
    var offerPeriodStringRepresentation: String? { get }
    var environmentStringRepresentation: String { get }
    var reasonStringRepresentation: String { get }
    var storefrontCountryCode: String { get }
    var currencyCode: String? { get }
}

extension Transaction: OlderTransaction {}
