/// Source: Apple, *MassExtendRenewalDateResponse*.
package struct MassExtendRenewalDateAnswer: Codable, Hashable, Sendable {
    package let requestIdentifier: String

    package init(requestIdentifier: String) {
        self.requestIdentifier = requestIdentifier
    }
}
