import CrashPoints
import Foundation
import StoreDatabase
package import StoreModel
import StoreService
import StoreSigning

/// A world according to its files, without opening them.
package struct WorldEntry: Sendable {
    package let name: WorldName
    /// Nil for a session that is not open.
    package let id: String?
    package let isOpen: Bool
    package let bytes: Int64
    package let changedAt: Timestamp
    package let snapshotCount: Int
}

/// A snapshot according to its file.
package struct SnapshotEntry: Sendable {
    package let name: WorldName
    package let bytes: Int64
    package let createdAt: Timestamp
}

// The owner's operations on whole worlds. Each step leaves either the old world or the new one.
extension WorldRegistry {
    /// Every world, the default one first; examines each file without opening it.
    package func entries() throws -> [WorldEntry] {
        let open = openSessions()
        let base = defaultWorld
        return try ([.default] + files.sessionNames()).compactMap { name in
            guard let look = files.look(at: files.path(name)) else { return nil }
            let id = name.isDefault ? base.id : open[name]
            return WorldEntry(
                name: name, id: id, isOpen: id != nil, bytes: look.bytes,
                changedAt: look.changedAt,
                snapshotCount: try files.snapshotNames(of: name).count)
        }
    }

    package func snapshots(of name: WorldName) throws -> [SnapshotEntry] {
        guard files.exists(files.path(name)) else { throw Refusal.worldUnknown(name) }
        return try files.snapshotNames(of: name).compactMap { entry($0, of: name) }
    }

    /// Copies a world as it is at one moment, while it keeps running.
    package func snapshot(_ name: WorldName, as snapshot: WorldName) throws -> SnapshotEntry {
        try inUpkeep(of: name) {
            let world = try known(name)
            let place = files.snapshot(snapshot, of: name)
            guard !files.exists(place) else {
                throw Refusal(
                    409, "snapshotExists",
                    "The world \(name) already has a snapshot \(snapshot); choose another name.")
            }
            guard try files.snapshotNames(of: name).count < Limits.snapshotsMax else {
                throw Refusal(
                    409, "tooManySnapshots",
                    "The world \(name) has \(Limits.snapshotsMax) snapshots; delete some first.")
            }
            let draft = files.snapshotDraft(name)
            unlink(draft)
            defer { unlink(draft) }
            try world.database.copy(to: draft)
            CrashPoint.storeSnapshotWritten.reach()
            try files.makeFolder(files.snapshots(of: name))
            try moveIntoPlace(draft, to: place)
            try syncFile(files.snapshots(of: name))
            guard let entry = entry(snapshot, of: name) else { throw Refusal.snapshotUnknown }
            return entry
        }
    }

    package func deleteSnapshot(_ snapshot: WorldName, of name: WorldName) throws {
        try inUpkeep(of: name) {
            let place = files.snapshot(snapshot, of: name)
            guard files.exists(place), unlink(place) == 0 else { throw Refusal.snapshotUnknown }
        }
    }

    /// Replaces a world with its snapshot, under a new identifier and without devices; transaction
    /// numbers continue from the highest that a world of this name reached, and revoked secrets and
    /// keys stay revoked.
    package func restore(_ name: WorldName, from snapshot: WorldName) throws -> World {
        try inUpkeep(of: name) {
            let old = try known(name)
            let place = files.snapshot(snapshot, of: name)
            guard files.exists(place) else { throw Refusal.snapshotUnknown }
            return try replace(old) { draft in
                try draft.copy(snapshot: place)
            } complete: { draft, numbers in
                try draft.refound(numbers: numbers)
            }
        }
    }

    /// Replaces a world with an empty one, under a new identifier; its numbers continue.
    package func reset(_ name: WorldName, keepingCatalogue: Bool) throws -> World {
        try inUpkeep(of: name) {
            let old = try known(name)
            let now = wall.now()
            return try replace(old) { _ in
            } complete: { draft, numbers in
                if keepingCatalogue {
                    try old.database.copy(to: draft.path)
                    let shown = old.time.now()
                    try draft.write { try $0.deleteHistory(now: shown) }
                    try draft.refound(numbers: numbers)
                } else {
                    try draft.found(numberOffset: 0, now: now)
                    try draft.write { try $0.raiseNumbers(to: numbers) }
                }
            }
        }
    }

