import Foundation
import StoreWire
import TestSupport
import Testing

/// The owner's commands that change something say what is otherwise now.
@Suite(.ownThreads) struct ChangeCommandTests {
    private static let payer = "payer@example.com"

    private func paying(_ lab: Lab) -> [String: String] {
        lab.productionEnvironment.merging(["STOREKIT_ACCOUNT": "\(Self.payer):rocket-fuel-1"]) {
            $1
        }
    }

    private func subscribed(_ lab: Lab) throws -> String {
        try lab.bodega(["clock", "pace", "calendar"])
        try lab.bodega(["clock", "hold", "2026-04-01"])
        return try #require(try lab.buyAndKeep([Lab.club]).first).transaction
    }

    @Test func `fail-billing is shown until recover lifts it`() throws {
        let lab = try Lab.open(withBackend: false)
        let id = try subscribed(lab)
        let before = try lab.bodega(["subscription", "show", id])
        #expect(
            before == """
                \(id) of buyer@example.com: \(Lab.club), active until 2026-05-01T00:00:00Z, \
                renews as \(Lab.club) for 1.99 USD

                """)
        #expect(try lab.bodega(["subscription", "list"]).contains("\(Lab.club)  -"))
        let failing = try lab.bodega(["subscription", "fail-billing", id])
        #expect(failing == before.dropLast() + ", its renewals are made to fail\n")
        #expect(try lab.bodega(["subscription", "show", id]) == failing)
        #expect(try lab.bodega(["subscription", "list"]).contains("made to fail"))
        #expect(try lab.bodega(["subscription", "recover", id]) == before)
    }

    @Test func `price-increase says whether anybody is asked`() throws {
        let lab = try Lab.open(withBackend: false)
        let id = try subscribed(lab)
        let raise = ["subscription", "increase-price", id]
        let told = try lab.bodega(raise + ["2.49"])
        #expect(told.hasSuffix("for 2.49 USD, the customer was notified of 2.49 USD\n"), "\(told)")
        let asked = try lab.bodega(raise + ["2.99", "--consent"])
        #expect(
            asked.hasSuffix(", the customer is asked about 2.99 USD and has not answered\n"),
            "\(asked)")
        #expect(try lab.bodega(["subscription", "list"]).contains("2.99 USD asked"))
        try lab.bodega(["price-consent", "agree", "1"])
        let agreed = try lab.bodega(["subscription", "show", id])
        #expect(agreed.hasSuffix(", the customer agreed to 2.99 USD\n"), "\(agreed)")
    }

    @Test func `transaction revoke says where the money went`() throws {
        let lab = try Lab.open(withBackend: false)
        let free = try #require(try lab.buyAndKeep([Lab.turbo]).first).transaction
        let revoke = { ["transaction", "revoke", $0, "--reason", "other"] }
        let nothing =
            "revoked \(free), \(Lab.turbo); no money was refunded, because none was charged\n"
        #expect(try lab.bodega(revoke(free)) == nothing)
        try lab.openProduction(Self.payer, credit: "10")
        let paid = try #require(
            try lab.buyAndKeep([Lab.turbo], device: "real", environment: paying(lab)).first
        ).transaction
        let given =
            "revoked \(paid), \(Lab.turbo); 2.99 USD was refunded to the account's credit\n"
        for _ in 0..<2 { #expect(try lab.bodega(revoke(paid)) == given) }
    }

    @Test func `the fault command says what clients will be answered`() throws {
        let lab = try Lab.open(withBackend: false)
        let set = ["fault", "verify-receipt"]
        #expect(
            try lab.bodega(set + ["21100", "--retryable", "no", "--count", "2"])
                == "verifyReceipt answers 21100 with is-retryable false for 2 more requests\n")
        #expect(
            try lab.bodega(set + ["21150"])
                == "verifyReceipt answers 21150 with is-retryable true until it is cleared\n")
        #expect(
            try lab.bodega(set + ["21005"]) == "verifyReceipt answers 21005 until it is cleared\n")
        let path = "/inApps/v1/transactions/{transactionId}"
        let request = " \(path) answers 503 until it is cleared\n"
        #expect(
            try lab.bodega(["fault", "request", path, "--status", "503"])
                == "verifyReceipt answers 21005 until it is cleared\n" + request)
        // It is of both environments, so it is not cleared in one.
        let inOne = ["fault", "clear", "verify-receipt", "--environment", "sandbox"]
        #expect(try lab.bodega(inOne, code: 2).contains("--environment"))
        #expect(try lab.bodega(["fault", "show"]).contains("verifyReceipt answers 21005"))
        #expect(try lab.bodega(["fault", "clear", "verify-receipt"]) == request)
        #expect(try lab.bodega(["fault", "clear", path, "--environment", "sandbox"]) == request)
        #expect(try lab.bodega(["fault", "clear", path]) == "no faults\n")
        _ = try lab.bodega(set + ["21005"])
        #expect(try lab.bodega(["fault", "clear"]) == "no faults\n")
    }

    @Test func `the server-api command says how requests are limited`() throws {
        let lab = try Lab.open(withBackend: false)
        let limits = ["server-api", "limits"]
        #expect(try lab.bodega(limits) == "requests are not limited\n")
        let apple = "requests are limited as Apple's\n"
        #expect(try lab.bodega(limits + ["on"]) == apple)
        #expect(try lab.bodega(limits) == apple)
        #expect(
            try lab.bodega(limits + ["on", "--hourly-max", "5"])
                == apple.dropLast() + ", and to 5 an hour\n")
        #expect(try lab.bodega(limits + ["off"]) == "requests are not limited\n")
    }

    @Test func `a purchase waiting for its payment provider says so`() throws {
        let (lab, provider) = try Lab.openWithProvider(withBackend: false)
        try lab.openCardAccount(Self.payer)
        try lab.bodega(["clock", "pace", "calendar", "--environment", "production"])
        try lab.bodega(["clock", "hold", "2026-04-01"])
        let id = try #require(
            try lab.buyAndKeep([Lab.club], environment: paying(lab)).first
        ).transaction
        #expect(try lab.waitForPayments() == 0)
        try provider.set(faults: #"[{"fault": "holdBefore", "address": "/authorizations"}]"#)
        try lab.bodega(["clock", "hold", "2026-05-02"])
        let isHeld = eventually { (try? provider.heldCount()) == 1 }
        try #require(isHeld)
        let payments = try WireJSON.decode(
            PaymentsBody.self, from: Array(try lab.bodega(["payment", "list", "--json"]).utf8))
        let payment = try #require(payments.payments.last).paymentId
        let waits = "its period ends 2026-05-01T00:00:00Z, waiting for payment \(payment)"
        #expect(try lab.bodega(["subscription", "show", id]).contains(waits))
        #expect(try lab.bodega(["subscription", "list"]).contains(waits))
        try provider.set(faults: "[]")
        try provider.release()
        #expect(try lab.waitForPayments() == 0)
        let active = try lab.bodega(["subscription", "show", id])
        #expect(active.contains("active until 2026-06-01T00:00:00Z"), "\(active)")
        let given = try lab.bodega(["transaction", "revoke", id, "--reason", "other"])
        #expect(
            given
                == "revoked \(id), \(Lab.club); 1.99 USD is refunded through the payment "
                + "provider\n")
    }

    @Test func `only commands about an advance print its report`() throws {
        let lab = try Lab()
        try lab.startStore()
        try lab.bodega(["clock", "hold", "2026-04-01"])
        let report = "advanced from 2026-04-01T00:00:00Z to 2026-04-02T00:00:00Z: "
        for (words, isAbout) in [
            (["clock", "advance", "1d"], true), (["clock", "show"], true),
            (["clock", "hold"], false), (["clock", "pace", "calendar"], false),
            (["clock", "run"], false),
        ] {
            let said = try lab.bodega(words)
            #expect(said.contains(report) == isAbout, "\(words): \(said)")
            #expect(said.split(separator: "\n").count == (isAbout ? 2 : 1))
        }
    }

    @Test func `the list of accounts says of each how its purchases go`() throws {
        let lab = try Lab()
        try lab.startStore()
        for name in ["usual@example.com", "asked@example.com"] {
            try lab.bodega(["account", "add", name, "--password", "rocket-fuel-1"])
        }
        try lab.bodega(["account", "approval", "asked@example.com", "on"])
        try lab.bodega(["account", "interrupt", "asked@example.com", "on"])
        let list = try lab.bodega(["account", "list"]).split(separator: "\n")
        let usual = try #require(list.first { $0.hasPrefix("usual") })
        #expect(usual.hasSuffix("  0        at once"), "\(usual)")
        let asked = try #require(list.first { $0.hasPrefix("asked") })
        #expect(asked.hasSuffix("  approval, interrupted"), "\(asked)")
    }

    @Test func `a clock advance names the subscriptions it left out`() throws {
        let lab = try Lab.open(withBackend: false)
        let id = try subscribed(lab)
        _ = try SQLiteFile(lab.storeFile).rows(
            """
            CREATE TRIGGER broken BEFORE INSERT ON store_transaction
            BEGIN SELECT RAISE(ABORT, 'broken'); END
            """)
        let advanced = try lab.bodega(["clock", "advance", "2026-06-02"])
        let left = "left out, because the store could not process them (its log says why): \(id)\n"
        #expect(advanced.hasSuffix("\n" + left), "\(advanced)")
        let shown = try WireJSON.decode(
            ClockBody.self, from: Array(try lab.bodega(["clock", "show", "--json"]).utf8))
        #expect(shown.advance?.leftOut == 1)
        #expect(shown.advance?.leftOutSubscriptions == [id])
    }
}
