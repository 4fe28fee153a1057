/// The store's limits, each refused with an answer of its own.
package enum Limits {
    /// Bytes of a body; 413 beyond.
    package static let bodyMax = 1 << 20
    /// Bytes of a `verifyReceipt` body: 10,000 unfinished purchases make about 5.6 MB.
    package static let receiptBodyMax = 16 << 20
    /// Bytes of a catalogue file.
    package static let catalogueBodyMax = 8 << 20
    /// Requests that may wait for updates at once, in all worlds; 503 beyond.
    package static let pollsMax = 512
    /// Seconds one of them may wait.
    package static let pollSecondsMax: Int64 = 25
    /// Events in one answer; the rest comes with the next.
    package static let eventsPerAnswerMax = 200
    /// Identifiers in one products request.
    package static let productIdentifiersMax = 1_000
    /// Bytes of a bundle identifier, product identifier and application user name.
    package static let identifierBytesMax = 255
    package static let appVersionBytesMax = 64
    package static let accountNameBytesMax = 128
    package static let passwordBytesMax = 1_024
    package static let localeBytesMax = 64
    /// Sign-ins that wait for one of the two password workers; 503 beyond.
    package static let signInsWaitingMax = 64
    /// Names that no account has whose guesses are counted; beyond them the oldest is forgotten.
    package static let unknownNamesMax = 10_000
    /// Bytes of the reason of a lock.
    package static let lockReasonBytesMax = 500
    /// How long a device token is good for: 400 days of real time.
    package static let tokenMilliseconds: Int64 = 400 * 86_400_000
    /// How long a token that a sign-in or a new registration replaced goes on working.
    package static let replacedTokenMilliseconds: Int64 = 600_000
    /// Test sessions that exist at once; 409 beyond.
    package static let sessionsMax = 10_000
    /// Test sessions whose files are open at once, but for those in use; the rest reopen.
    package static let sessionsOpenMax = 256
    /// How long a session that nobody uses keeps its files open.
    package static let sessionIdleMilliseconds = 300_000
    /// Snapshots of one world; 409 beyond.
    package static let snapshotsMax = 100
    /// Bytes of a seed, with the catalogues in it.
    package static let seedBodyMax = 16 << 20
}
