import StoreDatabase
import StoreModel

extension ReadScope {
    borrowing func settings(of account: AccountID) throws -> AccountSettings {
        try row(
            "SELECT needs_approval, interrupts_purchases FROM account WHERE id = ?1",
            [.integer(account.rawValue)]
        ).map { AccountSettings($0, from: 0) } ?? .plain
    }
}

extension WriteScope {
    borrowing func setSettings(_ settings: AccountSettings, of account: AccountID) throws {
        try execute(
            "UPDATE account SET needs_approval = ?2, interrupts_purchases = ?3 WHERE id = ?1",
            [
                .integer(account.rawValue), .integer(settings.needsApproval ? 1 : 0),
                .integer(settings.interruptsPurchases ? 1 : 0),
            ])
    }
}

extension AccountSettings {
    /// From the columns needs_approval, interrupts_purchases.
    init(_ row: Row, from column: Int) {
        self.init(
            needsApproval: row.integer(column) != 0,
            interruptsPurchases: row.integer(column + 1) != 0)
    }
}
