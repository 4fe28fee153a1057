package import StoreModel
import StoreWire

/// What an answer of `/verifyReceipt` means for a purchase.
package enum VerifyAnswer: Hashable, Sendable {
    case verified(ReceiptSummary)
    /// The store will give the same answer for this receipt next time.
    case refused(status: Int)
    /// An undecided answer: the reason, and the answer's status if it had one.
    case retry(String, status: Int? = nil)

    /// Statuses about the receipt. Every other one is about the store or the connection to it
    /// (21000, 21005, 21009, and future ones), so the receipt is tried again; for 21100 to 21199,
    /// `is-retryable` says which applies.
    package static let refusingStatuses: Set<Int> = [
        21_002, 21_003, 21_004, 21_006, 21_007, 21_008, 21_010,
    ]

    /// The receipt is valid and its subscription has expired; in the iOS 6 style only.
    static let expiredStatus = 21_006

    /// Our shared secret is missing or wrong, which says nothing about a receipt: see
    /// `StoreVerifier`.
    static let secretStatus = 21_004

    /// Trouble inside the store, with `is-retryable`.
    package static let internalStatuses = 21_100...21_199

    /// Reads an answer: unknown fields are ignored, the used ones must be right, and anything but a
    /// clear yes or no is a reason to ask again.
    package static func read(
        httpStatus: Int, body: [UInt8], from environment: StoreEnvironment
    ) -> VerifyAnswer {
        // Longer than the store accepts: it will be next time, too.
        if httpStatus == 413 { return .refused(status: 21_002) }
        guard httpStatus == 200 else {
            return .retry("the store answered HTTP \(httpStatus)")
        }
        let fields: VerifyStatusFields
        do {
            fields = try WireJSON.decode(VerifyStatusFields.self, from: body)
        } catch {
            return .retry("the store's answer is not a verifyReceipt answer: \(explained(error))")
        }
        let status = fields.status
        let isFinal = internalStatuses.contains(status) && fields.isRetryable == false
        // An expired subscription in the iOS 6 style is verified all the same.
        let isExpired = status == expiredStatus && fields.hasReceipt
        if refusingStatuses.contains(status) && !isExpired || isFinal {
            return .refused(status: status)
        }
        guard status == 0 || isExpired else {
            return .retry("the store answered status \(status)", status: status)
        }
        do {
            let fields = try WireJSON.decode(VerifyReceiptFields.self, from: body)
            if let named = fields.environment, named != environment.wireName {
                return .retry(
                    "the store's \(environment.wireName) address answered for "
                        + String(named.prefix(40)), status: status)
            }
            return .verified(fields.summary(environment, status: status))
        } catch {
            return .retry(
                "the store verified a receipt but not clearly: \(explained(error))",
                status: status)
        }
    }

    /// Shortened, since the sentence is stored and logged.
    private static func explained(_ error: any Error) -> String {
        String(WireJSON.explain(error).prefix(200))
    }
}
