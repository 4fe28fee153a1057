import StoreModel
import StoreRules
import Testing

struct RestoreRulesTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let purchases: [StoreTransaction]
        var username: String?
        var given: Set<TransactionID> = []
        /// The numbers of what comes back.
        let expected: [Int64]
    }

    static func rows() throws -> [Row] {
        let turbo = try StoreTransaction.restorable(1)
        let again = try StoreTransaction.restorable(2, original: 1)
        let track = try StoreTransaction.restorable(3)
        let periods = try (4...6).map {
            try StoreTransaction.restorable($0, original: 4, kind: .autoRenewable)
        }
        let copy = try StoreTransaction.restorable(
            7, original: 1,
            restoration: Restoration(restore: RestoreID("R"), purchase: TransactionID(1)))
        return [
            Row(testDescription: "nothing is nothing", purchases: [], expected: []),
            Row(
                testDescription: "finished non-consumables come back in their order",
                purchases: [turbo, track], expected: [1, 3]),
            Row(
                testDescription: "consumables and non-renewing subscriptions do not",
                purchases: [
                    try .restorable(1, kind: .consumable), try .restorable(2, kind: .nonRenewing),
                ], expected: []),
            Row(
                testDescription: "every period of a subscription does",
                purchases: periods, expected: [4, 5, 6]),
            Row(
                testDescription: "what waits to be finished is delivered anyway",
                purchases: [try .restorable(1, isFinished: false), track], expected: [3]),
            Row(
                testDescription: "what was bought again comes back once",
                purchases: [turbo, again, track], expected: [1, 3]),
            Row(
                testDescription: "also when only the second purchase was finished",
                purchases: [try .restorable(1, isFinished: false), again], expected: [2]),
            Row(
                testDescription: "and not when this restore gave it back before",
                purchases: [again, track], given: [TransactionID(1)], expected: [3]),
            Row(
                testDescription: "what was given back is no purchase", purchases: [turbo, copy],
                expected: [1]),
            Row(
                testDescription: "a user name gets what was bought under it",
                purchases: [
                    try .restorable(1, username: "ada"), try .restorable(2, username: "bob"),
                    try .restorable(3),
                ], username: "bob", expected: [2]),
            Row(
                testDescription: "also what somebody else bought first",
                purchases: [
                    try .restorable(1, username: "ada"),
                    try .restorable(2, original: 1, username: "bob"),
                ], username: "bob", expected: [2]),
            Row(
                testDescription: "a name that is a UUID is the same in any case",
                purchases: [
                    try .restorable(1, username: "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11"),
                    try .restorable(2, username: "6c1e2d58-9a57-4d0b-8e0a-2b6b6f0f5a12"),
                ], username: "6c1e2d58-9a57-4d0b-8e0a-2b6b6f0f5a11", expected: [1]),
            Row(
                testDescription: "and any other only as it was written",
                purchases: [try .restorable(1, username: "Ada")], username: "ada", expected: []),
            Row(
                testDescription: "without a user name all comes back",
                purchases: [try .restorable(1, username: "ada"), try .restorable(2)],
                expected: [1, 2]),
        ]
    }

    @Test(arguments: try rows())
    func `each kind of transaction is restored or not as its row says`(row: Row) {
        let restored = RestoreRules.restored(
            row.purchases, for: row.username, given: row.given)
        #expect(restored.map(\.id.rawValue) == row.expected)
    }
}

extension StoreTransaction {
    fileprivate static func restorable(
        _ id: Int64, original: Int64? = nil, kind: ProductKind = .nonConsumable,
        username: String? = nil, isFinished: Bool = true, restoration: Restoration? = nil
    ) throws -> StoreTransaction {
        let time = Timestamp(milliseconds: id)
        return StoreTransaction(
            id: TransactionID(id), original: TransactionID(original ?? id), environment: .sandbox,
            app: AppID(1), account: AccountID(2), device: DeviceID(3),
            attempt: AttemptID("A\(id)"), product: ProductID("p\(original ?? id)"), kind: kind,
            quantity: 1, purchasedAt: time, originallyPurchasedAt: time,
            charged: try PurchaseRulesTests.usd(0), storefront: "USA",
            applicationUsername: username, finishedAt: isFinished ? time : nil,
            restoration: restoration)
    }
}
