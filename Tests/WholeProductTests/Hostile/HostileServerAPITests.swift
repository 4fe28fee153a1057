import Foundation
import StoreWire
import TestSupport
import Testing

/// Requests to the App Store Server API that must not be: each is refused with Apple's number, and
/// nothing changes.
@Suite(.ownThreads) struct HostileServerAPITests {
    @Test func `the App Store Server API answers hostile requests as in the golden file`() throws {
        let hostile = try HostileLab()
        try hostile.openServerAPI()
        func transcript(_ rows: [HostileRow]) throws -> String {
            try hostile.renewServerTokens()
            return try hostile.transcript(
                of: rows, port: hostile.lab.storePort, database: hostile.lab.storeFile)
        }
        var parts = try Self.groups.map(transcript)
        // Requests are counted by the hour of the real clock.
        var (hour, limited) = (0, "")
        repeat {
            hour = Self.hour
            try hostile.lab.bodega(["server-api", "limits", "on", "--hourly-max", "1"])
            limited = try transcript(Self.limited)
        } while hour != Self.hour
        parts.append(limited)
        try hostile.lab.bodega(["server-api", "limits", "off"])
        // Another program holds the database for longer than the store waits for it.
        let other = try SQLiteFile(hostile.lab.storeFile)
        _ = try other.rows("BEGIN IMMEDIATE")
        defer { _ = try? other.rows("ROLLBACK") }
        parts.append(try transcript(Self.hindered))
        try expectGolden(parts.joined(separator: "\n"), "hostile-server-api")
    }

    private static var hour: Int { Int(Date().timeIntervalSince1970) / 3_600 }

    private static let groups: [[HostileRow]] =
        [tokens] + identifiers + [histories("/v1/history/"), histories("/v2/history/"), others]
        + [customers] + bodies + [missing]

    // MARK: - Requests

    private static let base = "/sandbox/inApps"

    private static func get(_ name: String, _ path: String) -> HostileRow {
        .get(name, base + path, token: "JWT")
    }

    private static func send(
        _ name: String, _ path: String, _ body: String, method: String = "PUT"
    ) -> HostileRow {
        .post(name, base + path, token: "JWT", body, method: method)
    }

    private static func known(_ name: String, _ field: String) -> HostileRow {
        HostileRow(
            name,
            "GET \(base)/v1/transactions/{TRANSACTION} HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n")
    }

    // MARK: - Tokens

    /// Those that are signed are in `Tests/Verifiers/server_api.py`. The texts are `{"alg":"none"}`,
    /// `{"typ":"JWT"}` and `{}`.
    private static let tokens: [HostileRow] = [
        known("no token", "X: y"),
        known("an empty token", "Authorization: Bearer "),
        known("a token that is none", "Authorization: Bearer a.b.c"),
        known("a token of two parts", "Authorization: Bearer e30.e30"),
        known("a token of four parts", "Authorization: Bearer {JWT}.e30"),
        known("alg none", "Authorization: Bearer eyJhbGciOiJub25lIn0.e30."),
        known("no alg", "Authorization: Bearer eyJ0eXAiOiJKV1QifQ.e30.AAAA"),
        known("a token and more", "Authorization: Bearer {JWT}x"),
        known("a token of a megabyte", "Authorization: Bearer {a1048576}"),
        known("a token of 30,000 letters", "Authorization: Bearer {a30000}"),
        known("a token in two fields", "Authorization: Bearer x\r\nAuthorization: Bearer {JWT}"),
        known("another scheme", "Authorization: Basic {JWT}"),
        known("a device's token", "Authorization: Bearer {TOKEN}"),
        known("the control token", "Authorization: Bearer {CONTROL}"),
        known("another app's token", "Authorization: Bearer {OTHERJWT}"),
        .get("a token in the address", "\(base)/v1/transactions/{TRANSACTION}?token={JWT}"),
        .get(
            "the sandbox's number in production",
            "/production/inApps/v1/transactions/{TRANSACTION}", token: "JWT"),
        .get(
            "a token in another world", "/t/other/sandbox/inApps/v1/transactions/{TRANSACTION}",
            token: "JWT"),
        .get(
            "a token at the control interface", "/control/v1/accounts", token: "JWT"),
        .get(
            "a token at a device's address", "/sandbox/device/v1/receipt", token: "JWT"),
    ]

