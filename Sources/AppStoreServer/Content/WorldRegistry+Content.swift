import Dispatch
import StoreDatabase
import StoreLog
import StoreModel
import Synchronization

// The bytes of content, which belong to all worlds and are outside their files.
extension WorldRegistry {
    /// Removes the bytes that worlds and snapshots no longer need; returns the number of files.
    ///
    /// Nothing is removed when a file cannot be read, a whole world is under upkeep meanwhile, or a
    /// backup is copying the bytes: the next sweep tries again.
    @discardableResult
    package func sweepContent() throws -> Int {
        guard locks.take(WorldFiles.contentLock, .exclusive) else { return 0 }
        defer { locks.release(WorldFiles.contentLock) }
        return try content.sweep {
            let before = upkeeps()
            guard !before.isRunning else { return nil }
            let moment = wall.now().adding(milliseconds: -Limits.contentKeptMilliseconds)
            let sql = Self.contentDigests(keptSince: moment.milliseconds)
            var needed: Set<String> = []
            for name in try [.default] + files.sessionNames() {
                for snapshot in try files.snapshotNames(of: name) {
                    needed.formUnion(try digests(sql, at: files.snapshot(snapshot, of: name)))
                }
                needed.formUnion(try digests(sql, of: name))
            }
            let after = upkeeps()
            return after.begun == before.begun && !after.isRunning ? needed : nil
        }
    }

    /// Sweeps soon, once for all requests until then; only where regular sweeps run.
    func sweepContentSoon() {
        guard sweepsRegularly.load(ordering: .acquiring),
            !isSweepPromised.exchange(true, ordering: .acquiringAndReleasing)
        else { return }
        content.queue.asyncAfter(deadline: .now() + Self.sweepDelay) { [weak self] in
            guard let self else { return }
            isSweepPromised.store(false, ordering: .releasing)
            // The next sweep retries a failure; nothing is lost by waiting.
            _ = try? sweepContent()
        }
    }

    /// Sweeps now and regularly, for as long as the registry exists.
    package func sweepContentRegularly() {
        sweepsRegularly.store(true, ordering: .releasing)
        sweepContentSoon()
        content.queue.asyncAfter(deadline: .now() + Self.sweepInterval) { [weak self] in
            self?.sweepContentRegularly()
        }
    }

    private static let sweepDelay = DispatchTimeInterval.seconds(10)
    private static let sweepInterval = DispatchTimeInterval.seconds(3_600)

    private func digests(_ sql: String, of name: WorldName) throws -> [String] {
        // Reads through the world's own connections: another one would prevent closing the world
        // just then. A session that was deleted meanwhile needs nothing.
        guard let world = try world(name) else { return [] }
        return try world.database.read { try $0.rows(sql) }.map { $0.text(0) }
    }

    private func digests(_ sql: String, at path: String) throws -> [String] {
        let reader = try DatabaseReader(path: path, isInUse: false)
        // A snapshot that is too old to be restored needs nothing.
        guard let schema = try reader.schemaNumber(), schema >= WorldSchema.current.oldest else {
            return []
        }
        return try reader.rows(sql).map { $0.text(0) }
    }

    /// The digests that a world's file needs; removed ones and uploads only when newer than a
    /// moment of the real clock.
    private static func contentDigests(keptSince moment: Int64) -> String {
        """
        SELECT digest FROM content_file
        JOIN content_version ON content_version.number = content_file.version_number
        WHERE removed_real_ms IS NULL OR removed_real_ms > \(moment)
        UNION
        SELECT digest FROM content_upload_file
        JOIN content_upload ON content_upload.id = content_upload_file.upload_id
        WHERE begun_real_ms > \(moment)
        """
    }
}
