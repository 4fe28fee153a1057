import Dispatch
import Synchronization

/// Where the queues of a context run.
///
/// The process's own context has threads for itself, since its customer may think for minutes before
/// a sheet. Contexts of tests have sheets that nobody sees, and take turns on a few threads: a queue
/// of theirs waits while those of others that share its lane work.
struct Lanes: Sendable {
    /// For work that waits for the store.
    let calls: DispatchQueue?
    /// For the journal; nothing here waits for the store.
    let journal: DispatchQueue?
    /// The journal's queue waits for this one, so they share nothing.
    let downloads: DispatchQueue?
    /// Whether others have the same ones.
    var areShared: Bool { calls != nil }

    /// Threads of its own.
    init() {
        calls = nil
        journal = nil
        downloads = nil
    }

    private init(shared number: Int) {
        calls = Self.shared.calls[number % Self.shared.calls.count]
        journal = Self.shared.journal[number % Self.shared.journal.count]
        downloads = Self.shared.downloads[number % Self.shared.downloads.count]
    }

    /// The next of the shared ones, in turns.
    static func next() -> Lanes {
        Lanes(shared: Int(count.add(1, ordering: .relaxed).oldValue & 0xFFFF))
    }

    private static let count = Atomic<UInt>(0)
    private static let shared = (
        calls: queues("calls", 16), journal: queues("journal", 4),
        downloads: queues("downloads", 2)
    )

    private static func queues(_ name: String, _ count: Int) -> [DispatchQueue] {
        (0..<count).map { _ in DispatchQueue(label: "StoreKit.lane.\(name)") }
    }
}
