/// An event of the downloads.
enum DownloadEvent: Hashable, Sendable {
    /// Observers are about to get a transaction that brings content.
    case offered(DownloadOffer, DownloadRecord?, bytesOnDisk: Int64, isWhole: Bool)
    /// They have got it.
    case told
    /// `sawFinished` holds those that the app could see as finished when it called.
    case startCalled([TransactionName], sawFinished: Set<TransactionName>)
    case pauseCalled([TransactionName])
    case resumeCalled([TransactionName])
    case cancelCalled([TransactionName])
    /// A run is waiting for a network or for another process.
    case held(TransactionName, run: Int)
    /// The number of bytes of a version on disk. `at` is in milliseconds of a monotonic clock.
    case arrived(
        TransactionName, run: Int, bytes: Int64, version: String, length: Int64, at: Int64)
    case ended(TransactionName, run: Int, DownloadOutcome)
    case signedIn(Customer)
    /// The transaction is finished, or no longer belongs to the account.
    case dropped(TransactionName)
    /// Whether there is an observer: without one, nothing is loaded.
    case listening(Bool)
}

/// How one run of a download ended.
enum DownloadOutcome: Hashable, Sendable {
    case finished
    case failed(FailureReason)
    /// Its account is not signed in, or its world is unavailable.
    case absent
    /// It was told to stop.
    case stopped
}

/// An action that downloads require.
enum DownloadAction: Hashable, Sendable {
    /// Fetches what is missing; `version` is the one that was begun, nil for the newest.
    case load(DownloadOffer, version: String?, run: Int)
    case stop(TransactionName)
    case write(DownloadRecord)
    /// Removes the files, then the record.
    case discard(TransactionName)
    case tell(DownloadNews)
}

/// A download as the app is to see it now.
struct DownloadNews: Hashable, Sendable {
    let key: QueueKey
    let presented: PresentedDownload
    /// Whether the transaction no longer has downloads.
    var isGone = false
    /// Whether observers are notified.
    var isTold = true
}
