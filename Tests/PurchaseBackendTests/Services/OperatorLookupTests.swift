import StoreCaller
import StoreHTTP
import StoreModel
import StoreSigning
import StoreVerification
import StoreWire
import TestSupport
import Testing

@testable import PurchaseBackend

/// What the operator is told: what was submitted, verified, granted, refused, and when.
@Suite(.ownThreads) struct OperatorLookupTests {

    @Test func `the operator's addresses answer to the hosts of the backend alone`() throws {
        let rig = try Rig()
        for (path, expected) in [("/operator/v1/submissions", 421), ("/v1/products", 200)] {
            let answer = try rig.send("GET", path, headers: [("Host", "evil.test")])
            #expect(answer.status == expected)
        }
        let page = try rig.send(
            "GET", "/operator/v1/submissions", token: Rig.operatorToken,
            headers: [("Host", "localhost"), ("Origin", "http://evil.test")])
        #expect(try page.errorCode == "originForeign")
        let own = try rig.send(
            "GET", "/operator/v1/submissions", token: Rig.operatorToken,
            query: [("user", "nobody")], headers: [("Host", "127.0.0.1:8081")])
        #expect(try own.errorCode == "notFound")
    }

    @Test func `a submission is found by user, transaction, original, receipt and state`() throws {
        let rig = try Rig()
        let dora = try rig.signUp("dora")
        let emil = try rig.signUp("emil")
        rig.store.verified(
            .init(product: "turbo", transaction: "1"),
            .init(product: "turbo", transaction: "9", original: "1"))
        let first = try rig.submit(dora, product: "turbo", transaction: "1").outcome.submissionId
        rig.clock.advance(milliseconds: 1)
        let again = try rig.submit(dora, product: "turbo", transaction: "9").outcome.submissionId
        rig.clock.advance(milliseconds: 1)
        let stolen = try rig.submit(
            emil, product: "turbo", transaction: "9", receipt: "c3RvbGVu"
        ).outcome.submissionId

        func ids(_ query: (name: String, value: String)...) throws -> [String] {
            let answer = try rig.look(query: query)
            return try WireJSON.decode(OperatorSubmissionsBody.self, from: answer.body)
                .submissions.map(\.submissionId)
        }
        #expect(try ids(("user", "dora")) == [again, first])
        #expect(try ids(("user", "DORA")) == [again, first], "as people compare names")
        let userID = try rig.submission(first).userId
        #expect(try ids(("user", userID)) == [again, first])
        #expect(try ids(("transaction", "9")) == [stolen, again])
        #expect(try ids(("transaction", "1")) == [stolen, again, first], "also by the original")
        #expect(try ids(("transaction", "77")) == [])
        let digest = hexadecimal(sha256(Array("stolen".utf8)))
        #expect(try ids(("digest", digest)) == [stolen])
        #expect(try ids(("digest", digest.uppercased())) == [stolen])
        #expect(try ids(("state", "refused")) == [stolen])
        #expect(try ids(("state", "granted"), ("user", "emil")) == [])

        let refused = try rig.submission(stolen)
        #expect(refused.reason == "ownedByAnotherUser")
        #expect(refused.grant?.userName == "dora", "who has it instead")
        #expect(refused.grant?.submissionId == first)
        #expect(try rig.submission(again).grant?.submissionId == first)
    }

    @Test func `the operator's answers for one submission and for a list match their forms`() throws
    {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.answer(.text(StoreAnswers.status(21_005)))
        let id = try rig.submit(token, passThrough: ["level": "3"]).outcome.submissionId
        rig.clock.advance(milliseconds: 5_000)
        rig.store.verified(.init())
        rig.parts.worker.round()
        try expectGolden(rig.look("/" + id).transcript, "operator-submission")
        rig.store.answer(.failure(.timedOut))
        rig.clock.advance(milliseconds: 1_000)
        _ = try rig.submit(token, transaction: "2")
        try expectGolden(
            rig.look(query: [("user", "dora")]).transcript, "operator-submissions")
    }

    @Test func `the history lists each try with its times and the store's answer`() throws {
        let rig = try Rig(allowsSandbox: true)
        let token = try rig.signUp()
        let start = rig.clock.now.milliseconds
        rig.store.answer(.text("", status: 500))
        let id = try rig.submit(token).outcome.submissionId
        var open = try rig.submission(id)
        #expect(open.state == .kept)
        #expect(open.nextTryAt == start + 5_000)
        #expect(open.httpStatus == 500)
        rig.store.answer(.text(StoreAnswers.status(21_007)))
        rig.store.answer(.text(StoreAnswers.status(21_009)), in: .sandbox)
        rig.clock.advance(milliseconds: 5_000)
        rig.parts.worker.round()
        open = try rig.submission(id)
        #expect(open.environment == "Sandbox")
        #expect(open.storeStatus == 21_009)
        #expect(open.nextTryAt == start + 15_000)
        rig.store.answer(.text(StoreAnswers.status(21_003)), in: .sandbox)
        rig.clock.advance(milliseconds: 10_000)
        rig.parts.worker.round()
        let end = try rig.submission(id)
        #expect(end.state == .refused)
        #expect(end.reason == "storeRefused")
        #expect(end.nextTryAt == nil)
        #expect(end.tries == 3)
        let history = try #require(end.history)
        #expect(history.map(\.event) == ["received", "kept", "kept", "refused"])
        #expect(history.map(\.tryNumber) == [nil, 1, 2, 3])
        #expect(history.map(\.triedAt) == [nil, start, start + 5_000, start + 15_000])
        #expect(history.map(\.httpStatus) == [nil, 500, 200, 200])
        #expect(history.map(\.storeStatus) == [nil, nil, 21_009, 21_003])
        #expect(history.map(\.environment) == [nil, "Production", "Sandbox", "Sandbox"])
        #expect(history.map(\.requestId) == ["test", "test", "worker", "worker"])
    }

