import Synchronization

/// Whom the memory for a large body is counted for.
package enum BodySender: Hashable, Sendable {
    /// Everyone without a token that is known here, together.
    case stranger
    /// An account, on all its devices and connections.
    case account(String)
    /// The owner of the server, who has no limit of their own.
    case owner
}

/// The memory that the large bodies of open requests take, by sender.
final class BodyShares: Sendable {
    private let taken = Mutex<[BodySender: Int]>([:])

    /// Adds bytes and gives the sender's sum.
    func take(_ count: Int, of sender: BodySender) -> Int {
        taken.withLock { taken in
            let sum = taken[sender, default: 0] + count
            taken[sender] = sum
            return sum
        }
    }

    func giveBack(_ count: Int, of sender: BodySender) {
        taken.withLock { taken in
            let rest = taken[sender, default: 0] - count
            taken[sender] = rest > 0 ? rest : nil
        }
    }
}
