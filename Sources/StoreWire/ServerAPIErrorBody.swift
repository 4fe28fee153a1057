/// An error of the App Store Server API. Apple's libraries need both members, and one of them refuses
/// any other.
package struct ServerAPIErrorBody: Codable, Hashable, Sendable {
    package let errorCode: Int
    package let errorMessage: String

    package init(errorCode: Int, errorMessage: String) {
        self.errorCode = errorCode
        self.errorMessage = errorMessage
    }
}
