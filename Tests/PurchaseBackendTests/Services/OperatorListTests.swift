import StoreDatabase
import StoreHTTP
import StoreWire
import TestSupport
import Testing

@testable import PurchaseBackend

/// The operator's lists of everything: submissions without a filter, and users.
@Suite(.ownThreads) struct OperatorListTests {
    private func users(
        _ rig: Rig, _ query: (name: String, value: String)...
    ) throws -> OperatorUsersBody {
        let answer = try rig.send(
            "GET", "/operator/v1/users", token: Rig.operatorToken, query: query)
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        return try WireJSON.decode(OperatorUsersBody.self, from: answer.body)
    }

    @Test func `submissions are listed without a filter, newest first, page by page`() throws {
        let rig = try Rig()
        let dora = try rig.signUp("dora")
        rig.store.verified(
            .init(product: "turbo", transaction: "1"), .init(product: "turbo", transaction: "2"))
        let first = try rig.submit(dora, product: "turbo", transaction: "1").outcome.submissionId
        rig.clock.advance(milliseconds: 1)
        let second = try rig.submit(dora, product: "turbo", transaction: "2").outcome.submissionId
        func page(_ query: (name: String, value: String)...) throws -> OperatorSubmissionsBody {
            try WireJSON.decode(
                OperatorSubmissionsBody.self, from: try rig.look(query: query).body)
        }
        #expect(try page().submissions.map(\.submissionId) == [second, first])
        let newest = try page(("limit", "1"))
        #expect(newest.submissions.map(\.submissionId) == [second])
        let after = try #require(newest.nextAfter)
        #expect(try page(("after", after)).submissions.map(\.submissionId) == [first])
    }

    @Test func `users are listed by name, found by its beginning, page by page`() throws {
        let rig = try Rig()
        for name in ["Emil", "dora", "Émile", "emilia"] { _ = try rig.signUp(name) }
        #expect(try users(rig).users.map(\.userName) == ["dora", "Emil", "emilia", "Émile"])
        #expect(try users(rig, ("search", "EMIL")).users.map(\.userName) == ["Emil", "emilia"])
        #expect(try users(rig, ("search", "x")).users == [])
        let page = try users(rig, ("limit", "2"), ("search", "e"))
        #expect(page.users.map(\.userName) == ["Emil", "emilia"])
        #expect(page.nextAfter == nil)
        let first = try users(rig, ("limit", "1"), ("search", "e"))
        let rest = try users(rig, ("search", "e"), ("after", try #require(first.nextAfter)))
        #expect(rest.users.map(\.userName) == ["emilia"])
    }

    @Test(arguments: [
        ("limit", "0"), ("limit", "x"), ("search", ""), ("search", "a\u{1}"), ("name", "dora"),
    ])
    func `a wrong query for users is refused by name`(name: String, value: String) throws {
        let rig = try Rig()
        let answer = try rig.send(
            "GET", "/operator/v1/users", token: Rig.operatorToken, query: [(name, value)])
        #expect(try answer.errorCode == "badQuery")
    }

    @Test func `users are the operator's alone`() throws {
        let rig = try Rig()
        let dora = try rig.signUp("dora")
        #expect(try rig.send("GET", "/operator/v1/users").status == 401)
        #expect(try rig.send("GET", "/operator/v1/users", token: dora).status == 401)
    }

    @Test func `both lists go along an index`() throws {
        let rig = try Rig()
        let plans = try rig.parts.database.read { scope in
            try [
                LookupRecords.usersByName(isFirstPage: true),
                LookupRecords.usersByName(isFirstPage: false),
                LookupRecords.submissions(where: "TRUE"),
            ].map { sql in
                try scope.rows("EXPLAIN QUERY PLAN \(sql)", []).map { $0.text(3) }
                    .joined(separator: "; ")
            }
        }
        for plan in plans.prefix(2) {
            #expect(plan.contains("USING INDEX sqlite_autoindex_users_2 (name_key>"))
        }
        #expect(plans[2].contains("SCAN s USING INDEX submissions_by_time"))
        #expect(!plans.contains { $0.contains("ORDER BY") })
    }

    @Test(arguments: [
        ([("trouble", "true")], "subscriptions_in_trouble (<expr>=?)", sorts: false),
        (
            [("trouble", "true"), ("after", "9")],
            "subscriptions_in_trouble (<expr>=? AND rowid<?)", sorts: false
        ),
        ([("user", "dora")], "subscriptions_by_user (user_id=?)", sorts: true),
    ])
    func `the subscriptions of a filter are found by its index`(
        query: [(String, String)], index: String, sorts: Bool
    ) throws {
        let rig = try Rig()
        let filter = try SubscriptionFilter(query.map { (name: $0.0, value: $0.1) })
        let (sql, values) = SubscriptionLookupRecords.query(
            filter, user: filter.user.map { _ in BackendUserID("1") })
        let plan = try rig.parts.database.read { scope in
            try scope.rows("EXPLAIN QUERY PLAN \(sql)", values + [1]).map { $0.text(3) }
        }
        #expect(plan.first == "SEARCH s USING INDEX \(index)", "\(plan)")
        #expect(plan.contains { $0.contains("ORDER BY") } == sorts, "\(plan)")
    }
}
