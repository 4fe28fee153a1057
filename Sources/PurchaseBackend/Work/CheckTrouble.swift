/// Why a check failed.
struct CheckTrouble: Hashable, Sendable {
    enum Kind: Sendable {
        /// The store, the connection to it or the backend itself was in trouble.
        case silence
        /// The store called a whole receipt malformed, or was in trouble.
        case doubt
        /// The store said so clearly.
        case refusal
    }

    let reason: String
    let kind: Kind

    init(reason: String, kind: Kind) {
        self.reason = reason
        self.kind = kind
    }

    /// A fault of the backend.
    init(ofOurs error: any Error) {
        self.init(
            reason: "the backend failed: \(String("\(error)".prefix(200)))", kind: .silence)
    }

    /// Why an answer for a receipt says nothing about what was checked; nil when it does. `missing`
    /// says what a verified receipt lacks.
    init?(
        _ report: VerifyReport, of receipt: [UInt8], bundleID: String,
        missing: (ReceiptSummary) -> String?
    ) {
        switch report.answer {
        case .retry(let reason, _): self.init(reason: reason, kind: .silence)
        case .refused where GrantRules.isDoubtful(report, receipt):
            self.init(reason: SubmissionSettler.doubt, kind: .doubt)
        case .refused(let status):
            self.init(
                reason: GrantRefusal.storeRefused(status: status).message, kind: .refusal)
        case .verified(let receipt) where receipt.bundleID != bundleID:
            self.init(reason: GrantRefusal.wrongBundle.message, kind: .refusal)
        case .verified(let receipt):
            guard let reason = missing(receipt) else { return nil }
            self.init(reason: reason, kind: .refusal)
        }
    }
}
