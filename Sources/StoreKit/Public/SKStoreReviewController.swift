public import Foundation

/// Asks the person for a review of the app.
open class SKStoreReviewController: NSObject, @unchecked Sendable {
    /// Asks, when the system thinks it a good moment. On Linux it never is: nothing is shown.
    open class func requestReview() {}
}
