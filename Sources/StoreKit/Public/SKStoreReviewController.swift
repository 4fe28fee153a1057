public import Foundation

/// Asks the person for a review of the app.
///
/// ```swift
/// func completed(level: Int) {
///     if level == 10 { SKStoreReviewController.requestReview() }
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/skstorereviewcontroller>
open class SKStoreReviewController: NSObject, @unchecked Sendable {
    /// Asks, when the system thinks it a good moment. On Linux it never is: nothing is shown.
    open class func requestReview() {}
}
