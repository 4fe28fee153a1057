import StoreHTTP
import StoreModel
import TestSupport
import Testing

@testable import PurchaseBackend

@Suite(.ownThreads) struct MetricsTests {
    @Test func `metrics need a token and tell what waits`() throws {
        let rig = try Rig()
        let user = try rig.signUp()
        for token in [nil, "x", user] {
            #expect(try rig.send("GET", "/metrics", token: token).status == 401)
        }
        let answer = try rig.send("GET", "/metrics", token: Rig.operatorToken)
        #expect(answer.status == 200)
        let lines = String(decoding: answer.body, as: UTF8.self).split(separator: "\n")
        #expect(lines.last == "# EOF")
        for line in [
            "bodega_submissions_due 0",
            #"bodega_http_requests_total{method="GET",route="/metrics",status="401"} 3"#,
        ] {
            #expect(lines.contains { $0 == line }, "\(line) is missing")
        }
    }

    @Test(arguments: BackendMetrics.queues.map(\.name))
    func `what is due is counted along an index`(name: String) throws {
        let rig = try Rig()
        let queue = try #require(BackendMetrics.queues.first { $0.name == name })
        let plan: [String] = try rig.parts.database.read { scope in
            try scope.rows("EXPLAIN QUERY PLAN " + queue.sql, [0, 0]).map { try $0["detail"] }
        }
        #expect(plan.contains { $0.contains("USING") && $0.contains("INDEX \(name)_due") })
        #expect(!plan.contains { $0.contains("ORDER BY") })
    }
}
