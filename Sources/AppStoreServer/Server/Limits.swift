package import StoreModel
import StoreRules

/// The store's limits, each with its own refusal.
package enum Limits {
    /// The range of clocks and dates: the years 2000 to 2099; 422 beyond.
    package static let times = WorldClock.range
    /// The longest delay of a change on its way to devices; 422 beyond.
    package static let delayMillisecondsMax = PropagationRules.delayMillisecondsMax
    /// The longest overlap of a shared secret with its successor; 422 beyond.
    package static let overlapMillisecondsMax = SecretRules.overlapMillisecondsMax
    /// Bytes of a body; 413 beyond.
    package static let bodyMax = 1 << 20
    /// Bytes of a `verifyReceipt` body: 10,000 unfinished purchases make about 5.6 MB.
    package static let receiptBodyMax = 16 << 20
    /// Bytes of all large bodies on their way that came without a valid token; 503 beyond.
    package static let strangerBytesMax = 64 << 20
    /// The same of an account on all its devices: two of the largest receipts.
    package static let accountBytesMax = 2 * receiptBodyMax
    /// Bytes of a catalogue file.
    package static let catalogueBodyMax = 8 << 20
    /// Connections at once, where the process may have enough files open.
    package static let connectionsMax = 1_024
    /// Devices that may wait in one request.
    package static let devicesPerWaitMax = 64
    /// Such requests that may be looked at or queue for it; 503 beyond.
    package static let newsWaitsQueuedMax = 64
    /// Requests that may wait for updates at once, in all worlds; 503 beyond.
    package static let pollsMax = 512
    /// The same for those over TLS, whose port has a quarter of the connections; 503 beyond.
    package static let pollsOverTLSMax = 128
    /// The same for one account, on all its devices; 503 beyond.
    package static let pollsPerAccountMax = 64
    /// The same for one device and kind of news, which may have several processes of an app; beyond, the oldest
    /// ends.
    package static let pollsPerDeviceMax = 8
    /// The most seconds that one of them may wait.
    package static let pollSecondsMax: Int64 = 25
    /// How long news waits for more before it goes to the device that caused it.
    package static let ownNewsDelayMilliseconds = 200
    /// How long an advance of a clock may take before the answer says that it goes on.
    package static let advanceAnswerMilliseconds = 10_000
    /// Transactions in one page of the owner's list; the rest comes with the next page.
    package static let salesPerAnswerMax = 1_000
    /// Rows that are looked at for one page of a list whose filters may fit few, and for one count.
    static let rowsLookedAtMax = 10_000
    /// Devices in one answer, and attempts of one of them; the rest comes with the next page.
    package static let devicesPerAnswerMax = 200
    /// Accounts in one answer; the rest comes with the next page.
    package static let accountsPerAnswerMax = 200
    /// Entries of the ledger in one answer, and as many of its accounts; the rest comes with the
    /// next page.
    package static let ledgerEntriesPerAnswerMax = 200
    package static let ledgerAccountsPerAnswerMax = 200
    /// Requests of owners that may wait for the history to go on, in all worlds; 503 beyond.
    package static let watchersMax = 16
    /// How long the history's news waits for more before it is told to them.
    static let historyNewsDelayMilliseconds = 100
    /// Requests that the inspector keeps, and their bytes in memory; the oldest leave.
    package static let activitiesMax = 2_000
    package static let activityBytesMax = 16 << 20
    /// Bytes that it keeps of a request's body, and as many of the answer's.
    package static let activityBodyMax = 16 << 10
    /// Bytes of a body that it reads; a longer one is only counted.
    static let activityBodyReadMax = 256 << 10
    /// Requests a second, and refused ones as many, that it keeps in all detail: more of them would be
    /// gone before anybody looked, and reading their bodies takes time from purchases.
    static let activityDetailsPerSecond = 250
    package static let activitiesPerAnswerMax = 500
    /// Refunds in one answer; the rest comes with the next page.
    package static let refundsPerAnswerMax = 200
    /// Subscriptions in one answer; the rest comes with the next page.
    package static let subscriptionsPerAnswerMax = 200
    /// Products and groups in the filters of a transaction history.
    package static let historyFiltersMax = 100
    static let orderNumberBytesMax = 64
    /// Requests to extend all subscribers of a product that a world keeps waiting; 429 beyond.
    static let massExtensionsOpenMax: Int64 = 1_000
    /// Subscriptions that one step of such a request looks at.
    static let subscriptionsLookedAtMax = 10_000
    /// Events in one answer; the rest comes with the next.
    package static let eventsPerAnswerMax = 200
    /// Restored transactions of a device that its app has not finished; 409 beyond.
    package static let restoredUnfinishedMax = 10_000
    /// Identifiers in one products request.
    package static let productIdentifiersMax = 1_000
    /// Bytes of a bundle identifier, product identifier and application user name.
    package static let identifierBytesMax = 255
    package static let appVersionBytesMax = ContentPackage.appVersionBytesMax
    package static let accountNameBytesMax = 128
    package static let passwordBytesMax = 1_024
    package static let localeBytesMax = 64
    /// Sign-ins that wait for a password worker, on devices where the account has signed in before,
    /// and as many on others; beyond, the caller with the most loses its newest, or 503.
    package static let signInsWaitingMax = 256
    /// Wrong passwords from one address beyond this machine, on devices where the account never
    /// signed in, after a quiet time and a minute; 429 beyond.
    package static let guessesAtOnceMax: Int64 = 100
    package static let guessesPerMinuteMax: Int64 = 10
    /// Addresses whose guesses are counted at once.
    package static let guessersMax = 10_000
    /// Unknown names whose guesses are counted; beyond them the oldest is forgotten.
    package static let unknownNamesMax = 10_000
    /// Bytes of the reason of a lock.
    package static let lockReasonBytesMax = 500
    /// How long a device token is valid: 400 days of real time.
    package static let tokenMilliseconds: Int64 = 400 * 86_400_000
    /// How long a token still works after a sign-in or a new registration replaced it.
    package static let replacedTokenMilliseconds: Int64 = 600_000
    /// Registrations of devices that a world takes at once after a quiet time; 429 beyond.
    package static let registrationsAtOnceMax: Int64 = 20_000
    /// The sustained rate of registrations. With the time below, strangers can fill it with about a
    /// million rows (250 MB) and no more.
    package static let registrationsPerMinuteMax: Int64 = 600
    /// How long a device without an account or a purchase is kept: a day.
    package static let unusedDeviceMilliseconds: Int64 = 86_400_000
    /// How many devices a registration checks for unused ones.
    package static let devicesLookedAtMax = 4
    /// Tokens of a device with an account, and as many without one; beyond, the oldest are deleted.
    package static let tokensPerDeviceMax: Int64 = 8
    /// Test sessions that exist at once; 409 beyond.
    package static let sessionsMax = 10_000
    /// Bytes of a review's note.
    package static let reviewNoteBytesMax = 1_024
    /// Entries of the review history in one answer; the rest comes with the next.
    package static let reviewsPerAnswerMax = 200
    /// Requests for approval in one answer; the rest comes with the next.
    package static let approvalsPerAnswerMax = 200
    /// Questions about prices in one answer; the rest comes with the next.
    package static let priceConsentsPerAnswerMax = 200
    /// Changes of an account's credit in one answer; the rest comes with the next.
    package static let creditEntriesPerAnswerMax = 200
    /// Bytes of the reason of a correction of credit.
    package static let creditReasonBytesMax = 500
    /// Families in one answer; the rest comes with the next.
    package static let familiesPerAnswerMax = 200
    /// Gift codes in one answer; the rest comes with the next.
    package static let giftCodesPerAnswerMax = 200
    /// Gift codes that are kept, including used ones; 409 beyond.
    package static let giftCodesMax: Int64 = 100_000
    /// Price entries of a product that are listed, the newest; more than can be in use.
    package static let priceEntriesPerAnswerMax = 2_000
    /// Shared secrets of an owner that are listed, the newest.
    package static let secretsPerAnswerMax = 100
    /// Shared secrets that are kept of an owner, including ended or revoked ones; 409 beyond.
    package static let secretsKeptMax = 1_000
    /// Offer keys that are kept of an app, including revoked ones; 409 beyond.
    package static let offerKeysMax = 100
    /// Bytes of an offer key's identifier in a catalogue file.
    package static let offerKeyIDBytesMax = 64
    /// How long a nonce is kept after its signature has expired, in case the clock is set back: a
    /// day of real time.
    package static let nonceKeptMilliseconds: Int64 = 86_400_000
    /// Expired nonces that are deleted with each new one.
    package static let noncesDroppedAtOnce = 10
    /// Custom codes and batches that are kept of an app; 409 beyond.
    package static let offerCodesMax: Int64 = 1_000
    /// One-time codes in one batch; 422 beyond.
    package static let oneTimeCodesPerBatchMax: Int64 = 10_000
    /// Letters and digits of a one-time code, 5 bits each.
    package static let oneTimeCodeLength = 18
    /// Offer codes that an account may try on its devices at once after a quiet time; 429 beyond.
    package static let redemptionsAtOnceMax: Int64 = 10
    /// How many it may try a minute after that.
    package static let redemptionsPerMinuteMax: Int64 = 2
    /// Accounts of a world whose tries are counted at once; 429 beyond.
    package static let redeemersMax = 10_000
    /// Certificates that are kept of one role in an environment, the newest.
    package static let certificatesKeptMax = 100
    /// Bytes of the address at which verifiers reach the store.
    package static let ocspAddressBytesMax = 120
    /// Developer accounts of a world; 409 beyond.
    package static let developersMax = 1_000
    /// Test sessions whose files are open at once, besides those in use; the rest reopen on demand.
    package static let sessionsOpenMax = 1_024
    /// How long a session that nobody uses keeps its files open.
    package static let sessionIdleMilliseconds = 300_000
    /// The most recently used test sessions, which keep their statements and readers; the others make
    /// them anew when they are used.
    package static let sessionsWarmMax = 64
    /// The interval at which sessions beyond those are shrunk; the shorter one while there are some.
    package static let shrinkMilliseconds = 1_000
    package static let crowdShrinkMilliseconds = 250
    /// How long until an unused test session's file has no connections, whoever waits for its news; half
    /// as long again at most.
    package static let sessionRestMilliseconds = 10_000
    /// Sessions that rest or shrink before free memory goes back to the system, which takes milliseconds.
    package static let sessionsFreedMax = 16
    /// Snapshots of one world; 409 beyond.
    package static let snapshotsMax = 100
    /// Bytes of the list of files that begins an upload: 10,000 files with the longest paths.
    package static let contentManifestBytesMax = 16 << 20
    /// Bytes of one part of a file of content.
    package static let contentPartBytesMax = 4 << 20
    /// Uploads of content on their way in one world; 409 beyond.
    package static let contentUploadsMax = 100
    /// Versions of one product's content; 409 beyond.
    package static let contentVersionsMax = 100
    /// Tags of on-demand resources in one version of an app, as Apple's limit on asset packs, and in
    /// all versions of one app together; 409 beyond.
    package static let tagsMax = 1_000
    package static let resourcesMax = 10_000
    /// How long a device may finish fetching removed content, and how long an abandoned upload is
    /// kept: a day of real time.
    package static let contentKeptMilliseconds: Int64 = 86_400_000
    /// Bytes of a body of key-value changes: the most that fit, with every byte of a text escaped.
    package static let keyValuesBodyMax = 8 << 20
    /// Removed keys of an account in an app that are reported to devices one by one.
    package static let removedKeysMax: Int64 = 1_024
    /// Key-value requests of a device that are recognized when they are repeated.
    package static let keyValueRequestsMax: Int64 = 64
    /// Bytes of a body beyond which it is read away from the listener's threads.
    static let quickBodyMax = 64 << 10
    /// Purchases of a receipt beyond which it is made away from those threads: about 100 KB.
    static let quickReceiptPurchasesMax: Int64 = 200
    /// How often a receipt is remade because something was bought meanwhile.
    static let receiptTriesMax = 10
    /// Bytes of a seed, with the catalogues in it.
    package static let seedBodyMax = 16 << 20
    /// The longest delay that a fault injects.
    package static let faultDelayMillisecondsMax = 60_000
    /// Bytes of the address of an app's server, and of the certificates that it is trusted by.
    package static let notificationAddressBytesMax = 2_048
    package static let certificateAuthorityBytesMax = 64 << 10
    package static let externalPurchaseIDBytesMax = 100
    /// How long a receiver of notifications may take for an answer.
    static let notificationMilliseconds = 5_000
    /// Bytes of its answer that are read.
    static let notificationAnswerBytesMax = 64 << 10
    /// Notifications on their way at once, from all worlds, and from one app.
    package static let notificationCallsMax = 256
    static let notificationCallsPerAppMax = 32
    /// The longest delay with which deliveries are spoilt: a week.
    package static let notificationDelayMillisecondsMax: Int64 = 604_800_000
    package static let notificationsPerAnswerMax = 100
    /// For how long their history is told. Source: Apple, *Get Notification History*.
    static func notificationHistoryDays(_ environment: StoreEnvironment) -> Int64 {
        switch environment {
        case .production: 180
        case .sandbox: 30
        }
    }
    /// For how long they are kept: a little longer than a test's status may be asked for, which is six
    /// months. Source: Apple, *Get Test Notification Status*.
    static let notificationDays: Int64 = 190
    /// How long a payment provider may take for an answer.
    static let providerCallMilliseconds = 10_000
    /// Bytes of its answer.
    static let providerAnswerBytesMax = 64 << 10
    /// Characters of its texts that are kept.
    static let providerTextMax = 200
    /// Concurrent calls to it from one world.
    static let providerCallsMax = 8
    /// Payments of one purchase: credit that counted may be spent elsewhere meanwhile.
    static let paymentsPerPurchaseMax: Int64 = 3
    /// Successive payments of an account that were declined or are unanswered, after which its
    /// provider is not asked for an hour, to prevent card testing.
    static let declinedPaymentsMax = 20
    static let declinedPaymentsMilliseconds: Int64 = 3_600_000
    /// Requests that wait at once for the outcome of one attempt.
    static let waitersPerAttemptMax = 2
    /// How long an attempt waits for its outcome before its device must ask again.
    static let paymentWaitMilliseconds = 5_000
    package static let paymentsPerAnswerMax = 100
}
