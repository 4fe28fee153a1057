import CrashPoints
import Foundation
import StoreModel
import StoreWire
import TestSupport
import Testing

/// Kills the store while it notifies an app's server; the next start goes on, with the same bytes.
@Suite(.ownThreads) struct NotificationCrashTests {
    static let points: [CrashPoint] = [
        .storeNotificationStored, .storeNotificationSigned, .storeNotificationSent,
        .storeNotificationNoted,
    ]

    struct Row: Sendable, CustomTestStringConvertible {
        let point: CrashPoint
        let version: Int
        /// Whether the app's server refuses the first attempt, so that there is another.
        let isRetried: Bool

        var testDescription: String {
            "\(point.rawValue) of version \(version)\(isRetried ? ", retried" : "")"
        }

        /// Only production has retries.
        var environment: String { isRetried ? "production" : "sandbox" }
        /// What is stored and signed is so once; what is sent and noted, with each attempt.
        var isMetByRetry: Bool {
            isRetried && (point == .storeNotificationSent || point == .storeNotificationNoted)
        }
        var millisecondsToRetry: Int64 { (version == 1 ? 6 : 1) * 3_600_000 }
        var results: [String] {
            (isRetried ? ["UNSUCCESSFUL_HTTP_RESPONSE_CODE"] : []) + ["SUCCESS"]
        }
        var answers: [String] {
            // Whether it was sent before is unknown at one point alone.
            let taken = point == .storeNotificationSent ? ["200", "200"] : ["200"]
            return (isRetried ? ["500"] : []) + taken
        }
    }

    static let rows: [Row] = points.flatMap { point in
        [1, 2].flatMap { version in
            [false, true].map { Row(point: point, version: version, isRetried: $0) }
        }
    }

    @Test(arguments: rows)
    func `a store killed while it notifies delivers each notification with the same bytes`(
        row: Row
    ) throws {
        let lab = try Lab.open(withBackend: false)
        let receiver = try ReceiverProgram(in: lab.folder)
        if row.isRetried { try receiver.restart(faults: #"{"status": 100}"#) }
        try lab.notify(receiver, in: row.environment, version: row.version)
        try lab.bodega(["clock", "hold"])
        if row.isRetried { try lab.openProduction("buyer@example.com", credit: "100.00") }
        lab.store?.terminate()
        try lab.store?.wait()
        let times = row.isMetByRetry ? ":2" : ""
        try lab.startStore(environment: ["BODEGA_CRASH_POINT": row.point.rawValue + times])
        let shop = try Buyer(lab, in: row.environment)
        // The answer may be lost with the store, not the purchase: the point comes after it.
        let sold = try? shop.buy()
        if !row.isMetByRetry {
            try expectKilled(lab)
            #expect(try shop.buy() == .done)
        } else {
            #expect(sold == .done)
        }
        try lab.bodega(["notification", "settle"])
        if row.isRetried {
            try receiver.restart(faults: "{}")
            // The store may be killed before it answers, not before the clock is there.
            let token = try String(
                contentsOfFile: lab.storeData + "/control-token", encoding: .utf8
            ).trimmingCharacters(in: .newlines)
            let step = #"{"milliseconds":\#(row.millisecondsToRetry)}"#
            _ = try? Lab.call(
                "POST", lab.storeURL + "/control/v1/clock/advance", token: token,
                body: Array(step.utf8))
        }
        if row.isMetByRetry { try expectKilled(lab) }
        try lab.bodega(["notification", "settle"])
        let taken = try receiver.taken()
        #expect(taken.map(\.answer) == row.answers)
        #expect(Set(taken.map(\.body)).count == 1)
        let list = try lab.bodega(["notification", "list", "--json"])
        let listed = try WireJSON.decode(NotificationsBody.self, from: Array(list.utf8))
        #expect(
            listed.notifications.map(\.notificationType)
                == [row.version == 1 ? "INITIAL_BUY" : "SUBSCRIBED"])
        let attempts = listed.notifications[0].sendAttempts
        #expect(attempts.map(\.sendAttemptResult) == row.results)
        if row.isRetried {
            let (first, second) = (attempts[0].attemptDate, attempts[1].attemptDate)
            #expect(second.milliseconds - first.milliseconds == row.millisecondsToRetry)
        }
    }

    /// Waits until the store was killed at its point, and starts it again.
    private func expectKilled(_ lab: Lab) throws {
        #expect(try lab.store?.wait() == 128 + SIGKILL, "the point was not reached")
        try lab.startStore()
    }

    /// A customer who subscribes by one attempt, however often it is sent.
    private struct Buyer {
        let url: String
        let token: String
        let attempt: [UInt8]

        init(_ lab: Lab, in environment: String) throws {
            url = lab.storeURL + "/\(environment)/device/v1/attempts"
            token = try lab.signedInDevice(in: environment)
            attempt = try WireJSON.encode(
                AttemptRequestBody(
                    attemptId: UUID().uuidString, productId: Lab.club, quantity: 1,
                    applicationUsername: nil))
        }

        func buy() throws -> AttemptState {
            let sold = try Lab.call("POST", url, token: token, body: attempt)
            return try WireJSON.decode(AttemptAnswerBody.self, from: sold.body).state
        }
    }
}
