import StoreHTTP
import StoreModel
import StoreWire

@testable import AppStoreServer

// Money that a buyer asks back, and what the app and the shop's owner make of it.
extension SimulatedBuyer {
    /// Asks for the money of a period, or of something else that was bought last.
    mutating func askForMoney(of period: String?, at moment: Moment) async throws {
        let others = random.below(2) == 0 ? singles.suffix(2) : purchases.suffix(4)
        guard let id = period ?? Array(others).randomOne(&random) else { return }
        let body = RequestRefundBody(reason: random.one(of: RefundReason.allCases))
        guard let asked = try await refund(id, "request", body, at: moment) else { return }
        if !refunds.contains(asked.transactionId) { refunds.append(asked.transactionId) }
        // What the app says counts for some hours, and the next moment is weeks away.
        if random.below(3) > 0 { try await consume(asked, at: moment) }
        if random.below(3) > 0 { try await decide(on: asked.transactionId, at: moment) }
    }

    /// Decides on some request, or takes a decision back.
    mutating func decideOnMoney(at moment: Moment) async throws {
        guard let id = Array(refunds.suffix(3)).randomOne(&random) else { return }
        try await decide(on: id, at: moment)
    }

    private mutating func decide(on id: String, at moment: Moment) async throws {
        let roll = random.below(10)
        // Every step may come twice.
        for _ in 0..<(1 + random.below(2)) {
            switch roll {
            case 0..<3: try await refund(id, "grant", GrantRefundBody(type: .full), at: moment)
            case 3..<6:
                try await refund(id, "grant", GrantRefundBody(type: .prorated), at: moment)
            case 6: try await refund(id, "decline", at: moment)
            default: try await refund(id, "reverse", at: moment)
            }
        }
        // Some mistakes are seen at once.
        if roll < 6, random.below(4) == 0 { try await refund(id, "reverse", at: moment) }
    }

    private mutating func consume(_ asked: RefundBody, at moment: Moment) async throws {
        let isSingle = SimulatedShop.singles.map(SimulatedShop.id).contains(asked.productId)
        let percentage = Int64(random.below(100)) * 1_000 + Int64(random.below(1_000))
        let consumption = Consumption(
            customerConsented: true, consumptionPercentage: isSingle ? percentage : nil,
            deliveryStatus: .delivered, refundPreference: .decline, sampleContentProvided: false)
        try await refund(asked.transactionId, "consumption", consumption, by: "PUT", at: moment)
    }

    /// Nil when the store refused it, as it may.
    @discardableResult
    private func refund(
        _ id: String, _ verb: String, _ body: (any Encodable)? = nil, by method: String = "POST",
        at moment: Moment
    ) async throws -> RefundBody? {
        let path = "/control/v1/refunds/\(id)/\(verb)"
        let answer = try await moment.store.control(method, path, body: body)
        if moment.refuses(answer) { return nil }
        guard answer.status == 200 else { throw failure("\(method) \(path)", answer) }
        let body = try WireJSON.decode(RefundBody.self, from: answer.body)
        told.add("refund", body.transactionId, body.state.rawValue)
        return body
    }
}
