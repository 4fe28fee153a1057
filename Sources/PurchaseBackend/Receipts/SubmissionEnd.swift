import StoreWire

/// How a submission ended.
struct SubmissionEnd: Hashable, Sendable {
    let state: ReceiptOutcomeBody.Status
    var reason: String?
    var storeStatus: Int?
    var message: String?
    /// As the store said.
    var originalTransactionID: String?
    /// Whether it was refused although its purchase is the user's.
    var isOwn = false

    init(granted state: ReceiptOutcomeBody.Status, _ purchase: ReceiptSummary.Purchase) {
        self.state = state
        originalTransactionID = purchase.originalTransactionID
    }

    init(
        refused refusal: GrantRefusal, _ purchase: ReceiptSummary.Purchase? = nil, isOwn: Bool
    ) {
        state = .refused
        reason = refusal.code
        storeStatus = refusal.storeStatus
        message = refusal.message
        originalTransactionID = purchase?.originalTransactionID
        self.isOwn = isOwn
    }
}

/// The outcome of settling a submission.
enum SettlementOutcome: Hashable, Sendable {
    case granted(productID: String, transactionID: String)
    case alreadyGranted(productID: String, transactionID: String)
    case refused(GrantRefusal)
    /// `isStoreSilent` when the next submission would only wait as well: the store gave no answer,
    /// or asked for a pause.
    case kept(reason: String, isStoreSilent: Bool)

    /// Whether the purchase was granted to the user, now or before.
    var isGranted: Bool {
        switch self {
        case .granted, .alreadyGranted: true
        case .refused, .kept: false
        }
    }
}
