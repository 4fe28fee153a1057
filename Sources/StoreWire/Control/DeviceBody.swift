package import StoreModel

/// `POST /control/v1/devices`: an installation of an app, on which the owner signs an account in.
package struct MakeDeviceBody: Codable, Hashable, Sendable {
    /// The device's own identifier, a UUID in uppercase; its 16 bytes are hashed into receipts.
    package let guid: String
    /// `sandbox` when absent.
    package let environment: StoreEnvironment?
    package let account: String
    package let bundleId: String
    package let appVersion: String

    package init(
        guid: String, environment: StoreEnvironment? = nil, account: String, bundleId: String,
        appVersion: String
    ) {
        self.guid = guid
        self.environment = environment
        self.account = account
        self.bundleId = bundleId
        self.appVersion = appVersion
    }

    package var named: NamedAccountBody {
        NamedAccountBody(environment: environment, name: account)
    }
}

/// An installation of an app on a device.
package struct DeviceBody: Codable, Hashable, Sendable {
    /// Its number in the world.
    package let deviceId: Int64
    /// The UUID that it registered with, which also goes into its receipts.
    package let guid: String
    package let environment: StoreEnvironment
    package let bundleId: String
    package let appVersion: String
    /// By the world's clock.
    package let registeredAt: Timestamp
    /// Until when wrong passwords lock it, by the real clock; absent while it is not locked.
    package let lockedUntil: Timestamp?
    /// The accounts that are signed in on it.
    package let accounts: [String]

    package init(
        deviceId: Int64, guid: String, environment: StoreEnvironment, bundleId: String,
        appVersion: String, registeredAt: Timestamp, lockedUntil: Timestamp?, accounts: [String]
    ) {
        self.deviceId = deviceId
        self.guid = guid
        self.environment = environment
        self.bundleId = bundleId
        self.appVersion = appVersion
        self.registeredAt = registeredAt
        self.lockedUntil = lockedUntil
        self.accounts = accounts
    }
}

/// `GET /control/v1/devices`: in the order in which they registered.
package struct DevicesBody: Codable, Hashable, Sendable {
    package let devices: [DeviceBody]
    /// The `after` of the next page; absent on the last.
    package let next: Int64?

    package init(devices: [DeviceBody], next: Int64?) {
        self.devices = devices
        self.next = next
    }
}

/// What a device tried to buy, and what became of it.
package struct DeviceAttemptBody: Codable, Hashable, Sendable {
    package let attemptId: String
    package let account: String
    package let state: AttemptState
    /// Absent for an attempt that was refused at once.
    package let productId: String?
    package let transactionId: String?
    /// Why it was refused; absent if it was not.
    package let refusal: RefusalCode?
    /// What the account lacked, in thousandths, when that is why.
    package let missingMilliunits: Int64?
    /// The currency of the missing amount.
    package let currency: String?
    package let triedAt: Timestamp
    /// When it got its present state.
    package let changedAt: Timestamp

    package init(
        attemptId: String, account: String, state: AttemptState, productId: String?,
        transactionId: String?, refusal: RefusalCode?, missing: Money?, triedAt: Timestamp,
        changedAt: Timestamp
    ) {
        self.attemptId = attemptId
        self.account = account
        self.state = state
        self.productId = productId
        self.transactionId = transactionId
        self.refusal = refusal
        missingMilliunits = missing?.milliunits
        currency = missing?.currency.code
        self.triedAt = triedAt
        self.changedAt = changedAt
    }
}

/// `GET /control/v1/devices/{device}`: a device with a page of its attempts, the newest first.
package struct DeviceDetailsBody: Codable, Hashable, Sendable {
    package let device: DeviceBody
    package let attempts: [DeviceAttemptBody]
    /// The `after` of the next page; absent on the last.
    package let next: String?

    package init(device: DeviceBody, attempts: [DeviceAttemptBody], next: String?) {
        self.device = device
        self.attempts = attempts
        self.next = next
    }
}
