import Foundation
import StoreWire

/// What happens to the queue.
enum QueueEvent: Hashable, Sendable {
    /// An earlier process left this behind.
    case journalLoaded([AttemptRecord], [FinishRecord])
    case paymentAdded(attemptId: String, PaymentContents, atMilliseconds: Int64)
    case attemptWritten(QueueKey)
    /// The journal or the configuration does not let the payment begin.
    case attemptRefused(QueueKey, FailureReason)
    case sheetEnded(QueueKey, SheetFlow.Outcome)
    case approvalWritten(QueueKey)
    /// The journal failed, and may hold the approval all the same.
    case approvalUncertain(QueueKey)
    case answered(QueueKey, PostOutcome)
    case signedIn(Customer)
    /// Whoever was signed in to this world signed out.
    case signedOut(worldId: String)
    /// The store that answers is this world; it may be another one than before.
    case worldMet(String)
    /// Purchases' own receipts, which observers may ask for as soon as they hear of them.
    case transactionReceiptsCame([QueueKey: OwnReceipt])
    /// The receipt file holds these purchases.
    case receiptReady([QueueKey])
    /// Their receipts do not come for now; they will be told later.
    case receiptsLate([QueueKey])
    /// Everything unfinished, as the store lists it.
    case listed([TransactionBody], receiptRevision: Int64, Customer)
    /// The store could not be asked for the list.
    case listFailed
    case updates([UpdateBody], receiptRevision: Int64, Customer)
    /// The app does not go on with a payment in the storefront that there is now.
    case notContinued(QueueKey)
    case finishCalled(QueueKey)
    case finishWritten(QueueKey)
    case finishNotWritten(QueueKey)
    case finishSent(TransactionName)
    /// The store could not be told of a finish; it will be told later.
    case finishPutOff(TransactionName)
    /// The store will never take this finish.
    case finishRefused(TransactionName)
    case restoreCalled(restoreId: String, applicationUsername: String?)
    case restoreSheetEnded(restoreId: String, SheetFlow.Outcome)
    /// A page of what the account owns.
    case restoredCame(restoreId: String, RestoreAnswerBody, Customer)
    case restoreFailed(restoreId: String, FailureReason)
    /// Prices that a customer has not answered, as the store lists them.
    case priceConsentsListed([DevicePriceConsentBody], Customer)
    case codeRedeemed(CodeRedemptionFlow.Redeemed)
    /// Whether the app lets the person be asked about prices now.
    case priceConsentAllowed([Int64], Bool)
    /// The app wants the person asked about what was put off.
    case priceConsentWanted
    case priceConsentSheetEnded(Int64, isAnswered: Bool)
}

/// How a post of an attempt ended.
enum PostOutcome: Hashable, Sendable {
    case done(TransactionBody, receiptRevision: Int64, transactionReceipt: Data? = nil)
    case refused(FailureReason)
    /// The sheet's price is none any more. The next sheet's attempt has this id: what became of
    /// the old one stands.
    case priceChanged(nextAttemptId: String)
    /// Somebody was asked to approve it.
    case deferred
    /// The store has it and has not decided.
    case pending
    /// No answer: it may have been bought.
    case lost
    /// The store did not take the request.
    case rejected(FailureReason)
    /// Somebody else, or nobody, is signed in.
    case signedOut
    /// The store is another world than the one that the payment was approved in.
    case otherWorld
}
