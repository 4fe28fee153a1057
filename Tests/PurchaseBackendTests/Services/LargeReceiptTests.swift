import Foundation
import StoreCaller
import StoreDatabase
import StoreModel
import TestSupport
import Testing

@testable import PurchaseBackend

/// What large receipts that were not granted can take of the disk, and of the worker's time.
@Suite(.ownThreads) struct LargeReceiptTests {
    /// Bytes that look like a whole receipt and are none.
    private func receipt(_ number: Int, bytes count: Int) -> String {
        let length = count - 6
        var bytes: [UInt8] = [0x30, 0x84] + [24, 16, 8, 0].map { UInt8(length >> $0 & 0xFF) }
        bytes += withUnsafeBytes(of: number.bigEndian) { Array($0) }
        bytes += [UInt8](repeating: 0, count: count - bytes.count)
        return Data(bytes).base64EncodedString()
    }

    private let large = BackendLimits.smallReceiptBytesMax + 1

    /// Has the large receipts that are held count as so many bytes in all.
    private func pretend(_ rig: Rig, bytes: Int64) throws {
        _ = try rig.database.write { scope in
            try scope.execute("UPDATE large_receipts SET byte_count = ?", [.integer(bytes)])
        }
    }

    @Test func `a user's waiting large receipts are limited in bytes and small ones continue`()
        throws
    {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.answer(.failure(.unreachable))
        let known = receipt(1, bytes: large)
        #expect(try rig.submit(token, transaction: "1", receipt: known).status == 202)
        #expect(try rig.count("SELECT byte_count FROM large_receipts") == Int64(large))
        try pretend(rig, bytes: BackendLimits.largeReceiptBytesPerUserMax - Int64(large))
        let next = receipt(2, bytes: large)
        #expect(try rig.submit(token, transaction: "2", receipt: next).status == 202)
        let refused = try rig.submit(token, transaction: "3", receipt: receipt(3, bytes: large))
        try expectGolden(refused.transcript, "no-room")
        let small = receipt(3, bytes: BackendLimits.smallReceiptBytesMax)
        #expect(try rig.submit(token, transaction: "3", receipt: small).status == 202)
        // What is stored takes no room again, and others are not concerned.
        #expect(try rig.submit(token, transaction: "4", receipt: known).status == 202)
        let emil = try rig.signUp("emil")
        let other = receipt(5, bytes: large)
        #expect(try rig.submit(emil, transaction: "5", receipt: other).status == 202)
    }

