import Foundation
import StoreModel
import StoreWire

/// `device.json`: this installation's identity at its store.
struct DeviceRecord: Codable, Hashable, Sendable {
    /// Made once; an uppercase UUID. It is hashed into receipts.
    let guid: String
    /// The store's registration of this device; nil before the first one.
    var session: Session?

    struct Session: Codable, Hashable, Sendable {
        let scope: StoreScope
        /// The device that the token belongs to.
        let guid: String
        /// The world that issued the token, whatever its address was.
        let worldId: String
        let appVersion: String
        let deviceToken: String
        let environment: String
        let account: String?
        /// The account that was signed in when another registration ended its session.
        let accountBefore: String?
        /// Whether the last account signed out deliberately.
        let hasLeft: Bool?
        private(set) var countryCode: String
        private(set) var storefrontIdentifier: String

        init(
            _ body: DeviceSessionBody, guid: String, scope: StoreScope, appVersion: String,
            accountBefore: String?, hasLeft: Bool = false
        ) {
            self.scope = scope
            self.guid = guid
            worldId = body.worldId
            self.appVersion = appVersion
            deviceToken = body.deviceToken
            environment = body.environment
            account = body.account
            self.accountBefore = body.account == nil ? accountBefore : nil
            self.hasLeft = body.account == nil && hasLeft
            countryCode = body.storefront.countryCode
            storefrontIdentifier = body.storefront.identifier
        }
    }
}

extension DeviceRecord.Session {
    private init(signedOutFrom session: Self) {
        scope = session.scope
        guid = session.guid
        worldId = session.worldId
        appVersion = session.appVersion
        deviceToken = session.deviceToken
        environment = session.environment
        account = nil
        accountBefore = session.account ?? session.accountBefore
        hasLeft = session.hasLeft
        countryCode = session.countryCode
        storefrontIdentifier = session.storefrontIdentifier
    }

    /// The customer who buys with it; nil when no account is signed in.
    var customer: Customer? {
        account.map { Customer(worldId: worldId, account: $0) }
    }

    /// Whether its environment is a sandbox, under whatever name: any but production's.
    var isOfSandbox: Bool { environment != StoreEnvironment.production.wireName }

    /// The same session in another storefront.
    func moved(to storefront: StorefrontBody) -> Self {
        var moved = self
        moved.countryCode = storefront.countryCode
        moved.storefrontIdentifier = storefront.identifier
        return moved
    }

    /// Whether no account is signed in and none may be signed in again without asking.
    var isLeft: Bool { account == nil && hasLeft == true }

    /// The same session with no account signed in.
    var signedOut: Self { Self(signedOutFrom: self) }
}
