import StoreDatabase
import StoreModel

/// A purchase that waits for an approval or for the customer, with everything needed to make it.
struct WaitingPurchase: Sendable {
    enum Answer: String, ColumnValue {
        case approved
        case declined
    }

    /// Its name in the control API.
    let number: Int64
    let cause: WaitingCause
    let request: PurchaseRequest
    /// The device that asked; it may have been signed out since.
    let session: DeviceSession
    let account: Account
    let askedAt: Timestamp
    /// Nil while it waits.
    let answer: Answer?
    /// The state of its attempt.
    let attempt: Attempt
    /// The price when it was approved and its provider was asked.
    var approvedPrice: Money?

    var purchase: Purchase {
        Purchase(
            request: request, session: session, account: account, environment: account.environment)
    }
}
