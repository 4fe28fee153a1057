import StoreModel
import Testing

@testable import PurchaseBackend

struct VerifyAnswerTests {
    private func read(
        _ text: String, status: Int = 200, from environment: StoreEnvironment = .production
    ) -> VerifyAnswer {
        VerifyAnswer.read(httpStatus: status, body: Array(text.utf8), from: environment)
    }

    private func summary(purchasedAt: Timestamp? = nil) -> ReceiptSummary {
        ReceiptSummary(
            environment: .production, bundleID: "com.example.rocketcar",
            applicationVersion: "1.2",
            purchases: [
                .init(
                    productID: "coins", transactionID: "1000000000000001",
                    originalTransactionID: "1000000000000001", purchasedAt: purchasedAt)
            ])
    }

    @Test func `a unified answer lists its purchases`() {
        let moment = Timestamp(milliseconds: 1_714_558_830_000)
        #expect(
            read(StoreAnswers.verified([.init()])) == .verified(summary(purchasedAt: moment)))
    }

    @Test func `numbers are read from text and from numbers`() {
        let text = """
            {"status":"0","receipt":{
            "bundle_id":"com.example.rocketcar","application_version":"1.2","in_app":[
            {"quantity":1,"product_id":"coins","transaction_id":1000000000000001,
            "original_transaction_id":1000000000000001}]},"new":{"field":[1,2]}}
            """
        #expect(read(text) == .verified(summary()))
    }

    @Test func `an iOS 6 style answer is one purchase`() {
        let text = """
            {"status":0,"receipt":{"bid":"com.example.rocketcar","bvrs":"1.2","quantity":"1",
            "product_id":"coins","transaction_id":"1000000000000001",
            "original_transaction_id":"1000000000000001"}}
            """
        #expect(read(text) == .verified(summary()))
    }

    @Test func `a receipt without purchases is verified`() {
        guard case .verified(let receipt) = read(StoreAnswers.verified([])) else {
            Issue.record("not verified")
            return
        }
        #expect(receipt.purchases.isEmpty)
    }

    @Test(arguments: [
        ("\"cancellation_date\":\"2024-05-02 10:20:30 Etc/GMT\"", true),
        ("\"cancellation_date_ms\":\"1714645230000\"", true),
        ("\"cancellation_date\":null", false),
        ("\"cancellation_reason\":null", false),
    ])
    func `a cancelled purchase is read as cancelled`(field: String, isCancelled: Bool) {
        let text = """
            {"status":0,"receipt":{"bundle_id":"b","application_version":"1","in_app":[
            {"quantity":"1","product_id":"p","transaction_id":"1","original_transaction_id":"1",
            \(field)}]}}
            """
        guard case .verified(let receipt) = read(text) else {
            Issue.record("not verified")
            return
        }
        #expect(receipt.purchases.map(\.isCancelled) == [isCancelled])
    }

    @Test(arguments: [21_002, 21_003, 21_004, 21_006, 21_007, 21_008, 21_010])
    func `a status about the receipt refuses it`(status: Int) {
        #expect(read(StoreAnswers.status(status)) == .refused(status: status))
        #expect(read("{\"status\":\"\(status)\"}") == .refused(status: status))
    }

    @Test(arguments: [21_000, 21_001, 21_005, 21_009, 21_100, 21_150, 21_199, 2, -1, 99_999])
    func `any other status is asked about again`(status: Int) {
        #expect(isRetry(read(StoreAnswers.status(status))))
    }

    /// What each status means for a receipt, by Apple's table and what clients make of it.
    struct StatusRow: Sendable, CustomTestStringConvertible {
        let status: Int
        var more = ""
        let isFinal: Bool

        var testDescription: String { "\(status) \(more)" }
    }

    static let statusRows = [
        StatusRow(status: 21_000, isFinal: false), StatusRow(status: 21_001, isFinal: false),
        // Final as far as the answer goes; SubmissionSettler asks again about whole receipts.
        StatusRow(status: 21_002, isFinal: true), StatusRow(status: 21_003, isFinal: true),
        StatusRow(status: 21_004, isFinal: true), StatusRow(status: 21_005, isFinal: false),
        StatusRow(status: 21_006, isFinal: true), StatusRow(status: 21_007, isFinal: true),
        StatusRow(status: 21_008, isFinal: true), StatusRow(status: 21_009, isFinal: false),
        StatusRow(status: 21_010, isFinal: true), StatusRow(status: 21_011, isFinal: false),
        StatusRow(status: 21_099, more: #","is-retryable":0"#, isFinal: false),
        StatusRow(status: 21_100, isFinal: false),
        StatusRow(status: 21_100, more: #","is-retryable":1"#, isFinal: false),
        StatusRow(status: 21_100, more: #","is-retryable":true"#, isFinal: false),
        StatusRow(status: 21_100, more: #","is-retryable":"1""#, isFinal: false),
        StatusRow(status: 21_100, more: #","is-retryable":0"#, isFinal: true),
        StatusRow(status: 21_150, more: #","is-retryable":false"#, isFinal: true),
        StatusRow(status: 21_150, more: #","is-retryable":"0""#, isFinal: true),
        StatusRow(status: 21_150, more: #","is-retryable":"false""#, isFinal: true),
        StatusRow(status: 21_199, more: #","is_retryable":false"#, isFinal: true),
        StatusRow(status: 21_199, more: #","is_retryable":1"#, isFinal: false),
        StatusRow(status: 21_199, more: #","is-retryable":null"#, isFinal: false),
        StatusRow(status: 21_199, more: #","is-retryable":2"#, isFinal: false),
        StatusRow(status: 21_199, more: #","is-retryable":{}"#, isFinal: false),
        StatusRow(status: 21_200, more: #","is-retryable":0"#, isFinal: false),
        StatusRow(status: 21_005, more: #","is-retryable":0"#, isFinal: false),
    ]

    @Test(arguments: statusRows)
    func `every status is either final or asked about again`(row: StatusRow) {
        let answer = read("{\"status\":\(row.status)\(row.more)}")
        #expect(
            answer
                == (row.isFinal
                    ? .refused(status: row.status)
                    : .retry("the store answered status \(row.status)", status: row.status)))
    }

    @Test(arguments: [
        "", " ", "<html><body>Service unavailable</body></html>", "{\"status\":0,\"receipt\":{",
        "[]", "[{\"status\":0}]", "null", "0", "\"ok\"", "{}", "{\"receipt\":{}}",
        "{\"status\":null}", "{\"status\":true}", "{\"status\":{}}", "{\"status\":\"\"}",
        "{\"status\":\"zero\"}", "{\"status\":0.5}", "{\"status\":1e99}",
        "{\"status\":99999999999999999999}", "{\"status\":0}", "{\"status\":0,\"receipt\":null}",
        "{\"status\":0,\"receipt\":[]}", "{\"status\":0,\"receipt\":\"yes\"}",
        "{\"status\":0,\"receipt\":{\"bundle_id\":\"b\",\"application_version\":\"1\"}}",
        "{\"status\":0,\"receipt\":{\"application_version\":\"1\",\"in_app\":[]}}",
        "{\"status\":0,\"receipt\":{\"bundle_id\":\"b\",\"in_app\":[]}}",
        "{\"status\":0,\"receipt\":{\"bundle_id\":1,\"application_version\":\"1\",\"in_app\":[]}}",
        #"{"status":0,"receipt":{"bundle_id":"b","application_version":"1","in_app":{}}}"#,
        "\u{feff}\u{0}",
    ])
    func `an ambiguous answer is asked about again`(text: String) {
        #expect(isRetry(read(text)))
    }

    @Test(arguments: [
        #""transaction_id":"1","original_transaction_id":"1","product_id":"p""#,
        #""quantity":"0","transaction_id":"1","original_transaction_id":"1","product_id":"p""#,
        #""quantity":"1","transaction_id":"","original_transaction_id":"1","product_id":"p""#,
        #""quantity":"1","transaction_id":1.5,"original_transaction_id":"1","product_id":"p""#,
        #""quantity":"1","transaction_id":"1","product_id":"p""#,
        #""quantity":"1","transaction_id":"1","original_transaction_id":"1","product_id":null"#,
        "",
    ])
    func `an incomplete purchase makes the answer invalid`(purchase: String) {
        let text =
            "{\"status\":0,\"receipt\":{\"bundle_id\":\"b\",\"application_version\":\"1\","
            + "\"in_app\":[{\(purchase)}]}}"
        #expect(isRetry(read(text)))
    }

    @Test(arguments: [100, 10_000, 1_000_000])
    func `a body of nothing but brackets is rejected at once`(depth: Int) {
        #expect(isRetry(read(String(repeating: "[", count: depth))))
        #expect(isRetry(read(String(repeating: "{\"status\":", count: depth))))
        let inside = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(isRetry(read("{\"status\":0,\"receipt\":\(inside)}")))
    }

    @Test(arguments: [201, 204, 301, 302, 400, 404, 429, 500, 502, 503])
    func `only an answer with HTTP 200 counts`(status: Int) {
        #expect(isRetry(read(StoreAnswers.verified([.init()]), status: status)))
        #expect(isRetry(read(StoreAnswers.status(21_003), status: status)))
    }

    @Test func `a receipt that is too long for the store is refused for good`() {
        guard case .refused(status: 21_002) = read("", status: 413) else {
            Issue.record("not refused")
            return
        }
    }

    @Test func `an answer for the other environment is invalid`() {
        let sandbox = StoreAnswers.verified([.init()], environment: .sandbox)
        #expect(isRetry(read(sandbox, from: .production)))
        #expect(!isRetry(read(sandbox, from: .sandbox)))
    }

    @Test func `a reason stays short even for a long answer`() {
        let text = "{\"status\":\"" + String(repeating: "x", count: 1 << 20) + "\"}"
        guard case .retry(let reason, _) = read(text) else {
            Issue.record("not retried")
            return
        }
        #expect(reason.count < 400)
    }

    private func isRetry(_ answer: VerifyAnswer) -> Bool {
        if case .retry = answer { true } else { false }
    }
}
