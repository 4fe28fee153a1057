import Foundation
import StoreWire
import TestSupport
import Testing

/// What the backend learns from the store without the app, by receipts of either style.
@Suite(.ownThreads) struct BackendBelievesTests {
    enum Style: CaseIterable { case unified, transaction }

    private let lab: Lab

    init() throws {
        lab = try Lab.open()
    }

    private func submit(
        _ item: BoughtItem, _ style: Style, as user: String
    ) throws -> ReceiptOutcomeBody {
        try lab.submit(
            style == .unified ? item.appReceipt : item.transactionReceipt, of: item, as: user)
    }

    private func listed(_ user: String) throws -> OwnedPurchasesBody {
        let answer = try Lab.call("GET", lab.backendURL + "/v1/purchases", token: user)
        return try WireJSON.decode(OwnedPurchasesBody.self, from: answer.body)
    }

    @Test(arguments: Style.allCases)
    func `a revoked purchase is taken back before its content is given`(style: Style) throws {
        for product in [Lab.turbo, Lab.fuel] {
            let item = try #require(try lab.buyAndKeep([product], device: product).first)
            let user = try lab.backendUser("driver of \(product)")
            #expect(try submit(item, style, as: user).status == .granted)
            func content() throws -> Int {
                try Lab.call(
                    "GET", lab.backendURL + "/v1/products/\(product)/content", token: user
                ).status
            }
            #expect(try content() == 200)
            try lab.bodega(["transaction", "revoke", item.transaction, "--reason", "other"])
            // The last answer may have come a moment ago.
            #expect(try eventually { try content() == 404 })
            #expect(try listed(user).purchases.map { $0.refundedAt != nil } == [true])
        }
    }

    @Test(arguments: Style.allCases)
    func `a reversed refund of a finished consumable gives back what it took`(
        style: Style
    ) throws {
        let item = try #require(try lab.buyAndKeep([Lab.fuel]).first)
        let user = try lab.backendUser("driver")
        let submission = try submit(item, style, as: user).submissionId
        // It is finished, and in no receipt from now on.
        try Program(
            "PurchaseProbe", ["--until=1"], environment: lab.appEnvironment(),
            logs: lab.folder + "/logs"
        ).wait()
        func recheck() throws -> String {
            let program = try Program(
                "bodega", ["backend", "recheck", submission],
                environment: ["BODEGA_BACKEND_DATA": lab.backendData], logs: lab.folder + "/logs")
            try program.wait()
            return program.output + program.errors
        }
        try lab.bodega(["refund", "request", item.transaction, "--reason", "other"])
        try lab.bodega(["refund", "grant", item.transaction])
        #expect(try recheck().hasPrefix("outcome  refunded"))
        #expect(try listed(user).balances?.map(\.balance) == [0])
        try lab.bodega(["refund", "reverse", item.transaction])
        #expect(try recheck().hasPrefix("outcome  stands"))
        #expect(try listed(user).balances?.map(\.balance) == [1])
    }

    @Test(arguments: Style.allCases)
    func `a subscription is served while the store's clock stands years behind`(style: Style)
        throws
    {
        try lab.bodega(["clock", "pace", "calendar"])
        try lab.bodega(["clock", "hold", "2021-04-01"])
        let item = try #require(try lab.buyAndKeep([Lab.club]).first)
        let user = try lab.backendUser("driver")
        let outcome = try submit(item, style, as: user)
        #expect(outcome.status == .granted)
        #expect(outcome.subscription?.state == .active)
        #expect(outcome.subscription?.isServed == true)
        #expect(try listed(user).subscriptions.map(\.state) == [.active])
        // Months later nobody need tell the backend, neither of renewals nor of the end.
        try lab.bodega(["clock", "advance", "2021-08-15"])
        func expires() throws -> String {
            let end = try #require(try listed(user).subscriptions.first).expires
            return Date(timeIntervalSince1970: Double(end) / 1_000).ISO8601Format()
        }
        #expect(try eventually { try expires() == "2021-09-01T00:00:00Z" })
        try lab.bodega(["subscription", "cancel", item.transaction])
        try lab.bodega(["clock", "advance", "2022-01-15"])
        #expect(try eventually { try listed(user).subscriptions.map(\.state) == [.expired] })
    }
}
