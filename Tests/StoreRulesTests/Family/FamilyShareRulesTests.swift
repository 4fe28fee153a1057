import StoreModel
import StoreRules
import Testing

/// Who has what of whom: mother 1, father 2, child 3, and 9, who is nobody's.
struct FamilyShareRulesTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var family: [FamilyMember] = people(1, 2, 3)
        var purchases: [SharedPurchase] = []
        var held: [HeldShare] = []
        var gifts: [FamilyChanges.Gift] = []
        var taken: [TransactionID] = []
    }

    private static func people(_ accounts: Int64..., quiet: Int64? = nil) -> [FamilyMember] {
        accounts.map {
            FamilyMember(
                account: AccountID($0), isOrganiser: $0 == 1, sharesPurchases: $0 != quiet)
        }
    }

    private static func bought(
        _ purchase: Int64, by owner: Int64, item: Int64? = nil
    ) -> SharedPurchase {
        SharedPurchase(
            purchase: TransactionID(purchase), item: TransactionID(item ?? purchase),
            owner: AccountID(owner))
    }

    private static func held(
        _ transaction: Int64, by holder: Int64, of owner: Int64, item: Int64
    ) -> HeldShare {
        HeldShare(
            transaction: TransactionID(transaction), item: TransactionID(item),
            holder: AccountID(holder), owner: AccountID(owner))
    }

    private static func gift(_ purchase: Int64, to member: Int64) -> FamilyChanges.Gift {
        FamilyChanges.Gift(purchase: TransactionID(purchase), member: AccountID(member))
    }

    @Test(arguments: [
        Row(testDescription: "nothing is bought"),
        Row(
            testDescription: "a purchase is for everybody else", purchases: [bought(10, by: 1)],
            gifts: [gift(10, to: 2), gift(10, to: 3)]),
        Row(
            testDescription: "nobody else is there", family: people(1),
            purchases: [bought(10, by: 1)]),
        Row(
            testDescription: "without a family nothing is shared", family: [],
            purchases: [bought(10, by: 1)]),
        Row(
            testDescription: "the older first, and members in their order",
            purchases: [bought(12, by: 3), bought(11, by: 2)],
            gifts: [gift(11, to: 1), gift(11, to: 3), gift(12, to: 1), gift(12, to: 2)]),
        Row(
            testDescription: "who has it gets it once", purchases: [bought(10, by: 1)],
            held: [held(20, by: 2, of: 1, item: 10)], gifts: [gift(10, to: 3)]),
        Row(
            testDescription: "what is bought again is the same", family: people(1, 2),
            purchases: [bought(11, by: 1, item: 10)],
            held: [held(20, by: 2, of: 1, item: 10)]),
        Row(
            testDescription: "the next period is another", family: people(1, 2),
            purchases: [bought(11, by: 1)], held: [held(20, by: 2, of: 1, item: 10)],
            gifts: [gift(11, to: 2)]),
        Row(
            testDescription: "two who bought it share both", family: people(1, 2),
            purchases: [bought(10, by: 1), bought(11, by: 2)],
            gifts: [gift(10, to: 2), gift(11, to: 1)]),
        Row(
            testDescription: "who does not share gives nothing and gets",
            family: people(1, 2, quiet: 1), purchases: [bought(10, by: 1), bought(11, by: 2)],
            gifts: [gift(11, to: 1)]),
        Row(
            testDescription: "who stops to share takes it back",
            family: people(1, 2, 3, quiet: 1), purchases: [bought(10, by: 1)],
            held: [
                held(20, by: 2, of: 1, item: 10), held(21, by: 3, of: 1, item: 10),
                held(22, by: 1, of: 2, item: 11),
            ], taken: [TransactionID(20), TransactionID(21)]),
        Row(
            testDescription: "who left loses what the others share, and they what it shared",
            family: people(1, 2), purchases: [bought(10, by: 1)],
            held: [
                held(20, by: 2, of: 1, item: 10), held(21, by: 3, of: 1, item: 10),
                held(22, by: 1, of: 3, item: 12), held(23, by: 2, of: 3, item: 12),
            ], taken: [TransactionID(21), TransactionID(22), TransactionID(23)]),
        Row(
            testDescription: "when it ends everything goes", family: [],
            held: [held(21, by: 2, of: 1, item: 10), held(20, by: 1, of: 2, item: 11)],
            taken: [TransactionID(20), TransactionID(21)]),
        Row(
            testDescription: "what may not be shared any more stays with who has it",
            held: [held(20, by: 2, of: 1, item: 10)]),
        Row(
            testDescription: "what is of a stranger goes", family: people(1, 2),
            held: [held(20, by: 2, of: 9, item: 10)], taken: [TransactionID(20)]),
    ])
    func `a change in a family shares and withdraws purchases as its row says`(row: Row) {
        let changes = FamilyShareRules.changes(
            in: row.family, purchases: row.purchases, held: row.held)
        #expect(changes == FamilyChanges(gifts: row.gifts, taken: row.taken))
    }

    @Test func `consumables and non-renewing subscriptions are not shared`() {
        #expect(
            ProductKind.allCases.filter { FamilyShareRules.isShareable($0) }
                == [.nonConsumable, .autoRenewable])
    }

    @Test func `a subscription is shared by the period, anything else as a whole`() {
        let share = FamilyShare(purchase: TransactionID(11), original: TransactionID(10))
        #expect(share.item(of: .autoRenewable) == TransactionID(11))
        #expect(share.item(of: .nonConsumable) == TransactionID(10))
    }
}