    // MARK: - Identifiers

    private static let strange = [
        "x", "-1", "+1", "0", "01", "%201", "1.0", "1e3", "9223372036854775807",
        "9223372036854775808", "%00", "1%2F2", "%F0%9F%9B%92", "{OTHERTRANSACTION}",
    ]

    private static func identifiers(
        _ method: String, _ begin: String, _ end: String = "", body: String = "",
        takesAny: Bool = false
    ) -> [HostileRow] {
        // An app transaction is one of the identifiers that some addresses take.
        (strange + (takesAny ? [] : ["{APPTRANSACTION}"])).map { id in
            let (name, path) = ("\(method) \(begin)\(id)\(end)", begin + id + end)
            return method == "GET" ? get(name, path) : send(name, path, body, method: method)
        }
    }

    private static let identifiers: [[HostileRow]] = [
        identifiers("GET", "/v1/transactions/"),
        identifiers("GET", "/v2/history/", takesAny: true),
        identifiers("GET", "/v1/history/", takesAny: true),
        identifiers("GET", "/v1/subscriptions/", takesAny: true),
        identifiers("GET", "/v2/refund/lookup/", takesAny: true),
        identifiers("GET", "/v1/refund/lookup/"),
        identifiers("GET", "/v1/lookup/"),
        identifiers("PUT", "/v1/subscriptions/extend/", body: body(extended)),
        identifiers("PUT", "/v2/transactions/consumption/", body: body(consumed)),
        identifiers("PUT", "/v1/transactions/consumption/", body: body(consumedFirst)),
        identifiers(
            "PUT", "/v1/transactions/", "/appAccountToken",
            body: #"{"appAccountToken":"11111111-2222-4333-8444-555555555555"}"#),
        identifiers("GET", "/v1/transactions/appTransactions/", takesAny: true),
        identifiers("POST", "/v1/transactions/", "/finish"),
    ]

    // MARK: - Queries

    private static let queries = [
        "revision=x", "revision=", "revision={TRANSACTION}", "startDate=x",
        "endDate=x", "endDate=1e3", "endDate=9223372036854775808", "sort=UP", "sort=",
        "productType=BOOK", "productId=", "subscriptionGroupIdentifier=",
        "excludeRevoked=2", "revoked=maybe", "inAppOwnershipType=STOLEN", "revision=x&revision=y",
    ]

    private static func histories(_ path: String) -> [HostileRow] {
        queries.map { get("\(path) with \($0)", "\(path){TRANSACTION}?\($0)") }
    }

    private static let others: [HostileRow] = [
        get("a revision of another list", "/v2/refund/lookup/{TRANSACTION}?revision=x"),
        get("a status that is none", "/v1/subscriptions/{TRANSACTION}?status=6"),
        get("a status in words", "/v1/subscriptions/{TRANSACTION}?status=active"),
        get("a status beside a good one", "/v1/subscriptions/{TRANSACTION}?status=1&status=0"),
        get(
            "the extension of nobody",
            "/v1/subscriptions/extend/mass/\(Lab.bundleID).club/"
                + "11111111-2222-4333-8444-555555555555"),
        get("the extension of no UUID", "/v1/subscriptions/extend/mass/\(Lab.bundleID).club/x"),
        get(
            "the extension of no product",
            "/v1/subscriptions/extend/mass/nothing/11111111-2222-4333-8444-555555555555"),
        send(
            "extending what is no subscription", "/v1/subscriptions/extend/{TRANSACTION}",
            body(extended)),
        send(
            "a third extension in a year", "/v1/subscriptions/extend/{SUBSCRIPTION}",
            body(extended)),
        send(
            "extending a family member's copy", "/v1/subscriptions/extend/{SHARED}",
            body(extended)),
        send(
            "a token for a family member's copy", "/v1/transactions/{SHARED}/appAccountToken",
            #"{"appAccountToken":"11111111-2222-4333-8444-555555555555"}"#),
        send(
            "a token for a renewal", "/v1/transactions/{RENEWAL}/appAccountToken",
            #"{"appAccountToken":"11111111-2222-4333-8444-555555555555"}"#),
        send(
            "consumption of a family member's copy", "/v2/transactions/consumption/{SHARED}",
            body(consumed)),
        send(
            "a token that is no UUID", "/v1/transactions/{TRANSACTION}/appAccountToken",
            #"{"appAccountToken":"x"}"#),
        send(
            "an empty token", "/v1/transactions/{TRANSACTION}/appAccountToken",
            #"{"appAccountToken":""}"#),
        send(
            "a percentage of a subscription", "/v2/transactions/consumption/{SUBSCRIPTION}",
            body(consumed)),
        send(
            "consumption of what is bought once", "/v1/transactions/consumption/{TRANSACTION}",
            body(consumedFirst)),
        send("a test without an address", "/v1/notifications/test", "", method: "POST"),
        get("the status of no test", "/v1/notifications/test/x"),
        get(
            "the status of a test of nobody",
            "/v1/notifications/test/11111111-2222-4333-8444-555555555555_1"),
        send(
            "a page of notifications that is none", "/v1/notifications/history?paginationToken=x",
            body(asked), method: "POST"),
    ]

    // MARK: - Customers who are gone, and a store that cannot write

    /// Of one whose account was deleted, and of a family member who never had the app on a device.
    private static let customers: [HostileRow] =
        [
            "/v1/history/", "/v2/history/", "/v1/subscriptions/", "/v2/refund/lookup/",
            "/v1/transactions/appTransactions/", "/v1/transactions/", "/v1/refund/lookup/",
        ].map { get("\($0) of a deleted customer", $0 + "{DELETED}") } + [
            get("no app transaction", "/v1/transactions/appTransactions/{APPLESS}")
        ]

    private static let limited: [HostileRow] = [
        get("the last request of an hour", "/v1/transactions/9223372036854775807"),
        get("one request more in the hour", "/v1/transactions/9223372036854775807"),
    ]

    private static let hindered: [HostileRow] = [
        send(
            "finishing while nothing can be written", "/v1/transactions/{TRANSACTION}/finish", "",
            method: "POST")
    ]

    // MARK: - Bodies

    private typealias Members = KeyValuePairs<String, String>

    private static let extended: Members = [
        "extendByDays": "7", "extendReasonCode": "1", "requestIdentifier": #""outage""#,
    ]
    private static let extendedAll: Members = [
        "extendByDays": "7", "extendReasonCode": "1",
        "requestIdentifier": #""11111111-2222-4333-8444-555555555555""#,
        "productId": "\"\(Lab.bundleID).club\"", "storefrontCountryCodes": #"["USA"]"#,
    ]
    private static let consumed: Members = [
        "customerConsented": "true", "sampleContentProvided": "false",
        "deliveryStatus": #""DELIVERED""#, "consumptionPercentage": "5000",
        "refundPreference": #""DECLINE""#,
    ]
    private static let consumedFirst: Members = [
        "accountTenure": "0", "appAccountToken": #""""#, "consumptionStatus": "1",
        "customerConsented": "true", "deliveryStatus": "0", "lifetimeDollarsPurchased": "0",
        "lifetimeDollarsRefunded": "0", "platform": "1", "playTime": "0",
        "refundPreference": "1", "sampleContentProvided": "false", "userStatus": "1",
    ]
    private static let asked: Members = [
        "startDate": "4000000000000", "endDate": "4102444800000",
    ]

    /// A body with a member replaced, added or, for nil, left out.
    private static func body(
        _ usual: Members, _ changed: String? = nil, _ value: String? = nil
    ) -> String {
        var members = usual.filter { $0.key != changed }.map { "\"\($0.key)\":\($0.value)" }
        if let changed, let value { members.append("\"\(changed)\":\(value)") }
        return "{\(members.joined(separator: ","))}"
    }

    private static let extensions: [(String, String?)] = [
        ("extendByDays", nil), ("extendByDays", "0"), ("extendByDays", "91"),
        ("extendByDays", "-1"), ("extendByDays", "1.5"), ("extendByDays", #""7""#),
        ("extendReasonCode", nil), ("extendReasonCode", "4"), ("extendReasonCode", "null"),
        ("requestIdentifier", nil), ("requestIdentifier", #""""#),
        ("requestIdentifier", "\"{a129}\""), ("requestIdentifier", "7"),
    ]
    private static let extensionsOfAll: [(String, String?)] = [
        ("extendByDays", "91"), ("extendReasonCode", "4"), ("requestIdentifier", #""outage""#),
        ("requestIdentifier", nil), ("productId", nil), ("productId", #""nothing""#),
        ("productId", "\"\(Lab.bundleID).fuel\""), ("storefrontCountryCodes", "[]"),
        ("storefrontCountryCodes", #"["US"]"#), ("storefrontCountryCodes", "[1]"),
        ("storefrontCountryCodes", #""USA""#),
    ]
    private static let consumption: [(String, String?)] = [
        ("customerConsented", nil), ("customerConsented", "false"), ("customerConsented", "1"),
        ("sampleContentProvided", nil), ("sampleContentProvided", "0"), ("deliveryStatus", nil),
        ("deliveryStatus", #""LOST""#), ("deliveryStatus", "0"),
        ("consumptionPercentage", "100001"), ("consumptionPercentage", "-1"),
        ("consumptionPercentage", "0.5"), ("refundPreference", #""KEEP""#),
        ("refundPreference", "1"),
    ]
    private static let firstConsumption: [(String, String?)] =
        consumedFirst.map { ($0.key, "99") } + consumedFirst.map { ($0.key, #""x""#) }
        + consumedFirst.map { ($0.key, "-1") } + [("customerConsented", nil)]
    private static let questions: [(String, String?)] = [
        ("startDate", nil), ("startDate", #""x""#), ("startDate", "1"), ("endDate", nil),
        ("endDate", #""x""#), ("endDate", "1"), ("notificationType", #""X""#),
        ("notificationType", "1"), ("notificationSubtype", #""UPGRADE""#),
        ("transactionId", #""x""#), ("transactionId", #""{OTHERTRANSACTION}""#),
        ("onlyFailures", #""yes""#),
        ("notificationType", #""REFUND","notificationSubtype":"UPGRADE""#),
        ("notificationType", #""REFUND","transactionId":"{TRANSACTION}""#),
    ]

    private static func bodies(
        _ path: String, _ usual: Members, _ changes: [(String, String?)], method: String = "PUT"
    ) -> [HostileRow] {
        changes.map { name, value in
            send(
                "\(path) with \(name) \(value ?? "left out")", path, body(usual, name, value),
                method: method)
        } + wholes(path, method: method)
    }

    /// Bodies that no address takes.
    private static func wholes(_ path: String, method: String = "PUT") -> [HostileRow] {
        let all: [(String, String)] = [
            ("nothing", ""), ("null", "null"), ("a list", "[]"), ("half a body", "{\"a\":"),
            ("a member twice", #"{"extendByDays":1,"extendByDays":2}"#), ("a NUL", "{00}"),
            ("bytes that are no UTF-8", "{\"a\":\"{FF}\"}"), ("20,000 brackets", "{[20000}"),
            ("two megabytes", "\"{a2097152}\""),
        ]
        return all.map { send("\(path) with \($0)", path, $1, method: method) }
    }

    private static let bodies: [[HostileRow]] = [
        bodies("/v1/subscriptions/extend/{SUBSCRIPTION}", extended, extensions),
        bodies("/v1/subscriptions/extend/mass", extendedAll, extensionsOfAll, method: "POST"),
        bodies("/v2/transactions/consumption/{TRANSACTION}", consumed, consumption),
        bodies("/v1/transactions/consumption/{SUBSCRIPTION}", consumedFirst, firstConsumption),
        bodies("/v1/notifications/history", asked, questions, method: "POST"),
        wholes("/v1/transactions/{TRANSACTION}/appAccountToken"),
    ]

    // MARK: - Services that are not here

    private static let missing: [HostileRow] = [
        get("the list of images", "/v1/messaging/image/list"),
        get("the list of messages", "/v1/messaging/message/list"),
        send("a message", "/v1/messaging/message/x", "{}"),
        send("a real-time URL", "/v1/messaging/realtime/url", "{}"),
        get("an address that is none", "/v3/transactions/{TRANSACTION}"),
        send("another method", "/v1/transactions/{TRANSACTION}", "{}", method: "PATCH"),
        .post(
            "Advanced Commerce", "/sandbox/advancedCommerce/v1/subscription/cancel/{TRANSACTION}",
            token: "JWT", "{}"),
        .post(
            "an external purchase", "/sandbox/externalPurchase/v1/reports", token: "JWT", "{}",
            method: "PUT"),
    ]
}
