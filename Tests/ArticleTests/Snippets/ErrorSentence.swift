import StoreKit

// begin
func sentence(for error: any Error) -> String? {
    switch (error as? SKError)?.code {
    case .paymentCancelled: nil
    case .paymentNotAllowed: "Purchases are switched off on this device."
    default: error.localizedDescription
    }
}
// end
