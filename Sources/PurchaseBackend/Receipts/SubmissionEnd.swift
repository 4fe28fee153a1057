import StoreWire

/// How a submission ended.
struct SubmissionEnd: Hashable, Sendable {
    let state: ReceiptOutcomeBody.Status
    var reason: String?
    var storeStatus: Int?
    var message: String?

    init(granted state: ReceiptOutcomeBody.Status) {
        self.state = state
    }

    init(refused refusal: GrantRefusal) {
        state = .refused
        reason = refusal.code
        storeStatus = refusal.storeStatus
        message = refusal.message
    }
}

/// What settling a submission came to, for whoever asked.
enum SettlementOutcome: Hashable, Sendable {
    case granted(productID: String, transactionID: String)
    case alreadyGranted(productID: String, transactionID: String)
    case refused(GrantRefusal)
    case kept(reason: String)
}
