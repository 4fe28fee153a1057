import StoreDatabase
import StoreModel

extension ReadScope {
    borrowing func settings(of account: AccountID) throws -> AccountSettings {
        try row(
            """
            SELECT needs_approval, interrupts_purchases, fails_renewals FROM account WHERE id = ?1
            """, [account]
        ).map { try AccountSettings($0) } ?? .plain
    }
}

extension WriteScope {
    borrowing func setSettings(_ settings: AccountSettings, of account: AccountID) throws {
        try execute(
            """
            UPDATE account SET needs_approval = ?2, interrupts_purchases = ?3, fails_renewals = ?4
            WHERE id = ?1
            """,
            [
                account, settings.needsApproval, settings.interruptsPurchases,
                settings.failsRenewals,
            ])
    }
}

extension AccountSettings {
    /// From the columns needs_approval, interrupts_purchases, fails_renewals.
    init(_ row: Row) throws(DatabaseError) {
        self.init(
            needsApproval: try row["needs_approval"],
            interruptsPurchases: try row["interrupts_purchases"],
            failsRenewals: try row["fails_renewals"])
    }
}
