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
            guard let name = request.queryValue("account") else {
                throw Refusal(400, "badQuery", "account is missing; name the account.")
            }
            let named = NamedAccountBody(environment: try environment(request), name: name)
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

    private static func environment(_ request: HTTPRequest) throws -> StoreEnvironment? {
        guard let text = request.queryValue("environment") else { return nil }
        guard let environment = StoreEnvironment(rawValue: text) else {
            let known = StoreEnvironment.allCases.map(\.rawValue).joined(separator: " or ")
            throw Refusal(400, "badQuery", "environment is not \(known).")
        }
        return environment
    }
}
