import StoreWire

/// A price that the store waits for somebody's answer to, and how far asking for it came.
struct PendingPriceConsent: Hashable, Sendable {
    enum Stage: Hashable, Sendable {
        /// The app is asked whether the sheet may come now.
        case offered
        /// The app or the person left it for later.
        case putOff
        case atSheet
    }

    let body: DevicePriceConsentBody
    let customer: Customer
    var stage = Stage.offered
}
