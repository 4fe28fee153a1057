import StoreService

/// Refusals that many endpoints share.
extension Refusal {
    static let notFound = Refusal(404, "notFound", "There is nothing at this address.")

    static let tokenUnknown = Refusal(
        401, "tokenUnknown",
        "The device token is missing, expired or of another store; register the device again.")

    static let paymentOpen = Refusal(
        503, "paymentOpen",
        "The subscription waits for its payment; ask again in a moment.", retryAfterSeconds: 1)

    static let busy = Refusal(
        503, "busy", "The store is busy; ask again in a moment.", retryAfterSeconds: 1)
}
