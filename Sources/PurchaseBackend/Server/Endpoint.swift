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
    case operatorSubmissions
    case operatorSubmission(String)
    case operatorRetry(String)
    case operatorRecheck(String)

    init?(_ segments: [String]) {
        switch segments {
        case ["health"]: self = .health
        case ["ready"]: self = .ready
        case ["v1", "products"]: self = .products
        case ["v1", "users"]: self = .users
        case ["v1", "sessions"]: self = .sessions
        case ["v1", "receipts"]: self = .receipts
        case ["v1", "purchases"]: self = .purchases
        case ["operator", "v1", "submissions"]: self = .operatorSubmissions
        default:
            if let endpoint = Self.operators(segments) {
                self = endpoint
                return
            }
            guard segments.first == "v1", segments.count > 2 else { return nil }
            switch (segments[1], segments.count) {
            case ("products", 4) where segments[3] == "content":
                self = .content(product: segments[2])
            case ("receipts", 3): self = .receipt(segments[2])
            default: return nil
            }
        }
    }

    /// Below a submission, for the operator.
    private static func operators(_ segments: [String]) -> Endpoint? {
        guard segments.starts(with: ["operator", "v1", "submissions"]), segments.count > 3 else {
            return nil
        }
        switch segments.dropFirst(4) {
        case []: return .operatorSubmission(segments[3])
        case ["retry"]: return .operatorRetry(segments[3])
        case ["recheck"]: return .operatorRecheck(segments[3])
        default: return nil
        }
    }

    /// What may be done there.
    var methods: [String] {
        switch self {
        case .health, .ready, .products, .content, .receipt, .purchases, .operatorSubmissions,
            .operatorSubmission:
            ["GET"]
        case .users, .receipts, .operatorRetry, .operatorRecheck: ["POST"]
        case .sessions: ["POST", "DELETE"]
        }
    }

    var bodyMax: Int {
        self == .receipts ? BackendLimits.receiptBodyMax : BackendLimits.bodyMax
    }
}
