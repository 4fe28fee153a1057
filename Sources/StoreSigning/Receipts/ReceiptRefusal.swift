/// Why a receipt is not believed.
package enum ReceiptRefusal: Error, Equatable, Sendable {
    /// Not a receipt at all: says what and at which byte.
    case malformed(String)
    /// A receipt that no root of this store stands for, or that was altered.
    case notAuthentic(String)
}
