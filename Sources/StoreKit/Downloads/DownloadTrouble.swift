import Glibc

/// Why a run of a download cannot go on.
struct DownloadTrouble: Error, Hashable {
    enum Kind: Hashable {
        /// It was told to stop.
        case stopped
        /// Its account is not signed in, or its world is not there.
        case absent
        /// The store says no, or what it gives is no good.
        case refused
        /// The store does not have the version that was begun any more.
        case versionGone
        /// No answer, or one that says to come again.
        case lost
        /// The disk: an error number of the system.
        case disk(Int32)
    }

    let kind: Kind
    let sentence: String

    init(_ kind: Kind, _ sentence: String) {
        self.kind = kind
        self.sentence = sentence
    }

    static let stopped = DownloadTrouble(.stopped, "The download was stopped.")

    /// The system did not do something with a file, and said why in `errno`.
    static func disk(_ deed: String, _ name: String) -> DownloadTrouble {
        let number = errno
        let reason = String(cString: strerror(number))
        return DownloadTrouble(
            .disk(number),
            number == ENOSPC || number == EDQUOT
                ? noRoom : "The download cannot \(deed) \(name): \(reason).")
    }

    static let noRoom =
        "There is no room left on the disk for the download. What has come is kept: make room and "
        + "resume the download, or cancel it."

    /// What an app reads of it.
    var reason: FailureReason {
        switch kind {
        case .disk(let number): FailureReason(.unknown, sentence, errorNumber: number)
        case .versionGone: FailureReason(.storeProductNotAvailable, sentence)
        case .stopped, .absent, .refused, .lost: FailureReason(.unknown, sentence)
        }
    }
}
