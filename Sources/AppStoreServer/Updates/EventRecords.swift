import StoreDatabase
import StoreModel

/// One fact in a world's history.
struct Event: Sendable {
    enum Kind: String, CaseIterable, ColumnValue {
        case purchased
        case finished
        /// A waiting attempt, the subject, ended without a transaction of its own.
        case declined
        case revoked
        /// A refund was requested; the subject is the reason.
        case refundRequested
        case refundDeclined
        /// A refund was reversed.
        case refundReversed
        /// The account buys in another storefront; the subject is its country code.
        case storefrontChanged
        /// An account was asked about a price or answered; the subject is the question's number.
        case priceConsent
        /// Another product replaced a subscription's period.
        case replaced
        /// A subscription's next period was paid for.
        case renewed
        /// Its payment failed for the first time; the subject is when its grace period ends, as
        /// RFC 3339 writes it, nil without one.
        case renewalFailed
        case gracePeriodEnded
        /// It ended; the subject is the number of the reason.
        case expired
        /// The customer turned renewal on or off, or chose another product; the subject is the
        /// product that it renews as, nil for none.
        case renewalChanged
        /// Its period was made longer; the subject is the identifier of the app's server's request,
        /// nil when the owner did it.
        case extended
        /// It could not be extended with all others of its product; the subject is the identifier
        /// of the request.
        case extensionFailed
        /// It renews at a higher price, unless it needs the customer's consent and does not get it.
        case priceIncreased
        /// A family member's purchase is now shared with the account.
        case shared
        /// A purchase was restored to a device.
        case restored
        /// A test deleted a transaction.
        case deleted
        /// The app's server named the user of a purchase.
        case appAccountTokenSet
        /// The end of a transaction's period was moved; another event tells why.
        case periodMoved
    }

    let number: EventNumber
    let kind: Kind
    /// The event's transaction; nil when it has none.
    let transaction: DeliveredTransaction?
    /// What else the event is about, such as an attempt or a product; each kind says which.
    let subject: String?
    /// The event's question about a price, as it is now.
    let priceConsent: PriceConsent?
}

/// Kinds as SQL lists them.
func list(of kinds: [Event.Kind]) -> String {
    kinds.map { "'\($0.rawValue)'" }.joined(separator: ", ")
}

extension ReadScope {
    /// The number of the newest event; 0 in a world without any.
    borrowing func lastEventNumber() throws -> EventNumber {
        try value("SELECT max(number) FROM event") ?? EventNumber(0)
    }

    /// The events of an account in an app that a device gets after a position, oldest first,
    /// without purchases restored to another device.
    borrowing func events(
        _ choice: DeviceEvents, of account: AccountID, in app: AppID, on device: DeviceID,
        after position: EventNumber, countMax: Int
    ) throws -> [Event] {
        let found = try rows(
            choice.page,
            [
                .integer(account.rawValue), .integer(app.rawValue), .integer(position.rawValue),
                .integer(Int64(countMax)), .integer(device.rawValue),
            ])
        let content = found.isEmpty ? [:] : try currentContent(of: app)
        var events: [Event] = []
        for row in found {
            let kind: Event.Kind = try row["kind"]
            let transaction: TransactionID? = try row["transaction_id"]
            let subject: String? = try row["subject"]
            events.append(
                Event(
                    number: try row["number"], kind: kind,
                    transaction: try transaction.map {
                        let sold = try delivered($0, deviceGuid: try row["guid"])
                        return sold.bringing(content[sold.transaction.product])
                    },
                    subject: subject,
                    priceConsent: kind == .priceConsent
                        ? try priceConsent(ofEvent: subject) : nil))
        }
        return events
    }

    /// An event's subject, which is never deleted.
    private borrowing func priceConsent(ofEvent subject: String?) throws -> PriceConsent {
        guard let number = subject.flatMap({ Int64($0) }), let consent = try priceConsent(number)
        else { throw DatabaseError(code: .notADatabase, detail: "event without price consent") }
        return consent
    }

