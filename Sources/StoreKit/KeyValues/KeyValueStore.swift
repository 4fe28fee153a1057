import CrashPoints
import Foundation
import StoreModel
import StoreWire
import Synchronization

/// The key values of the account that is signed in, as the app reads and sets them: in memory, and
/// in the home folder, which other processes of the app share.
///
/// Values are on disk when `set` returns. Nothing here contacts the store.
final class KeyValueStore: Sendable {
    /// Notifies the app of external changes.
    typealias Tell = @Sendable (KeyValueReason, Set<String>) -> Void

    private struct State {
        /// The owner of the values shown.
        var owner: KeyValueOwner?
        /// The files as last read or written.
        var marks: [FileMark?]?
        /// What the app has seen: every difference from it is news.
        var shown: [String: PropertyListValue] = [:]
        var news = KeyValueNews()
        /// Values that could not be written to disk, by owner.
        var unsaved: [KeyValueOwner?: [String: PropertyListValue?]] = [:]
        /// Nil when there is no store, or the device has ended: then values are kept in memory only.
        var folder: KeyValueFolder?
    }

    private let state = Mutex(State())
    private let tell: Tell

    init(folder: KeyValueFolder?, tell: @escaping Tell) {
        self.tell = tell
        state.withLock { state in
            state.folder = folder
            readAgain(&state)
            // Values that existed before the app looked are not news.
            state.news = KeyValueNews()
        }
    }

    /// Keeps values in memory only from now on, so that nothing makes the folder again.
    func end() {
        state.withLock { $0.folder = nil }
    }

    // MARK: - The app's side

    /// All keys that have a value.
    var values: [String: PropertyListValue] {
        defer { tellNews() }
        return state.withLock { state in
            readAgain(&state)
            return state.shown
        }
    }

    /// Sets or removes a value. If there is no room for it, nothing changes and the app is
    /// notified.
    func set(_ value: PropertyListValue?, for key: String) {
        let hasRoom = state.withLock { state in
            guard let folder = state.folder else { return setInMemory(value, for: key, &state) }
            do {
                return try change(&state, in: folder) { $0.set(value, for: key) }
            } catch {
                Diagnostic.sayOnce("\(error)")
                state.unsaved[state.owner, default: [:]][key] = .some(value)
                state.shown[key] = value
                return true
            }
        }
        if !hasRoom { tell(.quotaViolation, [key]) }
        CrashPoint.deviceKeyValueWritten.reach()
        tellNews()
    }

    /// Writes values that the disk refused before; false when it refuses again, or without a store.
    func save() -> Bool {
        defer { tellNews() }
        return state.withLock { state in
            guard let folder = state.folder else { return false }
            do {
                try change(&state, in: folder) { _ in }
                return true
            } catch {
                Diagnostic.sayOnce("\(error)")
                return false
            }
        }
    }

    private func setInMemory(
        _ value: PropertyListValue?, for key: String, _ state: inout State
    ) -> Bool {
        var record = KeyValueRecord(owner: nil)
        for (key, value) in state.shown { _ = record.set(value, for: key) }
        defer { state.shown = record.values }
        return record.set(value, for: key)
    }

    // MARK: - The store's side

    /// Shows the values of the account now signed in, which adopts any values without an owner.
    func show(_ owner: KeyValueOwner) throws {
        try state.withLock { state in
            guard let folder = state.folder else { return }
            try change(&state, in: folder) { _ in }
            guard state.owner != owner else { return }
            try folder.locked {
                let present = try folder.load()
                var record = try folder.load(owner)
                if present.owner == nil { record.adopt(present) }
                try folder.save(record)
                try folder.show(owner)
                notice(record, .server, &state, in: folder)
            }
        }
    }

    /// The next request to the store for an owner.
    struct Step: Sendable {
        /// Nil when there is nothing to send.
        let request: KeyValueRecord.Request?
        /// The known revision; nil before the first exchange.
        let known: Int64?
    }

