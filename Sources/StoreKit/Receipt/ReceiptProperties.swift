/// The properties that an app requests of a sandbox receipt, to test its own reaction.
struct ReceiptProperties: Hashable, Sendable {
    var isExpired = false
    var isRevoked = false
    var isVolumePurchase = false

    init() {}

    /// From the values of `SKReceiptRefreshRequest`; missing and non-Boolean values are false.
    init(_ properties: [String: Any]?) {
        func isOn(_ key: String) -> Bool {
            properties?[key].map { $0 as? Bool ?? ($0 as? Int).map { $0 != 0 } ?? false } ?? false
        }
        isExpired = isOn(SKReceiptPropertyIsExpired)
        isRevoked = isOn(SKReceiptPropertyIsRevoked)
        isVolumePurchase = isOn(SKReceiptPropertyIsVolumePurchase)
    }

    /// The properties as a query for the store.
    var query: String {
        let names = [
            isExpired ? "expired=1" : nil, isRevoked ? "revoked=1" : nil,
            isVolumePurchase ? "volume=1" : nil,
        ].compactMap { $0 }
        return names.isEmpty ? "" : "?" + names.joined(separator: "&")
    }
}
