import CrashPoints
import StoreDatabase
import StoreModel

/// The payment gateway of an environment's sales.
///
/// It is called within the commit that stores the transaction: both happen, or neither does.
protocol PaymentGateway: Sendable {
    /// An account's credit in a currency; nil when nobody counts it.
    func credit(
        of account: AccountID, in currency: Currency, _ scope: borrowing ReadScope
    ) throws -> Money?

    /// Charges a transaction's price, once. The account can pay it: the rules checked its credit in
    /// the same commit. A price of 0 enters nothing.
    func charge(
        _ transaction: StoreTransaction, at now: Timestamp, _ scope: borrowing WriteScope) throws
}

extension StoreEnvironment {
    /// Test accounts pay nothing, and real ones with their store credit.
    var gateway: any PaymentGateway {
        switch self {
        case .sandbox: FreeGateway()
        case .production: CreditGateway()
        }
    }
}

/// Charges nobody.
struct FreeGateway: PaymentGateway {
    func credit(
        of account: AccountID, in currency: Currency, _ scope: borrowing ReadScope
    ) -> Money? { nil }

    func charge(
        _ transaction: StoreTransaction, at now: Timestamp, _ scope: borrowing WriteScope
    ) {}
}

/// Charges the store credit of accounts, in the world's ledger.
struct CreditGateway: PaymentGateway {
    func credit(
        of account: AccountID, in currency: Currency, _ scope: borrowing ReadScope
    ) throws -> Money? {
        try scope.credit(of: account, in: currency)
    }

    func charge(
        _ transaction: StoreTransaction, at now: Timestamp, _ scope: borrowing WriteScope
    ) throws {
        let outcome = try scope.charge(
            transaction.charged, to: transaction.account, for: transaction.id,
            of: transaction.app, in: transaction.environment, at: now)
        guard case .charged = outcome else {
            throw DatabaseError(
                code: .other, detail: "\(transaction.id) was sold but cannot be paid: \(outcome)")
        }
        CrashPoint.storePurchaseCharged.reach()
    }
}
