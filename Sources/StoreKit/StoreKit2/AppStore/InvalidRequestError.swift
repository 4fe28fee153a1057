/// The store refuses a request that an app's server made for its own catalogue.
///
/// ```swift
/// func logLine(for error: any Error) -> String {
///     guard let refused = error as? InvalidRequestError else { return "\(error)" }
///     return "\(refused.code): \(refused.message)"
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/invalidrequesterror>
@available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
public struct InvalidRequestError: Error, Sendable {
    /// The store's number of the reason.
    public let code: Int64
    /// The reason in words, for developers.
    public let message: String
}
