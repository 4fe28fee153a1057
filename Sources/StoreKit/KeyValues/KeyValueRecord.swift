import StoreModel
import StoreWire

/// The key values of one account, or of none yet, as this device knows them: the store's values,
/// overlaid with those that the store has not confirmed.
///
/// Values or the store's answers go in; nothing here waits.
struct KeyValueRecord: Codable, Hashable, Sendable {
    /// A key's new value; nil removes the key.
    struct Change: Codable, Hashable, Sendable {
        let value: PropertyListValue?
    }

    /// Changes that may have reached the store. They are sent again unchanged, under the same id,
    /// until the store answers.
    struct Request: Codable, Hashable, Sendable {
        let id: String
        /// Whether they were written before any of the store's values were known.
        let isInitial: Bool
        let changes: [String: Change]
    }

    /// Nil before an account signs in.
    let owner: KeyValueOwner?
    /// The last known revision of the store; nil before the first exchange.
    private(set) var revision: Int64?
    private(set) var stored: [String: PropertyListValue] = [:]
    private(set) var request: Request?
    /// Changes made after the request.
    private(set) var changes: [String: Change] = [:]
    /// The revision at which the store had no room for the changes: they are not sent again until
    /// something else has changed.
    private(set) var fullAt: Int64?
    /// Whether the app has changed something since the request was made; nil means no.
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

    /// Sets or removes a value; false, and without effect, when there is no room for it.
    mutating func set(_ value: PropertyListValue?, for key: String) -> Bool {
        var next = self
        next.changes[key] = Change(value: value)
        // A value unknown elsewhere needs no removal.
        if value == nil, stored[key] == nil, request?.changes[key] == nil {
            next.changes[key] = nil
        }
        next.fullAt = nil
        if request != nil { next.hasChangedSince = true }
        guard value == nil || Self.fits(next.values, instead: values) else { return false }
        self = next
        return true
    }

    /// Whether the values fit, or take no more room than the current ones: values merged from
    /// several devices may exceed the limits, and must be able to shrink.
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

    /// The next request to send: the unanswered one, or else a new one; nil when there are no
    /// changes.
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

    /// Applies the store's answer to a request or to a query after a revision.
    ///
    /// Other processes query, too, so an answer may be older than what is known.
    mutating func take(
        _ answer: KeyValuesBody, to known: Int64?, answering id: String? = nil
    ) {
        if let id, request?.id == id { request = nil }
        let isFirst = revision == nil
        guard isNews(answer, to: known) else { return }
        if answer.isWhole { stored = [:] }
        for entry in answer.entries { stored[entry.key] = entry.value }
        revision = answer.revision
        // The account's own values win over those written without knowledge of them.
        if isFirst, id == nil { changes = changes.filter { stored[$0.key] == nil } }
    }

    private func isNews(_ answer: KeyValuesBody, to known: Int64?) -> Bool {
        if answer.isWhole { return answer.revision >= revision ?? 0 || known == revision }
        guard let revision, let known else { return false }
        return known <= revision && revision <= answer.revision
    }

    /// The store refused a request and changed nothing: its changes wait, overlaid by later ones.
    /// If the store has no room, they wait until something has changed; a change made after they
    /// were sent may have freed some.
    mutating func putOff(_ id: String, isFull: Bool) {
        guard let refused = request, refused.id == id else { return }
        request = nil
        changes = refused.changes.merging(changes) { $1 }
        fullAt = isFull && hasChangedSince != true ? revision ?? 0 : nil
        hasChangedSince = nil
    }

    /// Adopts what was written before any account had signed in; the owner's own values win.
    mutating func adopt(_ nobodys: KeyValueRecord) {
        let present = values
        for (key, value) in nobodys.values where present[key] == nil {
            _ = set(value, for: key)
        }
    }
}

/// The owner of key values: an account in one environment of its world. Environments share nothing.
struct KeyValueOwner: Codable, Hashable, Sendable {
    let customer: Customer
    /// `Production` or `Sandbox`.
    let environment: String
}

extension DeviceRecord.Session {
    /// The owner of the key values that this device shows; nil when no account is signed in.
    var keyValueOwner: KeyValueOwner? {
        customer.map { KeyValueOwner(customer: $0, environment: environment) }
    }
}
