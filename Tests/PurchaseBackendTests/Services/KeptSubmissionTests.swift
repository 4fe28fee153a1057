import StoreCaller
import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import PurchaseBackend

/// A store in trouble: kept, never lost, never granted without a clear answer.
@Suite(.ownThreads) struct KeptSubmissionTests {
    static let troubles: [ScriptedStore.Answer] = [
        .failure(.timedOut), .failure(.unreachable), .failure(.answerTooLarge),
        .failure(.notTrusted), .failure(.notTLS), .failure(.badAnswer), .failure(.notAnswered),
        .failure(.incompleteAnswer), .failure(.connectionLost), .failure(.cancelled),
        .failure(.other),
        .text("<html>"), .text(""), .text("{\"status\":0}"), .text("[]"), .text("{}"),
        .text("null"), .text("{\"status\":0,\"receipt\":{\"bundle_id\":"),
        .text(StoreAnswers.verified([.init()]), status: 500),
        .text(StoreAnswers.status(21_005)), .text(StoreAnswers.status(21_009)),
        .text("{\"status\":21100,\"is-retryable\":1}"), .text(StoreAnswers.status(21_199)),
        .text(StoreAnswers.status(21_000)),
    ]

    @Test(arguments: troubles.indices)
    func `a receipt is kept and granted once when the store recovers`(index: Int) throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.answer(Self.troubles[index])
        let kept = try rig.submit(token, passThrough: ["a": "b"])
        #expect(kept.status == 202)
        let outcome = try kept.outcome
        #expect(outcome.status == .kept)
        #expect(try rig.count("SELECT count(*) FROM grants") == 0)
        let path = "/v1/receipts/" + outcome.submissionId
        #expect(try rig.send("GET", path, token: token).outcome.status == .kept)

        rig.store.verified(.init())
        rig.parts.worker.round()
        #expect(try rig.count("SELECT count(*) FROM grants") == 0, "before its time")
        rig.clock.advance(milliseconds: 5_000)
        rig.parts.worker.round()
        rig.parts.worker.round()
        #expect(try rig.count("SELECT count(*) FROM grants") == 1)
        let state = try rig.send("GET", path, token: token).outcome
        #expect(state.status == .granted)
        #expect(state.passThrough == ["a": "b"])
        #expect(state.content != nil)

