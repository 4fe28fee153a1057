import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// The key-value stores of accounts, for their owner to look at.
enum KeyValueControl {
    static func show(_ call: StoreCall, app bundleID: String) throws -> AccountKeyValuesBody {
        let named = try call.request.queryAccount()
        return try call.world.database.read { scope in
            let app = try scope.knownApp(bundleID).id
            let account = try AccountUpkeep.find(named, scope)
            let place = KeyValuePlace(account: account.id, app: app)
            let news = try scope.keyValues(place, after: 0)
            return AccountKeyValuesBody(
                account: account.name, revision: news.revision,
                byteCount: try scope.keyValueSize(place).bytes,
                entries: try news.rows.map { try KeyValueBody($0) })
        }
    }
}
