package enum NotificationEntity {}
/// A notification to an app's server, numbered in the order in which a world's were made.
package typealias NotificationNumber = Identifier<NotificationEntity, Int64>

/// The format in which an app's server is notified; chosen for each environment with its address.
///
/// Source: Apple, *App Store Server Notifications V2* and *V1*.
package enum NotificationVersion: String, Codable, CaseIterable, Sendable {
    case v1 = "V1"
    case v2 = "V2"
}

/// A notification of a service that the store does not have. It is sent only when its owner asks for
/// it, so that an app's server can be tried with it.
///
/// Source: Apple, *notificationType*.
package enum ServiceNotice: String, Codable, CaseIterable, Sendable {
    /// About a token of an external purchase.
    case externalPurchaseToken = "EXTERNAL_PURCHASE_TOKEN"
    /// About a subscription of Advanced Commerce.
    case metadataUpdate = "METADATA_UPDATE"
    case migration = "MIGRATION"
    case priceChange = "PRICE_CHANGE"
    /// About an app that a child may no longer use.
    case rescindConsent = "RESCIND_CONSENT"

    /// What it reports of a token; the others have no subtype. Source: Apple, *subtype*.
    package enum Subtype: String, Codable, CaseIterable, Sendable {
        case activeTokenReminder = "ACTIVE_TOKEN_REMINDER"
        case created = "CREATED"
        case unreported = "UNREPORTED"
    }
}

/// How an attempt to deliver a notification ended. Source: Apple, *sendAttemptResult*.
package enum SendAttemptResult: String, CaseIterable, Sendable {
    case success = "SUCCESS"
    case timedOut = "TIMED_OUT"
    case tlsIssue = "TLS_ISSUE"
    case circularRedirect = "CIRCULAR_REDIRECT"
    case noResponse = "NO_RESPONSE"
    case socketIssue = "SOCKET_ISSUE"
    case unsupportedCharset = "UNSUPPORTED_CHARSET"
    case invalidResponse = "INVALID_RESPONSE"
    case prematureClose = "PREMATURE_CLOSE"
    case unsuccessfulStatus = "UNSUCCESSFUL_HTTP_RESPONSE_CODE"
    case other = "OTHER"
}

/// One attempt to deliver a notification, dated by the world's clock when it was due.
package struct SendAttempt: Hashable, Sendable {
    package let at: Timestamp
    package let result: SendAttemptResult

    package init(at: Timestamp, result: SendAttemptResult) {
        self.at = at
        self.result = result
    }
}

/// How an owner spoils the delivery of an app's notifications, to test its server. Shares are in
/// percent of the notifications; the seed decides which ones.
package struct NotificationDisorder: Hashable, Sendable {
    package let seed: Int64
    /// Attempts that are never sent, as if the network had lost them.
    package let dropped: Int
    /// Notifications that arrive twice.
    package let duplicated: Int
    /// Notifications that wait until a later one of the app was attempted.
    package let reordered: Int
    /// Notifications that wait for up to `delayMilliseconds` of the world's time.
    package let delayed: Int
    package let delayMilliseconds: Int64

    package init(
        seed: Int64, dropped: Int, duplicated: Int, reordered: Int, delayed: Int,
        delayMilliseconds: Int64
    ) {
        self.seed = seed
        self.dropped = dropped
        self.duplicated = duplicated
        self.reordered = reordered
        self.delayed = delayed
        self.delayMilliseconds = delayMilliseconds
    }
}
