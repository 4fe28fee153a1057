import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreWire

/// The operator's price records, and what they are compared with.
extension OperatorService {
    func prices(_ request: HTTPRequest) throws -> PriceRecordsBody {
        try door.admit(request)
        return PriceRecordsBody(prices: try database.read { try PriceRecords.all($0) })
    }

    /// `PUT /operator/v1/prices`: replaces all records, or none if one is not right.
    func setPrices(_ scene: BackendScene) throws {
        try door.admit(scene.request)
        let body: PriceRecordsBody
        do {
            body = try WireJSON.decodeBody(PriceRecordsBody.self, from: scene.request.body)
        } catch {
            throw Refusal.badBody(WireJSON.explain(error))
        }
        do {
            try PriceRecordRules.check(body.prices)
        } catch {
            throw Refusal.badField("\(error.place) \(error.sentence).")
        }
        let requestID = scene.request.id
        scene.commit {
            try PriceRecords.set($0, body.prices)
            return try PriceRecords.all($0.reading)
        } then: {
            log(.operatorPriced, .request(requestID), .detail("\($0.count) price records"))
            return try .json(encoding: PriceRecordsBody(prices: $0))
        }
    }

    /// `GET /operator/v1/deliveries`: a page of what was delivered.
    func deliveries(_ request: HTTPRequest) throws -> DeliveriesBody {
        try door.admit(request)
        let place = try request.queryValue("after").map(Self.place)
        let page = try database.read { scope in
            try Page(of: BackendLimits.deliveriesPerAnswerMax) {
                try DeliveryRecords.page(scope, after: place, countMax: $0)
            }
        }
        return DeliveriesBody(
            deliveries: page.items.map(\.body),
            nextAfter: page.next { "\($0.key.environment.rawValue)/\($0.key.transaction)" })
    }

    private static func place(_ text: String) throws(Refusal) -> GrantKey {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let environment = StoreEnvironment(rawValue: String(parts[0]))
        else {
            throw Refusal(
                422, "badQuery", "after must be the nextAfter of the previous page.")
        }
        return GrantKey(environment: environment, transaction: String(parts[1]))
    }
}
