import StoreHTTP
import StoreService
import StoreWire

/// The submissions that an operator wants to see; every filter that is set must match.
struct SubmissionFilter: Hashable, Sendable {
    /// A user's name or identifier.
    var user: String?
    /// A transaction, or the original one.
    var transaction: String?
    var receiptHash: [UInt8]?
    var state: OperatorSubmissionBody.State?
    /// The last submission of the previous page.
    var after: String?
    var countMax = BackendLimits.lookupDefault

    /// Reads the query of `GET /operator/v1/submissions`; names the item that is wrong.
    init(_ query: [(name: String, value: String)]) throws(Refusal) {
        try Self.read(query) { (name, value) throws(Refusal) in try set(name, value) }
    }

    /// Reads a query item by item, each of which may appear once; with names, one of those is needed.
    static func read(
        _ query: [(name: String, value: String)], by names: String? = nil,
        _ set: (_ name: String, _ value: String) throws(Refusal) -> Void
    ) throws(Refusal) {
        var seen: Set<String> = []
        for (name, value) in query {
            guard seen.insert(name).inserted else { throw bad("\(name) is given twice.") }
            try set(name, value)
        }
        if let names, seen.isSubset(of: ["limit", "after"]) {
            throw bad("Name what to look up: \(names).")
        }
    }

    private mutating func set(_ name: String, _ value: String) throws(Refusal) {
        switch name {
        case "user": user = try Self.word(name, value)
        case "transaction": transaction = try Self.word(name, value)
        case "after": after = try Self.word(name, value)
        case "digest":
            guard let hash = Self.digest(value) else {
                throw Self.bad("digest must be a SHA-256 of 64 hexadecimal digits.")
            }
            receiptHash = hash
        case "state":
            guard let state = OperatorSubmissionBody.State(rawValue: value) else {
                let all = OperatorSubmissionBody.State.allCases.map(\.rawValue)
                throw Self.bad("state must be one of \(all.joined(separator: ", ")).")
            }
            self.state = state
        case "limit":
            countMax = try Self.limit(value)
        default:
            throw Self.bad(
                "This query item is unknown; known are user, transaction, digest, state, limit and "
                    + "after.")
        }
    }

    /// The bytes of 64 hexadecimal digits.
    static func digest(_ text: String) -> [UInt8]? {
        let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == 64, text.utf8.count == 64 else { return nil }
        return stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    /// The size of a page.
    static func limit(_ value: String) throws(Refusal) -> Int {
        guard let limit = Int(value), (1...BackendLimits.lookupMax).contains(limit) else {
            throw bad("limit must be a number from 1 to \(BackendLimits.lookupMax).")
        }
        return limit
    }

    static func word(_ name: String, _ value: String) throws(Refusal) -> String {
        guard isPlainWord(value, bytesMax: BackendLimits.lookupWordBytesMax) else {
            throw bad(
                "\(name) must be 1 to \(BackendLimits.lookupWordBytesMax) bytes of text without "
                    + "control characters.")
        }
        return value
    }

    static func bad(_ message: String) -> Refusal {
        .init(422, "badQuery", message)
    }
}
