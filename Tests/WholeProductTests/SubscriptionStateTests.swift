import Foundation
import StoreWire
import TestSupport
import Testing

/// `bodega subscription new`: every state of a subscription in one command.
@Suite(.ownThreads) struct SubscriptionStateTests {
    /// Clocks move first, so that what comes later is still as it was made.
    private static let order = [
        "expired", "retry", "grace", "trial", "active", "refunded", "upgraded",
    ]

    private func open(pace: String) throws -> Lab {
        let lab = try Lab()
        try lab.startStore()
        try lab.bodega([
            "catalog", "import", Lab.package + "/docs/lifecycle/fans.storekit", "--bundle-id",
            Lab.bundleID,
        ])
        try lab.bodega(["clock", "pace", pace])
        return lab
    }

    private func make(_ state: String, in lab: Lab, _ more: [String] = []) throws -> [String] {
        try lab.bodega(["subscription", "new", "--state", state, "--account", state] + more)
            .split(separator: "\n").map(String.init)
    }

    @Test(arguments: ["calendar", "monthlyRenewalEveryFiveMinutes"])
    func `seven commands make all seven states, side by side`(pace: String) throws {
        let lab = try open(pace: pace)
        for state in Self.order {
            let lines = try make(state, in: lab, ["--hold"])
            #expect(lines.dropLast().allSatisfy { $0.hasPrefix("bodega ") }, "\(lines)")
            #expect(lines.contains { $0.hasPrefix("bodega account add \(state) --password ") })
            #expect(
                lines.last?.contains(" of \(state): com.example.rocketcar.") == true, "\(lines)")
        }
        let all = try lab.bodega(["subscription", "list", "--json"])
        let listed = try WireJSON.decode(SubscriptionsBody.self, from: Array(all.utf8))
        let states = Dictionary(
            uniqueKeysWithValues: listed.subscriptions.map { ($0.account, $0) })
        #expect(states.count == 7)
        #expect(states["expired"]?.state == .expired && states["expired"]?.expirationReason == 1)
        #expect(states["retry"]?.state == .billingRetry && states["grace"]?.state == .gracePeriod)
        #expect(states["trial"]?.state == .active)
        #expect(states["trial"]?.offer?.paymentMode == .freeTrial)
        #expect(states["active"]?.state == .active && states["active"]?.offer == nil)
        #expect(states["refunded"]?.state == .revoked)
        #expect(states["upgraded"]?.state == .active)
        #expect(states["upgraded"]?.productId == "com.example.rocketcar.gold")
        let sold = try lab.bodega(["transaction", "export", "--csv"])
        #expect(
            sold.split(whereSeparator: \.isNewline).filter { $0.contains(Lab.bundleID) }.count == 8)
    }

    @Test func `a clock that runs is moved only when it may be held`() throws {
        let lab = try open(pace: "calendar")
        let said = try lab.bodega(
            ["subscription", "new", "--state", "grace", "--account", "late"], code: 1)
        #expect(said.contains("bodega clock hold, or add --hold"), "\(said)")
        #expect(try lab.bodega(["account", "list", "--json"]).contains(#""accounts":[]"#))
        #expect(try lab.bodega(["clock", "show"]).contains("running"))
        let trial = try make("trial", in: lab)
        #expect(trial.count == 3, "it needs no clock: \(trial)")
        let again = try lab.bodega(
            ["subscription", "new", "--state", "trial", "--account", "trial"], code: 1)
        #expect(again.contains("already subscribes to this group"), "\(again)")
        let low = try lab.bodega(
            [
                "subscription", "new", "com.example.rocketcar.gold", "--state", "upgraded",
                "--account",
                "gold",
            ], code: 1)
        #expect(low.contains("is not a subscription below another one of its group"))
    }

    @Test func `a purchase that waits leads to no state`() throws {
        let lab = try open(pace: "calendar")
        _ = try make("expired", in: lab, ["--hold"])
        try lab.bodega(["account", "approval", "expired", "on"])
        let new = ["subscription", "new", "--account", "expired", "--state"]
        let said = try lab.bodega(new + ["refunded", "--json"], code: 1)
        #expect(said.contains("waits for approval (bodega ask-to-buy list)"), "\(said)")
        #expect(said.contains("bodega buy com.example.rocketcar."), "\(said)")
        let all = try lab.bodega(["subscription", "list", "--json"])
        let listed = try WireJSON.decode(SubscriptionsBody.self, from: Array(all.utf8))
        #expect(listed.subscriptions.map(\.state) == [.expired], "the old one was not refunded")
        #expect(try lab.bodega(["refund", "list", "--json"]).contains("[]"))
    }

    @Test func `an introductory offer is waited out for an active subscription`() throws {
        let lab = try open(pace: "calendar")
        try lab.bodega(["clock", "hold"])
        let answer = try lab.bodega([
            "subscription", "new", "com.example.rocketcar.magazine", "--state", "active",
            "--account",
            "late", "--json",
        ])
        #expect(answer.contains(#""bodega clock advance "#), "\(answer)")
        #expect(answer.contains(#""state":"active""#) && !answer.contains("freeTrial"))
    }
}
