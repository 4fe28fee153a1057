import StoreKit

// begin
func logLine(for error: any Error) -> String {
    guard let refused = error as? InvalidRequestError else { return "\(error)" }
    return "\(refused.code): \(refused.message)"
}
// end
