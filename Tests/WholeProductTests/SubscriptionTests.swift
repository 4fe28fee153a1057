import Foundation
import StoreModel
import StoreWire
import TestSupport
import Testing

/// Subscriptions through app, store and backend. The app is the one that sells features and fuel,
/// by the same code.
@Suite(.ownThreads) struct SubscriptionTests {
    /// A lab whose clock stands on 1 April 2026, with months as in the calendar.
    private static func open() throws -> Lab {
        let lab = try Lab.open()
        try lab.bodega(["clock", "pace", "calendar"])
        try lab.bodega(["clock", "hold", "2026-04-01"])
        return lab
    }

    /// Has the backend ask the store at once; it tells what is known then.
    private func check(_ original: String, says said: String, in lab: Lab) throws {
        let program = try Program(
            "bodega", ["backend", "check", original],
            environment: ["BODEGA_BACKEND_DATA": lab.backendData], logs: lab.folder + "/logs")
        let code = try program.wait()
        #expect(code == 0, "\(program.output)\(program.errors)")
        #expect(program.output.contains(said), "\(program.output)")
    }

    private func standing(in lab: Lab, device: String = "phone") throws -> String {
        try lab.app(["subscriptions"], device: device)
    }

    private func purchased(_ output: String) throws -> String {
        let line = try #require(
            output.firstMatch(of: /purchased com\.example\.rocketcar\.club ([0-9]+)\n/), "\(output)"
        )
        return String(line.1)
    }

    /// What `verifyReceipt` says of the device's receipt, to who knows the secret.
    private func verified(_ lab: Lab, device: String = "phone") throws -> JSONValue {
        let text = try lab.bodega([
            "receipt", "verify", lab.receiptPath(device: device), "--url",
            lab.storeURL + "/sandbox", "--shared-secret-file", lab.secretFile,
        ])
        return try JSONValue(parsing: Array(text.utf8))
    }

    @Test
    func `a subscription is bought, renews, is restored and ends for app, store and backend`()
        throws
    {
        let lab = try Self.open()
        let bought = try lab.app(["buy", Lab.club])
        let steps = ["purchasing", "purchased", "delivered", "finished"]
        let places = steps.map { bought.range(of: "\($0) \(Lab.club)")?.lowerBound }
        #expect(places.allSatisfy { $0 != nil }, "\(bought)")
        #expect(places.compactMap { $0 } == places.compactMap { $0 }.sorted())
        let original = try purchased(bought)
        let active = "subscription \(Lab.club) active until "
        #expect(try standing(in: lab).contains(active + "2026-05-01T00:00:00Z"))

        // The backend follows with what it kept, before the app has said a word.
        let advanced = try lab.bodega(["clock", "advance", "2026-05-02"])
        #expect(advanced.contains("1 renewals"), "\(advanced)")
        try check(original, says: "2026-06-01", in: lab)
        #expect(try standing(in: lab).contains(active + "2026-06-01T00:00:00Z"))
        let renewed = try lab.app(["launch"])
        let second = try purchased(renewed)
        #expect(second != original)
        for word in ["delivered", "finished"] {
            #expect(renewed.contains("\(word) \(Lab.club) \(second)"), "\(renewed)")
        }

        // The app is first, and the backend learns of the renewal, and of the time, from it.
        try lab.bodega(["clock", "advance", "2026-06-02"])
        let third = try purchased(try lab.app(["launch"]))
        #expect(try standing(in: lab).contains(active + "2026-07-01T00:00:00Z"))
        let answer = try verified(lab)
        let periods = try #require(answer["latest_receipt_info"]?.array)
        #expect(
            periods.map { $0["transaction_id"]?.string } == [third, second, original],
            "\(periods)")
        #expect(Set(periods.map { $0["original_transaction_id"]?.string }) == [original])
        #expect(try lab.grantCount() == 1, "one subscription, whatever its periods")

        try restore(original, [original, second, third], in: lab)
        try end(original, in: lab)
    }

    /// On a second device the same call as for features brings every period, each with the first
    /// purchase as its original.
    private func restore(_ original: String, _ periods: [String], in lab: Lab) throws {
        let output = try lab.app(["restore"], device: "tablet")
        let line = /restored com\.example\.rocketcar\.club ([0-9]+) ([0-9]+)\n/
        let restored = output.matches(of: line)
        #expect(restored.map { String($0.2) } == periods.map { _ in original }, "\(output)")
        #expect(Set(restored.map { String($0.1) }).isDisjoint(with: periods))
        #expect(output.contains("delivered \(Lab.club)"))
        #expect(output.contains("restore-finished"))
        #expect(
            output.contains("subscription \(Lab.club) active until 2026-07-01T00:00:00Z"),
            "\(output)")
        #expect(try lab.grantCount() == 1)
        #expect(
            try lab.count(
                "SELECT count(*) FROM store_transaction WHERE finished_ms IS NULL",
                in: lab.storeFile) == 0)
        let answer = try verified(lab, device: "tablet")
        #expect(answer["latest_receipt_info"]?.array?.count == periods.count)
    }

    private func end(_ original: String, in lab: Lab) throws {
        try lab.bodega(["subscription", "cancel", original])
        try check(original, says: "renews          no", in: lab)
        #expect(try standing(in: lab).contains("active"), "it is paid until its end")
        try lab.bodega(["clock", "advance", "2026-07-02"])
        try check(original, says: "expired (voluntary)", in: lab)
        for device in ["phone", "tablet"] {
            let said = try standing(in: lab, device: device)
            #expect(said.contains("subscription \(Lab.club) expired until 2026-07-01T00:00:00Z"))
            #expect(said.contains("ended \(Lab.club)"), "\(said)")
            #expect(!(try lab.app(["status"], device: device)).contains("content \(Lab.club)"))
            #expect(!(try lab.settle(device: device)).contains(Lab.club), "nobody is told")
        }
        let answer = try verified(lab)
        #expect(answer["status"]?.integer == 0)
        #expect(
            answer["pending_renewal_info"]?.array?.first?["expiration_intent"]?.string == "1")
    }

    @Test func `the backend follows renewals without the app or the operator asking`() throws {
        let lab = try Lab.open()
        try lab.bodega(["clock", "pace", "oneRenewalEveryTwoSeconds"])
        let original = try purchased(try lab.app(["buy", Lab.club]))
        let count = """
            SELECT count(*) FROM subscription_events WHERE event = 'renewed'
            """
        #expect(
            try eventually {
                try lab.count(count, in: lab.backendData + "/backend.sqlite") >= 2
            })
        try lab.bodega(["subscription", "cancel", original])
        #expect(try eventually { try standing(in: lab).contains("expired until") })
        // What came meanwhile is delivered or known to be over, and finished.
        _ = try lab.settle()
        #expect(
            try lab.count(
                "SELECT count(*) FROM store_transaction WHERE finished_ms IS NULL",
                in: lab.storeFile) == 0)
        #expect(try lab.grantCount() == 1)
    }

    @Test func `a period that ended while the app was closed is finished without content`() throws {
        let lab = try Self.open()
        let original = try purchased(try lab.app(["buy", Lab.club]))
        try lab.bodega(["clock", "advance", "2026-05-02"])
        try lab.bodega(["subscription", "cancel", original])
        try lab.bodega(["clock", "advance", "2026-06-02"])
        let late = try lab.app(["launch"])
        let second = try purchased(late)
        #expect(late.contains("ended \(Lab.club)"), "\(late)")
        #expect(late.contains("finished \(Lab.club) \(second)"))
        #expect(!late.contains("delivered"))
        #expect(try standing(in: lab).contains("expired until 2026-06-01T00:00:00Z"))
    }

    @Test func `a non-renewing subscription has its end at the backend and is restored there`()
        throws
    {
        let lab = try Self.open()
        let bought = try lab.app(["buy", Lab.season])
        #expect(bought.contains("finished \(Lab.season)"), "\(bought)")
        let active = "subscription \(Lab.season) active until "
        #expect(try standing(in: lab).contains(active + "2026-07-01T00:00:00Z"))
        // The store gives back nothing of it; the backend does.
        let tablet = try lab.app(["restore"], device: "tablet")
        #expect(!tablet.contains("restored \(Lab.season)"))
        #expect(tablet.contains("delivered \(Lab.season) - season.txt"), "\(tablet)")
        #expect(tablet.contains(active + "2026-07-01T00:00:00Z"))
        let stranger = try lab.app(
            ["restore"], device: "car", user: "passenger:steering-wheel-1")
        #expect(!stranger.contains(Lab.season), "\(stranger)")
        // Another one begins where this one ends.
        try lab.bodega(["clock", "advance", "2026-05-01"])
        try lab.app(["buy", Lab.season])
        #expect(try standing(in: lab).contains(active + "2026-10-01T00:00:00Z"))
        try lab.bodega(["clock", "advance", "2026-10-02"])
        // The backend hears of the store's time with the next answer.
        try lab.app(["buy", Lab.fuel])
        for device in ["phone", "tablet"] {
            let said = try standing(in: lab, device: device)
            #expect(said.contains("subscription \(Lab.season) expired until"), "\(said)")
            #expect(said.contains("ended \(Lab.season)"))
        }
    }
}
