import Foundation
import StoreWire

/// `device.json`: what this installation is to its store.
struct DeviceRecord: Codable, Hashable, Sendable {
    /// Made once; a UUID in capital letters. It is hashed into receipts.
    let guid: String
    /// What a store made of this device; nil before the first registration.
    var session: Session?

    struct Session: Codable, Hashable, Sendable {
        let scope: StoreScope
        /// Which device the token is of.
        let guid: String
        /// The world that gave the token, whatever address it had.
        let worldId: String
        let appVersion: String
        let deviceToken: String
        let environment: String
        let account: String?
        /// Who was signed in when registering again ended that.
        let accountBefore: String?
        /// Whether the last one signed out by themselves.
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

    /// Who buys with it; nil when nobody is signed in.
    var customer: Customer? {
        account.map { Customer(worldId: worldId, account: $0) }
    }

    /// The same with its person in another storefront.
    func moved(to storefront: StorefrontBody) -> Self {
        var moved = self
        moved.countryCode = storefront.countryCode
        moved.storefrontIdentifier = storefront.identifier
        return moved
    }

    /// Whether nobody is signed in and nobody is to be signed in again without being asked.
    var isLeft: Bool { account == nil && hasLeft == true }

    /// The same with nobody signed in.
    var signedOut: Self { Self(signedOutFrom: self) }
}
