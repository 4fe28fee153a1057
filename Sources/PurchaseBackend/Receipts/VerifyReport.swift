import StoreModel

/// One asking of the store: when, where, and what it said in numbers.
struct StoreTry: Hashable, Sendable {
    let triedAt: Timestamp
    let environment: StoreEnvironment
    /// Nil when no answer came.
    var httpStatus: Int?
    /// Nil when the answer named none.
    var storeStatus: Int?
}

/// What came of asking the store about a receipt.
struct VerifyReport: Hashable, Sendable {
    let answer: VerifyAnswer
    /// The last call that was made; nil when none was, because the store asked for a pause.
    var asked: StoreTry?
    /// How long the store wants to be left alone.
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
