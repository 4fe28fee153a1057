import CrashPoints
import Foundation
import Testing

/// Kills the store while it renews subscriptions; the next start goes on, and no period is sold
/// twice or skipped.
@Suite(.serialized) struct RenewalCrashTests {
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
        try lab.bodega(["world", "seed", file, "default", "--replace"])
    }

    @Test(arguments: rows)
    func `a store killed while it renews sells each period once`(row: Row) throws {
        let lab = try Lab.open(withBackend: false)
        try seed(lab)
        // What was sold before has the sandbox's period; the next ones are of ten seconds.
        try lab.bodega(["clock", "pace", "oneRenewalEveryTenSeconds"])
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
            ORDER BY original_id, purchased_ms
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
            try lab.count("SELECT count(*) FROM event WHERE kind = 'renewed'", in: lab.storeFile)
                == Int64(Self.accounts * Self.periods))
    }
}
