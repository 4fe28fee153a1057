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
    /// The same, and then tells that these products were taken back.
    case bringReceiptWithout(Revocations, revision: Int64, Customer)
    /// Tells of a customer's new storefront, and asks the app whether it goes on with payments.
    case changeStorefront(StorefrontMove, Customer, asking: [QueueKey])
    case tell([Update])
    case tellRemoved([QueueKey])
    /// What a transaction brought goes with it.
    case dropDownload(TransactionName)
    /// Takes transactions out of the app's sight, without a word: they are not finished.
    case hide([QueueKey])
    case writeFinish(QueueKey, transactionId: String, Customer?)
    case sendFinish(TransactionName)
    case showRestoreSheet(restoreId: String)
    /// Asks for a page of a restore.
    case askToRestore(RestoreRequestBody, Customer)
    /// Calls the one closing method of observers: finished, or failed for a reason.
    case tellRestoreEnded(FailureReason?)
    /// Asks the app whether the person may be asked about these prices now.
    case offerPriceConsents([Int64])
    case showPriceConsent(PendingPriceConsent)
    case say(String)

    /// A transaction as observers are to see it now.
    struct Update: Hashable, Sendable {
        let key: QueueKey
        let payment: PaymentContents
        let presented: PresentedState
        /// The content that comes with it.
        var offer: DownloadOffer?
        /// What is to be seen of that.
        var download: PresentedDownload?
    }
}
