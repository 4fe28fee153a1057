extension AppleSurface {
    /// Of Apple's Foundation; Foundation on Linux has it not.
    static let keyValues = """
        class NSUbiquitousKeyValueStore : NSObject
            class var `default`: NSUbiquitousKeyValueStore { get }
            func object(forKey aKey: String) -> Any?
            func set(_ anObject: Any?, forKey aKey: String)
            func removeObject(forKey aKey: String)
            func string(forKey aKey: String) -> String?
            func array(forKey aKey: String) -> [Any]?
            func dictionary(forKey aKey: String) -> [String : Any]?
            func data(forKey aKey: String) -> Data?
            func longLong(forKey aKey: String) -> Int64
            func double(forKey aKey: String) -> Double
            func bool(forKey aKey: String) -> Bool
            func set(_ aString: String?, forKey aKey: String)
            func set(_ aData: Data?, forKey aKey: String)
            func set(_ anArray: [Any]?, forKey aKey: String)
            func set(_ aDictionary: [String : Any]?, forKey aKey: String)
            func set(_ value: Int64, forKey aKey: String)
            func set(_ value: Double, forKey aKey: String)
            func set(_ value: Bool, forKey aKey: String)
            var dictionaryRepresentation: [String : Any] { get }
            @discardableResult func synchronize() -> Bool
            class let didChangeExternallyNotification: NSNotification.Name
        let NSUbiquitousKeyValueStoreChangeReasonKey: String
        let NSUbiquitousKeyValueStoreChangedKeysKey: String
        var NSUbiquitousKeyValueStoreServerChange: Int { get }
        var NSUbiquitousKeyValueStoreInitialSyncChange: Int { get }
        var NSUbiquitousKeyValueStoreQuotaViolationChange: Int { get }
        var NSUbiquitousKeyValueStoreAccountChange: Int { get }

        """

    /// What the headers of C say in words that Swift has not.
    private static let keyValueConstants: [(apples: String, ours: String)] =
        ["Server", "InitialSync", "QuotaViolation", "Account"].map {
            reason -> (apples: String, ours: String) in
            let name = "NSUbiquitousKeyValueStore\(reason)Change"
            return ("var \(name): Int { get }", "let \(name): Int")
        } + [
            (
                "NSUbiquitousKeyValueStore class let " + notification,
                "NSUbiquitousKeyValueStore static let " + notification
            )
        ]

    private static let notification = "didChangeExternallyNotification: NSNotification.Name"

    static let keyValuesLeftOut: [(declaration: String, reason: String)] =
        keyValueConstants.map { ($0.apples, constant) }

    static let keyValueExtras: [(declaration: String, reason: String)] =
        keyValueConstants.map { ($0.ours, constant) }
}
