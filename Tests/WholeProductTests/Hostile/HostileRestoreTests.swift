import StoreWire
import TestSupport
import Testing

/// Restores that must not be: each is refused with its answer, and nothing is given back.
@Suite(.ownThreads) struct HostileRestoreTests {
    @Test func `the store's answers to hostile restores match the golden file`() throws {
        let hostile = try HostileLab()
        try expectGolden(
            try hostile.transcript(
                of: Self.rows, port: hostile.lab.storePort, database: hostile.lab.storeFile),
            "hostile-restores")
    }

    private static func row(
        _ name: String, _ body: String, token: String = "TOKEN"
    ) -> HostileRow {
        .post(name, "/sandbox/device/v1/restores", token: token, body)
    }

    private static func restore(_ name: String, _ rest: String) -> HostileRow {
        row(name, #"{"restoreId":"AAAAAAAA-2FA1-11D2-883F-0016D3CCA427""# + rest + "}")
    }

    static let rows = [
        row("no body", ""),
        row("no id", "{}"),
        row("null for an id", #"{"restoreId":null}"#),
        row("an id that is none", #"{"restoreId":"1"}"#),
        row("SQL for an id", #"{"restoreId":"' OR 1=1 --"}"#),
        row("an id with a slash and a number", #"{"restoreId":"A/2000000000000000"}"#),
        restore("a number for a position", #","after":2000000000000000"#),
        restore("a position that nothing ended with", #","after":"2000000000000000""#),
        restore("position 0", #","after":"0""#),
        restore("position -1", #","after":"-1""#),
        restore("the largest position and one", #","after":"9223372036854775808""#),
        restore("SQL for a position", #","after":"1 OR 1=1""#),
        restore("a blank before a position", #","after":" 1""#),
        restore("an array for a name", #","applicationUsername":[]"#),
        restore("a NUL in a name", #","applicationUsername":"a\u0000b""#),
        restore(
            "a name of a byte too many",
            #","applicationUsername":"\#(String(repeating: "u", count: 256))""#),
    ]

    @Test func `a used restore id is not accepted for another user name`() throws {
        let hostile = try HostileLab()
        let first = try HostileOutcome(
            Self.restore("", ""), port: hostile.lab.storePort, hostile.values)
        #expect(first.answer?.status == 200)
        let before = try HostileLab.rows(of: hostile.lab.storeFile)
        for row in [
            Self.restore("", #","applicationUsername":"x""#),
            Self.restore("", #","applicationUsername":"x","after":"1""#),
        ] {
            let again = try HostileOutcome(row, port: hostile.lab.storePort, hostile.values)
            #expect(again.answer?.status == 409)
        }
        #expect(try HostileLab.rows(of: hostile.lab.storeFile) == before)
    }
}
