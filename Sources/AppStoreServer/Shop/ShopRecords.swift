import StoreDatabase
import StoreModel
import StoreRules

/// A world's settings as a shop.
struct Shop: Sendable {
    let newProductsWait: Bool
    let delayMilliseconds: Int64
}

extension ReadScope {
    borrowing func shop() throws -> Shop {
        guard let row = try row("SELECT new_products_wait, delay_ms FROM shop WHERE id = 1") else {
            throw DatabaseError(code: .notADatabase, detail: "the world has no shop")
        }
        return Shop(
            newProductsWait: try row["new_products_wait"], delayMilliseconds: try row["delay_ms"])
    }

    /// How long a change of an app's catalogue takes to reach devices.
    borrowing func delay(of app: AppID) throws -> Int64 {
        let own: Int64? = try value("SELECT delay_ms FROM app WHERE id = ?1", [app])
        return PropagationRules.delay(
            ofApp: own, ofWorld: try shop().delayMilliseconds)
    }
}

extension WriteScope {
    borrowing func save(_ shop: Shop) throws {
        try execute(
            "UPDATE shop SET new_products_wait = ?1, delay_ms = ?2 WHERE id = 1",
            [shop.newProductsWait, shop.delayMilliseconds])
    }
}
