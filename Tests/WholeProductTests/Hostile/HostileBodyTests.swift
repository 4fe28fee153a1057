import Foundation
import StoreWire
import TestSupport
import Testing

/// Bodies that are no JSON, JSON of the wrong shape, and bombs of depth, width and number.
@Suite(.ownThreads) struct HostileBodyTests {
    @Test(arguments: [false, true])
    func `the store's answers to hostile bodies match the golden file`(overTLS: Bool) throws {
        let hostile = try HostileLab(storeOptions: overTLS ? Lab.withTLS : [])
        let relay = overTLS ? try hostile.lab.startTLSRelay() : nil
        try expectGolden(
            try hostile.transcript(
                of: Self.register + Self.attempts + Self.keyValues + Self.others + Self.control
                    + Self.money,
                port: relay?.port ?? hostile.lab.storePort, database: hostile.lab.storeFile,
                // Guesses are counted, also at names that no account has.
                but: ["unknown_name", "device_guess"], isBounded: true), "hostile-bodies")
    }

    @Test
    func `a catalogue file truncated at any byte is refused with the place and changes nothing`()
        throws
    {
        let hostile = try HostileLab()
        let file = try Data(
            contentsOf: URL(
                fileURLWithPath: Lab.package + "/Examples/RocketCar/RocketCar.storekit"))
        let before = try HostileLab.rows(of: hostile.lab.storeFile)
        let connection = try RawConnection(port: hostile.lab.storePort)
        let end = try #require(file.lastIndex(of: UInt8(ascii: "}")))
        for count in 0...end {
            let cut = Array(file.prefix(count))
            connection.write(
                Array(
                    """
                    PUT /control/v1/apps/\(Lab.bundleID)/catalog HTTP/1.1\r
                    Host: a\r
                    Authorization: Bearer \(hostile.values["CONTROL"] ?? "")\r
                    Content-Length: \(count)\r
                    \r

                    """.utf8) + cut)
            let answer = try connection.readAnswer()
            #expect(answer?.status == 422)
            let why = try #require(throws: CatalogueFileError.self) {
                try CatalogueFile(bytes: cut)
            }
            let expected = try WireJSON.encode(ErrorBody(code: "badCatalogue", message: "\(why)"))
            #expect(answer?.body == expected, "cut at \(count)")
        }
        #expect(try HostileLab.rows(of: hostile.lab.storeFile) == before)
    }

    private static let path = "/sandbox/device/v1/"

    private static func register(_ name: String, _ body: String) -> HostileRow {
        .post(name, path + "register", body)
    }

    static let register = [
        register("nothing", ""),
        register("a word", "hello"),
        register("half an object", #"{"guid":"#),
        register("an object and more", "{}{}"),
        register("XML", "<guid/>"),
        register("a form", "guid=1&bundleId=2"),
        register("a NUL", "{00}"),
        register("no UTF-8", #"{"guid":"{FF}{FE}"}"#),
        register("UTF-16", "{FF}{FE}{7B}{00}{7D}{00}"),
        register("a byte order mark", "{EF}{BB}{BF}{}"),
        register("an array", "[]"),
        register("a text", #""guid""#),
        register("null", "null"),
        register("a number", "1"),
        register("no fields", "{}"),
        register("a number for a text", #"{"guid":1,"bundleId":"a","appVersion":"1"}"#),
        register("null for a text", #"{"guid":null,"bundleId":"a","appVersion":"1"}"#),
        register("an object for a text", #"{"guid":{},"bundleId":"a","appVersion":"1"}"#),
        register("no UUID", #"{"guid":"1","bundleId":"a","appVersion":"1"}"#),
        register(
            "a UUID in braces",
            #"{"guid":"{6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11}","bundleId":"a","appVersion":"1"}"#),
        register(
            "an app that is none",
            #"{"guid":"6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11","bundleId":"a","appVersion":"1"}"#),
        register(
            "a path for an app",
            #"{"guid":"6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11","bundleId":"../a","appVersion":"1"}"#),
        register(
            "SQL for an app",
            #"{"guid":"6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11","bundleId":"' OR 1=1 --","#
                + #""appVersion":"1"}"#),
        register(
            "a NUL in a version",
            #"{"guid":"6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11","bundleId":"a","#
                + #""appVersion":"1\u0000"}"#),
        register(
            "a version of nothing",
            #"{"guid":"6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11","bundleId":"a","appVersion":""}"#),
        register("half a surrogate", #"{"guid":"\ud800","bundleId":"a","appVersion":"1"}"#),
        register("an escape that is none", #"{"guid":"\x","bundleId":"a","appVersion":"1"}"#),
        register("400 arrays deep", "{[400}"),
        register("1,000,000 arrays deep", "{[1000000}"),
        register("100,000 objects deep", String(repeating: #"{"a":"#, count: 100_000)),
        HostileRow(
            "a body of a byte too many, only told",
            "POST \(path)register HTTP/1.1\r\nHost: a\r\nContent-Length: 1048577\r\n\r\n"),
        HostileRow(
            "chunks of a byte too many",
            "POST \(path)register HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "100001\r\n{a1048577}\r\n0\r\n\r\n"),
    ]

    private static func keyValues(_ name: String, _ changes: String) -> HostileRow {
        .post(
            name, path + "key-values", token: "TOKEN",
            #"{"requestId":"AAAAAAAA-2FA1-11D2-883F-0016D3CCA427","after":0,"isInitial":false,"#
                + #""changes":["# + changes + "]}", method: "PUT")
    }

    static let keyValues = [
        keyValues("a key value that is no property list", #"{"key":"a","value":{"url":"/"}}"#),
        keyValues("a binary property list", #"{"key":"a","value":"YnBsaXN0MDA="}"#),
        keyValues("a key value of two kinds", #"{"key":"a","value":{"real":1,"string":"1"}}"#),
        keyValues(
            "a number above 64 bits", #"{"key":"a","value":{"integer":18446744073709551616}}"#),
        keyValues("a number of 100,000 digits", #"{"key":"a","value":{"integer":{9100000}}}"#),
        keyValues(
            "100,000 arrays in each other",
            #"{"key":"a","value":"# + String(repeating: #"{"array":["#, count: 100_000)),
        keyValues(
            "200 arrays in each other",
            #"{"key":"a","value":"# + String(repeating: #"{"array":["#, count: 200)
                + String(repeating: "]}", count: 200) + "}"),
        keyValues("a key of 65 bytes", #"{"key":"{a65}","value":{"boolean":true}}"#),
        keyValues("no key", #"{"key":"","value":{"boolean":true}}"#),
        keyValues("a NUL in a key", #"{"key":"\u0000","value":{"boolean":true}}"#),
        keyValues("a key twice", #"{"key":"a"},{"key":"a"}"#),
        keyValues(
            "a value of a byte too many", #"{"key":"a","value":{"string":"{a1048577}"}}"#),
        HostileRow(
            "key values of a byte too many, only told",
            "PUT \(path)key-values HTTP/1.1\r\nHost: a\r\nContent-Length: 8388609\r\n\r\n"),
    ]

    private static func attempt(_ name: String, quantity: String) -> HostileRow {
        .post(
            name, path + "attempts", token: "TOKEN",
            #"{"attemptId":"AAAAAAAA-2FA1-11D2-883F-0016D3CCA427","productId":"\#(Lab.fuel)","#
                + #""quantity":\#(quantity)}"#)
    }

    static let attempts = [
        attempt("a fraction for a quantity", quantity: "1.5"),
        attempt("a text for a quantity", quantity: #""1""#),
        attempt("true for a quantity", quantity: "true"),
        attempt("null for a quantity", quantity: "null"),
        attempt("a quantity above 64 bits", quantity: "9223372036854775808"),
        attempt("a quantity below 64 bits", quantity: "-9223372036854775809"),
        attempt("a quantity of 400 digits", quantity: "{9400}"),
        attempt("a quantity of 100,000 digits", quantity: "{9100000}"),
        attempt("a quantity with an exponent", quantity: "1e400"),
        attempt("a quantity with a huge exponent", quantity: "1e999999999999999999"),
        attempt("a quantity in hexadecimal", quantity: "0x1"),
        attempt("a quantity with a zero before it", quantity: "01"),
        attempt("not a number", quantity: "NaN"),
        attempt("infinity", quantity: "Infinity"),
        .post(
            "an attempt that is no UUID", path + "attempts", token: "TOKEN",
            #"{"attemptId":"1","productId":"a","quantity":1}"#),
        .post(
            "a product of 256 letters", path + "attempts", token: "TOKEN",
            #"{"attemptId":"AAAAAAAA-2FA1-11D2-883F-0016D3CCA427","productId":"{a256}","#
                + #""quantity":1}"#),
        .post(
            "a user name with a NUL", path + "attempts", token: "TOKEN",
            #"{"attemptId":"AAAAAAAA-2FA1-11D2-883F-0016D3CCA427","productId":"a","#
                + #""quantity":1,"applicationUsername":"a\u0000b"}"#),
    ]

    static let others: [HostileRow] = [
        .post(
            "a password of 1,025 letters", path + "sign-in", token: "NOBODY",
            #"{"account":"a","password":"{a1025}"}"#),
        .post(
            "an account with a line break", path + "sign-in", token: "NOBODY",
            #"{"account":"a\nb","password":"b"}"#),
        .post(
            "an account that is none", path + "sign-in", token: "NOBODY",
            #"{"account":"nobody","password":"wrong-password"}"#),
        .post(
            "1,001 products", path + "products", token: "TOKEN",
            #"{"productIdentifiers":["# + (0...1_000).map { "\"\($0)\"" }.joined(separator: ",")
                + "]}"),
        .post(
            "an object for a list", path + "products", token: "TOKEN",
            #"{"productIdentifiers":{"a":"b"}}"#),
        .post("an attempt that is none", path + "attempts/1/finish", token: "TOKEN", ""),
        .post("an attempt with a quote", path + "attempts/'%20OR%201/finish", token: "TOKEN", ""),
        .post("a transaction that is none", path + "transactions/1/finish", token: "TOKEN", ""),
        .post("a transaction with a sign", path + "transactions/+1/finish", token: "TOKEN", ""),
        .post(
            "a transaction above 64 bits", path + "transactions/99999999999999999999/finish",
            token: "TOKEN", ""),
        .post(
            "somebody else's transaction", path + "transactions/{TRANSACTION}/finish",
            token: "ACCOUNT", ""),
        .post(
            "a transaction of another app", path + "transactions/{TRANSACTION}/finish",
            token: "OTHERAPP", ""),
        .get("a cursor below 0", path + "updates?after=-1", token: "TOKEN"),
        .get("a cursor above 64 bits", path + "updates?after=9223372036854775808", token: "TOKEN"),
        .get("a cursor that is none", path + "updates?after=1%00", token: "TOKEN"),
        .get("a method that is not here", path + "attempts", token: "TOKEN"),
    ]

    private static func put(_ name: String, _ path: String, _ body: String) -> HostileRow {
        .post(name, "/control/v1/" + path, token: "CONTROL", body, method: "PUT")
    }

    private static let shop = "apps/\(Lab.bundleID)/"

    static let control = [
        put("a price below 0", shop + "products/\(Lab.fuel)/price", #"{"price":"-1"}"#),
        put("a price of 400 digits", shop + "products/\(Lab.fuel)/price", #"{"price":"{9400}"}"#),
        put("a price with an exponent", shop + "products/\(Lab.fuel)/price", #"{"price":"1e3"}"#),
        put("a price that is a number", shop + "products/\(Lab.fuel)/price", #"{"price":1}"#),
        put("a price of an unknown product", shop + "products/absent/price", #"{"price":"1"}"#),
        put("a catalogue that is an array", shop + "catalog", "[]"),
        put(
            "a catalogue with a price below 0", shop + "catalog",
            #"{"products":[{"productID":"a","type":"Consumable","displayPrice":"-1"}]}"#),
        put(
            "a catalogue with an identifier twice", shop + "catalog",
            #"{"products":[{"productID":"a","type":"Consumable","displayPrice":"1"},"#
                + #"{"productID":"a","type":"Consumable","displayPrice":"1"}]}"#),
        put("a catalogue with a key twice", shop + "catalog", #"{"products":[],"products":[]}"#),
        put("a catalogue 65 arrays deep", shop + "catalog", "{[65}"),
        put(
            "a catalogue of another version", shop + "catalog",
            #"{"version":{"major":99,"minor":0},"products":[]}"#),
        put("a catalogue for no app", "apps/a%20b/catalog", "{}"),
        put("a clock of 400 digits", "clock", #"{"mode":"held","now":{9400}}"#),
        put("a clock that is none", "clock", #"{"mode":"backwards","now":0}"#),
        HostileRow.post(
            "a world with a path for a name", "/control/v1/worlds", token: "CONTROL",
            #"{"name":"../../etc"}"#),
        HostileRow.post(
            "a world with a NUL in its name", "/control/v1/worlds", token: "CONTROL",
            #"{"name":"a\u0000b"}"#),
        HostileRow.post(
            "an account with a short password", "/control/v1/accounts", token: "CONTROL",
            #"{"environment":"sandbox","name":"x","password":"1"}"#),
        HostileRow.post(
            "an account in no environment", "/control/v1/accounts", token: "CONTROL",
            #"{"environment":"moon","name":"x","password":"12345678"}"#),
    ]

    private static func money(_ name: String, _ path: String, _ body: String) -> HostileRow {
        .post(name, "/control/v1/" + path, token: "CONTROL", body)
    }

    private static func topUp(_ name: String, _ members: String) -> HostileRow {
        money(
            name, "accounts/credit/top-up",
            #"{"name":"buyer@example.com","requestId":"6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11","#
                + members + "}")
    }

    static let money = [
        topUp("an amount below 0", #""amount":"-1""#),
        topUp("an amount of nothing", #""amount":"0.000""#),
        topUp("an amount of 400 digits", #""amount":"{9400}""#),
        topUp("an amount of four places", #""amount":"0.0001""#),
        topUp("an amount with an exponent", #""amount":"1e3""#),
        topUp("an amount that is a number", #""amount":10"#),
        topUp("an amount in digits of another script", #""amount":"\u0661""#),
        topUp("a currency that is none", #""amount":"1","currency":"usd""#),
        topUp("a currency of another storefront", #""amount":"1","currency":"JPY""#),
        topUp("a real account's credit", #""amount":"1","environment":"production""#),
        money(
            "a request that is no UUID", "accounts/credit/top-up",
            #"{"name":"buyer@example.com","requestId":"1","amount":"1"}"#),
        money(
            "more taken than there is", "accounts/credit/correct",
            #"{"name":"buyer@example.com","requestId":"6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11","#
                + #""amount":"-1","reason":"a"}"#),
        money(
            "a correction without a reason", "accounts/credit/correct",
            #"{"name":"buyer@example.com","requestId":"6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11","#
                + #""amount":"1","reason":""}"#),
        money(
            "a code of 100,000 digits", "accounts/credit/redeem",
            #"{"name":"buyer@example.com","code":"{9100000}"}"#),
        money(
            "a code that nobody made", "accounts/credit/redeem",
            #"{"name":"buyer@example.com","code":"0000-0000-0000-0000-0000"}"#),
        money("a code worth nothing", "gift-codes", #"{"amount":"0","currency":"USD"}"#),
        money(
            "a code that ended long ago", "gift-codes",
            #"{"amount":"1","currency":"USD","expiresAt":0}"#),
        HostileRow.get(
            "a page before 0", "/control/v1/accounts/credit?account=buyer@example.com&before=-1",
            token: "CONTROL"),
    ]
}
