/// The backend's addresses.
enum Endpoint: Hashable, Sendable {
    case health
    case ready
    case products
    case content(product: String)
    case users
    case sessions
    case receipts
    case receipt(String)
    case purchases

    init?(_ segments: [String]) {
        switch segments {
        case ["health"]: self = .health
        case ["ready"]: self = .ready
        case ["v1", "products"]: self = .products
        case ["v1", "users"]: self = .users
        case ["v1", "sessions"]: self = .sessions
        case ["v1", "receipts"]: self = .receipts
        case ["v1", "purchases"]: self = .purchases
        default:
            guard segments.first == "v1", segments.count > 2 else { return nil }
            switch (segments[1], segments.count) {
            case ("products", 4) where segments[3] == "content":
                self = .content(product: segments[2])
            case ("receipts", 3): self = .receipt(segments[2])
            default: return nil
            }
        }
    }

    /// What may be done there.
    var methods: [String] {
        switch self {
        case .health, .ready, .products, .content, .receipt, .purchases: ["GET"]
        case .users, .receipts: ["POST"]
        case .sessions: ["POST", "DELETE"]
        }
    }

    var bodyMax: Int {
        self == .receipts ? BackendLimits.receiptBodyMax : BackendLimits.bodyMax
    }
}
