import StoreWire

/// An action that the queue requires.
enum QueueAction: Hashable, Sendable {
    case writeAttempt(QueueItem)
    case forgetAttempt(attemptId: String)
    case showSheet(QueueItem)
    /// Posts the attempt, after the wait that belongs to this number of tries.
    case post(QueueItem, tries: Int)
    case askForList
    /// Brings the receipt file to this revision of the customer's, then sends `receiptReady`.
    case bringReceipt([QueueKey], revision: Int64, Customer)
    /// The same, and then reports that these products were revoked.
    case bringReceiptWithout(Revocations, revision: Int64, Customer)
    /// Makes sure that the device's copy of what is signed has these purchases, then sends
    /// `receiptReady`: what a receipt is for observers, the copy is for callers.
    case bringSigned([QueueKey], Customer)
    /// Reports a customer's new storefront, and asks the app whether it continues with payments.
    case changeStorefront(StorefrontMove, Customer, asking: [QueueKey])
    case tell([Update])
    case tellRemoved([QueueKey])
    /// A transaction's content is dropped along with it.
    case dropDownload(TransactionName)
    /// Hides transactions from the app silently: they are not finished.
    case hide([QueueKey])
    case writeFinish(QueueKey, TransactionName, Customer?)
    case sendFinish(TransactionName)
    /// Writes the finish of a transaction that the queue does not have, and sends it.
    case finishUnlisted(TransactionName, Customer)
    case showRestoreSheet(restoreId: String)
    /// Requests a page of a restore.
    case askToRestore(RestoreRequestBody, Customer)
    /// Calls the closing method of observers, once: finished, or failed for a reason.
    case tellRestoreEnded(FailureReason?)
    /// Asks the app whether the customer may be asked about these prices now.
    case offerPriceConsents([Int64])
    case showPriceConsent(PendingPriceConsent)
    case say(String)

    /// A transaction as observers are to see it now.
    struct Update: Hashable, Sendable {
        let key: QueueKey
        let payment: PaymentContents
        let presented: PresentedState
        /// Whether a caller is told, and no observer.
        var isForCaller = false
        /// The content that comes with it.
        var offer: DownloadOffer?
        /// What the app sees of that content.
        var download: PresentedDownload?
    }
}
