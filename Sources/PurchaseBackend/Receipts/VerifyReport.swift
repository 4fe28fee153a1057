import StoreModel

/// One call to the store: when, where, and the numbers of its answer.
struct StoreTry: Hashable, Sendable {
    let triedAt: Timestamp
    let environment: StoreEnvironment
    /// Nil when no answer came.
    var httpStatus: Int?
    /// Nil when the answer did not have one.
    var storeStatus: Int?
}

/// The result of asking the store about a receipt.
struct VerifyReport: Hashable, Sendable {
    let answer: VerifyAnswer
    /// The last call made; nil when none was, because the store asked for a pause.
    var asked: StoreTry?
    /// The pause that the store asks for.
    var pauseMilliseconds: Int64?

    /// Whether the store gave no answer at all, or asks for a pause.
    var isSilent: Bool { asked?.httpStatus == nil || pauseMilliseconds != nil }
}

extension VerifyAnswer {
    /// What was verified.
    var receipt: ReceiptSummary? {
        if case .verified(let receipt) = self { receipt } else { nil }
    }

    /// The number in the answer's `status`, if it was read.
    var storeStatus: Int? {
        switch self {
        case .verified(let receipt): receipt.verdict == .expired ? Self.expiredStatus : 0
        case .refused(let status): status
        case .retry(_, let status): status
        }
    }
}
