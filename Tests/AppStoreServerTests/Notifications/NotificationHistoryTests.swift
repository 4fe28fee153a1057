import Foundation
import StoreDatabase
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// The history of notifications by each filter, page by page.
struct NotificationHistoryTests {
    private static let path = "/inApps/v1/notifications/history"
    private static let minute: Int64 = 60_000

    /// A notification as it is stored, and as it is looked for.
    private struct Made {
        let number: Int64
        let kind: String
        let subtype: String?
        let minutesAgo: Int64
        let isFailure: Bool
        let isTold: Bool
    }

    private static let kinds: [(String, String?)] = [
        ("DID_RENEW", nil), ("DID_RENEW", "BILLING_RECOVERY"), ("EXPIRED", "VOLUNTARY"),
        ("EXPIRED", nil), ("TEST", nil), ("DID_RENEW", nil), ("DID_RENEW", nil),
    ]

    /// Three at each moment, now and before.
    private static let made: [Made] = (0..<150).map { place in
        let (kind, subtype) = kinds[place % kinds.count]
        return Made(
            number: Int64(place + 1), kind: kind, subtype: subtype,
            minutesAgo: Int64((149 - place) / 3), isFailure: place % 5 == 0,
            isTold: place % 11 != 0)
    }

    private func store() async throws -> (store: TestStore, api: ServerAPIFixture) {
        let store = try TestStore()
        try await store.stock()
        let api = try await ServerAPIFixture(of: store)
        let now = TestStore.start
        try store.database.write { scope in
            let app = try scope.reading.knownApp(TestStore.bundleID).id
            try scope.insert(into: "signed_head", ["number": Int64(1), "head": "e30"])
            for one in Self.made {
                try scope.insert(
                    into: "notification",
                    [
                        "number": one.number, "uuid": "\(one.number)", "app_id": app,
                        "environment": StoreEnvironment.sandbox,
                        // Those of version 1 have no history.
                        "version": one.isTold ? NotificationVersion.v2 : .v1, "kind": one.kind,
                        "subtype": one.subtype, "lane": -one.number,
                        "made_ms": now.adding(milliseconds: -one.minutesAgo * Self.minute),
                        "head_number": Int64(1), "signature": "s",
                        "is_signed": true, "attempts": 1,
                        "last_result": one.isFailure
                            ? SendAttemptResult.timedOut : SendAttemptResult.success,
                        "is_behind": false,
                    ])
                try scope.insert(
                    into: "notification_text", ["number": one.number, "body": "\(one.number)"])
            }
        }
        return (store, api)
    }

    /// The numbers of all pages, which have 20 each.
    private func history(_ api: ServerAPIFixture, _ filters: JSONValue) async throws -> [Int64] {
        let now = TestStore.start.milliseconds
        let body: JSONValue = [
            "startDate": .integer(now - 60 * Self.minute), "endDate": .integer(now + Self.minute),
        ]
        var (numbers, token): ([Int64], String?) = ([], nil)
        repeat {
            let query = token.map { "?paginationToken=\($0)" } ?? ""
            let answer = await api.ask("POST", Self.path + query, body.merging(filters))
            try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
            let page = try JSONValue(parsing: answer.body)
            let items = try #require(page["notificationHistory"]?.array)
            for item in items {
                let jws = try #require(item["signedPayload"]?.string)
                let payload = try #require(
                    Data(base64Encoded: padded(jws.split(separator: ".")[1])))
                numbers.append(try #require(Int64(String(decoding: payload, as: UTF8.self))))
            }
            token = page["paginationToken"]?.string
            #expect((token != nil) == page["hasMore"]?.bool)
            #expect(token == nil || items.count == 20)
        } while token != nil
        return numbers
    }

    private func padded(_ text: Substring) -> String {
        text + String(repeating: "=", count: (4 - text.count % 4) % 4)
    }

    struct Filter: Sendable, CustomTestStringConvertible {
        var kind: String?
        var subtype: String?
        var onlyFailures = false
        var minutes: ClosedRange<Int64> = 0...60
        var testDescription: String { "\(kind ?? "all") \(subtype ?? "") \(onlyFailures)" }
    }

    static let filters = [
        Filter(), Filter(onlyFailures: true), Filter(kind: "DID_RENEW"),
        Filter(kind: "DID_RENEW", onlyFailures: true),
        Filter(kind: "DID_RENEW", subtype: "BILLING_RECOVERY"),
        Filter(kind: "EXPIRED", subtype: "VOLUNTARY", onlyFailures: true),
        Filter(kind: "EXPIRED"), Filter(kind: "EXPIRED", subtype: "PRICE_INCREASE"),
        Filter(kind: "REFUND"), Filter(minutes: 3...17), Filter(kind: "TEST", minutes: 1...30),
    ]

    @Test(arguments: filters)
    func `a history has what is asked for, the newest first`(filter: Filter) async throws {
        let (store, api) = try await store()
        defer { withExtendedLifetime(store) {} }
        var asked: [JSONValue.Member] = []
        if let kind = filter.kind { asked.append(.init("notificationType", .string(kind))) }
        if let name = filter.subtype { asked.append(.init("notificationSubtype", .string(name))) }
        if filter.onlyFailures { asked.append(.init("onlyFailures", .bool(true))) }
        let now = TestStore.start.milliseconds
        // The start counts, the end does not.
        if filter.minutes.lowerBound > 0 {
            let end = now - (filter.minutes.lowerBound - 1) * Self.minute
            asked.append(.init("endDate", .integer(end)))
        }
        asked.append(
            .init("startDate", .integer(now - filter.minutes.upperBound * Self.minute)))
        let expected = Self.made.filter { one in
            one.isTold && filter.minutes.contains(one.minutesAgo)
                && (filter.kind == nil || one.kind == filter.kind)
                && (filter.subtype == nil || one.subtype == filter.subtype)
                && (!filter.onlyFailures || one.isFailure)
        }.map(\.number).reversed()
        #expect(try await history(api, .object(asked)) == Array(expected))
    }

    @Test(arguments: [StoreEnvironment.sandbox, .production])
    func `dates before what Apple tells are refused`(environment: StoreEnvironment) async throws {
        let store = try TestStore()
        try await store.stock()
        let api = try await ServerAPIFixture(of: store, in: environment)
        let now = TestStore.start
        let first = now.adding(
            milliseconds: -Limits.notificationHistoryDays(environment) * Timestamp.dayMilliseconds)
        func ask(from date: Timestamp) async throws -> [Int] {
            try await api.error(
                "POST", Self.path,
                [
                    "startDate": .integer(date.milliseconds),
                    "endDate": .integer(now.milliseconds),
                ])
        }
        #expect(try await ask(from: first) == [200, 0])
        #expect(try await ask(from: first.adding(milliseconds: -1)) == [400, 4_000_012])
    }
}
