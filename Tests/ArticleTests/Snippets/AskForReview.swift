import StoreKit

// begin
func completed(level: Int) {
    if level == 10 { SKStoreReviewController.requestReview() }
}
// end
