import AppStoreServer
import Foundation
import StoreModel
import StoreRules

/// What a provider in the test's process knows, in the tables of `Tests/Provider/book.py`; it keeps
/// to the interface that `docs/payment-gateway.md` tells.
struct ProviderBook: Encodable, Sendable {
    struct Payment: Encodable, Sendable {
        let id: String
        /// In thousandths, with the fields after it; nil when only a void was ever heard of.
        var asked: Int64?
        var currency: String?
        var customerId: String?
        var productId: String?
        /// Nil when it was declined, or never asked for.
        var authorized: Int64?
        var captured: Int64?
        var isVoided = false
    }

    struct Refund: Encodable, Sendable {
        let id: String
        let paymentId: String
        let milliunits: Int64
    }

    struct Request: Encodable, Sendable {
        let key: String
        let address: String
        let paymentId: String
        let outcome: String
        var times = 1
    }

    struct Misuse: Encodable, Sendable {
        var status = 409
        let address: String
        let sentence: String
    }

    private(set) var payment: [Payment] = []
    private(set) var refund: [Refund] = []
    private(set) var request: [Request] = []
    private(set) var misuse: [Misuse] = []
    /// Where a payment stands in the list, and a request with what was asked and answered.
    private var places: [String: Int] = [:]
    private var known: [String: (asked: SentRequest, place: Int, outcome: ProviderOutcome)] = [:]

    private enum CodingKeys: CodingKey {
        case payment, refund, request, misuse
    }

    /// Does a request once, and says the same whenever it comes again. `declining` is why the
    /// answer is no where the rules would say yes.
    mutating func answer(_ sent: SentRequest, declining reason: String? = nil) -> ProviderOutcome {
        if let (asked, place, outcome) = known[sent.key] {
            guard asked == sent else {
                misuse.append(
                    Misuse(
                        address: sent.address,
                        sentence: "\(sent.key) came before, with another request"))
                return .unknown(why: "the key came before")
            }
            request[place].times += 1
            return outcome
        }
        let why = carryOut(sent, declining: reason)
        let outcome: ProviderOutcome =
            why.map { .declined(reason: $0) } ?? .approved(reference: sent.key)
        known[sent.key] = (sent, request.count, outcome)
        request.append(
            Request(
                key: sent.key, address: sent.address, paymentId: sent.payment,
                outcome: why == nil ? "approved" : "declined"))
        return outcome
    }

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        try encoder.encode(self).write(to: URL(fileURLWithPath: path))
    }

    /// Nil, or why it is declined.
    private mutating func carryOut(_ sent: SentRequest, declining reason: String?) -> String? {
        switch sent.step {
        case .authorize: authorize(sent, declining: reason)
        case .capture: capture(sent, declining: reason)
        case .void: void(sent)
        case .refund(let id): giveBack(id, sent, declining: reason)
        }
    }

    private mutating func authorize(_ sent: SentRequest, declining reason: String?) -> String? {
        let place = place(of: sent.payment)
        if payment[place].asked != nil { return "There was another authorization." }
        payment[place].asked = sent.milliunits
        payment[place].currency = sent.currency
        payment[place].customerId = sent.customer
        payment[place].productId = sent.product
        if payment[place].isVoided { return "It was voided before it was asked for." }
        if let reason { return reason }
        payment[place].authorized = sent.milliunits
        return nil
    }

    private mutating func capture(_ sent: SentRequest, declining reason: String?) -> String? {
        let place = place(of: sent.payment)
        guard let authorized = payment[place].authorized else { return "Nothing was authorized." }
        if payment[place].isVoided { return "It was voided." }
        if payment[place].captured != nil { return "It was captured before." }
        guard payment[place].currency == sent.currency, let amount = sent.milliunits,
            amount <= authorized
        else { return "Only \(authorized) were authorized." }
        if let reason { return reason }
        payment[place].captured = amount
        return nil
    }

    private mutating func void(_ sent: SentRequest) -> String? {
        let place = place(of: sent.payment)
        if payment[place].captured != nil { return "It was captured." }
        payment[place].isVoided = true
        return nil
    }

    private mutating func giveBack(
        _ id: String, _ sent: SentRequest, declining reason: String?
    ) -> String? {
        let place = place(of: sent.payment)
        guard let captured = payment[place].captured else { return "Nothing was captured." }
        let before = refund.filter { $0.paymentId == sent.payment }.reduce(0) { $0 + $1.milliunits }
        guard payment[place].currency == sent.currency, let amount = sent.milliunits,
            before + amount <= captured
        else { return "\(captured) were captured, and \(before) of them are given back." }
        if let reason { return reason }
        refund.append(Refund(id: id, paymentId: sent.payment, milliunits: amount))
        return nil
    }

    private mutating func place(of id: String) -> Int {
        if let place = places[id] { return place }
        places[id] = payment.count
        payment.append(Payment(id: id))
        return payment.count - 1
    }
}

/// What a provider is sent, which is the same whenever it is sent again.
struct SentRequest: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        case authorize
        case capture
        case void
        case refund(id: String)
    }

    let step: Step
    let payment: String
    var milliunits: Int64?
    var currency: String?
    /// The account's number.
    var customer: String?
    var customerName: String?
    var product: String?

    init(_ request: ProviderRequest) {
        switch request {
        case .authorize(let asked, let name, _):
            step = .authorize
            payment = asked.id.rawValue
            (milliunits, currency) = (asked.amount.milliunits, asked.amount.currency.code)
            (customer, customerName) = ("\(asked.account)", name)
            product = asked.product.rawValue
        case .capture(let id, let amount):
            step = .capture
            payment = id.rawValue
            (milliunits, currency) = (amount.milliunits, amount.currency.code)
        case .void(let id):
            step = .void
            payment = id.rawValue
        case .refund(let refund):
            step = .refund(id: refund.id.rawValue)
            payment = refund.payment.rawValue
            (milliunits, currency) = (refund.amount.milliunits, refund.amount.currency.code)
        }
    }

    var key: String {
        switch step {
        case .authorize, .capture, .void: payment + address
        case .refund(let id): id + address
        }
    }

    var address: String {
        switch step {
        case .authorize: "/authorizations"
        case .capture: "/captures"
        case .void: "/voids"
        case .refund: "/refunds"
        }
    }
}
