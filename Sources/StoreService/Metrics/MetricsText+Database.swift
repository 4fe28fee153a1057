// What every server says of its database.
extension MetricsText {
    package mutating func commits(
        durations: [Distribution], commands: [Distribution], failed: [Sample], waiting: [Sample]
    ) {
        histogram(
            "bodega_commit_duration_seconds",
            "From the first command of a commit to its end, on disk except in test sessions.",
            unit: "seconds", durations)
        histogram(
            "bodega_commit_commands", "The number of writes that share a commit.", commands)
        counter("bodega_commits_failed", "Commits that failed because of the disk.", failed)
        gauge("bodega_writes_waiting", "Writes that wait for their commit.", waiting)
    }

    /// The bytes of the file, of the log beside it, and of the room left.
    package mutating func sizes(of database: (file: Int64, log: Int64, free: Int64?)) {
        func bytes(_ name: String, _ help: String, _ value: Int64, _ text: inout MetricsText) {
            text.gauge(name, help, unit: "bytes", [Sample(Int(value))])
        }
        bytes(
            "bodega_database_size_bytes", "The database file; of a store, the default world's.",
            database.file, &self)
        bytes(
            "bodega_database_log_size_bytes", "The write-ahead log beside that file.",
            database.log, &self)
        if let free = database.free {
            bytes("bodega_disk_free_bytes", "Room left on the disk of that file.", free, &self)
        }
    }
}