    @Test func `operator pages follow each other without a gap`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.answer(.failure(.unreachable))
        var sent: [String] = []
        for number in 1...7 {
            sent.append(try rig.submit(token, transaction: "\(number)").outcome.submissionId)
        }
        var seen: [String] = []
        var after: String?
        repeat {
            let more = after.map { [(name: "after", value: $0)] } ?? []
            let answer = try rig.look(query: [("user", "dora"), ("limit", "3")] + more)
            let page = try WireJSON.decode(OperatorSubmissionsBody.self, from: answer.body)
            #expect(page.submissions.count <= 3)
            seen += page.submissions.map(\.submissionId)
            after = page.nextAfter
        } while after != nil
        #expect(Set(seen) == Set(sent))
        #expect(seen.count == sent.count)
    }

    @Test(
        arguments: [
            [("user", "")], [("user", "a\u{1B}")],
            [("user", "a"), ("user", "b")],
            [("digest", "abc")], [("digest", String(repeating: "g", count: 64))],
            [("state", "lost")], [("user", "dora"), ("limit", "0")],
            [("user", "dora"), ("limit", "201")], [("user", "dora"), ("limit", "x")],
            [("user", "dora"), ("after", "s-1")], [("user", "dora"), ("colour", "red")],
        ] as [[(String, String)]])
    func `an invalid operator query is refused with the reason`(
        query: [(String, String)]
    ) throws {
        let rig = try Rig()
        _ = try rig.signUp()
        let answer = try rig.look(query: query.map { (name: $0.0, value: $0.1) })
        #expect(answer.status == 422)
        #expect(try answer.errorCode == "badQuery")
    }

    @Test func `an unknown submission is 404`() throws {
        let rig = try Rig()
        #expect(try rig.look(query: [("user", "nobody")]).status == 404)
        #expect(try rig.look("/s-1").status == 404)
        #expect(try rig.look("/s-1/retry", method: "POST").status == 404)
        #expect(try rig.look("/s-1/recheck", method: "POST").status == 404)
        #expect(try rig.look("/s-1/delete", method: "POST").status == 404)
        #expect(try rig.look("/s-1/retry").status == 405)
        #expect(try rig.look("/s-1", method: "DELETE").status == 405)
        #expect(try rig.look(query: [("user", "a"), ("receipt", "x")]).status == 400)
    }

    @Test func `only the operator's token opens the operator API, and nothing else`() throws {
        let rig = try Rig()
        let user = try rig.signUp()
        rig.store.verified(.init())
        let id = try rig.submit(user).outcome.submissionId
        let places = [
            ("GET", ""), ("GET", "/" + id), ("POST", "/\(id)/retry"), ("POST", "/\(id)/recheck"),
        ]
        for token in [nil, "", "x", user, Rig.operatorToken + "x"] {
            for (method, path) in places {
                let answer = try rig.send(
                    method, "/operator/v1/submissions" + path, token: token)
                #expect(answer.status == 401)
                #expect(try answer.errorCode == "operatorTokenWrong")
            }
        }
        #expect(try rig.count("SELECT count(*) FROM submission_events") == 2)
        let owned = try rig.send("GET", "/v1/purchases", token: Rig.operatorToken)
        #expect(owned.status == 401)
    }

    @Test func `a granted submission is not retried and a refused one can be`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.answer(.text(StoreAnswers.status(21_010)))
        let refused = try rig.submit(token, transaction: "1").outcome.submissionId
        let unchecked = try rig.look("/\(refused)/recheck", method: "POST")
        #expect(unchecked.status == 409)
        #expect(try unchecked.errorCode == "notDelivered")
        rig.store.verified(.init(transaction: "1"))
        let retried = try rig.look("/\(refused)/retry", method: "POST")
        #expect(retried.status == 200)
        rig.parts.worker.round()
        #expect(try rig.submission(refused).state == .granted)
        let granted = try rig.look("/\(refused)/retry", method: "POST")
        #expect(granted.status == 409)
        #expect(try granted.errorCode == "alreadyDelivered")
        #expect(try rig.count("SELECT count(*) FROM grants") == 1)
    }

    @Test func `receipts and tokens are never shown to the operator`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.verified(.init())
        let id = try rig.submit(token).outcome.submissionId
        let told = try rig.look("/" + id).text + rig.look(query: [("user", "dora")]).text
        for secret in ["cmVjZWlwdA", token, Rig.operatorToken, "scrypt"] {
            #expect(!told.contains(secret))
            #expect(!rig.log.joined().contains(secret))
        }
    }

    @Test func `the submission history is append-only`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.verified(.init())
        _ = try rig.submit(token)
        for change in ["DELETE FROM submission_events", "UPDATE submission_events SET at = 0"] {
            #expect(throws: (any Error).self) {
                try rig.database.write { try $0.execute(change) }
            }
        }
        #expect(try rig.count("SELECT count(*) FROM submission_events WHERE at > 0") == 2)
    }

    @Test func `a long history shows its end and says what it left out`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.verified(.init())
        let id = try rig.submit(token).outcome.submissionId
        try rig.database.write { scope in
            for number in 1...BackendLimits.historyMax {
                try HistoryRecords.add(
                    scope, SubmissionID(id),
                    HistoryEntry(
                        "rechecked", requestID: "\(number)", now: Timestamp(milliseconds: 1)))
            }
        }
        let told = try rig.submission(id)
        #expect(told.history?.count == BackendLimits.historyMax)
        #expect(told.historyLeftOut == 2)
        #expect(told.history?.last?.requestId == "\(BackendLimits.historyMax)")
    }
}
