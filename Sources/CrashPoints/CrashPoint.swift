import Glibc

/// A line at which a test may end the process, to show what a crash there leaves behind.
///
/// A point does nothing unless the environment variable `BODEGA_CRASH_POINT` names it, as
/// `name` or `name:3` for the third time it is reached.
package enum CrashPoint: String, CaseIterable, Sendable {
    /// The store entered a charge into the ledger and has not committed it.
    case storePurchaseCharged = "store-purchase-charged"
    /// The store committed a purchase and has not answered it.
    case storePurchaseCommitted = "store-purchase-committed"
    /// The store committed purchases that had waited, or that they are declined, and has not
    /// answered it.
    case storeApprovalCommitted = "store-approval-committed"
    /// The store is about to ask a payment provider for what it committed to ask.
    case storePaymentAsked = "store-payment-asked"
    /// The provider answered whether it authorizes a payment, and nothing of that is committed.
    case storePaymentAnswered = "store-payment-answered"
    /// The store committed what it sold for an authorized payment, or that it sells nothing; nobody
    /// was told, nothing captured.
    case storePaymentSettled = "store-payment-settled"
    /// The provider captured a payment, or let go of it, and that is not committed.
    case storePaymentCaptured = "store-payment-captured"
    /// The provider gave money back, and that is not committed.
    case storePaymentRefunded = "store-payment-refunded"
    /// The store committed a finish and has not answered it.
    case storeFinishCommitted = "store-finish-committed"
    /// The store committed a page of a restore and has not answered it.
    case storeRestoreCommitted = "store-restore-committed"
    /// The store committed that an offer code was redeemed and has not answered it.
    case storeRedemptionCommitted = "store-redemption-committed"
    /// The store settled subscriptions that were due and has not committed it.
    case storeRenewalsSettled = "store-renewals-settled"
    /// The store committed that and has told nobody.
    case storeRenewalsCommitted = "store-renewals-committed"
    /// The store committed a step of a refund and has not answered it.
    case storeRefundCommitted = "store-refund-committed"
    /// The store committed changes of key values and has not answered them.
    case storeKeyValuesCommitted = "store-key-values-committed"
    /// A snapshot is whole and has not got its name.
    case storeSnapshotWritten = "store-snapshot-written"
    /// A world that takes another's place is whole; the other one stands where it stood.
    case storeWorldPrepared = "store-world-prepared"
    /// The world that goes is closed; the one that comes has not got its name.
    case storeWorldClosed = "store-world-closed"
    /// The world that comes has its name and is not open yet.
    case storeWorldReplaced = "store-world-replaced"
    /// The last byte of a file of content is there; it is not checked and has not got its name.
    case storeContentReceived = "store-content-received"
    /// Every file of an upload has its name; the version is not committed.
    case storeContentComplete = "store-content-complete"
    /// A version of content is committed and not answered.
    case storeContentCommitted = "store-content-committed"
    /// The device wrote an attempt to its journal and has not shown the sheet.
    case deviceAttemptWritten = "device-attempt-written"
    /// The person approved, the approval is in the journal, nothing was posted.
    case deviceAttemptApproved = "device-attempt-approved"
    /// The store answered an attempt and the device has not written that down.
    case deviceAttemptAnswered = "device-attempt-answered"
    /// The receipt file is written and the observer has not been called.
    case deviceReceiptWritten = "device-receipt-written"
    /// The store answered a page of a restore and the queue has not taken it in.
    case deviceRestoreAnswered = "device-restore-answered"
    /// An offer code is in the journal and was not sent.
    case deviceRedemptionWritten = "device-redemption-written"
    /// The app called finish and nothing was written.
    case deviceFinishCalled = "device-finish-called"
    /// The finish is in the journal and was not posted.
    case deviceFinishWritten = "device-finish-written"
    /// The store answered the finish and the journal still holds it.
    case deviceFinishAnswered = "device-finish-answered"
    /// The content of a download has its name, and the journal does not say so yet.
    case deviceDownloadComplete = "device-download-complete"
    /// A key's value is on disk and was not sent.
    case deviceKeyValueWritten = "device-key-value-written"
    /// The store answered changes of key values and the device has not written that down.
    case deviceKeyValuesAnswered = "device-key-values-answered"
    /// The backend stored a submission and has not verified it.
    case backendSubmissionStored = "backend-submission-stored"
    /// The backend committed a grant and has not answered with the content.
    case backendGrantCommitted = "backend-grant-committed"

    /// Ends the process with SIGKILL here when the environment asks for it.
    package func reach() {
        guard let wanted = CrashSwitch.wanted, wanted.point == self else { return }
        if CrashSwitch.count.increment() == wanted.time { kill(getpid(), SIGKILL) }
    }
}
