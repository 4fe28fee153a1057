import Foundation
import Glibc

/// What a Mac app exits with when its receipt is not valid.
private let invalidReceiptStatus: Int32 = 173

/// Ends the app because its receipt is not valid, after a line on standard error.
///
/// The status is 173, by which apps tell macOS the same.
///
/// ```swift
/// func go(on isReceiptValid: Bool) {
///     if !isReceiptValid { SKTerminateForInvalidReceipt() }
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/skterminateforinvalidreceipt()>
public func SKTerminateForInvalidReceipt() {
    Message.say("the app ended itself, because its receipt is not valid.")
    exit(invalidReceiptStatus)
}
