import StoreModel
import Testing

@testable import PurchaseBackend

/// What each refusal looks like, in the order in which they are looked for.
struct GrantRulesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let refusal: GrantRefusal
        let spoil: @Sendable (inout Case) -> Void

        var testDescription: String { refusal.code }
    }

    struct Case {
        var claim = (product: "coins", transaction: "1", version: "1.2")
        var refusedStatus: Int?
        var environment = StoreEnvironment.production
        var bundle = "com.example.rocketcar"
        var version = "1.2"
        var isCancelled = false
        var holder: GrantHolder?
        var purchasedAt: Timestamp?
        var served: Set<String> = ["1.1", "1.2"]

        func decide() -> GrantDecision {
            let receipt = ReceiptSummary(
                environment: environment, bundleID: bundle, applicationVersion: version,
                purchases: [
                    .init(
                        productID: "coins", transactionID: "1", originalTransactionID: "1",
                        isCancelled: isCancelled)
                ])
            let answer =
                refusedStatus.map(VerifyAnswer.refused(status:)) ?? .verified(receipt)
            let policy = GrantPolicy(
                bundleID: "com.example.rocketcar", versions: served,
                kinds: ["coins": .consumable, "turbo": .nonConsumable], allowsSandbox: false)
            let examination = GrantRules.examine(
                PurchaseClaim(
                    productID: claim.product, transactionID: claim.transaction,
                    appVersion: claim.version), answer, policy)
            switch examination {
            case .keep: preconditionFailure("no row of this table is kept")
            case .refused(let refusal): return .refused(refusal)
            case .candidate:
                return GrantRules.decide(
                    for: BackendUserID("me"), purchasedAt: purchasedAt, holder: holder)
            }
        }
    }

    static let rows = [
        Row(refusal: .storeRefused(status: 21_003)) { $0.refusedStatus = 21_003 },
        Row(refusal: .sandboxNotAllowed) { $0.environment = .sandbox },
        Row(refusal: .wrongBundle) { $0.bundle = "com.example.other" },
        Row(refusal: .wrongVersion) { $0.version = "1.0" },
        Row(refusal: .productUnknown) { $0.claim.product = "gems" },
        Row(refusal: .transactionNotInReceipt) { $0.claim.transaction = "2" },
        Row(refusal: .cancelled) { $0.isCancelled = true },
        Row(refusal: .ownedByAnotherUser) { $0.holder = GrantHolder(user: BackendUserID("you")) },
    ]

    @Test(arguments: rows)
    func `a purchase with one fault is refused for that fault`(row: Row) {
        var fault = Case()
        row.spoil(&fault)
        #expect(fault.decide() == .refused(row.refusal))
    }

    @Test(arguments: rows.indices)
    func `a purchase with several faults is refused for the first in order`(first: Int) {
        var faults = Case()
        // The product of a claim decides which transaction is looked for, so the two can only be
        // wrong together when the product is.
        for row in Self.rows[first...] { row.spoil(&faults) }
        #expect(faults.decide() == .refused(Self.rows[first].refusal))
    }

    @Test func `a faultless purchase is granted, and granted again to its owner`() {
        var fine = Case()
        #expect(fine.decide() == .grant)
        fine.holder = GrantHolder(user: BackendUserID("me"))
        #expect(fine.decide() == .alreadyGranted)
    }

    @Test func `a refunded product is granted again only for a later purchase`() {
        var again = Case()
        let refund = Timestamp(milliseconds: 1_000)
        again.holder = GrantHolder(user: BackendUserID("me"), refundedAt: refund)
        #expect(again.decide() == .refused(.cancelled), "the receipt does not say when")
        again.purchasedAt = refund
        #expect(again.decide() == .refused(.cancelled))
        again.purchasedAt = Timestamp(milliseconds: 1_001)
        #expect(again.decide() == .grantAgain)
        again.holder = GrantHolder(user: BackendUserID("you"), refundedAt: refund)
        #expect(again.decide() == .refused(.ownedByAnotherUser))
    }

    @Test func `the app version must be the one named and be supported`() {
        var case1 = Case()
        case1.claim.version = "1.1"
        #expect(case1.decide() == .refused(.wrongVersion))
        case1.version = "1.1"
        #expect(case1.decide() == .grant)
        case1.claim.version = "9"
        case1.version = "9"
        #expect(case1.decide() == .refused(.wrongVersion))
        case1.served = []
        #expect(case1.decide() == .grant)
    }

    @Test func `a sandbox receipt is refused as such when the sandbox is not allowed`() {
        var sandbox = Case()
        sandbox.refusedStatus = 21_007
        #expect(sandbox.decide() == .refused(.sandboxNotAllowed))
    }

    @Test func `a transaction of another product does not count`() {
        var swapped = Case()
        swapped.claim.product = "turbo"
        #expect(swapped.decide() == .refused(.transactionNotInReceipt))
    }

    @Test(
        arguments: [
            ("silver", "gold", [:], "silver", true), ("silver", "gold", [:], nil, false),
            ("silver", "gold", ["gold": "club", "silver": "club"], "bronze", true),
            ("silver", "gold", ["gold": "club", "silver": "other"], nil, false),
            ("bronze", "gold", [:], nil, true), ("coins", "gold", [:], "coins", false),
            ("silver", "coins", [:], "silver", false),
        ] as [(String, String, [String: String], String?, Bool)])
    func `a payment for a change of the product is the running period's`(
        claimed: String, running: String, groups: [String: String], renewsAs: String?,
        isAccepted: Bool
    ) {
        let end = running == "gold" ? Timestamp(seconds: 100) : nil
        let period = ReceiptSummary.Purchase(
            productID: running, transactionID: "7", originalTransactionID: "3",
            purchasedAt: Timestamp(seconds: 0), expiresAt: end)
        var receipt = ReceiptSummary(
            environment: .sandbox, bundleID: "b", applicationVersion: "1",
            purchases: [
                period,
                .init(
                    productID: "bronze", transactionID: "3", originalTransactionID: "3",
                    purchasedAt: Timestamp(seconds: -100), expiresAt: Timestamp(seconds: 0)),
            ])
        receipt.renewals = ["3": .init(renews: true, renewsAs: renewsAs)]
        let examination = GrantRules.examine(
            PurchaseClaim(productID: claimed, transactionID: "7", appVersion: "1"),
            .verified(receipt),
            GrantPolicy(
                bundleID: "b", versions: [],
                kinds: [
                    "gold": .autoRenewable, "silver": .autoRenewable, "bronze": .autoRenewable,
                    "coins": .consumable,
                ], allowsSandbox: true, groups: groups))
        let candidate = GrantCandidate(
            key: GrantKey(environment: .sandbox, transaction: "3"), kind: .autoRenewable,
            purchase: period)
        #expect(
            examination
                == (isAccepted ? .candidate(candidate) : .refused(.transactionNotInReceipt)))
    }

    @Test(arguments: [
        (ProductKind.consumable, "7"), (.nonConsumable, "3"), (.nonRenewing, "3"),
    ])
    func `the grant key is a consumable's transaction id and otherwise the original's`(
        kind: ProductKind, key: String
    ) throws {
        let receipt = ReceiptSummary(
            environment: .sandbox, bundleID: "b", applicationVersion: "1",
            purchases: [
                .init(productID: "p", transactionID: "7", originalTransactionID: "3")
            ])
        let examination = GrantRules.examine(
            PurchaseClaim(productID: "p", transactionID: "7", appVersion: "1"),
            .verified(receipt),
            GrantPolicy(bundleID: "b", versions: [], kinds: ["p": kind], allowsSandbox: true))
        guard case .candidate(let candidate) = examination else {
            Issue.record("\(examination)")
            return
        }
        #expect(candidate.key == GrantKey(environment: .sandbox, transaction: key))
        #expect(candidate.kind == kind)
    }

    @Test func `an undecided answer keeps the purchase`() {
        let policy = GrantPolicy(bundleID: "b", versions: [], kinds: [:], allowsSandbox: true)
        let claim = PurchaseClaim(productID: "p", transactionID: "7", appVersion: "1")
        #expect(GrantRules.examine(claim, .retry("late"), policy) == .keep("late"))
    }

    @Test(arguments: rows)
    func `every refusal has a sentence, and only a foreign purchase is 403`(row: Row) {
        #expect(row.refusal.message.hasSuffix("."))
        #expect(row.refusal.httpStatus == (row.refusal == .ownedByAnotherUser ? 403 : 422))
    }
}
