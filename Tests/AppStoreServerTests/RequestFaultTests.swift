import Foundation
import StoreHTTP
import StoreService
import StoreWire
import Testing

@testable import AppStoreServer

/// Faults of whole requests, whatever their answer would be.
struct RequestFaultTests {
    private let store: TestStore
    private static let info = "/inApps/v1/transactions/1"

    init() async throws {
        store = try TestStore()
        try await store.stock()
    }

    private func set(_ faults: [RequestFaultBody]) async throws -> HTTPResponse {
        try await store.control(
            "PUT", "/control/v1/faults", body: FaultsBody(verifyReceipt: nil, requests: faults))
    }

    private func fault(
        _ path: String, _ change: (inout RequestFaultBody) -> Void
    ) -> RequestFaultBody {
        var body = RequestFaultBody(path: path)
        change(&body)
        return body
    }

    @Test func `an address answers with a status for some requests, and then as usual`()
        async throws
    {
        let set = try await set([
            fault("/inApps/v1/transactions/{transactionId}") { ($0.status, $0.count) = (503, 2) }
        ])
        #expect(set.status == 200)
        for place in ["/sandbox", "/production"] {
            #expect(await store.send("GET", place + Self.info).status == 503)
        }
        #expect(await store.send("GET", "/sandbox" + Self.info).status == 401)
    }

    @Test func `an error of the App Store Server API has its own body and header`() async throws {
        _ = try await set([
            fault(Self.info) { ($0.errorCode, $0.environment) = (4_290_000, .sandbox) }
        ])
        let answer = await store.send("GET", "/sandbox" + Self.info)
        #expect(answer.status == 429)
        #expect(
            String(decoding: answer.body, as: UTF8.self)
                == #"{"errorCode":4290000,"errorMessage":"Rate limit exceeded."}"#)
        #expect(answer.headers["Content-Type"] == "application/json")
        #expect(Int64(answer.headers["Retry-After"] ?? "") ?? 0 > 1_000_000_000_000)
        #expect(await store.send("GET", "/production" + Self.info).status == 401)
    }

    @Test func `a delay alone leaves the answer as it is, and a break sends none`() async throws {
        _ = try await set([fault("/device/v1/register") { $0.delayMilliseconds = 1 }])
        _ = try await store.register()
        _ = try await set([fault("/device/v1/register") { $0.breaks = true }])
        #expect(await store.send("POST", "/sandbox/device/v1/register").isDropped)
        _ = try await set([])
        _ = try await store.register()
    }

    @Test func `a percentage of requests meets a fault, the same ones for the same seed`()
        async throws
    {
        func met(seed: Int64, count: Int? = nil) async throws -> [Bool] {
            let set = try await set([
                fault(Self.info) {
                    ($0.status, $0.percentage, $0.seed, $0.count) = (503, 25, seed, count)
                }
            ])
            try #require(set.status == 200)
            var found: [Bool] = []
            for _ in 0..<200 {
                found.append(await store.send("GET", "/sandbox" + Self.info).status == 503)
            }
            return found
        }
        let first = try await met(seed: 7)
        #expect((30...70).contains(first.count { $0 }))
        #expect(try await met(seed: 7) == first)
        #expect(try await met(seed: 8) != first)
        // Those that it spares do not count.
        #expect(try await met(seed: 7, count: 3).count { $0 } == 3)
    }

    @Test(
        arguments: [
            (0, nil, "percentage must be 1 to 100"), (101, nil, "percentage must be 1 to 100"),
            (nil, 7, "give percentage, too"),
        ] as [(Int?, Int64?, String)])
    func `a percentage out of range and a seed without one are refused`(
        percentage: Int?, seed: Int64?, message: String
    ) async throws {
        let answer = try await set([
            fault(Self.info) {
                ($0.status, $0.percentage, $0.seed) = (503, percentage, seed)
            }
        ])
        #expect(answer.status == 422)
        #expect(String(decoding: answer.body, as: UTF8.self).contains(message))
    }

    @Test func `faults are shown as they were set, with what is left of them`() async throws {
        let faults = [
            fault("/device/v1/register") { ($0.breaks, $0.count) = (true, 3) },
            fault("/inApps/v1/transactions/{transactionId}") {
                ($0.errorCode, $0.delayMilliseconds, $0.percentage, $0.seed) = (
                    5_000_001, 20, 50, 3
                )
            },
        ]
        _ = try await set(faults)
        _ = await store.send("POST", "/sandbox/device/v1/register")
        let shown = try await store.control("GET", "/control/v1/faults")
        let read = try WireJSON.decode(FaultsBody.self, from: shown.body)
        var left = faults
        left[0].count = 2
        #expect(read.requests == left)
    }

