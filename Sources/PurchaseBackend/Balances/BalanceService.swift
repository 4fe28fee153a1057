import StoreDatabase
import StoreModel
import StoreService
import StoreWire

/// Lets users use what they have of consumables.
struct BalanceService: Sendable {
    let database: Database
    let products: ProductList
    let clock: WallClock

    /// `POST /v1/products/{productId}/uses`: takes a quantity from a balance, once for each
    /// identifier, and answers what is left.
    func use(_ product: String, _ body: ConsumableUseBody, _ scene: BackendScene) throws {
        let user = try scene.user()
        guard isPlainWord(body.useId, bytesMax: BackendLimits.useIDBytesMax) else {
            throw Refusal.badField(
                "useId must be 1 to \(BackendLimits.useIDBytesMax) bytes of text without control "
                    + "characters.")
        }
        guard (1...BackendLimits.usedQuantityMax).contains(body.quantity) else {
            throw Refusal.badField("quantity must be 1 to \(BackendLimits.usedQuantityMax).")
        }
        let (now, isListed) = (clock.now(), products[product]?.kind == .consumable)
        scene.commit {
            try Self.take($0, product, body, by: user, isListed: isListed, now: now)
        } then: {
            try .json(encoding: $0)
        }
    }

    private static func take(
        _ scope: borrowing WriteScope, _ product: String, _ body: ConsumableUseBody,
        by user: BackendUserID, isListed: Bool, now: Timestamp
    ) throws -> ConsumableBalanceBody {
        let before = try BalanceRecords.one(scope.reading, of: product, user)
        if let known = try BalanceRecords.use(scope, body.useId, of: user) {
            guard known == (product, Int64(body.quantity)) else { throw Refusal.useIDTaken }
            return before
        }
        guard isListed || before.granted > 0 else {
            throw Refusal.notFound("There is no consumable product with that identifier.")
        }
        guard before.balance >= body.quantity else {
            throw Refusal.notEnough(before.balance)
        }
        try BalanceRecords.insert(
            scope, use: body.useId, Int64(body.quantity), of: product, by: user, now: now)
        return try BalanceRecords.one(scope.reading, of: product, user)
    }
}

extension Refusal {
    fileprivate static let useIDTaken = Self(
        409, "useIdTaken", "Another use has this useId: make a new one for each use.")

    fileprivate static func notEnough(_ balance: Int64) -> Self {
        .init(409, "notEnough", "The balance is \(balance): that is not enough.")
    }
}
