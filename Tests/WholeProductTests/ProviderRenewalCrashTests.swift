import CrashPoints
import Foundation
import StoreWire
import TestSupport
import Testing

/// Kills the store at each line between it and its payment provider while a subscription renews; in
/// the end each period was sold and paid for once.
@Suite(.ownThreads) struct ProviderRenewalCrashTests {
    private static let payer = "payer@example.com"
    private static let price: Int64 = 1_990
    private static let begin = "2026-03-01T00:00:00Z"
    /// In the second period.
    private static let end = "2026-04-02T00:00:00Z"

    /// A store that sold a month of the club for a card, whose clock is held.
    private func open() throws -> (lab: Lab, provider: ProviderProgram) {
        let (lab, provider) = try Lab.openWithProvider(withBackend: false)
        try lab.openCardAccount(Self.payer)
        try lab.bodega(["clock", "hold", Self.begin])
        let token = try lab.signedInDevice(account: Self.payer, in: "production")
        let attempt = try WireJSON.encode(
            AttemptRequestBody(
                attemptId: UUID().uuidString, productId: Lab.club, quantity: 1,
                applicationUsername: nil))
        let isDone = try eventually {
            let answer = try Lab.call(
                "POST", "\(lab.storeURL)/production/device/v1/attempts", token: token,
                body: attempt)
            return try WireJSON.decode(AttemptAnswerBody.self, from: answer.body).state == .done
        }
        try #require(isDone)
        try #require(try lab.waitForPayments() == 0)
        return (lab, provider)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let point: CrashPoint
        /// At which time it is reached.
        var time = 1
        /// How the renewal's payment stands then, and whether the provider has its money.
        let state: String
        let isCaptured: Bool

        var testDescription: String { "\(point.rawValue):\(time)" }
    }

    static let rows = [
        Row(point: .storePaymentAsked, state: "authorizing", isCaptured: false),
        Row(point: .storePaymentAnswered, state: "authorizing", isCaptured: false),
        Row(point: .storePaymentSettled, state: "capturing", isCaptured: false),
        Row(point: .storePaymentAsked, time: 2, state: "capturing", isCaptured: false),
        Row(point: .storePaymentCaptured, state: "capturing", isCaptured: true),
    ]

    @Test(arguments: rows)
    func `a store killed around a renewal's payment loses no period and charges none twice`(
        row: Row
    ) throws {
        let (lab, provider) = try open()
        lab.store?.terminate()
        try lab.store?.wait()
        try lab.startStore(environment: ["BODEGA_CRASH_POINT": row.testDescription])
        // The answer may be there before the money is captured.
        let advance = try Program(
            "bodega", ["clock", "advance", Self.end],
            environment: ["BODEGA_DATA": lab.storeData], logs: lab.folder + "/logs")
        #expect(try lab.store?.wait() == 128 + SIGKILL, "the point was not reached")
        try advance.wait()
        let states = try SQLiteFile(lab.storeFile).rows("SELECT state FROM payment ORDER BY number")
        #expect(states == [["captured"], [row.state]])
        let captured = try lab.count(
            "SELECT count(*) FROM payment WHERE captured IS NOT NULL", in: provider.book)
        #expect(captured == (row.isCaptured ? 2 : 1))
        try lab.startStore()
        try lab.bodega(["clock", "advance", Self.end])
        #expect(try lab.waitForPayments() == 0, "something is still on its way")
        try checkTwoPeriods(lab, provider)
    }

    private func checkTwoPeriods(_ lab: Lab, _ provider: ProviderProgram) throws {
        let periods = try SQLiteFile(lab.storeFile).rows(
            "SELECT purchased_ms, expires_ms, id FROM store_transaction ORDER BY id")
        try #require(periods.count == 2, "\(periods)")
        #expect(periods[0][1] == periods[1][0], "one follows the other")
        let charges = try lab.charges()
        #expect(Set(charges.keys) == Set(periods.map { $0[2] }))
        #expect(charges.values.allSatisfy { $0 == [Self.price] }, "\(charges)")
        #expect(
            try lab.count("SELECT count(*) FROM event WHERE kind = 'renewed'", in: lab.storeFile)
                == 1)
        lab.store?.kill()
        provider.kill()
        let captured = try SQLiteFile(provider.book).rows(
            "SELECT captured FROM payment WHERE captured IS NOT NULL")
        #expect(captured == [["\(Self.price)"], ["\(Self.price)"]])
        #expect(try Auditor.disagreements(of: lab, with: provider, settled: true) == [])
        try lab.doctor()
    }
}
