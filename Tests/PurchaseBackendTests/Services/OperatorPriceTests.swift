import StoreHTTP
import StoreWire
import TestSupport
import Testing

@testable import PurchaseBackend

/// The operator's price records, and the list of what was delivered.
@Suite(.ownThreads) struct OperatorPriceTests {
    private func set(
        _ rig: Rig, _ body: String, token: String = Rig.operatorToken
    ) throws -> HTTPResponse {
        try rig.send("PUT", "/operator/v1/prices", token: token, body)
    }

    private func prices(_ rig: Rig) throws -> [PriceRecordBody] {
        let answer = try rig.send("GET", "/operator/v1/prices", token: Rig.operatorToken)
        return try WireJSON.decode(PriceRecordsBody.self, from: answer.body).prices
    }

    private static func record(_ amount: Int, _ from: Int, _ until: Int) -> String {
        """
        {"productId":"coins","storefront":"USA","currency":"USD","amount":\(amount),\
        "from":\(from),"until":\(until)}
        """
    }

    @Test func `price records are replaced as a whole, or not at all`() throws {
        let rig = try Rig()
        #expect(try prices(rig) == [])
        let two = #"{"prices":[\#(Self.record(2, 5, 9)),\#(Self.record(1, 1, 5))]}"#
        #expect(try set(rig, two).status == 200)
        #expect(try prices(rig).map(\.amount) == [1, 2], "in order of time")
        for bad in [
            #"{"prices":[\#(Self.record(1, 1, 5)),\#(Self.record(1, 4, 6))]}"#,
            #"{"prices":[\#(Self.record(-1, 1, 5))]}"#,
            #"{"prices":[{"productId":"coins","storefront":"USA","currency":"BTC","amount":1}]}"#,
        ] {
            let refused = try set(rig, bad)
            #expect(refused.status == 422)
            #expect(try refused.errorCode == "badField")
            #expect(refused.text.contains("prices["))
        }
        #expect(try set(rig, "{\"prices\":[{}]}").errorCode == "badBody")
        #expect(try prices(rig).map(\.amount) == [1, 2])
        #expect(try set(rig, "{\"prices\":[]}").status == 200)
        #expect(try prices(rig) == [])
        let token = try rig.signUp()
        #expect(try set(rig, two, token: token).status == 401)
        #expect(try rig.send("GET", "/operator/v1/deliveries", token: token).status == 401)
    }

    @Test func `a purchase is delivered whatever the price records say`() throws {
        let rig = try Rig()
        #expect(try set(rig, #"{"prices":[\#(Self.record(1_000, 1, 5))]}"#).status == 200)
        rig.store.verified(.init())
        #expect(try rig.submit(rig.signUp()).outcome.status == .granted)
    }

    @Test func `deliveries come page by page, each once`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.verified(.init(transaction: "1"))
        _ = try rig.submit(token, transaction: "1")
        _ = try rig.database.write { scope in
            try scope.execute(
                """
                WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
                INSERT INTO grants (environment, key_transaction, user_id, submission_id,
                    product_id, kind, transaction_id, original_transaction_id, quantity,
                    granted_at)
                SELECT environment, i, user_id, submission_id, product_id, kind, i, i, 1, i
                FROM grants, n
                """)
        }
        var (seen, place): ([String], String?) = ([], nil)
        repeat {
            let answer = try rig.send(
                "GET", "/operator/v1/deliveries", token: Rig.operatorToken,
                query: place.map { [("after", $0)] } ?? [])
            let page = try WireJSON.decode(DeliveriesBody.self, from: answer.body)
            #expect(page.deliveries.count <= BackendLimits.deliveriesPerAnswerMax)
            seen += page.deliveries.map(\.transactionId)
            place = page.nextAfter
        } while place != nil
        #expect(seen.count == 2_500)
        #expect(Set(seen).count == 2_500)
        let bad = try rig.send(
            "GET", "/operator/v1/deliveries", token: Rig.operatorToken, query: [("after", "x")])
        #expect(try bad.errorCode == "badQuery")
    }
}
