package import StoreModel

/// A version of a product from a time when changes took time to reach devices.
package struct PublishedVersion: Hashable, Sendable {
    /// Grows with every change.
    package let number: Int64
    /// By the world's clock.
    package let visibleFrom: Timestamp

    package init(number: Int64, visibleFrom: Timestamp) {
        self.number = number
        self.visibleFrom = visibleFrom
    }
}

/// Which version of a product devices see while a change is on its way.
package enum PropagationRules {
    /// The longest delay of a change: a week.
    package static let delayMillisecondsMax: Int64 = 7 * 86_400_000
    /// Versions of one product that may be under way at once.
    package static let versionsMax = 100

    /// The delay of an app: its own, else its world's.
    package static func delay(ofApp app: Int64?, ofWorld world: Int64) -> Int64 { app ?? world }

    /// When a change made now becomes visible.
    package static func visible(
        afterMilliseconds delay: Int64, now: Timestamp
    ) -> Timestamp {
        now.adding(milliseconds: delay)
    }

    /// The newest version that has arrived. One that was made later and arrives sooner, because the
    /// delay was shortened, stays: devices never see an older one after it.
    package static func shown(
        among versions: [PublishedVersion], at now: Timestamp
    ) -> PublishedVersion? {
        versions.filter { $0.visibleFrom <= now }.max { $0.number < $1.number }
    }
}
