import StoreModel
import StoreWire

/// How far a client has listed the sales of each environment.
///
/// Transaction numbers grow with each commit of an environment, and for all worlds of a name, so a
/// sale made during an export, or after it, has a number above its environment's. One number for
/// both would not do: production's are below all of the sandbox's.
struct SalePosition: Hashable, Sendable {
    /// The last numbers that were listed in production and in the sandbox; 0 for none.
    private var last: NumberPair

    static let start = SalePosition(last: .start)

    subscript(environment: StoreEnvironment) -> Int64 {
        get {
            switch environment {
            case .production: last.first
            case .sandbox: last.second
            }
        }
        set {
            switch environment {
            case .production: last.first = newValue
            case .sandbox: last.second = newValue
            }
        }
    }
}

extension SalePosition: LosslessStringConvertible {
    var description: String { last.description }

    /// Nil unless it is `0`, for the start, or a position that an answer gave.
    init?(_ text: String) {
        guard let last = NumberPair(text) else { return nil }
        self.init(last: last)
    }
}
