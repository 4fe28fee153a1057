import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreSigning
import StoreVerification
import StoreWire

/// Sets where apps' servers are notified, and shows what was sent to them.
enum NotificationService {
    // MARK: - Addresses

    static func targets(_ call: StoreCall, app bundleID: String) throws -> NotificationTargetsBody {
        try call.world.database.read { scope in
            let app = try scope.knownApp(bundleID)
            return NotificationTargetsBody(
                targets: try StoreEnvironment.allCases.compactMap { environment in
                    try scope.notificationTarget(of: app.id, in: environment)
                        .map { try body(of: $0, app, scope) }
                })
        }
    }

    /// `PUT …/notification-targets/{environment}`: from now on, what happens is notified.
    static func set(
        _ call: StoreCall, _ body: SetNotificationTargetBody, app bundleID: String
    ) async throws -> NotificationTargetBody {
        let environment = try environment(call)
        let allowsPrivate = body.allowsPrivateAddresses ?? false
        try NotificationAddress.check(body.url, allowsPrivate: allowsPrivate)
        if let authority = body.certificateAuthority {
            guard authority.utf8.count <= Limits.certificateAuthorityBytesMax,
                authority.contains("-----BEGIN CERTIFICATE-----")
            else {
                throw Refusal(
                    422, "badField",
                    "certificateAuthority must be certificates in PEM, of at most "
                        + "\(Limits.certificateAuthorityBytesMax) bytes.")
            }
        }
        let realNow = call.world.time.real()
        let answer = try await call.context.commit { scope in
            let app = try scope.reading.knownApp(bundleID)
            if let secret = body.sharedSecret {
                let digest = sha256(Array(secret.utf8))
                let accepted = try scope.reading.acceptedSecretDigests(
                    forBundleID: bundleID, realNow: realNow)
                guard accepted.contains(digest) else {
                    throw Refusal(
                        422, "badField",
                        "sharedSecret is not one of the app's; make one first.")
                }
            }
            let known = try scope.reading.notificationTarget(of: app.id, in: environment)
            let target = NotificationTarget(
                app: app.id, environment: environment, url: body.url,
                version: body.version ?? .v2, allowsPrivateAddresses: allowsPrivate,
                certificateAuthority: body.certificateAuthority,
                password: body.sharedSecret ?? known?.password, disorder: known?.disorder)
            try scope.save(target)
            scope.announce(.notifications)
            return try Self.body(of: target, app, scope.reading)
        }
        call.log.event(
            StoreEvent.notificationTargetSet, ("app", .text(bundleID)),
            ("environment", .text(environment.rawValue)))
        return answer
    }

    /// `DELETE …/notification-targets/{environment}`: nothing more is notified or delivered.
    static func remove(_ call: StoreCall, app bundleID: String) async throws {
        let environment = try environment(call)
        let app = try await call.context.commit { scope in
            let app = try scope.reading.knownApp(bundleID)
            try scope.removeNotificationTarget(of: app.id, in: environment)
            return app.id
        }
        call.world.notifications.forget(AppPlace(app: app, environment: environment))
        call.log.event(
            StoreEvent.notificationTargetRemoved, ("app", .text(bundleID)),
            ("environment", .text(environment.rawValue)))
    }

    /// `PUT …/disorder`: an empty body ends it.
    static func setDisorder(
        _ call: StoreCall, _ body: NotificationDisorderBody, app bundleID: String
    ) async throws -> NotificationTargetBody {
        let environment = try environment(call)
        let time = call.world.time
        let disorder = try checked(body)
        return try await call.context.commit { scope in
            let app = try scope.reading.knownApp(bundleID)
            var target = try knownTarget(of: app, in: environment, scope.reading)
            target.disorder = disorder.isNone ? nil : disorder
            try scope.save(target)
            if disorder.reordered == 0 {
                try scope.releaseNotifications(
                    behind: NotificationNumber(.max), at: target.place, now: time.now())
            }
            scope.announce(.notifications)
            return try Self.body(of: target, app, scope.reading)
        }
    }

    private static func checked(
        _ body: NotificationDisorderBody
    ) throws(Refusal) -> NotificationDisorder {
        let shares = [
            ("dropped", body.dropped), ("duplicated", body.duplicated),
            ("reordered", body.reordered), ("delayed", body.delayed),
        ]
        for (name, share) in shares where !(0...100).contains(share ?? 0) {
            throw Refusal(422, "badField", "\(name) must be 0 to 100, in percent.")
        }
        let delay = body.delayMilliseconds ?? 0
        guard (0...Limits.notificationDelayMillisecondsMax).contains(delay) else {
            throw Refusal(
                422, "badField",
                "delayMilliseconds must be 0 to \(Limits.notificationDelayMillisecondsMax).")
        }
        guard (body.delayed ?? 0) == 0 || delay > 0 else {
            throw Refusal(422, "badField", "delayed needs delayMilliseconds.")
        }
        return NotificationDisorder(
            seed: body.seed ?? 0, dropped: body.dropped ?? 0, duplicated: body.duplicated ?? 0,
            reordered: body.reordered ?? 0, delayed: body.delayed ?? 0, delayMilliseconds: delay)
    }

