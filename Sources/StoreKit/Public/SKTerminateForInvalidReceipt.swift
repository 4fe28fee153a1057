import Foundation
import Glibc

/// What a Mac app exits with when its receipt is not valid.
private let invalidReceiptStatus: Int32 = 173

/// Ends the app because its receipt is not valid, after a line on standard error.
///
/// The status is 173, with which an app on macOS reports the same.
///
/// ```swift
/// func go(on isReceiptValid: Bool) {
///     if !isReceiptValid { SKTerminateForInvalidReceipt() }
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/skterminateforinvalidreceipt()>
public func SKTerminateForInvalidReceipt() {
    Diagnostic.say("the app exited because its receipt is not valid.")
    exit(invalidReceiptStatus)
}
