import Foundation

@testable import StoreKit

/// Payloads with every member that their types read, and signed texts around payloads.
enum SignedSamples {
    typealias Payload = [String: any Sendable]

    /// A JWS whose signature is not one.
    static func signed(_ payload: Payload) throws -> SignedText {
        try signed(JSONSerialization.data(withJSONObject: payload, options: .sortedKeys))
    }

    static func signed(_ payload: Data) throws -> SignedText {
        let header = Data(#"{"alg":"ES256"}"#.utf8)
        let parts = [header, payload, Data(repeating: 0xFB, count: 64)].map(base64url)
        guard let text = SignedText(parts.joined(separator: ".")) else { throw Unreadable() }
        return text
    }

    struct Unreadable: Error {}

    static func base64url(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    static let nonce = "2f0c1b6e-7a1d-4f5e-9b43-0d3a8f1c2e4d"
    static let token = "5d0f7c52-9be4-4a63-8f60-3c2b1a9e7d11"

    static let transaction: Payload = [
        "appAccountToken": token,
        "appTransactionId": "704312345678901",
        "billingPlanType": "MONTHLY",
        "bundleId": "com.example.rocketcar",
        "commitmentInfo": [
            "billingPeriodNumber": 2, "totalBillingPeriods": 12,
            "commitmentExpiresDate": 1_800_000_000_000, "commitmentPrice": 119_880,
        ] as Payload,
        "currency": "EUR",
        "deviceVerification": "AQIDBA==",
        "deviceVerificationNonce": nonce,
        "environment": "Sandbox",
        "expiresDate": 1_700_000_600_000,
        "inAppOwnershipType": "PURCHASED",
        "isUpgraded": true,
        "offerDiscountType": "PAY_AS_YOU_GO",
        "offerIdentifier": "spring",
        "offerPeriod": "P3M",
        "offerType": 2,
        "originalPurchaseDate": 1_600_000_000_000,
        "originalTransactionId": "2814739550399413",
        "price": 9_990,
        "productId": "com.example.rocketcar.club",
        "purchaseDate": 1_700_000_000_000,
        "quantity": 3,
        "revocationDate": 1_700_000_300_000,
        "revocationPercentage": 50_000,
        "revocationReason": 1,
        "revocationType": "REFUND_PRORATED",
        "signedDate": 1_700_000_400_000,
        "storefront": "DEU",
        "storefrontId": "143443",
        "subscriptionGroupIdentifier": "club",
        "transactionId": "2814739550399414",
        "transactionReason": "RENEWAL",
        "type": "Auto-Renewable Subscription",
        "webOrderLineItemId": "990000000000001",
    ]

    /// What every transaction must have.
    static let neededByTransactions = [
        "transactionId", "originalTransactionId", "productId", "bundleId", "purchaseDate",
        "originalPurchaseDate", "quantity", "type", "environment", "transactionReason",
        "storefront", "inAppOwnershipType", "signedDate",
    ]

    static let renewal: Payload = [
        "appAccountToken": token,
        "appTransactionId": "704312345678901",
        "autoRenewProductId": "com.example.rocketcar.club.year",
        "autoRenewStatus": 1,
        "commitmentInfo": [
            "commitmentAutoRenewProductId": "com.example.rocketcar.club",
            "commitmentAutoRenewStatus": 1, "commitmentRenewalBillingPlanType": "MONTHLY",
            "commitmentRenewalDate": 1_800_000_000_000, "commitmentRenewalPrice": 119_880,
        ] as Payload,
        "currency": "EUR",
        "deviceVerification": "AQIDBA==",
        "deviceVerificationNonce": nonce,
        "eligibleWinBackOfferIds": ["best", "second"],
        "environment": "Sandbox",
        "expirationIntent": 3,
        "gracePeriodExpiresDate": 1_700_000_900_000,
        "isInBillingRetryPeriod": true,
        "offerDiscountType": "FREE_TRIAL",
        "offerIdentifier": "back",
        "offerPeriod": "P1W",
        "offerType": 4,
        "originalTransactionId": "2814739550399413",
        "priceIncreaseStatus": 0,
        "productId": "com.example.rocketcar.club",
        "recentSubscriptionStartDate": 1_600_000_000_000,
        "renewalBillingPlanType": "BILLED_UPFRONT",
        "renewalDate": 1_700_000_600_000,
        "renewalPrice": 99_900,
        "signedDate": 1_700_000_400_000,
    ]

    static let neededByRenewals = [
        "originalTransactionId", "productId", "autoRenewStatus", "environment",
        "recentSubscriptionStartDate", "signedDate",
    ]

    static let app: Payload = [
        "appAppleId": 1_234_567_890,
        "appTransactionId": "704312345678901",
        "applicationVersion": "2.1",
        "bundleId": "com.example.rocketcar",
        "deviceVerification": "AQIDBA==",
        "deviceVerificationNonce": nonce,
        "originalApplicationVersion": "1.0",
        "originalPlatform": "macOS",
        "originalPurchaseDate": 1_375_340_400_000,
        "preorderDate": 1_370_000_000_000,
        "receiptCreationDate": 1_700_000_400_000,
        "receiptType": "Production",
        "versionExternalIdentifier": 42,
    ]

    static let neededByApps = [
        "applicationVersion", "bundleId", "receiptType", "originalApplicationVersion",
        "originalPurchaseDate", "receiptCreationDate",
    ]
}

extension SignedSamples.Payload {
    func without(_ name: String) -> Self { filter { $0.key != name } }

    func with(_ name: String, _ value: any Sendable) -> Self {
        merging([name: value]) { $1 }
    }

    func only(_ names: [String]) -> Self { filter { names.contains($0.key) } }
}

extension Date {
    init(milliseconds: Double) {
        self.init(timeIntervalSince1970: milliseconds / 1_000)
    }
}
