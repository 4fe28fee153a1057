package import StoreModel
import StoreService
import StoreWire

/// What a seed is about, read without a store.
package struct SeedSummary: Sendable {
    package struct Account: Sendable {
        package let name: String
        package let password: String
    }

    package struct App: Sendable {
        package let bundleID: String
        package let products: [Product]
    }

    package let apps: [App]
    /// The first test account, if it has a password.
    package let account: Account?

    /// Checks the whole file, but for purchases that only the rules would refuse; throws the store's
    /// own sentence, with the place.
    package init(checking bytes: [UInt8], now: Timestamp) throws(StartFailure) {
        do {
            let seed = try SeedReader.read(bytes, realNow: now)
            apps = seed.apps.map { App(bundleID: $0.bundleID, products: $0.catalogue.products) }
            account = seed.accounts.first { $0.environment == .sandbox }.flatMap { account in
                account.password.map { Account(name: account.name, password: $0) }
            }
        } catch let refusal as Refusal {
            throw StartFailure(refusal.message)
        } catch {
            throw StartFailure("\(error)")
        }
    }
}