    @Test func `all users' waiting large receipts together are limited in bytes`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.answer(.failure(.unreachable))
        let one = receipt(1, bytes: large)
        #expect(try rig.submit(token, transaction: "1", receipt: one).status == 202)
        try pretend(rig, bytes: BackendLimits.largeReceiptBytesMax)
        let emil = try rig.signUp("emil")
        let two = receipt(2, bytes: large)
        #expect(try rig.submit(emil, transaction: "2", receipt: two).status == 429)
        #expect(try rig.submit(emil, transaction: "2").status == 202)
    }

    @Test func `a stalled large receipt takes no room until it is sent again`() throws {
        let rig = try Rig { $0.keepMilliseconds = 1_000 }
        let token = try rig.signUp()
        rig.store.answer(.text("", status: 500))
        let known = receipt(1, bytes: large)
        #expect(try rig.submit(token, transaction: "1", receipt: known).status == 202)
        try pretend(rig, bytes: BackendLimits.largeReceiptBytesPerUserMax)
        let next = receipt(2, bytes: large + 1)
        #expect(try rig.submit(token, transaction: "2", receipt: next).status == 429)
        rig.clock.advance(milliseconds: 60_000)
        rig.parts.worker.round()
        #expect(try rig.count("SELECT count(*) FROM submissions WHERE stalled_at > 0") == 1)
        #expect(try rig.count("SELECT count(*) FROM large_receipts") == 0)
        #expect(try rig.submit(token, transaction: "2", receipt: next).status == 202)
        #expect(try rig.count("SELECT sum(byte_count) FROM large_receipts") == Int64(large + 1))
        #expect(try rig.submit(token, transaction: "1", receipt: known).status == 202)
        #expect(
            try rig.count("SELECT sum(byte_count) FROM large_receipts") == Int64(2 * large + 1))
    }

    @Test func `a receipt stalled in one submission counts for another submission`() throws {
        let rig = try Rig { $0.keepMilliseconds = 1_000 }
        let token = try rig.signUp()
        rig.store.answer(.text("", status: 500))
        let known = receipt(1, bytes: large)
        #expect(try rig.submit(token, transaction: "1", receipt: known).status == 202)
        rig.clock.advance(milliseconds: 60_000)
        rig.parts.worker.round()
        #expect(try rig.count("SELECT count(*) FROM large_receipts") == 0)
        #expect(try rig.submit(token, transaction: "2", receipt: known).status == 202)
        #expect(try rig.count("SELECT sum(byte_count) FROM large_receipts") == Int64(large))
    }

    @Test func `a granted large receipt takes no room`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.verified(.init())
        #expect(try rig.submit(token, receipt: receipt(1, bytes: large)).status == 200)
        #expect(try rig.submit(token, receipt: receipt(2, bytes: large)).status == 200)
        #expect(try rig.count("SELECT count(*) FROM large_receipts") == 0)
    }

    @Test func `refused large receipts make room for others`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.answer(.text("{\"status\":21003}"))
        func submit(_ number: Int) throws -> String {
            let answer = try rig.submit(
                token, transaction: "\(number)", receipt: receipt(number, bytes: large))
            #expect(answer.status == 422)
            return try answer.outcome.submissionId
        }
        let first = try submit(1)
        try pretend(rig, bytes: BackendLimits.largeReceiptBytesPerUserMax / 2)
        let second = try submit(2)
        let events = try [first, second].map { try rig.submission($0).history?.map(\.event) }
        #expect(events == [["received", "refused"], ["received", "refused", "receiptDropped"]])
        #expect(try rig.count("SELECT sum(length(bytes)) FROM receipts") == Int64(large))
        #expect(try rig.count("SELECT count(*) FROM large_receipts") == 1)
    }

    @Test func `a user with many due receipts does not hold up another user's`() throws {
        let rig = try Rig()
        let dora = try rig.signUp()
        rig.store.answer(.failure(.unreachable))
        for number in 0..<3 * BackendLimits.workerBatchMax {
            #expect(try rig.submit(dora, transaction: "\(number)").status == 202)
        }
        rig.clock.advance(milliseconds: 1)
        let emil = try rig.signUp("emil")
        let waiting = try rig.submit(emil, transaction: "e").outcome.submissionId
        rig.clock.advance(milliseconds: 10_000)
        rig.store.answer(.text("{\"status\":21005}"))
        rig.parts.worker.round()
        #expect(try rig.submission(waiting).tries == 2, "it was tried in the first round")
        #expect(
            try rig.count("SELECT count(*) FROM submissions WHERE tries = 2")
                == Int64(BackendLimits.workerBatchMax))
    }

    @Test func `the worker looks only at the longest-due receipts`() throws {
        let rig = try Rig()
        rig.store.answer(.failure(.unreachable))
        let dora = try rig.submit(rig.signUp(), transaction: "d").outcome.submissionId
        let emil = try rig.submit(rig.signUp("emil"), transaction: "e").outcome.submissionId
        /// Has another of Dora's be due at each time; Emil's is due last.
        func fill(_ times: Range<Int64>) throws {
            try rig.database.write { scope in
                for time in times {
                    try scope.execute(
                        """
                        INSERT INTO submissions (id, user_id, receipt_sha256, product_id,
                            transaction_id, app_version, state, tries, received_at, changed_at,
                            next_try_at)
                        SELECT ?1 || id, user_id, receipt_sha256, product_id, ?1, app_version,
                            state, tries, received_at, changed_at, ?1
                        FROM submissions WHERE id = ?2
                        """, [.integer(time), .text(dora)])
                }
                try scope.execute(
                    "UPDATE submissions SET next_try_at = iif(id = ?1, 0, ?2) WHERE id IN (?1, ?3)",
                    [.text(dora), .integer(times.upperBound), .text(emil)])
            }
        }
        func due() throws -> [String] {
            try rig.database.read { scope in
                try SubmissionRecords.due(
                    scope, now: rig.clock.now, waitMillisecondsMax: 900_000, countMax: 2)
            }.map(\.rawValue)
        }
        let last = BackendLimits.workerWindowMax - 1
        try fill(1..<last)
        #expect(try due() == [dora, emil])
        try fill(last..<last + 1)
        #expect(try due() == [dora, "1\(dora)"])
    }
}
