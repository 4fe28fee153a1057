public import Foundation

/// Asks the customer for a review of the app.
///
/// ```swift
/// func completed(level: Int) {
///     if level == 10 { SKStoreReviewController.requestReview() }
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/skstorereviewcontroller>
open class SKStoreReviewController: NSObject, @unchecked Sendable {
    /// Asks when the system finds a good moment. On Linux it never does: nothing is shown.
    open class func requestReview() {}
}
