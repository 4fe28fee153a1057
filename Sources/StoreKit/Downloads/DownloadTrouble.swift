import Glibc

/// Why a run of a download cannot continue.
struct DownloadTrouble: Error, Hashable {
    enum Kind: Hashable {
        /// It was told to stop.
        case stopped
        /// Its account is not signed in, or its world is unavailable.
        case absent
        /// The store refused, or returned something unusable.
        case refused
        /// The store no longer has the version that was begun.
        case versionGone
        /// There was no answer, or one that asks to retry.
        case lost
        /// The disk failed with a system error number.
        case disk(Int32)
    }

    let kind: Kind
    let sentence: String

    init(_ kind: Kind, _ sentence: String) {
        self.kind = kind
        self.sentence = sentence
    }

    static let stopped = DownloadTrouble(.stopped, "The download was stopped.")

    /// A file operation failed, with the reason in `errno`.
    static func disk(_ deed: String, _ name: String) -> DownloadTrouble {
        let number = errno
        let reason = String(cString: strerror(number))
        return DownloadTrouble(
            .disk(number),
            number == ENOSPC || number == EDQUOT
                ? noRoom : "The download cannot \(deed) \(name): \(reason).")
    }

    static let noRoom =
        "There is no room left on the disk. The part already downloaded is kept: free space and "
        + "resume the download, or cancel it."

    /// The reason as the app reads it.
    var reason: FailureReason {
        switch kind {
        case .disk(let number): FailureReason(.unknown, sentence, errorNumber: number)
        case .versionGone: FailureReason(.storeProductNotAvailable, sentence)
        case .stopped, .absent, .refused, .lost: FailureReason(.unknown, sentence)
        }
    }
}

extension DownloadTrouble {
    /// Whether the disk or a quota is full.
    var isNoRoom: Bool { kind == .disk(ENOSPC) || kind == .disk(EDQUOT) }
}

extension DownloadOutcome {
    init(_ trouble: DownloadTrouble) {
        self =
            switch trouble.kind {
            case .stopped: .stopped
            case .absent: .absent
            case .refused, .versionGone, .lost, .disk: .failed(trouble.reason)
            }
    }
}
