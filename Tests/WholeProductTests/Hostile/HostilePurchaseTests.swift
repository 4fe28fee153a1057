import StoreWire
import TestSupport
import Testing

/// Purchases that must not be: each is refused with its answer, and nothing is sold.
@Suite(.ownThreads) struct HostilePurchaseTests {
    /// A refused attempt is remembered, so that its id always answers the same; nothing else is.
    @Test func `a purchase that cannot be sold is refused and remembered`() throws {
        let hostile = try HostileLab()
        let attempts = try hostile.lab.count(Self.count, in: hostile.lab.storeFile)
        let once = try hostile.transcript(
            of: Self.refused, port: hostile.lab.storePort, database: hostile.lab.storeFile,
            but: ["attempt"])
        try expectGolden(once, "hostile-purchases")
        let again = try hostile.transcript(
            of: Self.refused, port: hostile.lab.storePort, database: hostile.lab.storeFile,
            but: ["attempt"])
        #expect(again == once)
        #expect(
            try hostile.lab.count(Self.count, in: hostile.lab.storeFile)
                == attempts + Int64(Self.refused.count))
    }

    @Test func `a used attempt id is not accepted again`() throws {
        let hostile = try HostileLab()
        try expectGolden(
            try hostile.transcript(
                of: Self.reused, port: hostile.lab.storePort, database: hostile.lab.storeFile),
            "hostile-attempt-ids")
    }

    /// Another device's attempts are its own: the same id there is another purchase.
    @Test func `another device's attempt with the same id neither answers nor disturbs the first`()
        throws
    {
        let hostile = try HostileLab()
        let row = Self.attempt("", HostileLab.attempt, Lab.turbo, "1", token: "SECOND")
        let outcome = try HostileOutcome(row, port: hostile.lab.storePort, hostile.values)
        let answer = try WireJSON.decode(AttemptAnswerBody.self, from: outcome.answer?.body ?? [])
        #expect(answer.transaction?.deviceGuid == HostileLab.secondDevice)
        #expect(answer.transaction?.transactionId != hostile.values["TRANSACTION"])
        let first = try HostileOutcome(
            Self.attempt("", HostileLab.attempt, Lab.turbo, "1", token: "TOKEN"),
            port: hostile.lab.storePort, hostile.values)
        let known = try WireJSON.decode(AttemptAnswerBody.self, from: first.answer?.body ?? [])
        #expect(known.transaction?.transactionId == hostile.values["TRANSACTION"])
        #expect(known.transaction?.deviceGuid == HostileLab.device)
    }

    private static let count = "SELECT count(*) FROM attempt"

    private static func attempt(
        _ name: String, _ id: String, _ product: String, _ quantity: String,
        token: String = "TOKEN", username: String? = nil
    ) -> HostileRow {
        let user = username.map { #","applicationUsername":"\#($0)""# } ?? ""
        return .post(
            name, "/sandbox/device/v1/attempts", token: token,
            #"{"attemptId":"\#(id)","productId":"\#(product)","quantity":\#(quantity)\#(user)}"#)
    }

    private static func id(_ number: Int) -> String {
        "AAAAAAAA-0000-4000-8000-0000000000\(number)"
    }

    static let refused = [
        attempt("quantity 0", id(10), Lab.fuel, "0"),
        attempt("quantity 11", id(11), Lab.fuel, "11"),
        attempt("quantity -1", id(12), Lab.fuel, "-1"),
        attempt("the largest quantity", id(13), Lab.fuel, "9223372036854775807"),
        attempt("the smallest quantity", id(14), Lab.fuel, "-9223372036854775808"),
        attempt("two of what is bought once", id(15), Lab.turbo, "2"),
        attempt("an unknown product", id(16), "com.example.absent", "1"),
        attempt("a product in capitals", id(17), Lab.fuel.uppercased(), "1"),
        attempt("a product with a blank", id(18), Lab.fuel + " ", "1"),
        attempt("SQL for a product", id(19), "' OR 1=1 --", "1"),
    ]

    static let reused = [
        attempt("with another product", HostileLab.attempt, Lab.fuel, "1"),
        attempt("with another quantity", HostileLab.attempt, Lab.turbo, "2"),
        attempt("with a user name", HostileLab.attempt, Lab.turbo, "1", username: "x"),
        attempt(
            "in small letters, with another product", HostileLab.attempt.lowercased(), Lab.fuel, "1"
        ),
        attempt("with a quantity of 0", HostileLab.attempt, Lab.turbo, "0"),
    ]

    @Test func `an attempt id does not carry over to another account of the device`() throws {
        let hostile = try HostileLab()
        let token = try hostile.signIn(
            hostile.lab.storeURL + "/sandbox/device/v1", HostileLab.device,
            account: "second@example.com", password: "rocket-fuel-2")
        let before = try HostileLab.rows(of: hostile.lab.storeFile)
        let outcome = try HostileOutcome(
            Self.attempt("", HostileLab.attempt, Lab.turbo, "1", token: "STRANGER"),
            port: hostile.lab.storePort, ["STRANGER": token])
        #expect(outcome.answer?.status == 409)
        #expect(
            outcome.answer?.text
                == #"{"error":{"code":"attemptIdReused","message":"This attempt id "#
                + #"was used before for another purchase or account; make a new one."}}"#)
        #expect(try HostileLab.rows(of: hostile.lab.storeFile) == before)
    }
}
