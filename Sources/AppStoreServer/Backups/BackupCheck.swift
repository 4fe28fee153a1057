import StoreDatabase
import StoreModel

/// Whether a folder holds a sound store: what `bodega doctor` finds in it.
enum BackupCheck {
    /// The checks of the folder itself; the others concern the machine.
    private static let checks: Set<String> = [
        "keys", "database", "storefronts", "sessions", "snapshots", "content", "ledger",
    ]

    /// Throws with what is wrong. Sessions beyond the doctor's first hundred are read here.
    static func sound(_ folder: String, wall: WallClock) throws {
        let examination = Examination(directory: folder, wall: wall)
        let bad = examination.findings().filter { $0.state == .bad && checks.contains($0.check) }
        guard bad.isEmpty else {
            throw BackupFailure(
                "backupDamaged",
                bad.map { "\($0.check): \($0.finding)" }.joined(separator: "; "))
        }
        let files = WorldFiles(directory: folder + "/worlds")
        for name in try files.sessionNames().dropFirst(Examination.sessionsReadMax) {
            let problems = try DatabaseReader(path: files.path(name), isInUse: false).problems()
            guard problems.isEmpty else {
                throw BackupFailure(
                    "backupDamaged", "\(name): \(problems.joined(separator: "; "))")
            }
        }
    }
}
