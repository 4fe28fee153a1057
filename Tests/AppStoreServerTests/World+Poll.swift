import StoreModel
import Testing

@testable import AppStoreServer

extension World {
    /// Lets a poll of an account for a topic wait, from a device that the account does not use. Gives
    /// its end, which only news cause: its time limit is a day.
    func poll(_ topic: UpdateHub.Topic, of account: String) throws -> AsyncStream<Void> {
        let id = try database.read { scope in
            try #require(try scope.value("SELECT id FROM account WHERE name = ?1", [account]))
                as AccountID
        }
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let waits = updates.wait(
            for: id, device: DeviceID(999), topic: topic, seconds: 86_400
        ) { end.yield() }
        try #require(waits)
        return ended
    }
}
