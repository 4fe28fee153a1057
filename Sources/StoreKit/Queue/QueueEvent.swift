import Foundation
import StoreWire

/// An event of the queue.
enum QueueEvent: Hashable, Sendable {
    /// Records that an earlier process left behind.
    case journalLoaded([AttemptRecord], [FinishRecord])
    /// For a caller who waits for its outcome, or else for the queue's observers.
    case paymentAdded(
        attemptId: String, PaymentContents, atMilliseconds: Int64, isForCaller: Bool = false)
    case attemptWritten(QueueKey)
    /// The journal or the configuration prevents the payment from starting.
    case attemptRefused(QueueKey, FailureReason)
    case sheetEnded(QueueKey, SheetFlow.Outcome)
    case approvalWritten(QueueKey)
    /// The journal failed, and may nevertheless hold the approval.
    case approvalUncertain(QueueKey)
    case answered(QueueKey, PostOutcome)
    case signedIn(Customer)
    /// The account that was signed in to this world signed out.
    case signedOut(worldId: String)
    /// The store that answers is this world, possibly not the same one as before.
    case worldMet(String)
    /// Purchases' own receipts, which observers may read as soon as they learn of the purchases.
    case transactionReceiptsCame([QueueKey: OwnReceipt])
    /// The receipt file holds these purchases.
    case receiptReady([QueueKey])
    /// Their receipts are delayed; they will be reported later.
    case receiptsLate([QueueKey])
    /// Everything unfinished, as the store lists it.
    case listed([TransactionBody], receiptRevision: Int64, Customer)
    /// The store's list could not be fetched.
    case listFailed
    case updates([UpdateBody], receiptRevision: Int64, Customer)
    /// The app does not continue with a payment in the current storefront.
    case notContinued(QueueKey)
    case finishCalled(QueueKey)
    /// The app finished a transaction by its number.
    case finishNamed(TransactionName, Customer)
    case finishWritten(QueueKey)
    case finishNotWritten(QueueKey)
    case finishSent(TransactionName)
    /// A finish could not be reported to the store; it will be sent later.
    case finishPutOff(TransactionName)
    /// The store will never accept this finish.
    case finishRefused(TransactionName)
    case restoreCalled(restoreId: String, applicationUsername: String?)
    case restoreSheetEnded(restoreId: String, SheetFlow.Outcome)
    /// A page of what the account owns.
    case restoredCame(restoreId: String, RestoreAnswerBody, Customer)
    case restoreFailed(restoreId: String, FailureReason)
    /// Prices that a customer has not answered, as the store lists them.
    case priceConsentsListed([DevicePriceConsentBody], Customer)
    case codeRedeemed(CodeRedemptionFlow.Redeemed)
    /// Whether the app lets the customer be asked about prices now.
    case priceConsentAllowed([Int64], Bool)
    /// The app wants the customer asked about the postponed prices.
    case priceConsentWanted
    case priceConsentSheetEnded(Int64, isAnswered: Bool)
}

/// How a post of an attempt ended.
enum PostOutcome: Hashable, Sendable {
    case done(TransactionBody, receiptRevision: Int64, transactionReceipt: Data? = nil)
    case refused(FailureReason)
    /// The sheet's price is no longer valid. The next sheet's attempt has this id; the outcome of
    /// the old one stands.
    case priceChanged(nextAttemptId: String)
    /// Another person was asked to approve it.
    case deferred
    /// The store has received it and has not decided.
    case pending
    /// No answer: it may have been bought.
    case lost
    /// The store rejected the request.
    case rejected(FailureReason)
    /// A different account, or none, is signed in.
    case signedOut
    /// The store is not the world in which the payment was approved.
    case otherWorld
}
