import CrashPoints
import Foundation
import StoreModel
import StoreWire
import Synchronization

/// The key values of whoever is signed in, as the app reads and sets them: in memory, and in the
/// home folder, which other processes of the app share.
///
/// What is set is on disk when `set` returns. Nothing here talks to the store.
final class KeyValueStore: Sendable {
    /// Tells the app of changes that are not its own.
    typealias Tell = @Sendable (KeyValueReason, Set<String>) -> Void

    private struct State {
        /// Whose values are shown.
        var owner: KeyValueOwner?
        /// The files as they were read or written last.
        var marks: [FileMark?]?
        /// What the app has seen: every difference to it is news.
        var shown: [String: PropertyListValue] = [:]
        var news = KeyValueNews()
        /// What the disk did not take, by whose it is.
        var unsaved: [KeyValueOwner?: [String: PropertyListValue?]] = [:]
    }

    /// Nil when there is no store: then values are kept in memory only.
    private let folder: KeyValueFolder?
    private let state = Mutex(State())
    private let tell: Tell

    init(folder: KeyValueFolder?, tell: @escaping Tell) {
        self.folder = folder
        self.tell = tell
        state.withLock { state in
            readAgain(&state)
            // What there was before the app looked is no news.
            state.news = KeyValueNews()
        }
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

    /// Sets or removes a value. What there is no room for changes nothing, and is told.
    func set(_ value: PropertyListValue?, for key: String) {
        let hasRoom = state.withLock { state in
            guard let folder else { return setInMemory(value, for: key, &state) }
            do {
                return try change(&state, in: folder) { $0.set(value, for: key) }
            } catch {
                Message.sayOnce("\(error)")
                state.unsaved[state.owner, default: [:]][key] = .some(value)
                state.shown[key] = value
                return true
            }
        }
        if !hasRoom { tell(.quotaViolation, [key]) }
        CrashPoint.deviceKeyValueWritten.reach()
        tellNews()
    }

    /// Writes what the disk did not take; false when it refuses again, or when there is no store.
    func save() -> Bool {
        guard let folder else { return false }
        defer { tellNews() }
        return state.withLock { state in
            do {
                try change(&state, in: folder) { _ in }
                return true
            } catch {
                Message.sayOnce("\(error)")
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

    /// Shows the values of whoever is signed in now; what nobody had becomes theirs.
    func show(_ owner: KeyValueOwner) throws {
        guard let folder else { return }
        try state.withLock { state in
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

    /// What to ask the store next for an owner.
    struct Step: Sendable {
        /// Nil when there is nothing to send.
        let request: KeyValueRecord.Request?
        /// The revision that is known; nil before the first exchange.
        let known: Int64?
    }

    /// Nil when somebody else's values are shown meanwhile.
    ///
    /// - Parameter sends: whether what there is to send may be sent now.
    func nextStep(of owner: KeyValueOwner, sends: Bool = true) throws -> Step? {
        guard let folder else { return nil }
        return try state.withLock { state in
            try change(&state, in: folder) { record in
                guard record.owner == owner else { return nil }
                let request = sends ? record.nextRequest { UUID().uuidString } : nil
                return Step(request: request, known: record.revision)
            }
        }
    }

    /// Takes over what the store says; an answer may come after somebody else signed in.
    func take(
        _ answer: KeyValuesBody, to known: Int64?, answering id: String? = nil,
        of owner: KeyValueOwner
    ) throws {
        try change(of: owner, news: known == nil ? .initialSync : .server) {
            $0.take(answer, to: known, answering: id)
        }
    }

    /// The store does not take a request now; the reason is told when it has no room.
    func putOff(
        _ request: KeyValueRecord.Request, of owner: KeyValueOwner, isFull: Bool
    ) throws {
        try change(of: owner, news: .server) { $0.putOff(request.id, isFull: isFull) }
        if isFull { tell(.quotaViolation, Set(request.changes.keys)) }
    }

    /// Tells the app what it does not know yet.
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
        guard let folder else { return }
        try state.withLock { state in
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

    /// Changes the record that is shown, as it is on disk now, together with what the disk did not
    /// take before. Without a reason the change is the app's own, and no news.
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

    /// Reads the files when somebody else has written them; what cannot be read stays as it was.
    private func readAgain(_ state: inout State) {
        guard let folder, state.marks != folder.marks(of: state.owner) else { return }
        do {
            try folder.locked { notice(try folder.load(), .server, &state, in: folder) }
        } catch {
            Message.sayOnce("\(error)")
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
