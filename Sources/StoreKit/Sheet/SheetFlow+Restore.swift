import CStoreKit

// Restores at the sheet.
extension SheetFlow {
    private static let restoreCancelled = FailureReason(
        .paymentCancelled, "The restore was cancelled.")

    /// Takes a restore through the sheet: sign in if necessary.
    func runRestore() -> Outcome {
        var prompt = SheetPrompt(productIdentifier: "", quantity: 0, isRestoring: true)
        if needsSignIn, let reason = signIn(prompt) {
            return .ended(reason == Self.cancelled ? Self.restoreCancelled : reason)
        }
        guard let customer = connection.customer else {
            return .ended(FailureReason(.unknown, "Signing in did not last; try again."))
        }
        prompt.account = customer.account
        switch sheet.approveRestore(prompt) {
        case .given(true): return .approved(customer)
        case .given(false), .cancelled: return .ended(Self.restoreCancelled)
        case .unable(let sentence): return .ended(FailureReason(.clientInvalid, sentence))
        }
    }
}
