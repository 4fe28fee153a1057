/// A raw value that belongs to one kind of thing, so that identifiers of two kinds never mix.
///
/// Inlinable, because most rows hold some: unspecialized, each would look its type up at run time.
@frozen @usableFromInline
package struct Identifier<Entity, RawValue>: RawRepresentable, Hashable, Sendable
where RawValue: Hashable & Sendable {
    @usableFromInline package let rawValue: RawValue

    @inlinable package init(rawValue: RawValue) {
        self.rawValue = rawValue
    }

    @inlinable package init(_ rawValue: RawValue) {
        self.rawValue = rawValue
    }
}

extension Identifier: CustomStringConvertible {
    @inlinable package var description: String { "\(rawValue)" }
}

extension Identifier: Comparable where RawValue: Comparable {
    @inlinable package static func < (left: Self, right: Self) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension Identifier: Decodable where RawValue: Decodable {
    @inlinable package init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(RawValue.self)
    }
}

extension Identifier: Encodable where RawValue: Encodable {
    @inlinable package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

package enum AppEntity {}
package enum AccountEntity {}
package enum DeviceEntity {}
package enum ProductEntity {}
package enum AttemptEntity {}
package enum TransactionEntity {}
package enum EventEntity {}
package enum RestoreEntity {}
package enum DeveloperEntity {}
package enum SecretEntity {}

/// The row of an app in its world.
package typealias AppID = Identifier<AppEntity, Int64>
/// The row of an account in its world.
package typealias AccountID = Identifier<AccountEntity, Int64>
/// The row of a device (one installation of an app) in its world.
package typealias DeviceID = Identifier<DeviceEntity, Int64>
/// A product identifier, unique in its app, as the app developer writes it.
package typealias ProductID = Identifier<ProductEntity, String>
/// The identifier a device makes for one `add(payment)` before it sends anything.
package typealias AttemptID = Identifier<AttemptEntity, String>
/// The identifier a device makes for one `restoreCompletedTransactions` before it asks.
package typealias RestoreID = Identifier<RestoreEntity, String>
/// A transaction's number; digits below 2^53, from a range of its environment.
package typealias TransactionID = Identifier<TransactionEntity, Int64>
/// The position of an event in its world's history, from 1.
package typealias EventNumber = Identifier<EventEntity, Int64>
/// The row of a developer account in its world.
package typealias DeveloperID = Identifier<DeveloperEntity, Int64>
/// A shared secret's number in its world; never the secret itself.
package typealias SecretID = Identifier<SecretEntity, Int64>
