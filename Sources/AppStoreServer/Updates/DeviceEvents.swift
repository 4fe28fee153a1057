import StoreDatabase
import StoreModel
import StoreWire

/// The events that a device gets.
enum DeviceEvents: CaseIterable, Sendable {
    /// Those of every device.
    case usual
    /// And every other that changes what is signed.
    case withSignedChanges

    private var kinds: [Event.Kind] {
        Event.Kind.allCases.filter { kind in
            switch kind.update {
            case nil: false
            case .signedChanged?: self == .withSignedChanges
            case .some: true
            }
        }
    }

    /// Selects the events of a page; takes account, app, position, count and device.
    var page: String {
        switch self {
        case .usual: usualPage
        case .withSignedChanges: signedPage
        }
    }

    fileprivate func makePage() -> String {
        """
        SELECT event.number, event.kind, event.transaction_id, device.guid, event.subject
        FROM event
        LEFT JOIN store_transaction ON store_transaction.id = event.transaction_id
        LEFT JOIN device ON device.id = store_transaction.device_id
        WHERE event.account_id = ?1 AND event.app_id = ?2 AND event.number > ?3
            AND (store_transaction.restore_id IS NULL OR store_transaction.device_id = ?5)
            AND (store_transaction.id IS NULL OR store_transaction.account_id = ?1
                OR event.kind = 'deleted')
            AND event.kind IN (\(list(of: kinds)))
        ORDER BY event.number LIMIT ?4
        """
    }
}

// Every poll asks them, so they are composed once.
private let usualPage = DeviceEvents.usual.makePage()
private let signedPage = DeviceEvents.withSignedChanges.makePage()

extension Event.Kind {
    /// What a device is told of such an event; nil for what concerns servers alone.
    var update: UpdateBody.Kind? {
        switch self {
        // For a device, a reversed refund is a new purchase: it is delivered unless it was
        // finished, and is in the receipt.
        case .purchased, .renewed, .shared, .refundReversed: .purchased
        case .finished: .finished
        case .declined: .declined
        case .revoked: .revoked
        case .storefrontChanged: .storefrontChanged
        case .priceConsent: .priceConsent
        case .replaced, .renewalFailed, .gracePeriodEnded, .expired, .renewalChanged, .extended,
            .priceIncreased, .restored, .deleted, .appAccountTokenSet, .periodMoved:
            .signedChanged
        case .extensionFailed, .refundRequested, .refundDeclined: nil
        }
    }
}
