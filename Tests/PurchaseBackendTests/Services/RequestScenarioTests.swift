import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import PurchaseBackend

@Suite(.ownThreads) struct RequestScenarioTests {
    @Test func `the product identifiers can be read without a token`() throws {
        try expectGolden(Rig().send("GET", "/v1/products").transcript, "products")
    }

    @Test func `health and readiness give their documented answers`() throws {
        let rig = try Rig()
        #expect(try rig.send("GET", "/health").text == "{\"status\":\"ok\"}")
        #expect(try rig.send("GET", "/ready").text == "{\"status\":\"ready\"}")
    }

    @Test(arguments: ["GET", "HEAD"])
    func `a receipt in a URL is refused with a sentence`(method: String) throws {
        let rig = try Rig()
        let query = [(name: "receipt-data", value: "cmVjZWlwdA==")]
        let answer = try rig.send(method, "/v1/receipts", query: query)
        try expectGolden(answer.transcript, "receipts-in-address")
        #expect(try rig.send(method, "/v1/receipts") == answer)
    }

    @Test func `a receipt in the query beside a body is refused, too`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        let answer = try rig.send(
            "POST", "/v1/receipts", token: token, try Rig.submission(),
            query: [(name: "receiptData", value: "cmVjZWlwdA==")])
        #expect(try answer.errorCode == "receiptInAddress")
        #expect(try rig.count("SELECT count(*) FROM submissions") == 0)
    }

    @Test(arguments: [
        ("PUT", "/v1/users", "POST"), ("GET", "/v1/sessions", "DELETE, POST"),
        ("POST", "/v1/products", "GET, HEAD"), ("DELETE", "/v1/receipts", "POST"),
        ("POST", "/v1/receipts/s-1", "GET, HEAD"), ("POST", "/health", "GET, HEAD"),
    ])
    func `an unsupported method is refused with the supported ones`(
        method: String, path: String, allow: String
    ) throws {
        let answer = try Rig().send(method, path)
        #expect(answer.status == 405)
        #expect(answer.headers["Allow"] == allow)
    }

    @Test(arguments: [
        "/", "/v1", "/v2/products", "/v1/receipts/a/b", "/v1/products/a", "/v1/users/u-1",
        "/verifyReceipt", "/v1/products/a/content/b",
    ])
    func `an unknown address is not found`(path: String) throws {
        let answer = try Rig().send("GET", path)
        #expect(answer.status == 404)
        #expect(try answer.errorCode == "notFound")
    }

    @Test(arguments: [
        "application/json", "application/json; charset=utf-8", "text/plain", "",
        "application/x-www-form-urlencoded", "application/xml",
    ])
    func `the content type of a body is ignored`(type: String) throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.verified(.init())
        let answer = try rig.send(
            "POST", "/v1/receipts", token: token, try Rig.submission() + "\n",
            headers: [("Content-Type", type)])
        #expect(answer.status == 200)
    }

    @Test(arguments: [
        "", "null", "[]", "{", "{}", "receipt-data=abc", "\u{feff}",
        "{\"receiptData\":\"YQ==\",\"productId\":\"p\",\"transactionId\":1,\"appVersion\":\"1\"}",
        """
        {"receiptData":"YQ==","productId":"p","transactionId":"1","appVersion":"1",
        "passThrough":[]}
        """,
        """
        {"receiptData":"YQ==","productId":"p","transactionId":"1","appVersion":"1",
        "passThrough":{"a":1}}
        """,
        String(repeating: "[", count: 100_000),
    ])
    func `an unreadable body stores nothing`(body: String) throws {
        let rig = try Rig()
        let token = try rig.signUp()
        let answer = try rig.send("POST", "/v1/receipts", token: token, body)
        #expect(answer.status == 400)
        #expect(try answer.errorCode == "badBody")
        #expect(try rig.count("SELECT count(*) FROM submissions") == 0)
    }

    struct Field: Sendable {
        var receipt = "YQ=="
        var product = "p"
        var transaction = "1"
        var version = "1"
        var passThrough: [String: String]?
    }

    @Test(arguments: [
        Field(receipt: ""), Field(receipt: "!"), Field(product: ""),
        Field(product: String(repeating: "p", count: BackendLimits.productIDBytesMax + 1)),
        Field(product: "a\u{0}b"), Field(transaction: ""), Field(transaction: "1\n"),
        Field(transaction: String(repeating: "1", count: BackendLimits.transactionIDBytesMax + 1)),
        Field(version: ""),
        Field(version: String(repeating: "1", count: BackendLimits.appVersionBytesMax + 1)),
        Field(
            passThrough: Dictionary(
                uniqueKeysWithValues: (0...BackendLimits.passThroughFieldsMax).map {
                    ("\($0)", "")
                })),
        Field(passThrough: [
            String(repeating: "n", count: BackendLimits.passThroughNameBytesMax + 1): ""
        ]),
        Field(passThrough: [
            "n": String(repeating: "v", count: BackendLimits.passThroughValueBytesMax + 1)
        ]),
    ])
    func `a field that breaks its rule is named and stores nothing`(field: Field) throws {
        let rig = try Rig()
        let token = try rig.signUp()
        let answer = try rig.submit(
            token, product: field.product, transaction: field.transaction,
            version: field.version, receipt: field.receipt, passThrough: field.passThrough)
        #expect(answer.status == 422)
        #expect(try answer.errorCode == "badField")
        #expect(try rig.count("SELECT count(*) FROM submissions") == 0)
    }

    @Test func `bodies above the limits are refused`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        let long = String(repeating: " ", count: BackendLimits.bodyMax + 1)
        #expect(try rig.send("POST", "/v1/users", long).status == 413)
        let receipt = String(repeating: "A", count: BackendLimits.receiptTextMax + 4)
        #expect(try rig.submit(token, receipt: receipt).status == 413)
        let body = String(repeating: " ", count: BackendLimits.receiptBodyMax + 1)
        #expect(try rig.send("POST", "/v1/receipts", token: token, body).status == 413)
    }

    @Test func `a receipt of the maximum size is accepted`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.verified(.init())
        let receipt = String(repeating: "A", count: BackendLimits.receiptTextMax)
        #expect(try rig.submit(token, receipt: receipt).status == 200)
    }

    @Test func `an unsigned receipt stores nothing`() throws {
        let rig = try Rig()
        #expect(try rig.send("POST", "/v1/receipts", try Rig.submission()).status == 401)
        #expect(rig.store.requests.isEmpty)
        #expect(try rig.count("SELECT count(*) FROM receipts") == 0)
    }
}