    /// `POST …/test`: a notification of the type TEST.
    static func test(_ call: StoreCall, app bundleID: String) async throws -> NotificationBody {
        let environment = try environment(call)
        let now = call.world.time
        return try await call.context.commit { scope in
            let app = try scope.reading.knownApp(bundleID)
            let target = try knownTarget(of: app, in: environment, scope.reading)
            let number = try scope.addTest(to: target, app, at: now.now()).number
            return try found(number, scope.reading).notification
        }
    }

    // MARK: - Notifications

    /// `GET /control/v1/notifications`: the newest first; `after` is the `next` of a page.
    static func list(_ call: StoreCall) throws -> NotificationsBody {
        let before = try call.request.after()
        let app = call.request.queryValue("app")
        let page = try call.world.database.read { scope in
            let app = try app.map { try scope.knownApp($0).id }
            return try Page(of: Limits.notificationsPerAnswerMax) {
                try scope.notifications(
                    before: before == 0 ? nil : NotificationNumber(before), of: app, countMax: $0)
            }
        }
        return NotificationsBody(notifications: page.items, next: page.next(\.number))
    }

    static func show(_ call: StoreCall, _ number: String) throws -> SentNotificationBody {
        let number = try named(number)
        return try call.world.database.read { try found(number, $0) }
    }

    /// `POST …/resend`: the same bytes once more, whatever became of earlier attempts.
    static func resend(_ call: StoreCall, _ number: String) async throws -> NotificationBody {
        let number = try named(number)
        let time = call.world.time
        return try await call.context.commit { scope in
            let known = try found(number, scope.reading).notification
            let app = try scope.reading.knownApp(known.bundleId)
            _ = try knownTarget(of: app, in: known.environment, scope.reading)
            try scope.sendAgain(number, at: time.now())
            return try found(number, scope.reading).notification
        }
    }

    /// `POST /control/v1/notifications/settle`
    static func settle(_ call: StoreCall) async throws -> SettledNotificationsBody {
        let world = call.world
        await withCheckedContinuation { continuation in
            world.notifications.afterAttempts(milliseconds: Limits.advanceAnswerMilliseconds) {
                continuation.resume()
            }
        }
        let now = world.time.now()
        return try world.database.read { scope in
            let (due, later) = try scope.waitingCounts(at: now)
            return SettledNotificationsBody(due: due, later: later)
        }
    }

    // MARK: - Finding

    static func environment(_ call: StoreCall) throws(Refusal) -> StoreEnvironment {
        guard let environment = StoreEnvironment(rawValue: call["environment"]) else {
            throw Refusal(
                404, "environmentUnknown", "The environments are production and sandbox.")
        }
        return environment
    }

    static func knownTarget(
        of app: AppRow, in environment: StoreEnvironment, _ scope: borrowing ReadScope
    ) throws -> NotificationTarget {
        guard let target = try scope.notificationTarget(of: app.id, in: environment) else {
            throw Refusal(
                404, "notificationTargetUnknown",
                "The app's server has no address in this environment; set one first.")
        }
        return target
    }

    private static func named(_ text: String) throws -> NotificationNumber {
        guard let number = Int64(text), "\(number)" == text else {
            throw Refusal.notificationUnknown
        }
        return NotificationNumber(number)
    }

    static func found(
        _ number: NotificationNumber, _ scope: borrowing ReadScope
    ) throws -> SentNotificationBody {
        guard let found = try scope.notification(number) else {
            throw Refusal.notificationUnknown
        }
        return found
    }

    private static func body(
        of target: NotificationTarget, _ app: AppRow, _ scope: borrowing ReadScope
    ) throws -> NotificationTargetBody {
        NotificationTargetBody(
            bundleId: app.bundleID, environment: target.environment, url: target.url,
            version: target.version,
            allowsPrivateAddresses: target.allowsPrivateAddresses,
            certificateAuthority: target.certificateAuthority,
            disorder: target.disorder.map { NotificationDisorderBody($0) },
            waiting: try scope.waitingCount(of: target.place))
    }
}

extension Refusal {
    fileprivate static let notificationUnknown = Refusal(
        404, "notificationUnknown", "This world has no notification with that number.")
}
