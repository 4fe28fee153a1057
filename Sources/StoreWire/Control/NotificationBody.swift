package import StoreModel

/// `PUT /control/v1/apps/{bundleId}/notification-targets/{environment}`
package struct SetNotificationTargetBody: Codable, Hashable, Sendable {
    package let url: String
    /// `V2` when absent.
    package var version: NotificationVersion?
    /// Whether the address may be one of this machine or network, and plain HTTP; false when
    /// absent.
    package var allowsPrivateAddresses: Bool?
    /// Certificates (PEM) that are trusted instead of the system's.
    package var certificateAuthority: String?
    /// A shared secret of the app, which notifications of version 1 carry.
    package var sharedSecret: String?

    package init(url: String) {
        self.url = url
    }
}

/// Where an app's server is notified of what happens in an environment.
package struct NotificationTargetBody: Codable, Hashable, Sendable {
    package let bundleId: String
    package let environment: StoreEnvironment
    package let url: String
    package let version: NotificationVersion
    package let allowsPrivateAddresses: Bool
    package let certificateAuthority: String?
    package let disorder: NotificationDisorderBody?
    /// Notifications that are still to be delivered.
    package let waiting: Int64

    package init(
        bundleId: String, environment: StoreEnvironment, url: String, version: NotificationVersion,
        allowsPrivateAddresses: Bool, certificateAuthority: String?,
        disorder: NotificationDisorderBody?, waiting: Int64
    ) {
        self.bundleId = bundleId
        self.environment = environment
        self.url = url
        self.version = version
        self.allowsPrivateAddresses = allowsPrivateAddresses
        self.certificateAuthority = certificateAuthority
        self.disorder = disorder
        self.waiting = waiting
    }
}

/// `GET /control/v1/apps/{bundleId}/notification-targets`
package struct NotificationTargetsBody: Codable, Hashable, Sendable {
    package let targets: [NotificationTargetBody]

    package init(targets: [NotificationTargetBody]) {
        self.targets = targets
    }
}

/// `PUT …/notification-targets/{environment}/disorder`: how deliveries are spoilt. Shares are in
/// percent, 0 when absent.
package struct NotificationDisorderBody: Codable, Hashable, Sendable {
    /// The same seed spoils the same notifications.
    package var seed: Int64?
    package var dropped: Int?
    package var duplicated: Int?
    package var reordered: Int?
    package var delayed: Int?
    package var delayMilliseconds: Int64?

    package init() {}

    package init(_ disorder: NotificationDisorder) {
        seed = disorder.seed
        dropped = disorder.dropped
        duplicated = disorder.duplicated
        reordered = disorder.reordered
        delayed = disorder.delayed
        delayMilliseconds = disorder.delayMilliseconds
    }
}

/// `POST …/notification-targets/{environment}/notifications`: a notification of a service that the
/// store does not have.
package struct SendNotificationBody: Codable, Hashable, Sendable {
    package let notificationType: ServiceNotice
    /// Of `EXTERNAL_PURCHASE_TOKEN`, which needs one.
    package var subtype: ServiceNotice.Subtype?
    /// Of a subscription, which `METADATA_UPDATE`, `MIGRATION` and `PRICE_CHANGE` need.
    package var transactionId: String?
    /// The customer whose consent `RESCIND_CONSENT` is about, which it needs.
    package var account: String?
    /// A token that was reported before; a new one when absent.
    package var externalPurchaseId: String?
    /// When that token was made; now when absent.
    package var tokenCreationDate: Timestamp?

    package init(_ notificationType: ServiceNotice) {
        self.notificationType = notificationType
    }
}

/// One attempt to deliver a notification.
package struct SendAttemptBody: Codable, Hashable, Sendable {
    package let attemptDate: Timestamp
    package let sendAttemptResult: String

    package init(_ attempt: SendAttempt) {
        attemptDate = attempt.at
        sendAttemptResult = attempt.result.rawValue
    }
}

/// A notification in a list. Dates are milliseconds since 1970, by the world's clock.
package struct NotificationBody: Codable, Hashable, Sendable {
    package let number: Int64
    package let notificationUUID: String
    package let bundleId: String
    package let environment: StoreEnvironment
    package let version: NotificationVersion
    package let notificationType: String
    package let subtype: String?
    /// The customer's account; absent for a notification about none.
    package let account: String?
    package let originalTransactionId: String?
    package let signedDate: Timestamp
    package let sendAttempts: [SendAttemptBody]
    /// When the next attempt is due; absent when none is to come.
    package let dueDate: Timestamp?

    package init(
        number: Int64, notificationUUID: String, bundleId: String, environment: StoreEnvironment,
        version: NotificationVersion, notificationType: String, subtype: String?, account: String?,
        originalTransactionId: String?, signedDate: Timestamp, sendAttempts: [SendAttemptBody],
        dueDate: Timestamp?
    ) {
        self.number = number
        self.notificationUUID = notificationUUID
        self.bundleId = bundleId
        self.environment = environment
        self.version = version
        self.notificationType = notificationType
        self.subtype = subtype
        self.account = account
        self.originalTransactionId = originalTransactionId
        self.signedDate = signedDate
        self.sendAttempts = sendAttempts
        self.dueDate = dueDate
    }
}

/// `GET /control/v1/notifications`: the newest first.
package struct NotificationsBody: Codable, Hashable, Sendable {
    package let notifications: [NotificationBody]
    /// Where the next page continues; absent on the last.
    package let next: Int64?

    package init(notifications: [NotificationBody], next: Int64?) {
        self.notifications = notifications
        self.next = next
    }
}

/// `POST /control/v1/notifications/settle`: what is still to be delivered.
package struct SettledNotificationsBody: Codable, Hashable, Sendable {
    /// Due and not attempted in time.
    package let due: Int64
    /// Due later by the world's clock.
    package let later: Int64

    package init(due: Int64, later: Int64) {
        self.due = due
        self.later = later
    }
}

/// `GET /control/v1/notifications/{number}`: with what is sent, once it is signed.
package struct SentNotificationBody: Codable, Hashable, Sendable {
    package let notification: NotificationBody
    /// The body of the request that delivers it, as text; absent until it is signed.
    package let body: String?

    package init(notification: NotificationBody, body: String?) {
        self.notification = notification
        self.body = body
    }
}
