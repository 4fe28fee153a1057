package import StoreModel

/// `POST /device/v1/register`: registers an installation of an app.
package struct RegisterDeviceBody: Codable, Hashable, Sendable {
    /// The device's own identifier, a UUID in uppercase; its 16 bytes are hashed into receipts.
    package let guid: String
    package let bundleId: String
    package let appVersion: String

    package init(guid: String, bundleId: String, appVersion: String) {
        self.guid = guid
        self.bundleId = bundleId
        self.appVersion = appVersion
    }
}

/// `POST /device/v1/sign-in`, with the device's token in `Authorization`.
package struct SignInBody: Codable, Hashable, Sendable {
    /// Where the customer signs in.
    package enum Place: String, Codable, CaseIterable, Sendable {
        /// The device's own settings: real accounts only.
        case settings
        /// The payment sheet.
        case sheet
    }

    package let account: String
    package let password: String
    /// The sheet when absent.
    package let from: Place?

    package init(account: String, password: String, from: Place? = nil) {
        self.account = account
        self.password = password
        self.from = from
    }
}

/// The answer to register, sign-in and sign-out. The token replaces the one before it.
package struct DeviceSessionBody: Codable, Hashable, Sendable {
    package let deviceToken: String
    /// `Production` or `Sandbox`.
    package let environment: String
    /// A UUID that distinguishes this world from every other, including one that later replaces it
    /// at the same address. Anything that a device keeps of one world must not reach another.
    package let worldId: String
    /// The account that is signed in; absent for none.
    package let account: String?
    package let storefront: StorefrontBody
    /// The root certificate (DER in base64) of the signed data of this world's environment; absent
    /// from stores of earlier versions.
    package let signedDataRoot: String?

    package init(
        deviceToken: String, environment: String, worldId: String, account: String?,
        storefront: StorefrontBody, signedDataRoot: String? = nil
    ) {
        self.deviceToken = deviceToken
        self.environment = environment
        self.worldId = worldId
        self.account = account
        self.storefront = storefront
        self.signedDataRoot = signedDataRoot
    }
}

/// A storefront as `SKStorefront` shows it.
package struct StorefrontBody: Codable, Hashable, Sendable {
    package let countryCode: String
    package let identifier: String

    package init(_ storefront: Storefront) {
        countryCode = storefront.countryCode
        identifier = storefront.identifier
    }
}
