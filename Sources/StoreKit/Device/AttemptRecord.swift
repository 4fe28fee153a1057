import Foundation
import StoreWire

/// One `add(payment)` in the journal, written before anything is sent.
struct AttemptRecord: Codable, Hashable, Sendable {
    enum Stage: Codable, Hashable, Sendable {
        /// The person has not approved it; after a crash it was never bought.
        case written
        /// The person approved it as this account; it may have been posted.
        case approved(account: String)
        /// It ended without a purchase, and the app has not finished it.
        case failed(FailureReason)
    }

    let attemptId: String
    let scope: StoreScope
    /// The world it belongs to; nil when it was written before the device met any.
    let worldId: String?
    /// The device that made it. After its guid was lost, the store would take the same attempt
    /// for another device's, and buy it again.
    let deviceGuid: String
    /// Attempts are gone through in this order: milliseconds since 1970, then the id.
    let madeAtMilliseconds: Int64
    let productId: String
    let quantity: Int
    let applicationUsername: String?
    let requestData: Data?
    let simulatesAskToBuyInSandbox: Bool
    /// Nil in one that nobody approved, or that was posted without them before there were any.
    var terms: AttemptTerms?
    /// The promotional offer that the payment makes use of; older versions knew none.
    var discount: PaymentDiscountContents?
    var stage: Stage
    /// The process that carries it on; nil when an older version wrote it.
    var owner: ProcessName?

    /// Whether another process carries it on. Its attempts are its own until it ends.
    var isOfAnother: Bool {
        guard let owner, owner != ProcessName.own else { return false }
        return owner.isAlive
    }
}

/// What is posted with an attempt beside the payment, kept so that each post says the same.
struct AttemptTerms: Codable, Hashable, Sendable {
    /// Nil when the sheet showed no price.
    let shownPrice: ShownPrice?
    let simulatesAskToBuy: Bool
}
