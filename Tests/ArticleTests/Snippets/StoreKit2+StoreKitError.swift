import StoreKit

// begin
func isWorthAnotherTry(_ error: any Error) -> Bool {
    if case StoreKitError.networkError = error { true } else { false }
}
// end
