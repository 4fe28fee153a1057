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
    /// one of these:
    ///
    /// - `programMissing`, `programUnsuitable`: There is no program, or it starts no store.
    /// - `storeGone`, `timedOut`: The store does not answer, or not in time.
    /// - `failed`: It answered something that cannot be used, without a reason.
    /// - `unreadable`: A file, or what is to be sent, cannot be read.
    /// - `unsent`: A request cannot be sent at all.
    /// - `worldEnded`: The world has ended.
    /// - `clockStopped`: The clock did not reach the time that it was to be advanced to.
    /// - `signInFailed`: The device of a customer could not sign in.
    /// - `nameUnusable`: A device cannot sign in with such a name.
    public let code: String
    /// A sentence for people.
    public let description: String
    /// Whether the store understood the request and did not carry it out.
    package let isRefusal: Bool

    init(_ code: String, _ description: String, isRefusal: Bool = false) {
        self.code = code
        self.description = description
        self.isRefusal = isRefusal
    }
}
