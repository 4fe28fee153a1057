import StoreModel
import StoreWire

/// How far a client has listed the sales of each environment.
///
/// Transaction numbers grow with each commit of an environment, and for all worlds of a name, so a
/// sale made during an export, or after it, has a number above its environment's. One number for
/// both would not do: production's are below all of the sandbox's.
struct SalePosition: Hashable, Sendable {
    /// The last number that was listed; 0 for none.
    private var production: Int64
    private var sandbox: Int64

    static let start = SalePosition(production: 0, sandbox: 0)

    subscript(environment: StoreEnvironment) -> Int64 {
        get {
            switch environment {
            case .production: production
            case .sandbox: sandbox
            }
        }
        set {
            switch environment {
            case .production: production = newValue
            case .sandbox: sandbox = newValue
            }
        }
    }
}

extension SalePosition: LosslessStringConvertible {
    /// As a client sends it back.
    static let pattern = "^(0|[0-9]{1,16}-[0-9]{1,16})$"

    var description: String { "\(production)-\(sandbox)" }

    /// Nil unless it is `0`, for the start, or a position that an answer gave.
    init?(_ text: String) {
        if text == "0" {
            self = .start
        } else if let match = text.wholeMatch(of: /([0-9]{1,16})-([0-9]{1,16})/),
            let production = Int64(match.1), let sandbox = Int64(match.2)
        {
            self.init(production: production, sandbox: sandbox)
        } else {
            return nil
        }
    }
}