    @Test(arguments: [
        (#"{"path":"/nowhere","status":500}"#, "has the path /nowhere"),
        (#"{"path":"/verifyReceipt","status":200}"#, "400 to 599"),
        (#"{"path":"/verifyReceipt","status":500,"breaks":true}"#, "only one of"),
        (#"{"path":"/verifyReceipt"}"#, "needs status"),
        (#"{"path":"/verifyReceipt","delayMilliseconds":60001}"#, "0 to 60000"),
        (#"{"path":"/verifyReceipt","delayMilliseconds":-1}"#, "0 to 60000"),
        (#"{"path":"/verifyReceipt","errorCode":1}"#, "errorCode 1"),
        (#"{"path":"/verifyReceipt","status":500,"count":0}"#, "count must be"),
        (
            #"{"path":"/verifyReceipt","status":500},{"path":"/verifyReceipt","status":501}"#,
            "has two faults"
        ),
    ])
    func `a fault that cannot be injected is refused, and nothing changes`(
        body: String, message: String
    ) async throws {
        _ = try await set([fault("/device/v1/register") { $0.status = 503 }])
        let answer = await store.send(
            "PUT", "/control/v1/faults", token: TestStore.controlToken,
            body: Array(#"{"requests":[\#(body)]}"#.utf8))
        #expect(answer.status == 422)
        #expect(String(decoding: answer.body, as: UTF8.self).contains(message))
        #expect(await store.send("POST", "/sandbox/device/v1/register").status == 503)
    }

    private func one(
        _ method: String, _ place: String, _ body: (any Encodable)? = nil
    ) async throws -> FaultsBody {
        let answer = try await store.control(method, "/control/v1/faults/\(place)", body: body)
        #expect(answer.status == 200)
        return try WireJSON.decode(FaultsBody.self, from: answer.body)
    }

    @Test func `setting one fault leaves the others with what is left of them`() async throws {
        let path = "/device/v1/register"
        _ = try await set([fault(path) { ($0.breaks, $0.count) = (true, 2) }])
        _ = await store.send("POST", "/sandbox" + path)
        let receipts = ReceiptFaultBody(status: 21_005, isRetryable: nil, count: 1)
        _ = try await one("PUT", "verify-receipt", receipts)
        let later = fault("/inApps/v1/transactions/{transactionId}") { $0.status = 503 }
        let faults = try await one("PUT", "requests", later)
        #expect(faults.requests == [fault(path) { ($0.breaks, $0.count) = (true, 1) }, later])
        #expect(faults.verifyReceipt == receipts)
        _ = await store.send("POST", "/sandbox" + path)
        // Used up, it does not come back with a change of another.
        let changed = try await one("PUT", "requests", fault(Self.info) { $0.status = 500 })
        #expect(changed.requests == [fault(later.path) { $0.status = 500 }])
        #expect(try await one("DELETE", "verify-receipt").verifyReceipt == nil)
        #expect(await store.send("GET", "/sandbox" + Self.info).status == 500)
    }

    @Test func `one fault is removed by its path and environment, now or before`() async throws {
        let both = fault(Self.info) { $0.status = 503 }
        let sandbox = fault(Self.info) { ($0.status, $0.environment) = (500, .sandbox) }
        _ = try await set([both, sandbox])
        let path = "requests?path=/inApps/v1/transactions/%7BtransactionId%7D"
        for _ in 0..<2 {
            let left = try await one("DELETE", path + "&environment=sandbox").requests
            #expect(left?.map(\.status) == [503])
        }
        #expect(try await one("DELETE", path).requests == nil)
        #expect(await store.send("GET", "/sandbox" + Self.info).status == 401)
    }

    @Test(arguments: [
        ("requests", 400, "name the fault's path"),
        ("requests?path=/verifyReceipt&environment=moon", 400, "environment is not one of"),
        ("requests?path=/nowhere", 422, "has the path /nowhere"),
    ])
    func `a fault that cannot be named is not removed`(
        place: String, status: Int, message: String
    ) async throws {
        _ = try await set([fault("/device/v1/register") { $0.status = 503 }])
        let answer = try await store.control("DELETE", "/control/v1/faults/\(place)")
        #expect(answer.status == status)
        #expect(String(decoding: answer.body, as: UTF8.self).contains(message))
        #expect(await store.send("POST", "/sandbox/device/v1/register").status == 503)
    }

    @Test(arguments: [
        ("requests", #"{"path":"/nowhere","status":500}"#),
        ("requests", #"{"path":"/verifyReceipt"}"#),
        ("verify-receipt", #"{"status":21002}"#),
        ("verify-receipt", #"{"status":21005,"count":0}"#),
    ])
    func `one fault that cannot be injected is refused`(place: String, body: String) async throws {
        let answer = await store.send(
            "PUT", "/control/v1/faults/\(place)", token: TestStore.controlToken,
            body: Array(body.utf8))
        #expect(answer.status == 422)
        let shown = try await store.control("GET", "/control/v1/faults")
        #expect(String(decoding: shown.body, as: UTF8.self) == "{}")
    }
}
