/// Limits on the JSON that is read.
package struct JSONLimits: Hashable, Sendable {
    /// The maximum nesting of arrays and objects.
    package static let depthMax = 64
    /// The longest text of a request body: a receipt of 10,000 purchases in base64 fits.
    package static let requestBytesMax = 16 * 1024 * 1024
    /// The maximum number of values in one text, not counting keys.
    package static let valuesMax = 1_000_000

    package let bytesMax: Int
    package let depthMax: Int
    package let valuesMax: Int

    package init(
        bytesMax: Int = Self.requestBytesMax, depthMax: Int = Self.depthMax,
        valuesMax: Int = Self.valuesMax
    ) {
        self.bytesMax = bytesMax
        self.depthMax = depthMax
        self.valuesMax = valuesMax
    }
}
