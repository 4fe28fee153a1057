package import StoreModel
import StoreRules

/// The store's limits, each refused with an answer of its own.
package enum Limits {
    /// What clocks show and dates may be: the years 2000 to 2099; 422 beyond.
    package static let times = WorldClock.range
    /// The longest delay of a change on its way to devices; 422 beyond.
    package static let delayMillisecondsMax = PropagationRules.delayMillisecondsMax
    /// The longest overlap of a shared secret with its successor; 422 beyond.
    package static let overlapMillisecondsMax = SecretRules.overlapMillisecondsMax
    /// Bytes of a body; 413 beyond.
    package static let bodyMax = 1 << 20
    /// Bytes of a `verifyReceipt` body: 10,000 unfinished purchases make about 5.6 MB.
    package static let receiptBodyMax = 16 << 20
    /// Bytes of a catalogue file.
    package static let catalogueBodyMax = 8 << 20
    /// Requests that may wait for updates at once, in all worlds; 503 beyond.
    package static let pollsMax = 512
    /// Those of one device, which may have several processes of an app; the oldest ends beyond.
    package static let pollsPerDeviceMax = 8
    /// Seconds one of them may wait.
    package static let pollSecondsMax: Int64 = 25
    /// How long news waits for more before it goes to the device that caused it.
    package static let ownNewsDelayMilliseconds = 200
    /// How long an advance of a clock may take before it is answered that it goes on.
    package static let advanceAnswerMilliseconds = 10_000
    /// Refunds in one answer; the rest comes with the next page.
    package static let refundsPerAnswerMax = 200
    /// Subscriptions in one answer; the rest comes with the next page.
    package static let subscriptionsPerAnswerMax = 200
    /// Events in one answer; the rest comes with the next.
    package static let eventsPerAnswerMax = 200
    /// Purchases that were given back to a device and that its app has not finished; 409 beyond.
    package static let restoredUnfinishedMax = 10_000
    /// Identifiers in one products request.
    package static let productIdentifiersMax = 1_000
    /// Bytes of a bundle identifier, product identifier and application user name.
    package static let identifierBytesMax = 255
    package static let appVersionBytesMax = 64
    package static let accountNameBytesMax = 128
    package static let passwordBytesMax = 1_024
    package static let localeBytesMax = 64
    /// Sign-ins that wait for a password worker; 503 beyond.
    package static let signInsWaitingMax = 64
    /// Names that no account has whose guesses are counted; beyond them the oldest is forgotten.
    package static let unknownNamesMax = 10_000
    /// Bytes of the reason of a lock.
    package static let lockReasonBytesMax = 500
    /// How long a device token is good for: 400 days of real time.
    package static let tokenMilliseconds: Int64 = 400 * 86_400_000
    /// How long a token that a sign-in or a new registration replaced goes on working.
    package static let replacedTokenMilliseconds: Int64 = 600_000
    /// Registrations of devices that a world takes at once after a quiet time; 429 beyond.
    package static let registrationsAtOnceMax: Int64 = 20_000
    /// How many it takes for good. With the time below, strangers fill it with about a million
    /// rows (250 MB) and not more.
    package static let registrationsPerMinuteMax: Int64 = 600
    /// How long a device is kept on which nobody is signed in and that never bought: a day.
    package static let unusedDeviceMilliseconds: Int64 = 86_400_000
    /// How many devices a registration looks at for ones to drop.
    package static let devicesLookedAtMax = 4
    /// Tokens of a device on which nobody is signed in; the oldest go when there are more.
    package static let tokensWithoutAccountMax: Int64 = 8
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
    /// Gift codes that are kept, with those that were used; 409 beyond.
    package static let giftCodesMax: Int64 = 100_000
    /// Price entries of a product that are listed, the newest; more than can be in use.
    package static let priceEntriesPerAnswerMax = 2_000
    /// Shared secrets of an owner that are listed, the newest.
    package static let secretsPerAnswerMax = 100
    /// Shared secrets that are kept of an owner, with those that ended or were revoked; 409 beyond.
    package static let secretsKeptMax = 1_000
    /// Offer keys that are kept of an app, with those that were revoked; 409 beyond.
    package static let offerKeysMax = 100
    /// Bytes of an offer key's identifier in a catalogue file.
    package static let offerKeyIDBytesMax = 64
    /// How long a nonce is kept after its signature has expired, in case the clock is set back: a
    /// day of real time.
    package static let nonceKeptMilliseconds: Int64 = 86_400_000
    /// Nonces that are forgotten with each new one.
    package static let noncesDroppedAtOnce = 10
    /// Custom codes and batches that are kept of an app; 409 beyond.
    package static let offerCodesMax: Int64 = 1_000
    /// One-time codes in one batch; 422 beyond.
    package static let oneTimeCodesPerBatchMax: Int64 = 10_000
    /// Letters and digits of a one-time code, 5 bits each.
    package static let oneTimeCodeLength = 18
    /// Offer codes that an account may try on its devices at once after a quiet time; 429 beyond.
    package static let redemptionsAtOnceMax: Int64 = 10
    /// How many it may try a minute from then on.
    package static let redemptionsPerMinuteMax: Int64 = 2
    /// Accounts of a world whose tries are counted at once; 429 beyond.
    package static let redeemersMax = 10_000
    /// Developer accounts of a world; 409 beyond.
    package static let developersMax = 1_000
    /// Test sessions whose files are open at once, but for those in use; the rest reopen.
    package static let sessionsOpenMax = 256
    /// How long a session that nobody uses keeps its files open.
    package static let sessionIdleMilliseconds = 300_000
    /// Snapshots of one world; 409 beyond.
    package static let snapshotsMax = 100
    /// Bytes of the list of files that begins an upload: 10,000 with the longest paths.
    package static let contentManifestBytesMax = 16 << 20
    /// Bytes of one part of a file of content.
    package static let contentPartBytesMax = 4 << 20
    /// Uploads of content on their way in one world; 409 beyond.
    package static let contentUploadsMax = 100
    /// Versions of one product's content; 409 beyond.
    package static let contentVersionsMax = 100
    /// How long removed content can be fetched by who has begun it, and how long an upload is kept
    /// that nobody takes up: a day of real time.
    package static let contentKeptMilliseconds: Int64 = 86_400_000
    /// Bytes of changes of key values: those that fit, with every byte of a text escaped.
    package static let keyValuesBodyMax = 8 << 20
    /// Removed keys of an account in an app that devices are told of one by one.
    package static let removedKeysMax: Int64 = 1_024
    /// Requests of a device to change key values that are known when they come again.
    package static let keyValueRequestsMax: Int64 = 64
    /// Bytes of a body beyond which it is read away from the listener's threads.
    static let quickBodyMax = 64 << 10
    /// Purchases of a receipt beyond which it is made away from them: about 100 KB.
    static let quickReceiptPurchasesMax: Int64 = 200
    /// How often a receipt is made anew because something was bought meanwhile.
    static let receiptTriesMax = 10
    /// Bytes of a seed, with the catalogues in it.
    package static let seedBodyMax = 16 << 20
    /// How long a payment provider may take for an answer.
    static let providerCallMilliseconds = 10_000
    /// Bytes of its answer.
    static let providerAnswerBytesMax = 64 << 10
    /// Characters of what it says that are kept.
    static let providerTextMax = 200
    /// Calls to it at once, of one world.
    static let providerCallsMax = 8
    /// Payments of one purchase: credit that counted may go elsewhere meanwhile.
    static let paymentsPerPurchaseMax: Int64 = 3
    /// Payments of an account one after the other that were declined or have no answer yet, after
    /// which its provider is not asked for an hour: nobody tries cards out here.
    static let declinedPaymentsMax = 20
    static let declinedPaymentsMilliseconds: Int64 = 3_600_000
    /// Requests that wait at once for what becomes of one attempt.
    static let waitersPerAttemptMax = 2
    /// How long an attempt waits for it before its device is told to ask again.
    static let paymentWaitMilliseconds = 5_000
    package static let paymentsPerAnswerMax = 100
}
