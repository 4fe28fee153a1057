import Foundation
import StoreWire
import TestSupport
import Testing

/// One fault of a payment provider after the other, each met once at each step of a purchase: it is
/// sold once and captured once.
@Suite(.ownThreads) struct ProviderFaultTests {
    private static let payer = "payer@example.com"
    private static let price: Int64 = 990

    struct Row: CustomTestStringConvertible, Sendable {
        let fault: String
        var settings = ""
        let address: String

        var testDescription: String { "\(address) \(fault)" }
        var rule: String {
            #"{"fault":"\#(fault)","address":"\#(address)","next":1\#(settings)}"#
        }
    }

    static let rows =
        ["/authorizations", "/captures"].flatMap { address in
            [
                Row(fault: "twice", address: address),
                Row(fault: "dropBefore", address: address),
                Row(fault: "dropAfter", address: address),
                Row(fault: "errorBefore", settings: #","status":503"#, address: address),
                Row(fault: "errorAfter", settings: #","status":500"#, address: address),
                Row(fault: "garbage", address: address),
                Row(fault: "wrongWord", address: address),
                Row(fault: "huge", settings: #","bytes":1000000"#, address: address),
                Row(fault: "cut", address: address),
            ]
        } + slow

    /// The store waits ten seconds for an answer.
    private static let slow = [
        Row(fault: "never", address: "/authorizations"),
        Row(fault: "stall", settings: #","milliseconds":11000"#, address: "/authorizations"),
        Row(fault: "late", settings: #","milliseconds":11000"#, address: "/captures"),
    ]

    @Test(arguments: rows)
    func `a provider fault is handled and the money taken once`(row: Row) throws {
        let (lab, provider) = try Lab.openWithProvider(withBackend: false)
        try lab.openCardAccount(Self.payer)
        try provider.set(faults: "[\(row.rule)]")
        let token = try lab.signedInDevice(account: Self.payer, in: "production")
        let attempt = try WireJSON.encode(
            AttemptRequestBody(
                attemptId: UUID().uuidString, productId: Lab.fuel, quantity: 1,
                applicationUsername: nil))
        let isDone = try eventually {
            let answer = try Lab.call(
                "POST", "\(lab.storeURL)/production/device/v1/attempts", token: token,
                body: attempt)
            try #require(answer.status == 200)
            return try WireJSON.decode(AttemptAnswerBody.self, from: answer.body).state == .done
        }
        #expect(isDone)
        #expect(try lab.waitForPayments() == 0, "something is still on its way")
        #expect(try provider.faultCounts() == [row.fault: 1], "the fault was not met")
        #expect(try lab.charges().values.map { $0 } == [[Self.price]])
        lab.store?.kill()
        provider.kill()
        let captured = try SQLiteFile(provider.book).rows(
            "SELECT captured FROM payment WHERE captured IS NOT NULL")
        #expect(captured == [["\(Self.price)"]])
        #expect(try Auditor.disagreements(of: lab, with: provider, settled: true) == [])
        try lab.doctor()
    }
}
