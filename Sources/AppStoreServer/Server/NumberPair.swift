/// Where a page ends in each of two lists that one answer shows: the last number that was shown of
/// the one and of the other.
struct NumberPair: Hashable, Sendable {
    var first: Int64
    var second: Int64

    /// Before anything was shown.
    static let start = NumberPair(first: 0, second: 0)
}

extension NumberPair: LosslessStringConvertible {
    /// As a client sends it back.
    static let pattern = "^(0|[0-9]{1,16}-[0-9]{1,16})$"

    var description: String { "\(first)-\(second)" }

    /// Nil unless it is `0`, for the start, or what an answer gave.
    init?(_ text: String) {
        if text == "0" {
            self = .start
        } else if let match = text.wholeMatch(of: /([0-9]{1,16})-([0-9]{1,16})/),
            let first = Int64(match.1), let second = Int64(match.2)
        {
            self.init(first: first, second: second)
        } else {
            return nil
        }
    }
}
