import StoreWire
import TestSupport
import Testing

/// What strangers and users send the backend.
@Suite(.ownThreads) struct HostileBackendTests {
    @Test func `the backend's answers to hostile bodies and tokens match the golden file`() throws {
        let hostile = try HostileLab()
        try expectGolden(
            try hostile.transcript(
                of: Self.rows, port: hostile.lab.backendPort,
                database: hostile.lab.backendData + "/backend.sqlite", isBounded: true),
            "hostile-backend")
    }

    /// The store says 0 to a genuine receipt of another app, and nothing to one of another world.
    @Test(arguments: [
        ("OTHERAPPRECEIPT", "OTHERTRANSACTION", "wrongBundle", nil as Int64?),
        ("FOREIGNRECEIPT", "TRANSACTION", "storeRefused", 21003),
        ("RECEIPT", "OTHERTRANSACTION", "transactionNotInReceipt", nil),
    ])
    func `a receipt that does not match the purchase grants nothing`(
        receipt: String, transaction: String, reason: String, status: Int64?
    ) throws {
        let hostile = try HostileLab()
        let outcome = try HostileOutcome(
            .post(
                "", "/v1/receipts", token: "USER",
                #"{"receiptData":"{\#(receipt)}","productId":"\#(Lab.turbo)","#
                    + #""transactionId":"{\#(transaction)}","appVersion":"1.0"}"#),
            port: hostile.lab.backendPort, hostile.values)
        let answer = try #require(outcome.answer)
        #expect(answer.status == 422)
        let body = try JSONValue(parsing: answer.body)
        #expect(body["status"]?.string == "refused")
        #expect(body["reason"]?.string == reason)
        #expect(body["storeStatus"]?.integer == status)
        let file = hostile.lab.backendData + "/backend.sqlite"
        #expect(try hostile.lab.count("SELECT count(*) FROM grants", in: file) == 0)
    }

    private static func receipt(_ name: String, _ body: String, token: String? = "USER")
        -> HostileRow
    {
        .post(name, "/v1/receipts", token: token, body)
    }

    private static func fields(_ receipt: String, extra: String = "") -> String {
        #"{"receiptData":"\#(receipt)","productId":"a","transactionId":"1","#
            + #""appVersion":"1.0"\#(extra)}"#
    }

    static let rows: [HostileRow] = [
        receipt("nothing", ""),
        receipt("a word", "hello"),
        receipt("an array", "[]"),
        receipt("no fields", "{}"),
        receipt(
            "a number for a receipt",
            #"{"receiptData":1,"productId":"a","transactionId":"1","appVersion":"1"}"#),
        receipt("an empty receipt", fields("")),
        receipt("a receipt that is no base64", fields("???")),
        receipt("400 arrays deep", "{[400}"),
        receipt("1,000,000 arrays deep", "{[1000000}"),
        receipt(
            "a field of numbers to pass through", fields("AAAA", extra: #","passThrough":{"a":1}"#)),
        receipt(
            "33 fields to pass through",
            fields(
                "AAAA",
                extra: #","passThrough":{"#
                    + (0...32).map { #""\#($0)":"x""# }.joined(separator: ",") + "}")),
        receipt("nobody's token", fields("AAAA"), token: nil),
        receipt("a device's token", fields("AAAA"), token: "TOKEN"),
        receipt("the control token", fields("AAAA"), token: "CONTROL"),
        .get("a receipt in the address", "/v1/receipts?receiptData=AAAA", token: "USER"),
        .get(
            "somebody else's submission", "/v1/receipts/s-000000000000000000000001", token: "USER"),
        .get("content that is not owned", "/v1/products/\(Lab.turbo)/content", token: "USER"),
        .get("content of a path", "/v1/products/..%2f..%2fetc%2fpasswd/content", token: "USER"),
        .get(
            "content of an encoded path", "/v1/products/%252e%252e%252fpasswd/content",
            token: "USER"),
        .get("purchases without a token", "/v1/purchases"),
        .get("purchases with a device's token", "/v1/purchases", token: "TOKEN"),
        .post("a user without a password", "/v1/users", #"{"name":"x"}"#),
        .post(
            "a user's name with a line break", "/v1/users",
            #"{"name":"a\nbc","password":"12345678"}"#),
        .post(
            "a user's name that is taken", "/v1/users",
            #"{"name":"DRIVER","password":"12345678"}"#),
        .post("a password of 129 letters", "/v1/users", #"{"name":"xyz","password":"{a129}"}"#),
        .post(
            "signing in with a wrong password", "/v1/sessions",
            #"{"name":"driver","password":"wrong-password"}"#),
        .post("signing out without a token", "/v1/sessions", "", method: "DELETE"),
        .post("a method that is not here", "/v1/products", ""),
    ]
}