    /// An event's subject, which is never deleted.
    private borrowing func delivered(
        _ id: TransactionID, deviceGuid: String?
    ) throws -> DeliveredTransaction {
        guard let deviceGuid, let transaction = try transaction(id) else {
            throw DatabaseError(code: .notADatabase, detail: "event without transaction")
        }
        let delivered = DeliveredTransaction(
            transaction: transaction, deviceGuid: deviceGuid,
            isTakenBack: try isTakenBack(transaction))
        return try withOriginals([delivered])[0]
    }

    borrowing func cursor(of reader: String) throws -> EventNumber? {
        try row("SELECT number FROM event_cursor WHERE reader = ?1", [.text(reader)])
            .map { try $0["number"] }
    }
}

extension WriteScope {
    /// Records what happened with a transaction.
    @discardableResult
    borrowing func record(
        _ happening: Happening, of transaction: StoreTransaction, at time: Timestamp
    ) throws -> EventNumber {
        try addEvent(
            happening, for: transaction.account, in: transaction.app, transaction.environment,
            about: .transaction(transaction), at: time)
    }

    /// Records what happened with a subscription, in its newest period.
    borrowing func record(
        _ happening: Happening, of kept: SubscriptionRecord, at time: Timestamp
    ) throws {
        _ = try addEvent(
            happening, for: kept.account, in: kept.app, kept.environment,
            about: .subscription(kept), at: time)
    }

    /// Records a renewal, with what its settlement knows: renewals are fast enough for reading it
    /// again to show.
    borrowing func record(
        _ happening: Happening, of transaction: StoreTransaction, to kept: SubscriptionRecord,
        renewing next: NextRenewal, at time: Timestamp
    ) throws {
        _ = try addEvent(
            happening, for: kept.account, in: kept.app, kept.environment,
            about: .renewal(transaction, kept, next), at: time)
    }

    /// Records what happened to an account in an app without concerning a transaction.
    borrowing func record(
        _ happening: Happening, for account: AccountID, in app: AppID,
        _ environment: StoreEnvironment, at time: Timestamp
    ) throws {
        _ = try addEvent(
            happening, for: account, in: app, environment, about: .none, at: time)
    }

    /// The only statement that adds to the history; `TidyTests` find any other. What the app's server
    /// is to be notified of is stored along with it: everything that a notification tells must be
    /// stored by now, but for the subscription that the happening carries.
    private borrowing func addEvent(
        _ happening: Happening, for account: AccountID, in app: AppID,
        _ environment: StoreEnvironment, about subject: HappeningSubject, at time: Timestamp
    ) throws -> EventNumber {
        let (number, isNotified) = try nextEvent()
        try execute(
            """
            INSERT INTO event
                (number, environment, app_id, account_id, kind, transaction_id, subject, at_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """,
            [
                .integer(number), .text(environment.rawValue), .integer(app.rawValue),
                .integer(account.rawValue), .text(Event.Kind(happening).rawValue),
                .integer(subject.transaction?.rawValue), .text(happening.eventSubject),
                .integer(time.milliseconds),
            ])
        announce(.history)
        let event = EventNumber(number)
        if isNotified, let outbox = try outbox(of: app, in: environment, at: time) {
            try outbox.add(happening, number: event, to: account, about: subject, self)
        }
        return event
    }

    /// The number of the next event, and whether any app's server is notified. Renewals are fast
    /// enough for one more query to show, so one asks both.
    private borrowing func nextEvent() throws -> (number: Int64, isNotified: Bool) {
        try take("event")
        let found = try row(
            """
            SELECT next - 1 AS number, EXISTS (SELECT 1 FROM notification_target) AS is_notified
            FROM sequence WHERE name = 'event'
            """)
        guard let found else {
            throw DatabaseError(code: .other, detail: "the history has no next number")
        }
        return (try found["number"], try found["is_notified"])
    }

    /// Remembers a reader's position.
    borrowing func saveCursor(_ number: EventNumber, of reader: String, now: Timestamp) throws {
        try execute(
            """
            INSERT INTO event_cursor (reader, number, changed_ms) VALUES (?1, ?2, ?3)
            ON CONFLICT (reader) DO UPDATE SET number = ?2, changed_ms = ?3
            """, [.text(reader), .integer(number.rawValue), .integer(now.milliseconds)])
    }
}
