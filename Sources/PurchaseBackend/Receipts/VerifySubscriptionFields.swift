import StoreModel

/// What an answer says about subscriptions beside the receipt.
///
/// The unified style has lists, the iOS 6 style an object and the renewal at the top; either is
/// read wherever it appears. A missing part is left out; a wrong one makes the whole answer
/// invalid.
struct VerifySubscriptionFields: Decodable {
    let purchases: [ReceiptSummary.Purchase]
    /// Of `pending_renewal_info`, by original transaction.
    let renewals: [String: ReceiptSummary.RenewalInfo]
    /// Of the top level, in the iOS 6 style.
    let ownRenewal: ReceiptSummary.RenewalInfo?
    /// Nil when it is longer than a receipt may be, or not base64.
    let latestReceipt: [UInt8]?

    private enum CodingKeys: String, CodingKey {
        case latest = "latest_receipt_info"
        case latestExpired = "latest_expired_receipt_info"
        case renewals = "pending_renewal_info"
        case latestReceipt = "latest_receipt"
        case renews = "auto_renew_status"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        purchases =
            try Self.purchases(values, .latest) + Self.purchases(values, .latestExpired)
        guard purchases.count <= BackendLimits.answerPurchasesMax else {
            throw DecodingError.dataCorruptedError(
                forKey: .latestExpired, in: values, debugDescription: "makes too many items")
        }
        renewals = try Self.renewals(values)
        ownRenewal =
            values.contains(.renews) ? try RenewalFields(from: decoder).info : nil
        if let text = try? values.decode(String.self, forKey: .latestReceipt),
            text.utf8.count <= BackendLimits.receiptTextMax
        {
            latestReceipt = receiptBytes(text)
        } else {
            latestReceipt = nil
        }
    }

    private static func purchases(
        _ values: KeyedDecodingContainer<CodingKeys>, _ key: CodingKeys
    ) throws -> [ReceiptSummary.Purchase] {
        guard try values.isPresent(key) else { return [] }
        if let items = try? values.nestedUnkeyedContainer(forKey: key) {
            return try VerifyPurchaseFields.list(items)
        }
        return [try values.decode(VerifyPurchaseFields.self, forKey: key).value]
    }

    private static func renewals(
        _ values: KeyedDecodingContainer<CodingKeys>
    ) throws -> [String: ReceiptSummary.RenewalInfo] {
        guard try values.isPresent(.renewals) else { return [:] }
        var items = try values.nestedUnkeyedContainer(forKey: .renewals)
        var found: [String: ReceiptSummary.RenewalInfo] = [:]
        while !items.isAtEnd {
            guard found.count < BackendLimits.answerSubscriptionsMax else {
                throw DecodingError.dataCorruptedError(
                    in: items,
                    debugDescription: "has more than \(BackendLimits.answerSubscriptionsMax) items"
                )
            }
            let fields = try items.decode(RenewalFields.self)
            guard let original = fields.original else {
                throw DecodingError.dataCorruptedError(
                    in: items, debugDescription: "has an item without original_transaction_id")
            }
            found[original] = fields.info
        }
        return found
    }
}

/// An item of `pending_renewal_info`, or the same at the top of the iOS 6 style.
private struct RenewalFields: Decodable {
    let original: String?
    let info: ReceiptSummary.RenewalInfo

    private enum CodingKeys: String, CodingKey {
        case original = "original_transaction_id"
        case renews = "auto_renew_status"
        case renewsAs = "auto_renew_product_id"
        case isRetried = "is_in_billing_retry_period"
        case graceEndsAt = "grace_period_expires_date"
        case graceEndsAtMilliseconds = "grace_period_expires_date_ms"
        case intent = "expiration_intent"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        original = try? values.decode(Written.self, forKey: .original).text
        info = ReceiptSummary.RenewalInfo(
            renews: values.flag(.renews),
            renewsAs: try? values.decode(Written.self, forKey: .renewsAs).text,
            isRetried: values.flag(.isRetried),
            graceEndsAt: values.moment(.graceEndsAtMilliseconds)
                ?? values.momentOrDate(.graceEndsAt),
            intent: try? values.decode(Numeral.self, forKey: .intent).number)
    }
}
