/// One payment or purchase in the queue.
struct QueueItem: Hashable, Sendable {
    enum Stage: Hashable, Sendable {
        /// Being written to the journal, which may hold an earlier approval that no longer counts.
        case writing(wasApproved: Bool)
        /// The customer is being asked.
        case atSheet
        /// The approval is being written to the journal.
        case approving(Customer)
        /// Posted, or about to be. If doubtful, an earlier post may have bought it.
        case sending(Customer, tries: Int, isDoubtful: Bool)
        /// The store has it and waits for another person's approval; news of it ends the wait.
        case deferred(Customer)
        /// Nothing can be requested until the approving account is signed in, in that world.
        case held(Customer)
        /// Approved by a device whose guid is lost. It is never posted: the store would take it for
        /// another device's and buy it again. Only the store's list can report it.
        case abandoned(Customer)
        /// Bought; the receipt is on its way.
        case receiving(transactionId: String)
        /// The app was told that it is bought.
        case settled(transactionId: String)
        /// The app was told that it failed.
        case failed
        /// The app finished it, perhaps while its receipt was on the way.
        case finishing(transactionId: String, wasReceiving: Bool)
    }

    let key: QueueKey
    /// Whether a caller of `purchase()` is told of it, and no observer: it needs no receipt, and it is
    /// told as soon as the copy of signed purchases has it.
    var isForCaller = false
    /// The id of the attempt, when this device's journal has it.
    var attemptId: String?
    /// The device that made it.
    let deviceGuid: String
    let madeAtMilliseconds: Int64
    let payment: PaymentContents
    var stage: Stage
    /// What the app sees, or will see once it is told.
    var presented: PresentedState
    /// Whether the journal held it when the process began, and the app has not been told.
    var isFromJournal = false
    /// Whether it is hidden from the app because its customer is not the one signed in.
    var isAway = false
    /// The customer who approved or bought it, once known.
    var customer: Customer?
    /// The world it was created in, until it is approved; nil before the first session.
    var worldBefore: String?
    var sheetRounds = 0
    /// Whether its payment bought nothing new: the store answered with a transaction that is, or
    /// was, in the queue by itself, such as when another plan was chosen for the next renewal. The
    /// attempt stays in the journal until the app finishes the answer: each launch posts it again
    /// and gets the same answer. It has no place in the store's lists.
    var isAnswerOnly = false
    /// The receipt's revision when the store reported the transaction.
    var receiptRevision: Int64?
    /// The content that the transaction brings.
    var offer: DownloadOffer?
    /// What is posted with the payment, once it is approved.
    var terms: AttemptTerms?

    /// The world it belongs to.
    var worldId: String? { customer?.worldId ?? worldBefore }

    /// Names its transaction or, when it is only an answer, that answer.
    func name(_ transactionId: String) -> TransactionName {
        TransactionName(
            worldId: worldId, transactionId: transactionId,
            attemptId: isAnswerOnly ? attemptId : nil)
    }
}

/// Names an item of the queue in this process by the attempt's id or, for a purchase made
/// elsewhere, by the transaction's number and world.
struct QueueKey: Hashable, Sendable {
    let text: String
    private let worldId: String?

    init(attemptId: String) {
        text = attemptId
        worldId = nil
    }

    init(_ name: TransactionName) {
        text = "transaction \(name.transactionId)"
        worldId = name.worldId
    }
}
