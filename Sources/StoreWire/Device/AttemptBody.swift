package import StoreModel

/// `POST /device/v1/attempts`: one `add(payment)`, under an id that the device made and stored
/// first.
///
/// The same id with the same body always returns the attempt's current state; the same id with
/// another body or account is refused with 409.
package struct AttemptRequestBody: Codable, Hashable, Sendable {
    /// A UUID in uppercase.
    package let attemptId: String
    package let productId: String
    package let quantity: Int
    package let applicationUsername: String?
    /// The sheet's price for the whole quantity, in thousandths of the currency's unit; together
    /// with its currency, or absent. The store charges this price or refuses.
    package let shownPriceMilliunits: Int64?
    package let shownCurrency: String?
    /// Whether to ask for approval even if the account does not need it; only in the sandbox.
    package let simulatesAskToBuy: Bool?
    /// The promotional offer that the payment uses. Of this and the next three members, one at most
    /// may be present.
    package let discount: DiscountBody?
    /// The same, with the JWS of the app's server.
    package let promotionalOffer: PromotionalOfferBody?
    /// The identifier of the win-back offer that the payment uses.
    package let winBackOfferId: String?
    /// The JWS in which the app's server says whether the customer gets an introductory offer; the
    /// store decides without one.
    package let introductoryOfferEligibility: String?
    /// What only the sandbox of a test session takes.
    package let test: TestPurchaseBody?

    package init(
        attemptId: String, productId: String, quantity: Int, applicationUsername: String?,
        shownPriceMilliunits: Int64? = nil, shownCurrency: String? = nil,
        simulatesAskToBuy: Bool? = nil, discount: DiscountBody? = nil,
        promotionalOffer: PromotionalOfferBody? = nil, winBackOfferId: String? = nil,
        introductoryOfferEligibility: String? = nil, test: TestPurchaseBody? = nil
    ) {
        self.attemptId = attemptId
        self.productId = productId
        self.quantity = quantity
        self.applicationUsername = applicationUsername
        self.shownPriceMilliunits = shownPriceMilliunits
        self.shownCurrency = shownCurrency
        self.simulatesAskToBuy = simulatesAskToBuy
        self.discount = discount
        self.promotionalOffer = promotionalOffer
        self.winBackOfferId = winBackOfferId
        self.introductoryOfferEligibility = introductoryOfferEligibility
        self.test = test
    }
}

/// How a purchase in the sandbox of a test session differs from any other: as StoreKitTest's own
/// purchase options ask for it.
package struct TestPurchaseBody: Codable, Hashable, Sendable {
    /// When it was made, by the world's clock and not in the future; now when absent. A subscription
    /// then renews until now.
    package let purchasedAt: Timestamp?
    /// Whether renewal of a subscription is turned off at once; false when absent.
    package let cancelsAtOnce: Bool?
    /// A promotional offer, which needs no signature. Of this, the next member and the offers of any
    /// other purchase, one at most may be present.
    package let promotionalOfferId: String?
    /// The offer of codes with that reference name, without a code.
    package let codeOfferReferenceName: String?

    package init(
        purchasedAt: Timestamp? = nil, cancelsAtOnce: Bool? = nil,
        promotionalOfferId: String? = nil, codeOfferReferenceName: String? = nil
    ) {
        self.purchasedAt = purchasedAt
        self.cancelsAtOnce = cancelsAtOnce
        self.promotionalOfferId = promotionalOfferId
        self.codeOfferReferenceName = codeOfferReferenceName
    }
}

/// A promotional offer as StoreKit 2 takes it.
package struct PromotionalOfferBody: Codable, Hashable, Sendable {
    package let offerId: String
    /// In its compact form.
    package let jws: String

    package init(offerId: String, jws: String) {
        self.offerId = offerId
        self.jws = jws
    }
}

