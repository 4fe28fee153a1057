import Foundation

/// This installation's folders, and the player.
struct Garage {
    static let bundleIdentifier = "com.example.rocketcar"
    static let turbo = "com.example.rocketcar.turbo"
    static let fuel = "com.example.rocketcar.fuel"
    /// The products requested when the backend, which knows them all, does not answer.
    static let knownProducts = [
        turbo, fuel, "com.example.rocketcar.moontrack", "com.example.rocketcar.season",
        "com.example.rocketcar.club",
    ]
    /// The fuel in one purchase.
    static let litresPerPurchase = 100

    /// The app's own version. Linux has no Info.plist, so it comes from StoreKit's variable.
    let version: String
    let backendURL: URL
    let player: (name: String, password: String)?
    /// Whether the backend gets the receipt of the transaction, in the style of iOS 6, and not the
    /// app's, which contains every purchase.
    let sendsTransactionReceipts: Bool
    let home: URL

    init(environment: [String: String]) throws {
        version = environment["STOREKIT_APP_VERSION"] ?? "1.0"
        let address = environment["ROCKETCAR_BACKEND"] ?? "http://127.0.0.1:8081"
        guard let url = URL(string: address), url.host != nil else {
            throw Command.Mistake(description: "ROCKETCAR_BACKEND is not an address: \(address)")
        }
        backendURL = url
        if let user = environment["ROCKETCAR_USER"], !user.isEmpty {
            let parts = user.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2 else {
                throw Command.Mistake(description: "ROCKETCAR_USER must be NAME:PASSWORD")
            }
            player = (parts[0], parts[1])
        } else {
            player = nil
        }
        switch environment["ROCKETCAR_RECEIPT"] {
        case nil, "", "app": sendsTransactionReceipts = false
        case "transaction": sendsTransactionReceipts = true
        case let other?:
            throw Command.Mistake(
                description: "ROCKETCAR_RECEIPT must be app or transaction, not \(other)")
        }
        let place =
            environment["ROCKETCAR_HOME"]
            ?? "\(environment["HOME"] ?? "/tmp")/.local/share/rocketcar"
        home = URL(fileURLWithPath: place, isDirectory: true)
        do {
            try FileManager.default.createDirectory(
                at: home.appendingPathComponent("content"), withIntermediateDirectories: true)
        } catch {
            throw Command.Mistake(description: "\(place) cannot be used: \(error)")
        }
    }

    /// Whether the app delivers this product without its backend.
    static func deliversAlone(_ product: String) -> Bool {
        product == turbo || product == fuel
    }

    /// The file of the backend's content for a product.
    func contentFile(product: String) -> URL {
        place("product-", product)
    }

    /// The folder of the store's content for a product.
    func storeContentFolder(product: String) -> URL {
        place("store-", product)
    }

    /// A product's name cannot lead out of the folder.
    private func place(_ kind: String, _ product: String) -> URL {
        let name = String(product.map { $0.isLetter || $0.isNumber || $0 == "." ? $0 : "_" })
        return home.appendingPathComponent("content").appendingPathComponent(kind + name)
    }
}
