import StoreModel
import StoreWire

/// The key values of one account, or of nobody yet, as this device knows them: what the store has,
/// and over it what the store has not confirmed.
///
/// A value goes in, or an answer of the store; nothing is waited for here.
struct KeyValueRecord: Codable, Hashable, Sendable {
    /// What a key is to hold; nothing removes it.
    struct Change: Codable, Hashable, Sendable {
        let value: PropertyListValue?
    }

    /// Changes that may have reached the store. They are sent again as they are, under the same id,
    /// until the store has answered.
    struct Request: Codable, Hashable, Sendable {
        let id: String
        /// Whether they were written before any value of the store was known.
        let isInitial: Bool
        let changes: [String: Change]
    }

    /// Nil before anybody was signed in.
    let owner: KeyValueOwner?
    /// The store's revision that is known; nil before the first exchange.
    private(set) var revision: Int64?
    private(set) var stored: [String: PropertyListValue] = [:]
    private(set) var request: Request?
    /// What came after the request.
    private(set) var changes: [String: Change] = [:]
    /// The revision at which the store had no room for the changes: they are not sent again before
    /// something else has changed.
    private(set) var fullAt: Int64?
    /// Whether the app has changed something since the request was made; nil for no.
    private(set) var hasChangedSince: Bool?

    init(owner: KeyValueOwner?) {
        self.owner = owner
    }

    /// What the app sees.
    var values: [String: PropertyListValue] {
        var values = stored
        for (key, change) in request?.changes ?? [:] { values[key] = change.value }
        for (key, change) in changes { values[key] = change.value }
        return values
    }

    /// Sets or removes a value; false, without a change, when there is no room for it.
    mutating func set(_ value: PropertyListValue?, for key: String) -> Bool {
        var next = self
        next.changes[key] = Change(value: value)
        // What nobody else has heard of needs no removal.
        if value == nil, stored[key] == nil, request?.changes[key] == nil {
            next.changes[key] = nil
        }
        next.fullAt = nil
        if request != nil { next.hasChangedSince = true }
        guard value == nil || Self.fits(next.values, instead: values) else { return false }
        self = next
        return true
    }

    /// Whether there is room for values, or no less than for those there are: what came together
    /// from several devices may be more than fits, and must be able to shrink.
    private static func fits(
        _ next: [String: PropertyListValue], instead present: [String: PropertyListValue]
    ) -> Bool {
        func bytes(_ values: [String: PropertyListValue]) -> Int {
            values.values.reduce(0) { $0 + $1.byteCount }
        }
        let size = bytes(next)
        return (size <= KeyValueLimits.bytesMax || size < bytes(present))
            && (next.count <= KeyValueLimits.keysMax || next.count <= present.count)
    }

    /// What is to be sent now: the request that was not answered, else a new one; nil when there is
    /// nothing.
    mutating func nextRequest(newID: () -> String) -> Request? {
        if let request { return request }
        guard !changes.isEmpty, fullAt != revision ?? 0 else { return nil }
        let keys = Set(changes.keys.sorted().prefix(KeyValueLimits.changesMax))
        let made = Request(
            id: newID(), isInitial: revision == nil,
            changes: changes.filter { keys.contains($0.key) })
        request = made
        hasChangedSince = nil
        for key in keys { changes[key] = nil }
        return made
    }

    /// Takes over what the store answered to a question that named a revision, and to a request.
    ///
    /// Other processes ask, too, so an answer may be older than what is known.
    mutating func take(
        _ answer: KeyValuesBody, to known: Int64?, answering id: String? = nil
    ) {
        if let id, request?.id == id { request = nil }
        let isFirst = revision == nil
        guard isNews(answer, to: known) else { return }
        if answer.isWhole { stored = [:] }
        for entry in answer.entries { stored[entry.key] = entry.value }
        revision = answer.revision
        // The account's own values come before those that were written without knowing them.
        if isFirst, id == nil { changes = changes.filter { stored[$0.key] == nil } }
    }

    private func isNews(_ answer: KeyValuesBody, to known: Int64?) -> Bool {
        if answer.isWhole { return answer.revision >= revision ?? 0 || known == revision }
        guard let revision, let known else { return false }
        return known <= revision && revision <= answer.revision
    }

    /// The store refused a request and changed nothing: its changes wait, under those that came
    /// later. When it has no room, they wait until something has changed; what has changed since
    /// they were sent may have made room.
    mutating func putOff(_ id: String, isFull: Bool) {
        guard let refused = request, refused.id == id else { return }
        request = nil
        changes = refused.changes.merging(changes) { $1 }
        fullAt = isFull && hasChangedSince != true ? revision ?? 0 : nil
        hasChangedSince = nil
    }

    /// Takes over what was written before anybody had signed in; the owner's own values stay.
    mutating func adopt(_ nobodys: KeyValueRecord) {
        let present = values
        for (key, value) in nobodys.values where present[key] == nil {
            _ = set(value, for: key)
        }
    }
}

/// Whose key values they are: an account's, in an environment of its world, which share nothing.
struct KeyValueOwner: Codable, Hashable, Sendable {
    let customer: Customer
    /// `Production` or `Sandbox`.
    let environment: String
}

extension DeviceRecord.Session {
    /// Whose key values this device shows; nil when nobody is signed in.
    var keyValueOwner: KeyValueOwner? {
        customer.map { KeyValueOwner(customer: $0, environment: environment) }
    }
}
