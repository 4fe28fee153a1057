import CrashPoints
import Foundation
import StoreWire
import TestSupport
import Testing

/// Kills the store while it renews subscriptions; the next start goes on, and no period is sold
/// twice or skipped.
@Suite(.ownThreads) struct RenewalCrashTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let point: CrashPoint
        let time: Int

        var testDescription: String { "\(point.rawValue):\(time)" }
    }

    static let rows = [1, 2, 3].flatMap { time in
        [CrashPoint.storeRenewalsSettled, .storeRenewalsCommitted].map {
            Row(point: $0, time: time)
        }
    }

    private static let accounts = 20
    private static let period: Int64 = 10_000
    /// Periods up to the end of the advance, each of ten seconds: three commits.
    private static let periods = 211
    /// Those of who was there at the pace of ten seconds from the first: one is on its way.
    private static let periodsPaid = 241

    /// Accounts that all subscribe at the same moment.
    private func seed(_ lab: Lab) throws {
        let names = (0..<Self.accounts).map { "fan\($0)" }
        let product = "com.example.rocketcar.fan"
        let catalogue = """
            { "identifier" : "5A1E7C42", "nonRenewingSubscriptions" : [], "products" : [],
              "settings" : {}, "subscriptionGroups" : [ { "id" : "FA11", "localizations" : [],
                "name" : "Fan", "subscriptions" : [ { "adHocOffers" : [], "codeOffers" : [],
                  "displayPrice" : "9.99", "familyShareable" : false, "groupNumber" : 1,
                  "internalID" : "1", "introductoryOffer" : null, "localizations" : [],
                  "productID" : "\(product)", "recurringSubscriptionPeriod" : "P1M",
                  "referenceName" : "Fan", "subscriptionGroupID" : "FA11",
                  "type" : "RecurringSubscription" } ] } ],
              "version" : { "major" : 3, "minor" : 0 } }
            """
        let accounts = names.map { #"{"name":"\#($0)","password":"rocket-fuel-1"}"# }
        let purchases = names.map {
            #"{"account":"\#($0)","productId":"\#(product)","at":"2026-03-01T00:00:00Z"}"#
        }
        let file = lab.folder + "/seed.json"
        try Data(
            """
            {"clock":{"mode":"held","now":"2026-03-01T00:00:00Z"},
             "apps":[{"bundleId":"\(Lab.bundleID)","catalogue":\(catalogue)}],
             "accounts":[\(accounts.joined(separator: ","))],
             "purchases":[\(purchases.joined(separator: ","))]}
            """.utf8
        ).write(to: URL(fileURLWithPath: file))
        try lab.bodega(["world", "seed", file, "default", "--replace", "--yes"])
    }

    @Test(arguments: rows)
    func `a store killed during a renewal sells each period once`(row: Row) throws {
        let lab = try Lab.open(withBackend: false)
        try seed(lab)
        // What was sold before has the sandbox's period; the next ones are of ten seconds.
        try lab.bodega(["clock", "pace", "oneRenewalEveryTenSeconds"])
        try subscribePayers(lab)
        lab.store?.terminate()
        try lab.store?.wait()
        try lab.startStore(
            environment: ["BODEGA_CRASH_POINT": "\(row.point.rawValue):\(row.time)"])
        let end = "2026-03-01T00:40:00Z"
        try lab.bodega(["clock", "advance", end], code: 1)
        #expect(try lab.store?.wait() == 128 + SIGKILL, "the point was not reached")
        try lab.startStore()
        try lab.bodega(["clock", "advance", end])
        let found = try SQLiteFile(lab.storeFile).rows(
            """
            SELECT original_id, purchased_ms, expires_ms FROM store_transaction
            WHERE environment = 'sandbox' ORDER BY original_id, purchased_ms
            """
        ).map { row in row.compactMap { Int64($0) } }
        let lives = Dictionary(grouping: found) { $0[0] }
        #expect(lives.count == Self.accounts)
        for (_, life) in lives {
            #expect(life.count == Self.periods + 1)
            for (before, after) in zip(life, life.dropFirst()) {
                #expect(before[2] == after[1] && after[2] == after[1] + Self.period)
            }
        }
        #expect(
            try lab.count(
                "SELECT count(*) FROM event WHERE kind = 'renewed' AND environment = 'sandbox'",
                in: lab.storeFile) == Int64(Self.accounts * Self.periods))
        try checkPayers(lab)
    }

    /// Real accounts by how many periods their credit pays; a thousandth more is left.
    private static let payers = [1, 20, 150, 300]

    private func subscribePayers(_ lab: Lab) throws {
        try lab.bodega([
            "clock", "pace", "oneRenewalEveryTenSeconds", "--environment", "production",
        ])
        for periods in Self.payers {
            let milliunits = periods * 9_990 + 1
            let credit = "\(milliunits / 1_000).\("\(1_000 + milliunits % 1_000)".dropFirst())"
            try lab.openProduction("payer\(periods)", credit: credit)
            let token = try lab.signedInDevice(account: "payer\(periods)", in: "production")
            let answer = try Lab.call(
                "POST", lab.storeURL + "/production/device/v1/attempts", token: token,
                body: try WireJSON.encode(
                    AttemptRequestBody(
                        attemptId: UUID().uuidString, productId: "com.example.rocketcar.fan",
                        quantity: 1, applicationUsername: nil)))
            #expect(
                try WireJSON.decode(AttemptAnswerBody.self, from: answer.body).state == .done)
        }
    }

    /// Every period was charged once, and there are as many as credit paid.
    private func checkPayers(_ lab: Lab) throws {
        let charges = try lab.charges()
        #expect(charges.values.allSatisfy { $0 == [9_990] })
        for periods in Self.payers {
            let name = "payer\(periods)"
            let sold = try SQLiteFile(lab.storeFile).rows(
                """
                SELECT store_transaction.id FROM store_transaction
                JOIN account ON account.id = account_id WHERE account.name = '\(name)'
                """
            ).map { $0[0] }
            // Bought now, not at the seed's moment: each has a period for every ten seconds.
            #expect(sold.count == min(periods, Self.periodsPaid), "\(name)")
            #expect(sold.allSatisfy { charges[$0] != nil })
            #expect(
                try lab.credit(of: name) == Int64(periods * 9_990 + 1 - sold.count * 9_990))
        }
    }
}
