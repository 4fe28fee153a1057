import Dispatch
import Synchronization

/// Moves the write-ahead log into the database on a thread of its own, so that no commit waits
/// for it (p99 of a purchase 5 to 19 ms, against 55 ms when the writer does it).
final class Checkpointer: Sendable {
    static let intervalMilliseconds = 100
    /// Pages (4 KiB each) of log above which it is started over, readers permitting.
    static let pagesMax = 16_384
    /// Pages of log above which the writer stops between two commits until it is started over. Who
    /// writes without a pause, as a clock that goes on for years does, leaves no other moment.
    static let pagesPatienceMax = 2 * pagesMax

    /// Nil once it is closed.
    private let connection: Mutex<Connection?>
    private let queue = DispatchQueue(label: "bodega.checkpoint", qos: .utility)
    private let isScheduled = Mutex(false)
    /// Whether the log is too long, and the writer was in the way.
    private let isOverdue = Mutex(false)

    /// Opens a file that is in WAL mode already.
    init(path: String) throws(DatabaseError) {
        let connection = try Connection(path: path)
        // Until it has read once, a connection does not know that there is a log, and its
        // checkpoints do nothing.
        _ = try connection.rows("SELECT 1 FROM sqlite_schema LIMIT 1")
        // Starting the log over holds the writer up while it waits for readers, a snapshot's say;
        // so it gives way and is tried again after a later commit.
        connection.waitNever()
        self.connection = Mutex(connection)
    }

    /// Asks for a checkpoint soon; cheap, called after every commit on the writer's thread.
    func schedule() {
        if isOverdue.withLock({ exchange(&$0, with: false) }) {
            connection.withLock { _ = $0?.restartLog() }
        }
        guard !isScheduled.withLock({ exchange(&$0, with: true) }) else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.intervalMilliseconds)) { [self] in
            isScheduled.withLock { $0 = false }
            connection.withLock { connection in
                guard let connection else { return }
                let pages = connection.checkpoint()
                guard pages > Self.pagesMax, !connection.restartLog() else { return }
                // Readers may be in the way instead, so the writer tries once, until the next time.
                if pages > Self.pagesPatienceMax { isOverdue.withLock { $0 = true } }
            }
        }
    }

    /// Waits for a checkpoint under way and lets go of the file.
    func close() {
        connection.withLock { $0 = nil }
    }
}
