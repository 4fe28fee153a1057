package import StoreModel

/// A world as `/control/v1/worlds` shows it.
package struct WorldBody: Codable, Hashable, Sendable {
    package let name: String
    /// A UUID that the world's receipts name.
    package let id: String
    /// Below this path stand the world's `/production`, `/sandbox` and `/control`; empty for the
    /// default world.
    package let path: String
    package let isSession: Bool

    package init(name: String, id: String, path: String, isSession: Bool) {
        self.name = name
        self.id = id
        self.path = path
        self.isSession = isSession
    }
}

package struct WorldsBody: Codable, Hashable, Sendable {
    package let worlds: [WorldBody]

    package init(worlds: [WorldBody]) {
        self.worlds = worlds
    }
}

/// `POST /control/v1/worlds`; without a name the store makes one up.
package struct MakeWorldBody: Codable, Hashable, Sendable {
    package let name: String?

    package init(name: String?) {
        self.name = name
    }
}

/// A world's clock: `GET` and `PUT /control/v1/clock`.
package struct ClockBody: Codable, Hashable, Sendable {
    package enum Mode: String, Codable, Sendable {
        /// Runs with the real clock, at a distance.
        case real
        /// Stands still until it is moved.
        case held
    }

    package let mode: Mode
    /// The world's time, milliseconds since 1970. In a `PUT` with mode `real` it may be absent:
    /// the clock then shows the real time.
    package let now: Timestamp?

    package init(mode: Mode, now: Timestamp?) {
        self.mode = mode
        self.now = now
    }
}

/// `POST /control/v1/clock/advance`
package struct AdvanceClockBody: Codable, Hashable, Sendable {
    package let milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }
}
