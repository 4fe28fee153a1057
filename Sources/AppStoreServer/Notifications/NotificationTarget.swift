import StoreDatabase
import StoreModel
import StoreRules

/// Where, and how, an app's server is notified of what happens in an environment.
struct NotificationTarget: Hashable, Sendable {
    let app: AppID
    let environment: StoreEnvironment
    let url: String
    let version: NotificationVersion
    /// Whether the address may be one of this machine or network.
    let allowsPrivateAddresses: Bool
    /// The certificates (PEM) to trust instead of the system's; nil for those.
    let certificateAuthority: String?
    /// The shared secret that notifications of version 1 carry; nil for none.
    let password: String?
    var disorder: NotificationDisorder?

    var place: AppPlace { AppPlace(app: app, environment: environment) }
}

/// An app in an environment.
struct AppPlace: Hashable, Sendable {
    let app: AppID
    let environment: StoreEnvironment
}

private let targetColumns = """
    SELECT app_id, environment, url, version, allows_private, authority, password, seed, dropped, duplicated,
        reordered, delayed, delay_ms
    FROM notification_target
    """

extension ReadScope {
    /// Nil for an app whose server has no address in the environment.
    borrowing func notificationTarget(
        of app: AppID, in environment: StoreEnvironment
    ) throws -> NotificationTarget? {
        try row("\(targetColumns) WHERE app_id = ?1 AND environment = ?2", [app, environment])
            .map { try NotificationTarget($0) }
    }

    borrowing func notificationTargets() throws -> [NotificationTarget] {
        try rows("\(targetColumns) ORDER BY app_id, environment").map { try NotificationTarget($0) }
    }
}

extension WriteScope {
    borrowing func save(_ target: NotificationTarget) throws {
        let disorder = target.disorder ?? NotificationDisorder.none
        try execute(
            """
            INSERT INTO notification_target (app_id, environment, url, version, allows_private,
                authority, password, seed, dropped, duplicated, reordered, delayed, delay_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
            ON CONFLICT (app_id, environment) DO UPDATE SET url = ?3, version = ?4,
                allows_private = ?5, authority = ?6, password = ?7, seed = ?8, dropped = ?9,
                duplicated = ?10, reordered = ?11, delayed = ?12, delay_ms = ?13
            """,
            [
                target.app, target.environment, target.url, target.version,
                target.allowsPrivateAddresses, target.certificateAuthority, target.password,
                disorder.seed,
                disorder.dropped, disorder.duplicated, disorder.reordered, disorder.delayed,
                disorder.delayMilliseconds,
            ])
    }

    /// Forgets an address; what is still to be delivered to it stays undelivered.
    borrowing func removeNotificationTarget(
        of app: AppID, in environment: StoreEnvironment
    ) throws {
        try execute(
            "DELETE FROM notification_target WHERE app_id = ?1 AND environment = ?2",
            [app, environment])
        try execute(
            """
            UPDATE notification SET due_ms = NULL
            WHERE app_id = ?1 AND environment = ?2 AND due_ms IS NOT NULL
            """, [app, environment])
    }
}

extension NotificationTarget {
    /// From `targetColumns`.
    fileprivate init(_ row: Row) throws {
        let disorder = NotificationDisorder(
            seed: try row["seed"], dropped: try row["dropped"],
            duplicated: try row["duplicated"], reordered: try row["reordered"],
            delayed: try row["delayed"], delayMilliseconds: try row["delay_ms"])
        self.init(
            app: try row["app_id"], environment: try row["environment"], url: try row["url"],
            version: try row["version"], allowsPrivateAddresses: try row["allows_private"],
            certificateAuthority: try row["authority"], password: try row["password"],
            disorder: disorder.isNone ? nil : disorder)
    }
}
