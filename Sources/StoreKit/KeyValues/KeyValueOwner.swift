/// Whose key values they are: an account's, in an environment of its world, which share nothing.
struct KeyValueOwner: Codable, Hashable, Sendable {
    let customer: Customer
    /// `Production` or `Sandbox`.
    let environment: String
}

extension DeviceRecord.Session {
    /// Whose key values this device shows; nil when nobody is signed in.
    var keyValueOwner: KeyValueOwner? {
        customer.map { KeyValueOwner(customer: $0, environment: environment) }
    }
}
