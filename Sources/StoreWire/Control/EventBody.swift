package import StoreModel

/// One fact of a world's history.
package struct EventBody: Codable, Hashable, Sendable {
    /// Its place in the history, from 1.
    package let number: Int64
    /// Such as `purchased` or `renewed`.
    package let kind: String
    package let environment: StoreEnvironment
    package let bundleId: String
    package let account: String
    /// The transaction that it is about; absent for an event of none.
    package let transactionId: String?
    /// That of the transaction.
    package let productId: String?
    /// What else it is about; its kind says what that is.
    package let subject: String?
    /// By the world's clock.
    package let at: Timestamp

    package init(
        number: Int64, kind: String, environment: StoreEnvironment, bundleId: String,
        account: String, transactionId: String?, productId: String?, subject: String?,
        at: Timestamp
    ) {
        self.number = number
        self.kind = kind
        self.environment = environment
        self.bundleId = bundleId
        self.account = account
        self.transactionId = transactionId
        self.productId = productId
        self.subject = subject
        self.at = at
    }
}

/// `GET /control/v1/events`: a page of the history.
package struct EventsBody: Codable, Hashable, Sendable {
    package let events: [EventBody]
    /// Names the history that the numbers are of.
    package let list: String
    /// The `after` of the next page; absent on the last.
    package let next: Int64?
    /// The `after` from which a later request, the oldest first, has only what was not listed:
    /// what happened since, for the newest first.
    package let position: Int64

    package init(events: [EventBody], list: String, next: Int64?, position: Int64) {
        self.events = events
        self.list = list
        self.next = next
        self.position = position
    }
}

/// `GET /control/v1/events/{event}`: an event with its transaction as that is now.
package struct EventDetailsBody: Codable, Hashable, Sendable {
    package let event: EventBody
    /// Absent for an event of none.
    package let transaction: SaleBody?

    package init(event: EventBody, transaction: SaleBody?) {
        self.event = event
        self.transaction = transaction
    }
}
