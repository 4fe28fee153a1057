/// Why a store or a world did not do what it was asked, in a sentence that says what to do.
///
/// ```swift
/// func refundTwice(_ sale: BodegaWorld.Sale, in world: BodegaWorld) async throws {
///     try await world.refund(sale)
///     do {
///         try await world.refund("1")
///     } catch let error as BodegaError where error.code == "transactionUnknown" {
///         print(error)
///     }
/// }
/// ```
public struct BodegaError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A name for programs: the store's own for what it refused, such as `productUnknown`; otherwise
    /// `programMissing`, `programUnsuitable`, `storeGone`, `worldEnded`, `unreadable`.
    public let code: String
    /// A sentence for people.
    public let description: String

    init(_ code: String, _ description: String) {
        self.code = code
        self.description = description
    }
}
