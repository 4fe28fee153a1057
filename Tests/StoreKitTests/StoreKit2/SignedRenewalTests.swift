import Foundation
import Testing

@testable import StoreKit

@Suite struct SignedRenewalTests {
    typealias Samples = SignedSamples
    typealias RenewalInfo = Product.SubscriptionInfo.RenewalInfo

    @Test func `a renewal has every member of its payload`() throws {
        let renewal = try RenewalInfo(Samples.signed(Samples.renewal))
        #expect(renewal.originalTransactionID == 2_814_739_550_399_413)
        #expect(renewal.currentProductID == "com.example.rocketcar.club")
        #expect(renewal.willAutoRenew)
        #expect(renewal.autoRenewPreference == "com.example.rocketcar.club.year")
        #expect(renewal.expirationReason == .didNotConsentToPriceIncrease)
        #expect(renewal.priceIncreaseStatus == .pending)
        #expect(renewal.isInBillingRetry)
        #expect(renewal.gracePeriodExpirationDate == Date(milliseconds: 1_700_000_900_000))
        #expect(renewal.offer?.id == "back")
        #expect(renewal.offer?.type == .winBack)
        #expect(renewal.offer?.paymentMode == .freeTrial)
        #expect(renewal.offer?.period == .weekly)
        #expect(renewal.environment == .sandbox)
        #expect(renewal.recentSubscriptionStartDate == Date(milliseconds: 1_600_000_000_000))
        #expect(renewal.renewalDate == Date(milliseconds: 1_700_000_600_000))
        #expect(renewal.renewalPrice == Decimal(string: "99.9"))
        #expect(renewal.currency == Locale.Currency("EUR"))
        #expect(renewal.eligibleWinBackOfferIDs == ["best", "second"])
        #expect(renewal.deviceVerification == Data([1, 2, 3, 4]))
        #expect(renewal.deviceVerificationNonce == UUID(uuidString: Samples.nonce))
        #expect(renewal.signedDate == Date(milliseconds: 1_700_000_400_000))
        #expect(renewal.appAccountToken == UUID(uuidString: Samples.token))
        #expect(renewal.appTransactionID == "704312345678901")
        #expect(renewal.renewalBillingPlanType == .upFront)
        #expect(renewal.commitmentInfo?.autoRenewPreference == "com.example.rocketcar.club")
        #expect(renewal.commitmentInfo?.renewalBillingPlanType == .monthly)
        #expect(renewal.commitmentInfo?.renewalPrice == Decimal(string: "119.88"))
        #expect(renewal.commitmentInfo?.renewalDate == Date(milliseconds: 1_800_000_000_000))
        #expect(renewal.commitmentInfo?.willAutoRenew == true)
        #expect(renewal.advancedCommerceInfo == nil)
    }

    @Test func `members that are absent are nil, false or empty`() throws {
        let renewal = try RenewalInfo(
            Samples.signed(Samples.renewal.only(Samples.neededByRenewals)))
        #expect(renewal.autoRenewPreference == nil)
        #expect(renewal.expirationReason == nil)
        #expect(renewal.priceIncreaseStatus == .noIncreasePending)
        #expect(!renewal.isInBillingRetry)
        #expect(renewal.gracePeriodExpirationDate == nil)
        #expect(renewal.offer == nil)
        #expect(renewal.renewalDate == nil)
        #expect(renewal.renewalPrice == nil)
        #expect(renewal.currency == nil)
        #expect(renewal.eligibleWinBackOfferIDs == [])
        #expect(renewal.appAccountToken == nil)
        #expect(renewal.appTransactionID == "")
        #expect(renewal.renewalBillingPlanType == nil)
        #expect(renewal.commitmentInfo == nil)
    }

    @Test(arguments: SignedSamples.neededByRenewals)
    func `a renewal without a member that it needs is an error`(name: String) throws {
        let signed = try Samples.signed(Samples.renewal.without(name))
        #expect(throws: MissingProperty(name: name)) { try RenewalInfo(signed) }
    }

    @Test func `the status of a price increase and of the renewal are read by their numbers`()
        throws
    {
        let agreed = try RenewalInfo(
            Samples.signed(
                Samples.renewal.with("priceIncreaseStatus", 1).with("autoRenewStatus", 0)))
        #expect(agreed.priceIncreaseStatus == .agreed)
        #expect(!agreed.willAutoRenew)
        #expect(agreed.priceIncreaseStatus.localizedDescription == "Agreed")
    }

    @Test func `what an app will sell from its own catalogue is read with its parts`() throws {
        let info: Samples.Payload = [
            "consistencyToken": "c-1", "requestReferenceId": "r-1", "taxCode": "C003",
            "period": "P1M", "descriptors": ["displayName": "Songs", "description": "Many songs"],
            "items": [
                ["SKU": "song-1", "displayName": "Song", "description": "A song", "price": 2_000]
                    as Samples.Payload
            ],
        ]
        let signed = try Samples.signed(Samples.renewal.with("advancedCommerceInfo", info))
        let sold = try #require(try RenewalInfo(signed).advancedCommerceInfo)
        #expect(sold.consistencyToken == "c-1")
        #expect(sold.requestReferenceID == "r-1")
        #expect(sold.taxCode == "C003")
        #expect(sold.displayName == "Songs")
        #expect(sold.description == "Many songs")
        #expect(sold.period == .monthly)
        #expect(sold.items.map(\.details.sku) == ["song-1"])
    }

    @Test func `a renewal equals its copy, and its JSON is the payload's bytes`() throws {
        let signed = try Samples.signed(Samples.renewal)
        let renewal = try RenewalInfo(signed)
        #expect(try renewal == RenewalInfo(signed))
        #expect(try renewal != RenewalInfo(Samples.signed(Samples.renewal.with("signedDate", 1))))
        #expect(renewal.jsonRepresentation == signed.payload)
        #expect(renewal.debugDescription == String(decoding: signed.payload, as: UTF8.self))
    }

    @Test func `the texts that stood in for types agree with them`() throws {
        let renewal: any OlderRenewal = try RenewalInfo(Samples.signed(Samples.renewal))
        #expect(renewal.offerID == "back")
        #expect(renewal.offerType == .winBack)
        #expect(renewal.offerPaymentModeStringRepresentation == "FREE_TRIAL")
        #expect(renewal.offerPeriodStringRepresentation == "P1W")
        #expect(renewal.environmentStringRepresentation == "Sandbox")
        #expect(renewal.currencyCode == "EUR")
    }
}

/// Deprecated members, which a requirement names without a warning.
private protocol OlderRenewal {
    var offerID: String? { get }
    var offerType: Transaction.OfferType? { get }
    var offerPaymentModeStringRepresentation: String? { get }
    var offerPeriodStringRepresentation: String? { get }
    var environmentStringRepresentation: String { get }
    var currencyCode: String? { get }
}

extension Product.SubscriptionInfo.RenewalInfo: OlderRenewal {}
