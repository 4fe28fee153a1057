package import StoreModel
import StoreWire

/// What an answer of `/verifyReceipt` means for a purchase.
package enum VerifyAnswer: Hashable, Sendable {
    case verified(ReceiptSummary)
    /// The store will say the same of this receipt next time.
    case refused(status: Int)
    /// No answer to decide on: says why, and the answer's status when it had one.
    case retry(String, status: Int? = nil)

    /// Statuses that speak of the receipt. Every other one speaks of the store or of the way to
    /// it (21000, 21005, 21009, those to come), so the receipt is tried again; 21100 to 21199 say
    /// themselves, by `is-retryable`, which of both they are.
    package static let refusingStatuses: Set<Int> = [
        21_002, 21_003, 21_004, 21_006, 21_007, 21_008, 21_010,
    ]

    /// The receipt is good and its subscription has expired; in the iOS 6 style only.
    static let expiredStatus = 21_006

    /// Our shared secret is missing or wrong, which speaks of no receipt: see `StoreVerifier`.
    static let secretStatus = 21_004

    /// Trouble inside the store, with `is-retryable`.
    package static let internalStatuses = 21_100...21_199

    /// Reads an answer: unknown fields are left alone, the used ones must be right, and whatever
    /// is not a clear yes or no is a reason to ask again.
    package static func read(
        httpStatus: Int, body: [UInt8], from environment: StoreEnvironment
    ) -> VerifyAnswer {
        // Longer than the store reads: it will be next time, too.
        if httpStatus == 413 { return .refused(status: 21_002) }
        guard httpStatus == 200 else {
            return .retry("the store answered HTTP \(httpStatus)")
        }
        let fields: VerifyStatusFields
        do {
            fields = try WireJSON.decode(VerifyStatusFields.self, from: body)
        } catch {
            return .retry("the store's answer is no verifyReceipt answer: \(explained(error))")
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

    /// Bounded, since the sentence is stored and logged.
    private static func explained(_ error: any Error) -> String {
        String(WireJSON.explain(error).prefix(200))
    }
}
