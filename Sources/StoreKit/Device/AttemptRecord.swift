import Foundation
import StoreWire

/// One `add(payment)` in the journal, written before anything is sent.
struct AttemptRecord: Codable, Hashable, Sendable {
    enum Stage: Codable, Hashable, Sendable {
        /// The customer has not approved it; after a crash, it was never bought.
        case written
        /// The customer approved it with this account; it may have been posted. A payment that
        /// changed a renewal stays so until the app finishes its answer.
        case approved(account: String)
        /// It ended without a purchase, and the app has not finished it.
        case failed(FailureReason)
    }

    let attemptId: String
    let scope: StoreScope
    /// The world it belongs to; nil when it was written before the device met one.
    let worldId: String?
    /// The device that made it. After that device's guid was lost, the store would take the attempt
    /// for another device's and buy it again.
    let deviceGuid: String
    /// The order in which attempts are processed: milliseconds since 1970, then the id.
    let madeAtMilliseconds: Int64
    let productId: String
    let quantity: Int
    let applicationUsername: String?
    let requestData: Data?
    let simulatesAskToBuyInSandbox: Bool
    /// Nil before approval, or when an older version posted it without terms.
    var terms: AttemptTerms?
    /// The promotional offer that the payment uses; older versions wrote none.
    var discount: PaymentDiscountContents?
    /// The other offers of the payment; older versions wrote none.
    var offers: PaymentOffers?
    var stage: Stage
    /// The process that carries it out; nil when an older version wrote it.
    var owner: ProcessName?

    /// Whether another process carries it out. A process keeps its attempts until it ends.
    var isOfAnother: Bool {
        guard let owner, owner != ProcessName.own else { return false }
        return owner.isAlive
    }
}

/// What is posted with an attempt besides the payment, kept so that every post is identical.
struct AttemptTerms: Codable, Hashable, Sendable {
    /// Nil when the sheet showed no price.
    let shownPrice: ShownPrice?
    let simulatesAskToBuy: Bool
}
