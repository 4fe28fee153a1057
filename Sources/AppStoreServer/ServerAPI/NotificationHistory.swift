import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreService
import StoreSigning
import StoreWire

/// *Get Notification History*, and the notifications that an app's server asks for as a test.
enum NotificationHistory {
    /// The pages' length.
    static let pageCountMax = 20

    /// *Get Notification History*: the newest first.
    static func list(_ call: StoreCall, _ responder: Responder) throws {
        try ServerAPI.answer(call, responder) { caller, reading, scope in
            let query = try NotificationQuery(ServerAPI.object(call), caller, scope)
            // Failures may be rare among many.
            if let account = query.account, query.onlyFailures {
                try reading.checkLength(of: account, in: caller.app.id, scope)
            }
            let token = call.request.query.first { $0.name == "paginationToken" }?.value
            let identity = query.identity(for: caller)
            let place = try token.map {
                try NotificationPlace($0, of: identity, in: call.world)
            }
            let found = try scope.notifications(
                query, of: caller, before: place, countMax: pageCountMax + 1)
            let page = found.prefix(pageCountMax)
            return { _, json in
                json.member("hasMore", found.count > pageCountMax)
                try json.array("notificationHistory", Array(page)) { json, item throws in
                    try json.object { json throws in
                        json.array("sendAttempts", item.attempts) { json, attempt in
                            json.object { attempt.write(to: &$0) }
                        }
                        json.member("signedPayload", plain: item.signedPayload)
                    }
                }
                if found.count > pageCountMax, let last = page.last {
                    json.member(
                        "paginationToken",
                        plain: last.place.text(of: identity, in: call.world))
                }
            }
        }
    }

    /// *Request a Test Notification*.
    static func requestTest(_ call: StoreCall) async throws -> HTTPResponse {
        try await ServerAPI.serve(call) { caller in
            let time = call.world.time
            let token = try await call.context.commit { scope in
                let caller = try ServerAPICaller(call, scope.reading)
                guard
                    let target = try scope.reading.notificationTarget(
                        of: caller.app.id, in: caller.environment)
                else { throw ServerAPIError.serverNotificationURLNotFound }
                let test = try scope.addTest(to: target, caller.app, at: time.now())
                return TestToken(number: test.number, uuid: test.uuid)
            }
            var json = JSONWriter(capacity: 128)
            json.object { $0.member("testNotificationToken", plain: token.text) }
            return .json(json.bytes)
        }
    }

    /// *Get Test Notification Status*, once the first attempt was made.
    static func testStatus(_ call: StoreCall, _ text: String) throws -> HTTPResponse {
        try ServerAPI.answer(call) { caller, scope in
            guard let token = TestToken(text) else {
                throw ServerAPIError.invalidTestNotificationToken
            }
            let found = try scope.test(token, of: caller)
            guard let found, !found.attempts.isEmpty else {
                throw ServerAPIError.testNotificationNotFound
            }
            return { _, json in
                json.array("sendAttempts", found.attempts) { json, attempt in
                    json.object { attempt.write(to: &$0) }
                }
                json.member("signedPayload", plain: found.signedPayload)
            }
        }
    }
}

/// What a caller wants of its notifications.
///
/// Source: Apple, *NotificationHistoryRequest*.
struct NotificationQuery: Sendable {
    let startDate: Timestamp
    /// At most the present time.
    let endDate: Timestamp
    let kind: String?
    let subtype: String?
    let account: AccountID?
    let onlyFailures: Bool