        // The app that asks again gets its content.
        let again = try rig.submit(token, passThrough: ["a": "c"])
        #expect(again.status == 200)
        #expect(try again.outcome.status == .alreadyGranted)
        #expect(try again.outcome.passThrough == ["a": "c"])
    }

    @Test func `a kept receipt gets its documented answer`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.answer(.failure(.unreachable))
        let kept = try rig.submit(token)
        try expectGolden(kept.transcript, "receipts-kept")
        let path = try "/v1/receipts/" + kept.outcome.submissionId
        try expectGolden(
            rig.send("GET", path, token: token).transcript, "receipts-kept-state")
    }

    @Test func `a receipt whose grant cannot be written is kept and granted later`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.verified(.init())
        try rig.database.write { scope in
            _ = try scope.execute(
                """
                CREATE TRIGGER no_grants BEFORE INSERT ON grants
                BEGIN SELECT RAISE(ABORT, 'the disk is full'); END
                """)
        }
        let kept = try rig.submit(token)
        #expect(kept.status == 202)
        let id = try kept.outcome.submissionId
        #expect(try rig.submission(id).state == .received)
        _ = try rig.database.write { try $0.execute("DROP TRIGGER no_grants") }
        rig.clock.advance(milliseconds: 60_000)
        rig.parts.worker.round()
        #expect(try rig.submission(id).state == .granted)
    }

    @Test func `a kept receipt sent again is the same submission`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.answer(.failure(.unreachable))
        let first = try rig.submit(token).outcome
        #expect(try rig.submit(token).outcome.submissionId == first.submissionId)
        let other = try rig.submit(token, passThrough: ["a": "b"]).outcome
        #expect(other.submissionId != first.submissionId)
        #expect(try rig.count("SELECT count(*) FROM submissions") == 2)
        #expect(try rig.count("SELECT count(*) FROM receipts") == 1)
    }

    @Test func `tries become less frequent and each first failure is an event`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.answer(.failure(.unreachable))
        _ = try rig.submit(token)
        for _ in 0..<1_200 {
            rig.clock.advance(milliseconds: 1_000)
            rig.parts.worker.round()
        }
        // After 5, 15, 35, 75, 155, 315 and 635 s, so 7 in 20 minutes beside the first.
        #expect(rig.store.requests.count == 8)
        #expect(try rig.count("SELECT tries FROM submissions") == 8)
        #expect(try rig.count("SELECT count(*) FROM submission_events") == 9)
    }

    @Test func `a store that answers after the deadline grants in the background`() throws {
        let rig = try Rig { $0.answerDeadlineMilliseconds = 50 }
        let token = try rig.signUp()
        let gate = Gate()
        rig.store.answer(.held(gate, StoreAnswers.verified([.init()])))
        let kept = try rig.submit(token)
        #expect(kept.status == 202)
        #expect(
            try rig.send("GET", "/v1/receipts/" + kept.outcome.submissionId, token: token)
                .outcome.status == .received)
        gate.open()
        #expect(rig.parts.verificationPool.drain(milliseconds: 10_000))
        #expect(try rig.count("SELECT count(*) FROM grants") == 1)
        #expect(try rig.submit(token).outcome.status == .alreadyGranted)
    }

    @Test func `a full waiting room answers busy and stores nothing`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        let gate = Gate()
        rig.store.answer(.held(gate, StoreAnswers.status(21_005)))
        let seats =
            BackendLimits.verificationWorkersMax + BackendLimits.verificationsWaitingMax
        var taken: [WorkerPool.Seat] = []
        while let seat = rig.parts.verificationPool.takeSeat() { taken.append(seat) }
        #expect(taken.count == seats)
        try expectGolden(rig.submit(token).transcript, "busy")
        #expect(try rig.count("SELECT count(*) FROM submissions") == 0)
        for seat in taken { rig.parts.verificationPool.leave(seat) }
        gate.open()
        #expect(try rig.submit(token).status == 202)
    }

    @Test func `the number of open receipts per user is limited`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.answer(.failure(.unreachable))
        for number in 1...BackendLimits.openSubmissionsPerUserMax {
            #expect(try rig.submit(token, transaction: "\(number)").status == 202)
        }
        try expectGolden(rig.submit(token, transaction: "x").transcript, "too-many-open")
        // One that is open already may be sent again, and others are not concerned.
        #expect(try rig.submit(token, transaction: "1").status == 202)
        #expect(try rig.submit(rig.signUp("emil"), transaction: "x").status == 202)
    }

    @Test func `an abandoned submission does not count as open`() throws {
        let rig = try Rig { $0.keepMilliseconds = 1_000 }
        let token = try rig.signUp()
        rig.store.answer(.text("", status: 500))
        for number in 1...BackendLimits.openSubmissionsPerUserMax {
            #expect(try rig.submit(token, transaction: "\(number)").status == 202)
        }
        #expect(try rig.submit(token, transaction: "x").status == 429)
        rig.clock.advance(milliseconds: 60_000)
        while rig.parts.worker.round() == .turn {}
        #expect(try rig.submit(token, transaction: "x").status == 202)
    }

    @Test func `a restart continues with kept and half-done submissions`() throws {
        let folder = TemporaryFolder()
        do {
            let rig = try Rig(folder: folder) { $0.answerDeadlineMilliseconds = 50 }
            let token = try rig.signUp()
            rig.store.answer(.failure(.unreachable))
            _ = try rig.submit(token, transaction: "1")
            // As a crash between the store and the grant leaves it.
            _ = try rig.submit(token, transaction: "2")
            _ = try rig.database.write { scope in
                try scope.execute(
                    """
                    UPDATE submissions SET state = 'received', next_try_at = 9000000000000
                    WHERE transaction_id = '2'
                    """)
            }
        }
        let rig = try Rig(folder: folder, firstRandom: 1_000)
        rig.store.verified(.init(transaction: "1"), .init(transaction: "2"))
        rig.clock.advance(milliseconds: 5_000)
        try rig.parts.takeUpAbandoned()
        rig.parts.worker.round()
        #expect(try rig.count("SELECT count(*) FROM grants") == 2)
        #expect(
            try rig.count("SELECT count(*) FROM submissions WHERE state = 'granted'") == 2)
    }

    @Test func `a refusal found by the worker is shown to the user`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.answer(.failure(.unreachable))
        let id = try rig.submit(token).outcome.submissionId
        rig.store.answer(.text(StoreAnswers.status(21_003)))
        rig.clock.advance(milliseconds: 5_000)
        rig.parts.worker.round()
        try expectGolden(
            rig.send("GET", "/v1/receipts/" + id, token: token).transcript,
            "receipts-refused-state")
    }
}
