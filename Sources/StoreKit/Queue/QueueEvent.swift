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
    /// The store that answers is this world; it may be another one than before.
    case worldMet(String)
    /// Purchases' own receipts, which observers may ask for as soon as they hear of them.
    case transactionReceiptsCame([QueueKey: Data])
    /// The receipt file holds these purchases.
    case receiptReady([QueueKey])
    /// Everything unfinished, as the store lists it.
    case listed([TransactionBody], receiptRevision: Int64, Customer)
    /// The store could not be asked for the list.
    case listFailed
    case updates([UpdateBody], receiptRevision: Int64, Customer)
    case finishCalled(QueueKey)
    case finishWritten(QueueKey)
    case finishNotWritten(QueueKey)
    case finishSent(TransactionName)
    /// The store could not be told of a finish; it will be told later.
    case finishPutOff(TransactionName)
    /// The store will never take this finish.
    case finishRefused(TransactionName)
}

/// How a post of an attempt ended.
enum PostOutcome: Hashable, Sendable {
    case done(TransactionBody, receiptRevision: Int64)
    case refused(FailureReason)
    /// The store has it and has not decided.
    case pending(isDeferred: Bool)
    /// No answer: it may have been bought.
    case lost
    /// The store did not take the request.
    case rejected(FailureReason)
    /// Somebody else, or nobody, is signed in.
    case signedOut
    /// The store is another world than the one that the payment was approved in.
    case otherWorld
}
