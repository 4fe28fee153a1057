import StoreModel

/// One purchase of an answer: an item of `in_app` and `latest_receipt_info`, or a receipt in the
/// iOS 6 style.
struct VerifyPurchaseFields: Decodable {
    let value: ReceiptSummary.Purchase

    private enum CodingKeys: String, CodingKey {
        case product = "product_id"
        case transaction = "transaction_id"
        case original = "original_transaction_id"
        case quantity
        case cancelledAt = "cancellation_date"
        case cancelledAtMilliseconds = "cancellation_date_ms"
        case purchasedAt = "purchase_date"
        case purchasedAtMilliseconds = "purchase_date_ms"
        case expiresAt = "expires_date"
        case expiresAtMilliseconds = "expires_date_ms"
        case isUpgraded = "is_upgraded"
        case offer = "promotional_offer_id"
        case account = "app_account_token"
        case ownership = "in_app_ownership_type"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let quantity = try values.decode(Numeral.self, forKey: .quantity).number
        guard quantity >= 1 else {
            throw DecodingError.dataCorruptedError(
                forKey: .quantity, in: values, debugDescription: "is below 1")
        }
        // In the iOS 6 style `expires_date` itself is in milliseconds.
        let expiresAt =
            values.moment(.expiresAtMilliseconds) ?? values.momentOrDate(.expiresAt)
        let purchasedAt =
            values.moment(.purchasedAtMilliseconds) ?? values.momentOrDate(.purchasedAt)
        if expiresAt == nil, try values.isPresent(.expiresAt) {
            throw DecodingError.dataCorruptedError(
                forKey: .expiresAt, in: values, debugDescription: "is not a date")
        }
        if expiresAt != nil, purchasedAt == nil {
            throw DecodingError.keyNotFound(
                CodingKeys.purchasedAtMilliseconds,
                .init(codingPath: values.codingPath, debugDescription: "a period has a start"))
        }
        let isUpgraded = values.flag(.isUpgraded) ?? false
        let hasCancellation =
            try values.isPresent(.cancelledAt) || values.isPresent(.cancelledAtMilliseconds)
        // The family member who shares it had the offer, and used a signature of their own.
        let isShared = (try? values.decode(String.self, forKey: .ownership)) == "FAMILY_SHARED"
        let offer = isShared ? nil : try? values.decode(Written.self, forKey: .offer).text
        value = ReceiptSummary.Purchase(
            productID: try values.decode(String.self, forKey: .product),
            transactionID: try values.decode(Written.self, forKey: .transaction).text,
            originalTransactionID: try values.decode(Written.self, forKey: .original).text,
            quantity: quantity, isCancelled: hasCancellation && !isUpgraded,
            cancelledAt: values.moment(.cancelledAtMilliseconds), purchasedAt: purchasedAt,
            expiresAt: expiresAt, isUpgraded: isUpgraded,
            offerID: offer,
            appAccountToken: (try? values.decode(String.self, forKey: .account))
                .flatMap(AppAccountToken.init(applicationUsername:))?.text)
    }

    /// Reads a list up to the limit; throws beyond it.
    static func list(
        _ unread: any UnkeyedDecodingContainer
    ) throws -> [ReceiptSummary.Purchase] {
        var items = unread
        var list: [ReceiptSummary.Purchase] = []
        while !items.isAtEnd {
            guard list.count < BackendLimits.answerPurchasesMax else {
                throw DecodingError.dataCorruptedError(
                    in: items,
                    debugDescription: "has more than \(BackendLimits.answerPurchasesMax) items")
            }
            list.append(try items.decode(VerifyPurchaseFields.self).value)
        }
        return list
    }
}
