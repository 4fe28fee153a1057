import Glibc

/// A point in the code where a test may kill the process, to show what a crash there leaves behind.
///
/// A point does nothing unless the environment variable `BODEGA_CRASH_POINT` names it, as
/// `name` or `name:3` for the third time it is reached.
package enum CrashPoint: String, CaseIterable, Sendable {
    /// The store has entered a charge into the ledger and has not committed it.
    case storePurchaseCharged = "store-purchase-charged"
    /// The store has committed a purchase and has not answered the request.
    case storePurchaseCommitted = "store-purchase-committed"
    /// The store has committed waiting purchases, or that they are declined, and has not answered
    /// the request.
    case storeApprovalCommitted = "store-approval-committed"
    /// The store has committed a request to a payment provider and is about to send it.
    case storePaymentAsked = "store-payment-asked"
    /// The provider has answered whether it authorizes a payment; the answer is not committed.
    case storePaymentAnswered = "store-payment-answered"
    /// The store has committed the sale for an authorized payment, or its refusal; nothing has been
    /// announced or captured.
    case storePaymentSettled = "store-payment-settled"
    /// The provider has captured or released a payment, which is not committed.
    case storePaymentCaptured = "store-payment-captured"
    /// The provider has refunded money, which is not committed.
    case storePaymentRefunded = "store-payment-refunded"
    /// The store has committed a finish and has not answered the request.
    case storeFinishCommitted = "store-finish-committed"
    /// The store has committed a page of a restore and has not answered the request.
    case storeRestoreCommitted = "store-restore-committed"
    /// The store has committed the redemption of an offer code and has not answered the request.
    case storeRedemptionCommitted = "store-redemption-committed"
    /// The store has settled due subscriptions and has not committed that.
    case storeRenewalsSettled = "store-renewals-settled"
    /// The store has committed that and has not announced it.
    case storeRenewalsCommitted = "store-renewals-committed"
    /// The store has extended some of a product's subscriptions and has not committed that.
    case storeExtensionsMade = "store-extensions-made"
    /// The store has committed that and has not announced it.
    case storeExtensionsCommitted = "store-extensions-committed"
    /// The store has committed a step of a refund and has not answered the request.
    case storeRefundCommitted = "store-refund-committed"
    /// The store has committed the deletion of an account and has not answered the request.
    case storeAccountDeleted = "store-account-deleted"
    /// The store has committed changes of key values and has not answered the request.
    case storeKeyValuesCommitted = "store-key-values-committed"
    /// A notification is committed with its cause and is not signed.
    case storeNotificationStored = "store-notification-stored"
    /// Its signatures are committed and it has not been sent.
    case storeNotificationSigned = "store-notification-signed"
    /// The app's server has answered, or failed to, and the attempt is not committed.
    case storeNotificationSent = "store-notification-sent"
    /// The attempt is committed.
    case storeNotificationNoted = "store-notification-noted"
    /// A snapshot is complete and has not been renamed.
    case storeSnapshotWritten = "store-snapshot-written"
    /// A world that replaces another is complete; the other is still in place.
    case storeWorldPrepared = "store-world-prepared"
    /// The old world is closed; the new one has not been renamed.
    case storeWorldClosed = "store-world-closed"
    /// The new world has been renamed and is not open yet.
    case storeWorldReplaced = "store-world-replaced"
    /// A backup is unpacked and on disk, and nothing of it is in place.
    case storeBackupUnpacked = "store-backup-unpacked"
    /// All of a backup is in place but its keys.
    case storeBackupPlaced = "store-backup-placed"
    /// The last byte of a content file has arrived; the file has not been checked or renamed.
    case storeContentReceived = "store-content-received"
    /// Every file of an upload has been renamed; the version is not committed.
    case storeContentComplete = "store-content-complete"
    /// A version of content is committed and the request is not answered.
    case storeContentCommitted = "store-content-committed"
    /// The device has written an attempt to its journal and has not shown the sheet.
    case deviceAttemptWritten = "device-attempt-written"
    /// The customer has approved, the approval is in the journal, and nothing has been posted.
    case deviceAttemptApproved = "device-attempt-approved"
    /// The store has answered an attempt and the device has not recorded that.
    case deviceAttemptAnswered = "device-attempt-answered"
    /// The receipt file is written and the observer has not been called.
    case deviceReceiptWritten = "device-receipt-written"
    /// A purchase is in the device's copy of what is signed; its caller has not heard.
    case deviceCopyWritten = "device-copy-written"
    /// The store has answered with a page of a restore and the queue has not taken it in.
    case deviceRestoreAnswered = "device-restore-answered"
    /// An offer code is in the journal and has not been sent.
    case deviceRedemptionWritten = "device-redemption-written"
    /// The app has called finish and nothing has been written.
    case deviceFinishCalled = "device-finish-called"
    /// The finish is in the journal and has not been posted.
    case deviceFinishWritten = "device-finish-written"
    /// The store has answered the finish and the journal still holds it.
    case deviceFinishAnswered = "device-finish-answered"
    /// The content of a download has been renamed, and the journal does not record it yet.
    case deviceDownloadComplete = "device-download-complete"
    /// A key's value is on disk and has not been sent.
    case deviceKeyValueWritten = "device-key-value-written"
    /// The store has answered changes of key values and the device has not recorded that.
    case deviceKeyValuesAnswered = "device-key-values-answered"
    /// The backend has stored a submission and has not verified it.
    case backendSubmissionStored = "backend-submission-stored"
    /// The backend has committed a grant and has not answered with the content.
    case backendGrantCommitted = "backend-grant-committed"

    /// Ends the process with SIGKILL here when the environment asks for it.
    package func reach() {
        guard let wanted = CrashSwitch.wanted, wanted.point == self else { return }
        if CrashSwitch.count.increment() == wanted.time { kill(getpid(), SIGKILL) }
    }
}
