import Foundation
import StoreHTTP
import StoreModel
import StoreRules
import StoreWire
import Synchronization
import TestSupport
import Testing

@testable import AppStoreServer

/// What is sent to a payment provider, and what is made of its answers.
struct HTTPPaymentProviderTests {
    private let folder = TemporaryFolder()
    private let payment: Payment

    init() throws {
        let dollar = try #require(Currency(code: "USD"))
        payment = Payment(
            id: PaymentID("3f1d2c0e-5f57-4a4e-9a0b-6f2c6e0f7d11"), purpose: .purchase(waiting: 1),
            environment: .production, account: AccountID(17), app: AppID(1),
            product: ProductID("com.example.fuel"),
            amount: Money(milliunits: 4_990, currency: dollar), askedAt: Timestamp(seconds: 1),
            askedReal: Timestamp(seconds: 1))
    }

    private final class Seen: Sendable {
        private let requests = Mutex<[HTTPRequest]>([])

        func add(_ request: HTTPRequest) { requests.withLock { $0.append(request) } }

        var all: [HTTPRequest] { requests.withLock { $0 } }
    }

    /// Asks a listener that answers each request so; gives what it saw, too.
    private func ask(
        _ requests: [ProviderRequest], status: Int = 200, body: String,
        secret: String? = "a-secret"
    ) throws -> (outcomes: [ProviderOutcome], seen: [HTTPRequest]) {
        let seen = Seen()
        let listener = try HTTPListener(ListenerConfiguration()) { request, responder in
            seen.add(request)
            responder.send(HTTPResponse(status: status, body: Array(body.utf8)))
        }
        defer { listener.stop(graceMilliseconds: 1_000) }
        let secretFile = try secret.map { try write($0 + "\n", mode: 0o600) }
        let provider = HTTPPaymentProvider(
            try PaymentGatewayConfiguration(url: listener.url + "/pay/", secretFile: secretFile))
        return (requests.map { provider.ask($0) }, seen.all)
    }

    private func write(_ text: String, mode: Int) throws -> String {
        let path = folder.path + "/secret-\(UUID().uuidString)"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes(
            [.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    @Test func `the four provider requests match byte for byte`() throws {
        let refund = PaymentRefund(
            id: PaymentRefundID("r1"), payment: payment.id, amount: payment.amount)
        let (outcomes, seen) = try ask(
            [
                .authorize(payment, customer: "buyer@example.com", bundleID: "com.example"),
                .capture(payment.id, payment.amount), .void(payment.id), .refund(refund),
            ], body: #"{"outcome": "approved", "reference": "P-1"}"#)
        #expect(outcomes == Array(repeating: .approved(reference: "P-1"), count: 4))
        #expect(
            seen.map(\.path)
                == ["/pay/authorizations", "/pay/captures", "/pay/voids", "/pay/refunds"])
        let id = payment.id.rawValue
        #expect(
            seen.map { $0.headers["Idempotency-Key"] }
                == ["\(id)/authorization", "\(id)/capture", "\(id)/void", "r1/refund"])
        #expect(seen.allSatisfy { $0.method == "POST" && $0.headers.bearerToken == "a-secret" })
        let bodies = try seen.map { try JSONValue(parsing: $0.body) }
        let wanted = [
            #"{"bundleId": "com.example", "currency": "USD", "customer": "buyer@example.com", "#
                + #""customerId": "17", "milliunits": 4990, "paymentId": "\#(id)", "#
                + #""productId": "com.example.fuel", "purpose": "purchase"}"#,
            #"{"currency": "USD", "milliunits": 4990, "paymentId": "\#(id)"}"#,
            #"{"paymentId": "\#(id)"}"#,
            #"{"currency": "USD", "milliunits": 4990, "paymentId": "\#(id)", "refundId": "r1"}"#,
        ]
        for (body, text) in zip(bodies, wanted) {
            #expect(body.compactBytes == (try JSONValue(parsing: Array(text.utf8))).compactBytes)
        }
    }

    @Test func `a declined payment keeps as much of the reason as the limit allows`() throws {
        let long = String(repeating: "no ", count: 1_000)
        let (outcomes, seen) = try ask(
            [.void(payment.id)], body: #"{"outcome": "declined", "reason": "\#(long)"}"#,
            secret: nil)
        #expect(outcomes == [.declined(reason: String(long.prefix(200)))])
        #expect(seen.first?.headers.bearerToken == nil)
    }

    /// Stands for a body that is longer than what is read.
    private static let longMark = "long"

    private static let tooLong =
        #"{"outcome": "approved", "more": ""#
        + String(repeating: "x", count: Limits.providerAnswerBytesMax) + #""}"#

    @Test(arguments: [
        (200, ""), (200, "approved"), (200, "[]"), (200, #"{"outcome": "maybe"}"#),
        (200, #"{"Outcome": "approved"}"#), (201, #"{"outcome": "approved"}"#),
        (302, #"{"outcome": "approved"}"#), (400, #"{"outcome": "declined"}"#),
        (401, #"{"outcome": "declined"}"#), (500, #"{"outcome": "approved"}"#),
        (200, longMark),
    ])
    func `any other provider answer counts as unknown`(status: Int, body: String) throws {
        let (outcomes, _) = try ask(
            [.void(payment.id)], status: status,
            body: body == Self.longMark ? Self.tooLong : body)
        guard case .unknown(let why) = try #require(outcomes.first) else {
            Issue.record("\(outcomes)")
            return
        }
        #expect(!why.contains("a-secret"))
    }

    @Test func `an unreachable provider and a cancelled call count as no answer`() throws {
        let provider = HTTPPaymentProvider(
            try PaymentGatewayConfiguration(url: "http://127.0.0.1:9"))
        for _ in 0..<2 {
            guard case .unknown = provider.ask(.void(payment.id)) else {
                Issue.record("it answered")
                return
            }
            provider.close()
        }
    }

    @Test(arguments: [
        "", "payments", "ftp://payments.example.com", "http://", "https://a b", "http://a/?x=1",
        "https://a/?x=1", "https://a/#b", "https://ä.example", "https://a:b@c.example",
        "http://payments.example.com",
    ])
    func `an invalid provider address is refused`(url: String) {
        #expect(throws: StartFailure.self) { try PaymentGatewayConfiguration(url: url) }
    }

    @Test func `a provider secret that is malformed or readable by others is refused`() throws {
        for file in [
            try write("secret\n", mode: 0o644), try write("\n", mode: 0o600),
            try write("two words\n", mode: 0o600), folder.path + "/absent",
        ] {
            #expect(throws: StartFailure.self) {
                try PaymentGatewayConfiguration(url: "http://127.0.0.1:1", secretFile: file)
            }
        }
    }
}
