import StoreCaller
import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import PurchaseBackend

/// What is tried again, when, and how that ends.
@Suite(.ownThreads) struct RetryTests {
    private static let day: Int64 = 86_400_000

    @Test func `a store that asks for a pause is not called by any submission`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.answer(.text("busy", status: 503, headers: ["retry-after": "120"]))
        let first = try rig.submit(token, transaction: "1").outcome.submissionId
        #expect(rig.store.requests.count == 1)
        // The next one is stored and told so, without a call.
        let second = try rig.submit(token, transaction: "2")
        #expect(second.status == 202)
        #expect(rig.store.requests.count == 1)
        #expect(try rig.submission(second.outcome.submissionId).tries == 0)

        rig.store.verified(.init(transaction: "1"), .init(transaction: "2"))
        rig.clock.advance(milliseconds: 119_999)
        rig.parts.worker.round()
        #expect(rig.store.requests.count == 1, "before the store's time")
        rig.clock.advance(milliseconds: 1)
        rig.parts.worker.round()
        #expect(try rig.count("SELECT count(*) FROM grants") == 2)
        #expect(try rig.submission(first).tries == 2)
    }

    @Test func `an operator's retry ends the pause`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.answer(.text("busy", status: 503, headers: ["retry-after": "3600"]))
        let id = try rig.submit(token).outcome.submissionId
        rig.store.verified(.init())
        #expect(try rig.look("/\(id)/retry", method: "POST").status == 200)
        rig.parts.worker.round()
        #expect(try rig.submission(id).state == .granted)
    }

    @Test(arguments: [429, 503])
    func `a requested pause is limited`(status: Int) throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.answer(.text("", status: status, headers: ["retry-after": "999999999"]))
        let id = try rig.submit(token).outcome.submissionId
        let next = try rig.submission(id).nextTryAt
        #expect(next == rig.clock.now.milliseconds + rig.parts.settler.timings.pauseMillisecondsMax)
    }

    @Test func `a submission is given up after a week and nothing is lost`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.answer(.failure(.unreachable))
        let id = try rig.submit(token).outcome.submissionId
        for _ in 0..<(8 * 96) {
            rig.clock.advance(milliseconds: 900_000)
            rig.parts.worker.round()
        }
        let given = try rig.submission(id)
        #expect(given.state == .stalled)
        #expect(given.nextTryAt == nil)
        #expect(given.tries > 600 && given.tries < 690)
        #expect(given.history?.last?.event == "stalled")
        // 16 tries each, then at each doubling.
        #expect((given.history?.count ?? 0) < 30)
        let state = try rig.send("GET", "/v1/receipts/" + id, token: token).outcome
        #expect(state.status == .kept)
        let calls = rig.store.requests.count
        rig.clock.advance(milliseconds: 30 * Self.day)
        rig.parts.worker.round()
        #expect(rig.store.requests.count == calls, "it is not tried by itself any more")

        // By the operator's hand, also over a restart.
        #expect(try rig.look("/\(id)/retry", method: "POST").status == 200)
        #expect(try rig.submission(id).state == .kept)
        rig.store.verified(.init())
        rig.parts.worker.round()
        #expect(try rig.submission(id).state == .granted)
        #expect(
            try rig.submission(id).history?.suffix(3).map(\.event)
                == ["stalled", "retried", "granted"])
    }

    @Test func `sending a stalled receipt again makes it be retried`() throws {
        let rig = try Rig { $0.keepMilliseconds = 1_000 }
        let token = try rig.signUp()
        rig.store.answer(.failure(.unreachable))
        let id = try rig.submit(token).outcome.submissionId
        rig.clock.advance(milliseconds: 5_000)
        rig.parts.worker.round()
        #expect(try rig.submission(id).state == .stalled)
        #expect(try rig.submit(token).outcome.submissionId == id)
        #expect(try rig.submission(id).state == .kept, "a new week has begun")
        rig.store.verified(.init())
        rig.clock.advance(milliseconds: 5_000)
        #expect(try rig.submit(token).outcome.status == .granted)
        #expect(try rig.submission(id).timesReceived == 3)
    }

    @Test func `a complete receipt called malformed is asked about again, then refused`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.answer(.text(StoreAnswers.status(21_002)))
        // 30 03 01 01 FF: one whole DER sequence.
        let id = try rig.submit(token, receipt: "MAMBAf8=").outcome.submissionId
        #expect(try rig.submission(id).state == .kept)
        for _ in 0..<20 {
            rig.clock.advance(milliseconds: 900_000)
            rig.parts.worker.round()
        }
        let end = try rig.submission(id)
        #expect(end.state == .refused)
        #expect(end.storeStatus == 21_002)
        #expect(Int64(end.tries) == 1 + BackendLimits.malformedAnswersMax, "with the app's")

        #expect(try rig.look("/\(id)/retry", method: "POST").status == 200)
        rig.parts.worker.round()
        #expect(try rig.submission(id).state == .kept, "it is counted anew")
    }

    @Test func `a complete receipt sent many times in an outage is not refused`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.answer(.text(StoreAnswers.status(21_002)))
        for _ in 0..<(3 * BackendLimits.malformedAnswersMax) {
            #expect(try rig.submit(token, receipt: "MAMBAf8=").outcome.status == .kept)
            rig.clock.advance(milliseconds: 5_000)
        }
        #expect(rig.store.requests.count == 3 * Int(BackendLimits.malformedAnswersMax))
        rig.store.verified(.init())
        #expect(try rig.submit(token, receipt: "MAMBAf8=").outcome.status == .granted)
    }

    @Test func `a complete receipt called malformed in an outage is granted after it`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.answer(.text(StoreAnswers.status(21_002)))
        let id = try rig.submit(token, receipt: "MAMBAf8=").outcome.submissionId
        rig.store.verified(.init())
        rig.clock.advance(milliseconds: 5_000)
        rig.parts.worker.round()
        #expect(try rig.submission(id).state == .granted)
    }

    @Test func `bytes that are not a receipt are refused at once`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.answer(.text(StoreAnswers.status(21_002)))
        #expect(try rig.submit(token).status == 422)
        rig.store.answer(.text("", status: 413))
        #expect(try rig.submit(token, receipt: "MAMBAf8=").status == 422, "too long for the store")
    }

    @Test func `many waiting submissions are processed in batches`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.answer(.failure(.unreachable))
        let count = 3 * BackendLimits.workerBatchMax
        for number in 1...count { _ = try rig.submit(token, transaction: "\(number)") }
        #expect(rig.store.requests.count == count)
        rig.clock.advance(milliseconds: 60_000)
        // The store is still down: a round asks once, not for each.
        #expect(rig.parts.worker.round() != .turn)
        #expect(rig.store.requests.count == count + 1)
        rig.store.answer(
            .text(StoreAnswers.verified((1...count).map { .init(transaction: "\($0)") })))
        rig.clock.advance(milliseconds: 60_000)
        #expect(rig.parts.worker.round() == .turn, "there is more")
        #expect(
            try rig.count("SELECT count(*) FROM grants") == Int64(BackendLimits.workerBatchMax))
        while rig.parts.worker.round() == .turn {}
        #expect(try rig.count("SELECT count(*) FROM grants") == Int64(count))
    }

    @Test func `submissions the store answers do not hold up the others`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.answer(.text(StoreAnswers.status(21_002)))
        let count = BackendLimits.workerBatchMax + 4
        for number in 1...count {
            _ = try rig.submit(token, transaction: "\(number)", receipt: "MAMBAf8=")
        }
        rig.clock.advance(milliseconds: 60_000)
        #expect(rig.parts.worker.round() == .turn, "there is more")
        #expect(rig.parts.worker.round() != .turn)
        #expect(rig.store.requests.count == 2 * count, "each was asked about again")

        rig.store.answer(.text("busy", status: 503, headers: ["retry-after": "120"]))
        rig.clock.advance(milliseconds: 60_000)
        rig.parts.worker.round()
        #expect(rig.store.requests.count == 2 * count + 1, "a pause ends the round")
    }

    @Test func `a worker whose database fails asks for no answer that it could not keep`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.answer(.failure(.unreachable))
        _ = try rig.submit(token)
        rig.clock.advance(milliseconds: 60_000)
        rig.database.close()
        #expect(rig.parts.worker.round() == .failed)
        #expect(rig.store.requests.count == 1)
    }

    @Test func `a try in flight does not undo the operator's reopening of a submission`() throws {
        let rig = try Rig {
            $0.keepMilliseconds = 60_000
            $0.answerDeadlineMilliseconds = 50
        }
        let token = try rig.signUp()
        rig.store.answer(.failure(.unreachable))
        let id = try rig.submit(token).outcome.submissionId
        #expect(rig.parts.verificationPool.drain(milliseconds: 20_000))
        let gate = Gate()
        rig.store.answer(.held(gate, StoreAnswers.status(21_005)))
        rig.clock.advance(milliseconds: 5_000)
        #expect(try rig.submit(token).outcome.status == .kept, "the store does not answer yet")
        try eventually { rig.store.requests.count == 2 }
        rig.clock.advance(milliseconds: 120_000)
        #expect(try rig.look("/\(id)/retry", method: "POST").status == 200)
        gate.open()
        #expect(rig.parts.verificationPool.drain(milliseconds: 20_000))
        #expect(try rig.submission(id).state == .kept, "a new week has begun")
    }

    @Test func `resending a kept receipt does not increase the calls to the store`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.answer(.failure(.unreachable))
        let id = try rig.submit(token).outcome.submissionId
        for _ in 0..<300 {
            let again = try rig.submit(token)
            #expect(again.status == 202)
            #expect(try again.outcome.submissionId == id)
        }
        #expect(rig.store.requests.count == 1)
        rig.store.verified(.init())
        rig.clock.advance(milliseconds: 4_999)
        #expect(try rig.submit(token).outcome.status == .kept)
        rig.clock.advance(milliseconds: 1)
        #expect(try rig.submit(token).outcome.status == .granted)
        #expect(rig.store.requests.count == 2)
    }

    @Test func `a receipt sent again during its call takes at most one more place`()
        throws
    {
        let rig = try Rig { $0.answerDeadlineMilliseconds = 50 }
        let token = try rig.signUp()
        let gate = Gate()
        rig.store.answer(.held(gate, StoreAnswers.verified([.init()])))
        for _ in 0..<50 { #expect(try rig.submit(token).status == 202) }
        gate.open()
        #expect(rig.parts.verificationPool.drain(milliseconds: 20_000))
        #expect(rig.store.requests.count <= 2)
        #expect(try rig.count("SELECT count(*) FROM grants") == 1)
    }

    @Test func `a clock that was a year ahead holds up neither the worker nor the app`() throws {
        let rig = try Rig()
        rig.clock.advance(milliseconds: 365 * Self.day)
        let token = try rig.signUp()
        rig.store.answer(.failure(.unreachable))
        for number in 1...2 { _ = try rig.submit(token, transaction: "\(number)") }
        rig.clock.advance(milliseconds: -365 * Self.day)
        rig.store.verified(.init(transaction: "1"), .init(transaction: "2"))
        #expect(try rig.submit(token, transaction: "1").outcome.status == .granted)
        rig.parts.worker.round()
        #expect(try rig.count("SELECT count(*) FROM grants") == 2)
    }

    @Test func `the longest possible wait is not mistaken for a clock change`()
        throws
    {
        let rig = try Rig()
        let token = try rig.signUp()
        let pause = rig.parts.settler.timings.pauseMillisecondsMax
        rig.store.answer(.text("", status: 503, headers: ["retry-after": "\(pause)"]))
        _ = try rig.submit(token)
        rig.parts.worker.round()
        rig.clock.advance(milliseconds: -60_000)
        rig.parts.worker.round()
        #expect(rig.store.requests.count == 1)
    }

    @Test func `an abandoned submission is not mistaken for a clock change`() throws {
        let rig = try Rig { $0.keepMilliseconds = 1_000 }
        let token = try rig.signUp()
        rig.store.answer(.failure(.unreachable))
        _ = try rig.submit(token)
        rig.clock.advance(milliseconds: 5_000)
        rig.parts.worker.round()
        rig.clock.advance(milliseconds: -365 * Self.day)
        rig.parts.worker.round()
        #expect(rig.store.requests.count == 2)
    }

    @Test func `a submission sent again and again has a limited history`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.answer(.text("", status: 503, headers: ["retry-after": "3600"]))
        let id = try rig.submit(token).outcome.submissionId
        for _ in 0..<300 { _ = try rig.submit(token) }
        let known = try rig.submission(id)
        #expect(known.timesReceived == 301)
        #expect((known.history?.count ?? .max) < 150)
    }
}