    /// Nil when another owner's values are now shown.
    ///
    /// - Parameter sends: Whether pending changes may be sent now.
    func nextStep(of owner: KeyValueOwner, sends: Bool = true) throws -> Step? {
        try state.withLock { state in
            guard let folder = state.folder else { return nil }
            return try change(&state, in: folder) { record in
                guard record.owner == owner else { return nil }
                let request = sends ? record.nextRequest { UUID().uuidString } : nil
                return Step(request: request, known: record.revision)
            }
        }
    }

    /// Applies the store's answer, which may arrive after another account has signed in.
    func take(
        _ answer: KeyValuesBody, to known: Int64?, answering id: String? = nil,
        of owner: KeyValueOwner
    ) throws {
        try change(of: owner, news: known == nil ? .initialSync : .server) {
            $0.take(answer, to: known, answering: id)
        }
    }

    /// The store refused a request for now; the app is notified when the reason is lack of room.
    func putOff(
        _ request: KeyValueRecord.Request, of owner: KeyValueOwner, isFull: Bool
    ) throws {
        try change(of: owner, news: .server) { $0.putOff(request.id, isFull: isFull) }
        if isFull { tell(.quotaViolation, Set(request.changes.keys)) }
    }

    /// Notifies the app of news.
    func tellNews() {
        let news = state.withLock { state in
            defer { state.news = KeyValueNews() }
            return state.news
        }
        if let reason = news.reason { tell(reason, news.keys) }
    }

    private func change(
        of owner: KeyValueOwner, news reason: KeyValueReason,
        _ body: (inout KeyValueRecord) -> Void
    ) throws {
        try state.withLock { state in
            guard let folder = state.folder else { return }
            let isShown = try change(&state, in: folder, news: reason) { record in
                guard record.owner == owner else { return false }
                body(&record)
                return true
            }
            if isShown { return }
            try folder.locked {
                var record = try folder.load(owner)
                body(&record)
                try folder.save(record)
            }
        }
    }

    // MARK: - Memory and disk

    /// Changes the record shown, as it is on disk now, and adds what the disk refused before.
    /// Without a reason, the change is the app's own and not news.
    @discardableResult
    private func change<Answer>(
        _ state: inout State, in folder: KeyValueFolder, news reason: KeyValueReason? = nil,
        _ body: (inout KeyValueRecord) -> Answer
    ) throws -> Answer {
        try folder.locked {
            let before = try folder.load()
            notice(before, .server, &state, in: folder)
            var record = before
            for (key, value) in state.unsaved[record.owner] ?? [:] {
                _ = record.set(value, for: key)
            }
            let answer = body(&record)
            if record != before { try folder.save(record) }
            state.unsaved[record.owner] = nil
            if let reason { notice(record, reason, &state, in: folder) }
            state.shown = record.values
            state.marks = folder.marks(of: record.owner)
            return answer
        }
    }

    /// Reads the files again when another process has written them; on failure nothing changes.
    private func readAgain(_ state: inout State) {
        guard let folder = state.folder, state.marks != folder.marks(of: state.owner) else {
            return
        }
        do {
            try folder.locked { notice(try folder.load(), .server, &state, in: folder) }
        } catch {
            Diagnostic.sayOnce("\(error)")
        }
    }

    /// Shows a record; what differs from what the app has seen is news. Call with the files locked.
    private func notice(
        _ record: KeyValueRecord, _ reason: KeyValueReason, _ state: inout State,
        in folder: KeyValueFolder
    ) {
        var values = record.values
        for (key, value) in state.unsaved[record.owner] ?? [:] { values[key] = value }
        let keys = Set(values.keys).union(state.shown.keys)
            .filter { values[$0] != state.shown[$0] }
        if record.owner != state.owner, state.owner != nil {
            state.news.add(.account, keys)
        } else if !keys.isEmpty {
            state.news.add(record.owner == state.owner ? reason : .initialSync, keys)
        }
        state.shown = values
        state.owner = record.owner
        state.marks = folder.marks(of: record.owner)
    }
}
