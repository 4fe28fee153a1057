import StoreModel
import Synchronization

/// A clock that moves when it is told to.
final class TestClock: Sendable {
    private let moment = Mutex(Timestamp(milliseconds: 1_714_558_830_000))

    var wallClock: WallClock { WallClock { self.now } }

    var now: Timestamp { moment.withLock { $0 } }

    func advance(milliseconds: Int64) {
        moment.withLock { $0 = $0.adding(milliseconds: milliseconds) }
    }
}
