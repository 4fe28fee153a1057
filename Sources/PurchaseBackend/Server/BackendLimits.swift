/// Every limit of the backend, in one place.
package enum BackendLimits {
    /// The longest base64 text of a receipt; 10,000 unfinished purchases make about 7.5 MB.
    /// With the request around it, the store takes 16 MiB.
    package static let receiptTextMax = (16 << 20) - (64 << 10)
    /// The body around such a receipt, with its other fields.
    package static let receiptBodyMax = receiptTextMax + (256 << 10)
    /// A longer body is read away from the listener's threads.
    static let quickBodyMax = 64 << 10
    /// Any other body.
    package static let bodyMax = 16 << 10
    /// Bytes of all large bodies on their way that came without a valid token; 503 beyond.
    package static let strangerBytesMax = 64 << 20
    /// The same of a user on all devices: two of the largest receipts.
    package static let userBytesMax = 2 * receiptBodyMax
    /// An answer of the store; a longer one is asked for without old transactions, and then counts
    /// as no answer.
    package static let storeAnswerMax = 16 << 20
    /// A longer receipt does not replace the one with which a subscription is followed.
    static let followedReceiptBytesMax = 1 << 20

    /// Purchases in each list of an answer; in 16 MiB there is room for some 20,000.
    package static let answerPurchasesMax = 30_000
    /// Subscriptions in one answer.
    package static let answerSubscriptionsMax = 1_000

    /// Clients at a time: more than can wait for passwords, for verifications and in reads together.
    package static let connectionsMax = 512

    package static let userNameScalarsMin = 3
    package static let userNameScalarsMax = 64
    package static let passwordScalarsMin = 8
    package static let passwordScalarsMax = 128
    /// Users that may sign up at once after a quiet time; 429 beyond. Each is a permanent row, with
    /// a share of its own of everything a user may do.
    package static let signUpsAtOnceMax: Int64 = 1_000
    /// How many more may sign up each minute after that.
    package static let signUpsPerMinuteMax: Int64 = 60
    /// Older sessions of a user end when there are more.
    package static let sessionsPerUserMax = 50
    /// Sessions of a user that have ended and by whose tokens devices are still known.
    package static let endedSessionsPerUserMax = 150
    package static let sessionLifetimeMilliseconds: Int64 = 30 * 86_400_000

    /// Wrong passwords for one name before it is locked.
    package static let guessesMax = 5
    package static let lockOutMilliseconds: Int64 = 15 * 60_000
    /// Names whose guesses are remembered. Hashing takes 50 ms, two at a time, so nobody can push a
    /// name out of the memory before its lock ends.
    package static let guessedNamesMax = 100_000

    /// Passwords hashed at a time, at 50 ms and 16 MB each.
    package static let passwordWorkersMax = 2
    /// Sign-ins of known users that wait, with or without a known device; others have fewer places.
    package static let passwordsWaitingMax = 64
    /// Verification calls to the store at a time.
    package static let verificationWorkersMax = 8
    package static let verificationsWaitingMax = 256
    /// Reads before whose answers the store is asked, at a time, each of another user.
    package static let readWorkersMax = 4
    /// Reads of all users that wait for that.
    package static let readsWaitingMax = 48
    /// Checks of subscriptions at a time; requests and checks do not wait for each other.
    package static let subscriptionWorkersMax = 4
    /// The same of other grants, which are checked user by user.
    package static let grantWorkersMax = 2
    /// Checks of either kind that wait for a worker.
    package static let checksWaitingMax = 60
    /// Due checks that one round hands out.
    package static let checkBatchMax = 64
    /// Due grants, the longest waiting, from which a round takes the users.
    static let grantWindowMax: Int64 = 1_000
    /// Grants of a consumable about which the store is asked after one report of a refund.
    package static let consumablesHastenedMax = 20
    /// How often each of them is asked about for such reports.
    static let consumableRestMilliseconds: Int64 = 60_000
    /// Grants about which the store is asked for one request for content.
    static let contentChecksMax = 5
    /// Unverified submissions of one user, not counting those that were given up.
    package static let openSubmissionsPerUserMax = 200
    /// Bytes of a receipt that is always accepted while the numbers allow it; about 80 purchases.
    package static let smallReceiptBytesMax = 64 << 10
    /// Bytes of one user's larger receipts for which nothing was granted.
    package static let largeReceiptBytesPerUserMax: Int64 = 32 << 20
    /// The same for all users together.
    package static let largeReceiptBytesMax: Int64 = 4 << 30

    package static let productIDBytesMax = 255
    package static let transactionIDBytesMax = 64
    package static let appVersionBytesMax = 64
    /// The app's identifier of a use of a consumable.
    package static let useIDBytesMax = 64
    package static let usedQuantityMax = 1_000_000
    package static let offerIDBytesMax = 255
    package static let applicationUsernameBytesMax = 255
    package static let passThroughFieldsMax = 32
    package static let passThroughNameBytesMax = 64
    package static let passThroughValueBytesMax = 1_024

    package static let productListBytesMax = 1 << 20
    package static let productsMax = 10_000
    /// Promotional offers of one subscription.
    package static let offersPerProductMax = 100
    package static let offerUsesMax = 1_000
    package static let contentBytesMax = 8 << 20
    package static let contentBytesInAllMax = 64 << 20

    /// Refusals of one user within the window; more are turned away until the oldest has left it.
    package static let refusalsPerUserMax = 100
    package static let refusalWindowMilliseconds: Int64 = 3_600_000
    /// Repeated submissions of one user within the window, of purchases already granted; more are
    /// answered from the record and not stored until the oldest has left it.
    package static let repeatsPerUserMax = 500
    package static let repeatWindowMilliseconds: Int64 = 3_600_000
    /// Refused receipts of one user whose bytes are kept; the history of all stays.
    package static let refusedReceiptsPerUserMax = 20
    /// Refused receipts whose bytes are deleted after one more refusal.
    static let refusedReceiptsDroppedMax = 10

    /// Tries of one submission that each have an entry in the history; after them the same trouble
    /// gets one at each doubling.
    static let triesInHistoryMax: Int64 = 16
    /// Entries for a submission that is sent again while it is open.
    static let timesReceivedInHistoryMax: Int64 = 100
    /// How often the store may call a whole receipt malformed in the worker's tries, which are
    /// further and further apart, before that is believed.
    package static let malformedAnswersMax: Int64 = 10

    /// The most submissions in one answer to the operator, and the default.
    package static let lookupMax = 200
    package static let lookupDefault = 50
    package static let lookupWordBytesMax = 256
    /// Entries of a history in one answer, the newest.
    package static let historyMax = 1_000

    /// The operator's price records, and the body that sets them.
    package static let priceRecordsMax = 10_000
    package static let priceRecordsBodyMax = 4 << 20
    /// A million units of a currency with thousandths.
    package static let priceAmountMax: Int64 = 1_000_000_000
    /// Deliveries on a page.
    package static let deliveriesPerAnswerMax = 1_000

    /// Kept submissions that one round of the worker takes.
    package static let workerBatchMax = 16
    /// Due submissions, the longest waiting, from which it takes one of each user first: more than
    /// a few users have open.
    static let workerWindowMax: Int64 = 1_000
}
