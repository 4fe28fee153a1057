import Foundation
import StoreWire
import TestSupport
import Testing

/// A backend whose disk is full says so, acknowledges nothing, and goes on once there is room.
@Suite(.ownThreads) struct BackendDiskTests {
    /// Each takes pages of the database, of which there are no more: the log cannot be moved into
    /// it then, is not started over, and is at its end soon.
    private static let purchasesMax = 30
    private static let receiptBytes = 600_000

    @Test(.enabled(if: SmallDisk.whyNot == nil, SmallDisk.comment))
    func `a backend on a full disk answers 503 and continues when there is room`() throws {
        let lab = try Lab.open(backendKibibytes: 4_096)
        let disk = try #require(lab.backendDisk)
        let ready = lab.backendURL + "/ready"
        try check(lab) {
            try disk.fill()
            let full = try Lab.call("GET", ready)
            #expect(full.status == 503)
        } makeRoom: {
            disk.free()
            let free = try Lab.call("GET", ready)
            #expect(free.status == 200)
        }
    }

    @Test func `a backend whose files may not grow answers 503 and continues when they may`() throws
    {
        let lab = try Lab.open()
        let limit = FileSizeLimit(program: try #require(lab.backend))
        try check(lab, fill: limit.close, makeRoom: limit.lift)
    }

    private func check(_ lab: Lab, fill: () throws -> Void, makeRoom: () throws -> Void) throws {
        let backend = try #require(lab.backend)
        let credentials = #"{"name":"filler","password":"steering-wheel-1"}"#
        let signedUp = try Lab.call(
            "POST", lab.backendURL + "/v1/users", body: Array(credentials.utf8))
        let token = try WireJSON.decode(BackendSessionBody.self, from: signedUp.body).token
        var output = try lab.app(["buy", Lab.turbo])

        try fill()
        try checkRefusal(lab, token: token)
        for path in ["/health", "/v1/products"] {
            #expect(try Lab.call("GET", lab.backendURL + path).status == 200, "\(path)")
        }
        output += try buyUntilRefused(lab)
        #expect(try submissions(of: "filler", lab) == [])
        #expect(Set(try granted(lab)) == Audit.transactions("delivered", in: output))

        try makeRoom()
        let known = try Lab.call(
            "POST", lab.backendURL + "/v1/receipts", token: token, body: try submission())
        #expect(known.status == 422, "the store was asked, and it is no receipt")
        output += try lab.settle()
        let granted = try granted(lab)
        #expect(Set(granted) == Audit.seen(in: output))
        #expect(Set(granted) == Audit.transactions("delivered", in: output))
        #expect(granted.count == Set(granted).count)
        #expect(backend.isRunning, "it was never started again")
    }

    /// What is longer than the log, all of which may be used again, has no room for certain.
    private func checkRefusal(_ lab: Lab, token: String) throws {
        let submission = try submission()
        let log = try Data(
            contentsOf: URL(fileURLWithPath: lab.backendFiles + "/backend.sqlite-wal"))
        try #require(log.count < Self.receiptBytes)
        let refused = try Lab.call(
            "POST", lab.backendURL + "/v1/receipts", token: token, body: submission)
        #expect(refused.status == 503, "\(String(decoding: refused.body, as: UTF8.self))")
        let error = try WireJSON.decode(RetryLaterBody.self, from: refused.body)
        #expect(error.error.code == "storageFailed")
        #expect(refused.headers["retry-after"] == "30")
    }

    /// Buys until a purchase is not delivered for want of room; what the apps said.
    private func buyUntilRefused(_ lab: Lab) throws -> String {
        var output = ""
        for _ in 0..<Self.purchasesMax {
            let buying = try lab.app(["buy", Lab.fuel], code: nil)
            #expect(buying.contains("purchased \(Lab.fuel)"))
            output += buying
            guard buying.contains("delivered \(Lab.fuel)") else { return output }
        }
        Issue.record("the disk never became full")
        return output
    }

    /// A receipt that is none, of `receiptBytes`.
    private func submission() throws -> [UInt8] {
        try WireJSON.encode(
            ReceiptSubmissionBody(
                receiptData: String(repeating: "A", count: Self.receiptBytes / 3 * 4),
                productId: Lab.fuel,
                transactionId: "1", appVersion: "1.0"))
    }

    private func granted(_ lab: Lab) throws -> [String] {
        try submissions(of: "driver", lab).filter { $0.state == .granted }.map(\.transactionId)
    }

    /// Asked as the operator: SQLite would not find the file from outside the namespace.
    private func submissions(of user: String, _ lab: Lab) throws -> [OperatorSubmissionBody] {
        let token = try String(
            contentsOfFile: lab.backendFiles + "/operator-token", encoding: .utf8)
        let answer = try Lab.call(
            "GET", lab.backendURL + "/operator/v1/submissions?user=\(user)",
            token: token.trimmingCharacters(in: .whitespacesAndNewlines))
        return try WireJSON.decode(OperatorSubmissionsBody.self, from: answer.body).submissions
    }
}
