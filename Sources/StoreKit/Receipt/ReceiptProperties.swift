/// What an app wishes a receipt of the sandbox to be, to try what it does then.
struct ReceiptProperties: Hashable, Sendable {
    var isExpired = false
    var isRevoked = false
    var isVolumePurchase = false

    init() {}

    /// From the values of `SKReceiptRefreshRequest`; what is not there or no truth value is false.
    init(_ properties: [String: Any]?) {
        func isOn(_ key: String) -> Bool {
            properties?[key].map { $0 as? Bool ?? ($0 as? Int).map { $0 != 0 } ?? false } ?? false
        }
        isExpired = isOn(SKReceiptPropertyIsExpired)
        isRevoked = isOn(SKReceiptPropertyIsRevoked)
        isVolumePurchase = isOn(SKReceiptPropertyIsVolumePurchase)
    }

    /// As the store takes them.
    var query: String {
        let names = [
            isExpired ? "expired=1" : nil, isRevoked ? "revoked=1" : nil,
            isVolumePurchase ? "volume=1" : nil,
        ].compactMap { $0 }
        return names.isEmpty ? "" : "?" + names.joined(separator: "&")
    }
}
