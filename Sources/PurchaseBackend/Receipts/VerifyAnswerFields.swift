import StoreModel

/// The one field every answer has, and the one that says whether an internal error passes.
struct VerifyStatusFields: Decodable {
    let status: Int
    /// Nil when the answer does not say, or not clearly.
    let isRetryable: Bool?

    private enum CodingKeys: String, CodingKey {
        case status
        case isRetryable = "is-retryable"
        /// As Apple's documentation prints it.
        case documentedIsRetryable = "is_retryable"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        status = Int(try values.decode(Numeral.self, forKey: .status).number)
        isRetryable =
            Self.flag(values, .isRetryable) ?? Self.flag(values, .documentedIsRetryable)
    }

    /// A flag written as true or false, 1 or 0, or either as text.
    private static func flag(
        _ values: KeyedDecodingContainer<CodingKeys>, _ key: CodingKeys
    ) -> Bool? {
        if let flag = try? values.decode(Bool.self, forKey: key) { return flag }
        if let number = try? values.decode(Int.self, forKey: key) {
            return number == 1 ? true : number == 0 ? false : nil
        }
        switch try? values.decode(String.self, forKey: key) {
        case "1", "true": return true
        case "0", "false": return false
        default: return nil
        }
    }
}

/// The fields of an answer with status 0 that are used: of the unified style, and of the iOS 6
/// style, where the receipt itself is the purchase.
struct VerifyReceiptFields: Decodable {
    let environment: String?
    let receipt: Receipt

    struct Receipt: Decodable {
        let bundleID: String
        let applicationVersion: String
        let purchases: [Purchase]

        private enum CodingKeys: String, CodingKey {
            case bundleID = "bundle_id"
            case applicationVersion = "application_version"
            case purchases = "in_app"
            case oldBundleID = "bid"
            case oldVersion = "bvrs"
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            let isOldStyle = !values.contains(.bundleID) && values.contains(.oldBundleID)
            if isOldStyle {
                bundleID = try values.decode(String.self, forKey: .oldBundleID)
                applicationVersion = try values.decode(Written.self, forKey: .oldVersion).text
                purchases = [try Purchase(from: decoder)]
            } else {
                bundleID = try values.decode(String.self, forKey: .bundleID)
                applicationVersion =
                    try values.decode(Written.self, forKey: .applicationVersion).text
                purchases = try values.decode([Purchase].self, forKey: .purchases)
            }
        }
    }

    struct Purchase: Decodable {
        let value: ReceiptSummary.Purchase

        private enum CodingKeys: String, CodingKey {
            case product = "product_id"
            case transaction = "transaction_id"
            case original = "original_transaction_id"
            case quantity
            case cancelledAt = "cancellation_date"
            case cancelledAtMilliseconds = "cancellation_date_ms"
            case purchasedAtMilliseconds = "purchase_date_ms"
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            let quantity = try values.decode(Numeral.self, forKey: .quantity).number
            guard quantity >= 1 else {
                throw DecodingError.dataCorruptedError(
                    forKey: .quantity, in: values, debugDescription: "is below 1")
            }
            value = ReceiptSummary.Purchase(
                productID: try values.decode(String.self, forKey: .product),
                transactionID: try values.decode(Written.self, forKey: .transaction).text,
                originalTransactionID: try values.decode(Written.self, forKey: .original).text,
                quantity: quantity,
                isCancelled: try Self.isPresent(values, .cancelledAt)
                    || Self.isPresent(values, .cancelledAtMilliseconds),
                cancelledAt: Self.moment(values, .cancelledAtMilliseconds),
                purchasedAt: Self.moment(values, .purchasedAtMilliseconds))
        }

        /// Nil unless it is a moment that can be.
        private static func moment(
            _ values: KeyedDecodingContainer<CodingKeys>, _ key: CodingKeys
        ) -> Timestamp? {
            guard let number = try? values.decode(Numeral.self, forKey: key).number else {
                return nil
            }
            let moment = Timestamp(milliseconds: number)
            return Timestamp.range.contains(moment) ? moment : nil
        }

        private static func isPresent(
            _ values: KeyedDecodingContainer<CodingKeys>, _ key: CodingKeys
        ) throws -> Bool {
            try values.contains(key) && !values.decodeNil(forKey: key)
        }
    }

    func summary(_ environment: StoreEnvironment) -> ReceiptSummary {
        ReceiptSummary(
            environment: environment, bundleID: receipt.bundleID,
            applicationVersion: receipt.applicationVersion,
            purchases: receipt.purchases.map(\.value))
    }
}

/// An identifier or version that is written as text or as a whole number.
private struct Written: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
            guard isPlainWord(text, bytesMax: 255) else {
                throw DecodingError.dataCorruptedError(
                    in: value, debugDescription: "is empty, too long or not printable")
            }
            self.text = text
        } else {
            text = String(try value.decode(Int64.self))
        }
    }
}

/// A whole number that is written as a number or as text.
private struct Numeral: Decodable {
    let number: Int64

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
            guard let number = Int64(text) else {
                throw DecodingError.dataCorruptedError(
                    in: value, debugDescription: "is no whole number")
            }
            self.number = number
        } else {
            number = try value.decode(Int64.self)
        }
    }
}
