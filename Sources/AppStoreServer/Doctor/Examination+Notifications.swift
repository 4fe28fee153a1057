import StoreDatabase
import StoreModel

// The notifications of apps' servers: what is still to be delivered.
extension Examination {
    /// Counts the default world's notifications that are still to be delivered, and those of
    /// version 2 that were given up, along indices, since a world may keep millions.
    func notifications() -> Finding {
        let check = "notifications"
        let path = files.path(.default)
        do {
            let reader = try self.reader(path)
            guard try reader.schemaNumber() ?? 0 >= 112 else {
                return .good(check, "none before the next start")
            }
            func count(_ rows: String) throws -> Int64 {
                try reader.rows("SELECT count(*) FROM \(rows)").first?.integer(0) ?? 0
            }
            let waiting = try count("notification WHERE due_ms IS NOT NULL")
            let addresses = try count("notification_target")
            if waiting > 0, !isInUse {
                return .warning(
                    check, "\(waiting) are still to be delivered",
                    "start the store: it delivers them when they are due")
            }
            guard addresses > 0 else { return .good(check, "no app's server has an address") }
            let failed = try count(
                """
                notification WHERE is_signed <> 0 AND version = 2 AND attempts > 0
                    AND last_result <> 'SUCCESS' AND due_ms IS NULL
                """)
            return .good(
                check,
                "addresses: \(addresses); still to be delivered: \(waiting); given up (version 2): \(failed)"
            )
        } catch {
            return .bad(
                check, "cannot read the notifications: \(error)",
                "follow the advice of the findings above")
        }
    }
}
