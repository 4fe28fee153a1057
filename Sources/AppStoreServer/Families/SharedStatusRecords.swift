import StoreDatabase
import StoreModel

/// Selects the events after a position that change how an owner's subscriptions look to the family;
/// takes owner, app, position and count.
let sharedStatusEvents = """
    SELECT event.number FROM event
    CROSS JOIN store_transaction ON store_transaction.id = event.transaction_id
    WHERE event.account_id = ?1 AND event.app_id = ?2 AND event.number > ?3
        AND event.kind IN (\(list(of: Event.Kind.allCases.filter(\.changesSharedStatus))))
        AND subscription_group IS NOT NULL AND restore_id IS NULL
    ORDER BY event.number LIMIT ?4
    """

/// Selects the accounts whose subscriptions an account has, or had, in an app; takes both.
let subscriptionOwners = """
    SELECT DISTINCT purchase.account_id FROM store_transaction AS own
    CROSS JOIN store_transaction AS purchase ON purchase.id = own.shared_original_id
    WHERE own.account_id = ?1 AND own.app_id = ?2 AND own.shared_original_id IS NOT NULL
        AND own.subscription_group IS NOT NULL
    """

extension ReadScope {
    /// The numbers of the events of family members after a position that may change how the
    /// subscriptions which they share with an account look to it, oldest first.
    borrowing func sharedStatusEvents(
        of account: AccountID, in app: AppID, after position: EventNumber, countMax: Int
    ) throws -> [EventNumber] {
        var numbers: [EventNumber] = []
        for owner in try presentOwners(sharingWith: account, in: app) {
            numbers += try values(
                AppStoreServer.sharedStatusEvents, [owner, app, position, countMax])
        }
        return Array(numbers.sorted().prefix(countMax))
    }

    /// The members who share now; those who left the family count no longer.
    private borrowing func presentOwners(
        sharingWith account: AccountID, in app: AppID
    ) throws -> [AccountID] {
        // Most worlds have none.
        guard try row(anyShare) != nil else { return [] }
        let family = try family(of: account).map(\.account)
        guard !family.isEmpty else { return [] }
        let owners: [AccountID] = try values(subscriptionOwners, [account, app])
        return owners.filter { family.contains($0) }
    }
}
