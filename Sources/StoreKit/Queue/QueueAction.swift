import StoreWire

/// What the queue wants done.
enum QueueAction: Hashable, Sendable {
    case writeAttempt(QueueItem)
    case forgetAttempt(attemptId: String)
    case showSheet(QueueItem)
    /// Posts the attempt, after the wait that so many tries call for.
    case post(QueueItem, tries: Int)
    case askForList
    /// Brings the receipt file to this revision of the customer's, then says `receiptReady`.
    case bringReceipt([QueueKey], revision: Int64, Customer)
    case tell([Told])
    case tellRemoved([QueueKey])
    case writeFinish(QueueKey, transactionId: String, Customer?)
    case sendFinish(TransactionName)
    case say(String)

    /// A transaction as observers are to see it now.
    struct Told: Hashable, Sendable {
        let key: QueueKey
        let payment: PaymentContents
        let face: TransactionFace
    }
}
