package import StoreModel

/// A world as `/control/v1/worlds` shows it.
package struct WorldBody: Codable, Hashable, Sendable {
    package let name: String
    /// A UUID that the world's receipts name.
    package let id: String
    /// The prefix of the world's `/production`, `/sandbox` and `/control`; empty for the default
    /// world.
    package let path: String
    package let isSession: Bool
    /// What signed data call its sandbox.
    package let sandboxName: SandboxName

    package init(
        name: String, id: String, path: String, isSession: Bool, sandboxName: SandboxName
    ) {
        self.name = name
        self.id = id
        self.path = path
        self.isSession = isSession
        self.sandboxName = sandboxName
    }
}

/// A world as `GET /control/v1/worlds` lists it, from its unopened files.
package struct WorldEntryBody: Codable, Hashable, Sendable {
    package let name: String
    /// Absent for a session whose file is not open now.
    package let id: String?
    package let path: String
    package let isSession: Bool
    package let isOpen: Bool
    /// The size of its database, including the log.
    package let bytes: Int64
    /// When its database changed last, by the real clock.
    package let changedAt: Timestamp
    package let snapshotCount: Int

    package init(
        name: String, id: String?, path: String, isSession: Bool, isOpen: Bool, bytes: Int64,
        changedAt: Timestamp, snapshotCount: Int
    ) {
        self.name = name
        self.id = id
        self.path = path
        self.isSession = isSession
        self.isOpen = isOpen
        self.bytes = bytes
        self.changedAt = changedAt
        self.snapshotCount = snapshotCount
    }
}

/// `GET /control/v1/worlds`
package struct WorldsBody: Codable, Hashable, Sendable {
    package let worlds: [WorldEntryBody]

    package init(worlds: [WorldEntryBody]) {
        self.worlds = worlds
    }
}

/// `GET /control/v1/worlds/{world}`, and the answer to a seed, a restore or a reset.
package struct WorldDetailsBody: Codable, Hashable, Sendable {
    package let name: String
    /// A UUID, which changes with each restore and reset.
    package let id: String
    package let path: String
    package let isSession: Bool
    /// What signed data call its sandbox.
    package let sandboxName: SandboxName
    package let apps: Int
    package let products: Int
    package let accounts: Int
    package let devices: Int
    package let transactions: Int

    package init(
        name: String, id: String, path: String, isSession: Bool, sandboxName: SandboxName,
        apps: Int, products: Int, accounts: Int, devices: Int, transactions: Int
    ) {
        self.name = name
        self.id = id
        self.path = path
        self.isSession = isSession
        self.sandboxName = sandboxName
        self.apps = apps
        self.products = products
        self.accounts = accounts
        self.devices = devices
        self.transactions = transactions
    }
}

package struct SnapshotBody: Codable, Hashable, Sendable {
    package let name: String
    package let bytes: Int64
    /// By the real clock.
    package let createdAt: Timestamp

    package init(name: String, bytes: Int64, createdAt: Timestamp) {
        self.name = name
        self.bytes = bytes
        self.createdAt = createdAt
    }
}

/// `GET /control/v1/worlds/{world}/snapshots`
package struct SnapshotsBody: Codable, Hashable, Sendable {
    package let snapshots: [SnapshotBody]

    package init(snapshots: [SnapshotBody]) {
        self.snapshots = snapshots
    }
}

/// `POST /control/v1/worlds/{world}/snapshots`; without a name the store makes one up.
package struct MakeSnapshotBody: Codable, Hashable, Sendable {
    package let name: String?

    package init(name: String?) {
        self.name = name
    }
}

/// `POST /control/v1/worlds/{world}/restore`
package struct RestoreWorldBody: Codable, Hashable, Sendable {
    package let snapshot: String

    package init(snapshot: String) {
        self.snapshot = snapshot
    }
}

/// `POST /control/v1/worlds/{world}/reset`
package struct ResetWorldBody: Codable, Hashable, Sendable {
    package let keepCatalogue: Bool

    package init(keepCatalogue: Bool) {
        self.keepCatalogue = keepCatalogue
    }
}

/// `POST /control/v1/worlds`; without a name the store makes one up.
package struct MakeWorldBody: Codable, Hashable, Sendable {
    package let name: String?
    /// What signed data call its sandbox; `Sandbox` when absent.
    package let sandboxName: SandboxName?

    package init(name: String?, sandboxName: SandboxName? = nil) {
        self.name = name
        self.sandboxName = sandboxName
    }
}
