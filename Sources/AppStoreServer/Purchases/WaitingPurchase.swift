import StoreDatabase
import StoreModel

/// A purchase that waits for an approval or for the person, with all that it takes to make it.
struct WaitingPurchase: Sendable {
    enum Answer: String, ColumnValue {
        case approved
        case declined
    }

    /// What it is named by at the control API.
    let number: Int64
    let cause: WaitingCause
    let request: PurchaseRequest
    /// The device that asked; nobody need be signed in on it now.
    let session: DeviceSession
    let account: Account
    let askedAt: Timestamp
    /// Nil while it waits.
    let answer: Answer?
    /// Where its attempt stands.
    let attempt: Attempt
    /// What it cost when it was approved and its provider was asked.
    var approvedPrice: Money?

    var purchase: Purchase {
        Purchase(
            request: request, session: session, account: account, environment: account.environment)
    }
}