package struct AttemptAnswerBody: Codable, Hashable, Sendable {
    package let attemptId: String
    package let state: AttemptState
    /// Present when the attempt is done.
    package let transaction: TransactionBody?
    /// Present when it was refused.
    package let refusal: RefusalBody?
    /// The account's receipt for this app now has this revision; fetch it when yours is older.
    package let receiptRevision: Int64
    /// The receipts that the device would fetch next, if it asked for them.
    package var receipts: SentReceiptsBody?
    /// The purchase's signed data, if the device asked for them and the attempt is done.
    package var signed: SignedPurchaseBody?

    package init(
        attemptId: String, state: AttemptState, transaction: TransactionBody?,
        refusal: RefusalBody?, receiptRevision: Int64, receipts: SentReceiptsBody? = nil,
        signed: SignedPurchaseBody? = nil
    ) {
        self.attemptId = attemptId
        self.state = state
        self.transaction = transaction
        self.refusal = refusal
        self.receiptRevision = receiptRevision
        self.receipts = receipts
        self.signed = signed
    }
}

/// Why a purchase ended without a transaction.
package struct RefusalBody: Codable, Hashable, Sendable {
    package let code: RefusalCode
    package let message: String

    package init(code: RefusalCode, message: String) {
        self.code = code
        self.message = message
    }
}

/// A transaction as its devices see it.
package struct TransactionBody: Codable, Hashable, Sendable {
    /// Digits.
    package let transactionId: String
    package let originalTransactionId: String
    package let productId: String
    package let quantity: Int
    /// Milliseconds since 1970.
    package let purchaseDate: Timestamp
    package let originalPurchaseDate: Timestamp
    /// The attempt or the restore it came from, and the device that made it; `renewal/` with a
    /// number for an automatic renewal, `family/` when a family member bought it, with the device
    /// that bought it; `offer-code/` and `win-back/` with numbers when the store's owner took an
    /// offer for the account.
    package let attemptId: String
    package let deviceGuid: String
    package let applicationUsername: String?
    /// Present when the transaction gives a purchase back.
    package let original: OriginalBody?
    /// Content to fetch before the transaction is finished; absent when there is none, and once the
    /// transaction is finished or revoked.
    package var downloads: [DownloadBody]?
    /// True when it no longer needs to be delivered: it was finished, on any device, or revoked.
    /// Absent while it waits.
    package var isFinished: Bool?

    package init(
        transactionId: String, originalTransactionId: String, productId: String, quantity: Int,
        purchaseDate: Timestamp, originalPurchaseDate: Timestamp, attemptId: String,
        deviceGuid: String, applicationUsername: String?, original: OriginalBody? = nil
    ) {
        self.transactionId = transactionId
        self.originalTransactionId = originalTransactionId
        self.productId = productId
        self.quantity = quantity
        self.purchaseDate = purchaseDate
        self.originalPurchaseDate = originalPurchaseDate
        self.attemptId = attemptId
        self.deviceGuid = deviceGuid
        self.applicationUsername = applicationUsername
        self.original = original
    }
}

/// `POST /device/v1/offer-codes/redeem`: a customer redeems an offer code, under an id that the
/// device made and stored first. The answer is that of an attempt.
///
/// The same id with the same code always returns the attempt's current state; the same id with
/// another code or account is refused with 409.
package struct RedeemOfferCodeBody: Codable, Hashable, Sendable {
    /// A UUID in uppercase.
    package let attemptId: String
    /// As typed; the case of its letters is ignored.
    package let code: String

    package init(attemptId: String, code: String) {
        self.attemptId = attemptId
        self.code = code
    }
}

/// The receipts of a purchase, sent along with the answer to its attempt.
package struct SentReceiptsBody: Codable, Hashable, Sendable {
    /// The query item of `POST /device/v1/attempts` that asks for them.
    package static let queryName = "receipts"

    /// The account's receipt in base64.
    package let receipt: String
    /// The revision of that receipt, which may be newer than the purchase.
    package let revision: Int64
    /// The receipt of this purchase alone, in base64.
    package let transactionReceipt: String

    package init(receipt: String, revision: Int64, transactionReceipt: String) {
        self.receipt = receipt
        self.revision = revision
        self.transactionReceipt = transactionReceipt
    }
}
