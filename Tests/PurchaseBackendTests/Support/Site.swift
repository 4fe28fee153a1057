import Dispatch
import Foundation
import StoreCaller
import StoreLog
import StoreModel
import StoreWire
import Synchronization
import TestSupport

@testable import PurchaseBackend

/// A whole backend on a free port, with a fake store and short waits.
final class Site: Sendable {
    let folder: TemporaryFolder
    let store: FakeStore
    let server: PurchaseBackendServer
    private let caller = Caller()
    private let isStopped = Mutex(false)

    init(
        folder: TemporaryFolder? = nil, storeURL: String? = nil,
        change: (inout BackendConfiguration) -> Void = { _ in }
    ) throws {
        let folder = folder ?? TemporaryFolder()
        self.folder = folder
        let store = try FakeStore()
        self.store = store
        let list = try folder.write(
            """
            {"bundleId": "com.example.rocketcar", "products": [
              {"productId": "coins", "kind": "consumable",
               "content": {"name": "100 coins", "mediaType": "text/plain", "text": "100"}}]}
            """, "products.json")
        var configuration = BackendConfiguration(
            dataDirectory: folder.path, productionURL: storeURL ?? store.url(.production),
            sandboxURL: storeURL ?? store.url(.sandbox), productListFile: list)
        configuration.port = 0
        configuration.timings.storeCallMilliseconds = 300_000
        configuration.timings.answerDeadlineMilliseconds = 300_000
        configuration.timings.listFreshMilliseconds = .max
        configuration.timings.workerTickMilliseconds = 20
        configuration.timings.retryMilliseconds = 100
        configuration.timings.retryMillisecondsMax = 200
        configuration.timings.stopGraceMilliseconds = 300
        change(&configuration)
        server = try PurchaseBackendServer(
            configuration, log: .silent,
            wall: WallClock {
                Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
            })
    }

    deinit { stop() }

    /// Once; called again it does nothing.
    func stop() {
        let isFirst = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return !isStopped
        }
        if isFirst { server.stop() }
    }

    func send(
        _ method: String, _ path: String, token: String? = nil, _ body: String? = nil
    ) throws -> CallerResponse {
        try caller.send(
            CallerRequest(
                method: method, url: server.url + path,
                headers: [("Content-Type", "application/json")]
                    + (token.map { [("Authorization", "Bearer \($0)")] } ?? []),
                body: body.map { Array($0.utf8) }, timeoutMilliseconds: 300_000))
    }

    func signUp(_ name: String) throws -> String {
        let answer = try send(
            "POST", "/v1/users", "{\"name\":\"\(name)\",\"password\":\"correct horse\"}")
        return try WireJSON.decode(BackendSessionBody.self, from: answer.body).token
    }

    func submit(
        _ token: String, transaction: String = "1000000000000001",
        passThrough: [String: String]? = nil
    ) throws -> CallerResponse {
        try send(
            "POST", "/v1/receipts", token: token,
            Rig.submission(transaction: transaction, passThrough: passThrough))
    }

    func operatorToken() throws -> String {
        try String(contentsOfFile: folder.path + "/" + OperatorToken.fileName, encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The state of a submission once it is neither received nor kept.
    func waitUntilSettled(_ id: String, _ token: String) throws -> ReceiptOutcomeBody {
        var state = ReceiptOutcomeBody(status: .received, submissionId: id)
        try eventually {
            state = try send("GET", "/v1/receipts/" + id, token: token).outcome
            return state.status != .received && state.status != .kept
        }
        return state
    }
}

extension CallerResponse {
    var outcome: ReceiptOutcomeBody {
        get throws { try WireJSON.decode(ReceiptOutcomeBody.self, from: body) }
    }
}

struct NeverHappened: Error {}

/// Waits until a condition holds, for two minutes at most.
func eventually(_ condition: () throws -> Bool) throws {
    for _ in 0..<12_000 {
        if try condition() { return }
        usleep(10_000)
    }
    throw NeverHappened()
}

/// A call that runs on a thread of its own.
final class PendingCall: Sendable {
    private let result = Mutex<Result<CallerResponse, any Error>?>(nil)
    private let done = DispatchSemaphore(value: 0)

    init(_ call: @escaping @Sendable () throws -> CallerResponse) {
        Thread.detachNewThread { [self] in
            let outcome = Result { try call() }
            result.withLock { $0 = outcome }
            done.signal()
        }
    }

    var isThere: Bool { result.withLock { $0 != nil } }

    func value() throws -> CallerResponse {
        guard done.wait(timeout: .now() + .seconds(300)) == .success,
            let result = result.withLock({ $0 })
        else { throw NeverHappened() }
        return try result.get()
    }
}
