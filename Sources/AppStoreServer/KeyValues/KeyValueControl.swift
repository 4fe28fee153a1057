import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreWire

/// The key-value stores of accounts, for their owner to look at.
enum KeyValueControl {
    /// `GET /control/v1/apps/{bundleId}/key-values?account=NAME&environment=sandbox`
    static func show(
        _ request: HTTPRequest, app bundleID: String, _ scene: Scene, _ responder: Responder
    ) {
        scene.answer(responder) {
            let named = try request.queryAccount()
            let body = try scene.world.database.read { scope in
                let app = try scope.knownApp(bundleID).id
                let account = try AccountUpkeep.find(named, scope)
                let place = KeyValuePlace(account: account.id, app: app)
                let news = try scope.keyValues(place, after: 0)
                return AccountKeyValuesBody(
                    account: account.name, revision: news.revision,
                    byteCount: try scope.keyValueSize(place).bytes,
                    entries: try news.rows.map { try KeyValueBody($0) })
            }
            return .json(try WireJSON.encode(body))
        }
    }
}