    /// Makes a world from a seed, or replaces one; its numbers are the seed's, and a later restore
    /// or reset continues above those of the world before it, too.
    func seed(_ name: WorldName, with seed: WorldSeed, replacing: Bool) throws -> World {
        if !name.isDefault { try keys.prepareTestChains() }
        return try inUpkeep(of: name) {
            if replacing, let old = try world(name) {
                return try replace(old) {
                    try fill($0, with: seed)
                } complete: { draft, numbers in
                    try draft.write { try $0.keepForSuccessor(numbers) }
                }
            }
            try checkFree(name)
            let draft = draft(name)
            draft.discard()
            defer { draft.discard() }
            try fill(draft, with: seed)
            files.remove(name)
            return try switching(name) {
                try replaceDatabase(at: files.path(name), with: draft.path)
                try syncFile(files.folder(of: name))
            }
        }
    }

    private func fill(_ draft: WorldDraft, with seed: WorldSeed) throws {
        try draft.found(numberOffset: seed.numberOffset, now: wall.now())
        let realNow = wall.now()
        try draft.write { try seed.apply(to: $0, realNow: realNow) }
    }

    /// Prepares a draft while the old world keeps running, stops that world, completes the draft
    /// with the numbers that it and earlier worlds reached, passes on what they revoked, and swaps
    /// the files.
    private func replace(
        _ old: World, prepare: (WorldDraft) throws -> Void,
        complete: (WorldDraft, FreeNumbers) throws -> Void
    ) throws -> World {
        let name = old.name
        let draft = draft(name)
        draft.discard()
        defer { draft.discard() }
        try prepare(draft)
        return try switching(name) {
            // The old world must not hold the file, which is reopened even after a failure.
            defer { old.close() }
            old.renewals.close()
            old.payments?.close()
            old.endWaits()
            old.database.stopWriting()
            let numbers = try old.database.read { try $0.freeNumbers() }
            let revoked = try old.database.read { try $0.revokedSecrets() }
            let revokedKeys = try old.database.read { try $0.revokedOfferKeys() }
            let sandboxName = try old.database.read { try $0.sandboxName() }
            try complete(draft, numbers)
            try draft.write { scope in
                try scope.setSandboxName(sandboxName)
                try scope.takeOver(revoked)
                try scope.takeOver(revokedKeys)
            }
            CrashPoint.storeWorldPrepared.reach()
            guard old.close() else {
                throw Refusal(
                    503, "worldInUse",
                    "Another program has the world's file open; close it and ask again.",
                    retryAfterSeconds: 1)
            }
            CrashPoint.storeWorldClosed.reach()
            try replaceDatabase(at: files.path(name), with: draft.path)
            CrashPoint.storeWorldReplaced.reach()
            try syncFile(files.folder(of: name))
        }
    }

    private func draft(_ name: WorldName) -> WorldDraft {
        WorldDraft(name: name, path: files.draft(name), keys: keys)
    }

    private func entry(_ snapshot: WorldName, of name: WorldName) -> SnapshotEntry? {
        files.look(at: files.snapshot(snapshot, of: name)).map {
            SnapshotEntry(name: snapshot, bytes: $0.bytes, createdAt: $0.changedAt)
        }
    }

    private func known(_ name: WorldName) throws -> World {
        guard let world = try world(name) else { throw Refusal.worldUnknown(name) }
        return world
    }
}

extension Refusal {
    static func worldUnknown(_ name: WorldName) -> Refusal {
        Refusal(404, "worldUnknown", "There is no world named \(name).")
    }

    static let snapshotUnknown = Refusal(
        404, "snapshotUnknown", "The world has no snapshot of that name.")
}
