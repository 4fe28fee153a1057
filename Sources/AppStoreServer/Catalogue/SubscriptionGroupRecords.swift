import Foundation
import StoreDatabase
import StoreModel

// The groups of an app's subscriptions.
extension ReadScope {
    /// Those of an app's products, in no order.
    borrowing func subscriptionGroups(of app: AppID) throws -> [String] {
        try values(
            """
            SELECT DISTINCT subscription_group FROM product
            WHERE app_id = ?1 AND subscription_group IS NOT NULL
            """, [app])
    }

    /// A group as the catalogue names it; nil when it has not been imported with its names.
    borrowing func subscriptionGroup(
        _ id: String, of app: AppID
    ) throws -> SubscriptionGroup? {
        try row(
            """
            SELECT reference_name, texts FROM subscription_group
            WHERE app_id = ?1 AND group_id = ?2
            """, [app, id]
        ).map { row in
            let texts: String = try row["texts"]
            return SubscriptionGroup(
                id: id, referenceName: try row["reference_name"],
                texts: try JSONDecoder().decode([ProductText].self, from: Data(texts.utf8)))
        }
    }
}

extension WriteScope {
    /// Stores the names of an app's groups. A group that is no longer in the file keeps its name, since
    /// subscriptions of it may have been sold.
    borrowing func save(_ groups: [SubscriptionGroup], of app: AppID) throws {
        for group in groups {
            let texts = String(decoding: try JSONEncoder().encode(group.texts), as: UTF8.self)
            try execute(
                """
                INSERT INTO subscription_group (app_id, group_id, reference_name, texts)
                VALUES (?1, ?2, ?3, ?4)
                ON CONFLICT (app_id, group_id) DO UPDATE SET reference_name = ?3, texts = ?4
                """, [app, group.id, group.referenceName, texts])
        }
    }
}
