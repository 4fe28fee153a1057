/// Which module stands on which: the arrows of `docs/architecture.md`.
///
/// A new arrow is a decision; write it down here, in `Package.swift` and in that page.
enum Layers {
    static let modules: [String: Set<String>] = [
        "CSQLite": [], "COpenSSL": [], "CMicroHTTPD": [], "CCurl": [], "CMalloc": [],
        "CBuild": [], "CConsoleFiles": [], "CStoreKit": [], "CrashPoints": [],
        "StoreLog": [],
        "StoreModel": [],
        "StoreWire": ["StoreModel"],
        "StoreRules": ["StoreModel"],
        "StoreDigest": ["COpenSSL"],
        "StoreVerification": ["COpenSSL", "StoreModel"],
        "StoreSigning": ["COpenSSL", "StoreModel", "StoreVerification"],
        "StoreDatabase": ["CMalloc", "CSQLite", "StoreModel"],
        "StoreHTTP": ["CMicroHTTPD"],
        "StoreCaller": ["CCurl"],
        "StoreService": ["StoreHTTP", "StoreWire"],
        "StoreConsole": [
            "CConsoleFiles", "StoreHTTP", "StoreModel", "StoreService", "StoreSigning",
            "StoreVerification", "StoreWire",
        ],
        "StoreKit": [
            "CStoreKit", "CrashPoints", "StoreCaller", "StoreDigest", "StoreModel",
            "StoreVerification", "StoreWire",
        ],
        "BodegaTesting": ["StoreCaller", "StoreKit", "StoreModel", "StoreWire"],
        "StoreKitTest": ["BodegaTesting", "StoreKit", "StoreModel", "StoreWire"],
        "AppStoreServer": [
            "CrashPoints", "StoreCaller", "StoreConsole", "StoreDatabase", "StoreDigest",
            "StoreHTTP",
            "StoreLog", "StoreModel", "StoreRules", "StoreService", "StoreSigning",
            "StoreVerification",
            "StoreWire",
        ],
        "PurchaseBackend": [
            "CrashPoints", "StoreCaller", "StoreConsole", "StoreDatabase", "StoreHTTP", "StoreLog",
            "StoreModel", "StoreService", "StoreSigning", "StoreVerification", "StoreWire",
        ],
        "bodega": [
            "AppStoreServer", "CBuild", "CMalloc", "PurchaseBackend", "StoreCaller", "StoreConsole",
            "StoreKit", "StoreLog", "StoreModel", "StoreService", "StoreWire",
        ],
        "RocketCar": ["StoreKit"],
        "Kiosk": ["StoreKit"],
        "BodegaBench": [
            "AppStoreServer", "COpenSSL", "CSQLite", "StoreHTTP", "StoreKit", "StoreKitTest",
            "StoreModel", "StoreSigning", "StoreVerification",
        ],
    ]

    /// What comes with Swift; the modules in the middle use none of it.
    static let system: Set<String> = [
        "Dispatch", "Foundation", "FoundationEssentials", "FoundationNetworking", "Glibc",
        "Synchronization",
    ]
    static let pure: Set<String> = ["StoreModel", "StoreRules"]

    /// What an app on Linux must never link.
    static let foreignToStoreKit: Set<String> = [
        "StoreConsole", "StoreRules", "StoreDatabase", "StoreService", "StoreSigning", "StoreHTTP",
    ]

    /// What a source file of a module may import.
    static func imports(of module: String) -> Set<String> {
        (modules[module] ?? []).union(pure.contains(module) ? [] : system)
    }

    /// Everything below a module, by a table of arrows.
    static func all(below module: String, by arrows: [String: Set<String>]) -> Set<String> {
        var found: Set<String> = []
        var next = arrows[module] ?? []
        while let name = next.popFirst() {
            if found.insert(name).inserted { next.formUnion(arrows[name] ?? []) }
        }
        return found
    }

    /// The module a source file belongs to.
    static func module(of path: String) -> String {
        let parts = path.split(separator: "/").map(String.init)
        return parts.count > 1 ? parts[1] : path
    }
}