    init(_ body: JSONValue, _ caller: ServerAPICaller, _ scope: borrowing ReadScope) throws {
        let now = caller.maker.now
        startDate = try Self.date(body["startDate"], else: .invalidStartDate)
        let wanted = try Self.date(body["endDate"], else: .invalidEndDate)
        guard startDate < wanted else { throw ServerAPIError.startDateAfterEndDate }
        let days = Limits.notificationHistoryDays(caller.environment)
        guard startDate >= now.adding(milliseconds: -days * 86_400_000) else {
            throw ServerAPIError.startDateTooFarInPast
        }
        endDate = min(wanted, now)
        kind = try Self.name(body["notificationType"])
        subtype = try Self.name(body["notificationSubtype"])
        guard NotificationPairs.isKnown(kind, subtype) else {
            throw ServerAPIError.invalidNotificationType
        }
        // The second is the name that earlier versions of the API used.
        let customer = body["transactionId"] ?? body["originalTransactionId"]
        guard customer == nil || kind == nil else { throw ServerAPIError.multipleFiltersSupplied }
        account = try customer.map { value in
            guard let text = value.string else { throw ServerAPIError.invalidTransactionID }
            return try caller.account(text, scope)
        }
        switch body["onlyFailures"] {
        case nil: onlyFailures = false
        case let value?:
            guard let flag = value.bool else { throw ServerAPIError.generalBadRequest }
            onlyFailures = flag
        }
    }

    /// A token for the next page belongs to the same question; the end, which may be the present
    /// time, does not change what follows.
    func identity(for caller: ServerAPICaller) -> String {
        [
            "\(caller.app.id)", caller.environment.rawValue,
            "\(startDate.milliseconds)", kind ?? "", subtype ?? "", account.map { "\($0)" } ?? "",
            "\(onlyFailures)",
        ].joined(separator: "\u{1F}")
    }

    private static func date(
        _ value: JSONValue?, else error: ServerAPIError
    ) throws -> Timestamp {
        guard let number = value?.wholeNumber,
            Timestamp.range.contains(Timestamp(milliseconds: number))
        else { throw error }
        return Timestamp(milliseconds: number)
    }

    private static func name(_ value: JSONValue?) throws -> String? {
        guard let value else { return nil }
        guard let name = value.string else { throw ServerAPIError.invalidNotificationType }
        return name
    }
}

/// A place in the history, for the caller to continue from: the last notification that was given.
struct NotificationPlace: Comparable {
    let madeAt: Timestamp
    let number: NotificationNumber

    static func < (left: Self, right: Self) -> Bool {
        (left.madeAt, left.number) < (right.madeAt, right.number)
    }

    init(madeAt: Timestamp, number: NotificationNumber) {
        self.madeAt = madeAt
        self.number = number
    }

    /// Throws for a text that was altered, or made for another question.
    init(_ text: String, of identity: String, in world: World) throws {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let time = Int64(parts[0]), let number = Int64(parts[1]) else {
            throw ServerAPIError.invalidPaginationToken
        }
        self.init(
            madeAt: Timestamp(milliseconds: time), number: NotificationNumber(number))
        guard self.text(of: identity, in: world) == text else {
            throw ServerAPIError.invalidPaginationToken
        }
    }

    func text(of identity: String, in world: World) -> String {
        HistoryRevision.bind("\(madeAt.milliseconds)-\(number)", to: identity, in: world)
    }
}

/// Names a test notification to the server that asked for it: its UUID and number.
struct TestToken: Sendable {
    let number: NotificationNumber
    let uuid: String

    init(number: NotificationNumber, uuid: String) {
        self.number = number
        self.uuid = uuid
    }

    /// Nil for a text that is no token.
    init?(_ text: String) {
        guard let mark = text.lastIndex(of: "_"), text.utf8.count <= 80,
            let number = Int64(text[text.index(after: mark)...]), number > 0
        else { return nil }
        self.init(number: NotificationNumber(number), uuid: String(text[..<mark]))
        guard self.text == text, uuid.utf8.count == 36 else { return nil }
    }

    var text: String { "\(uuid)_\(number)" }
}

extension SendAttempt {
    /// Source: Apple, *sendAttemptItem*.
    fileprivate func write(to json: inout JSONWriter) {
        json.member("attemptDate", at.milliseconds)
        json.member("sendAttemptResult", plain: result.rawValue)
    }
}
