import Foundation
import StoreDatabase
import StoreModel

// The worlds: whether their files are whole and of a schema that this program knows.
extension Examination {
    func databases() -> [Finding] {
        let path = files.path(.default)
        guard files.exists(path) else {
            return [
                .bad(
                    "database", "\(path) is missing",
                    isInUse || files.exists(directory + "/keys")
                        ? "put it back from a backup; without one, the next start makes an empty "
                            + "world" : "start the store: it makes one")
            ]
        }
        return [
            database(path), storefronts(path), sessions(), snapshots(), content(), ledgers(),
            payments(), notifications(), certificates(),
        ]
    }

    private func database(_ path: String) -> Finding {
        if let problem = problem(with: path, isInUse: mayBeInUse(path)) {
            return .bad("database", "\(path): \(problem)", Self.advice)
        }
        if let open = openToOthers(path) { return open }
        return .good("database", "whole, schema \(WorldSchema.current.number)")
    }

    private static let advice =
        "stop the store and restore a snapshot or a backup of the file; keep the broken one"

    /// A log beside a file is part of it, whether a store runs or a crash left it.
    private func mayBeInUse(_ path: String) -> Bool {
        isInUse || files.exists(path + "-wal")
    }

    /// Reads a world's file, whether or not a store runs.
    func reader(_ path: String) throws -> DatabaseReader {
        try DatabaseReader(path: path, isInUse: mayBeInUse(path))
    }

    private func problem(with path: String, isInUse: Bool) -> String? {
        do {
            let reader = try DatabaseReader(path: path, isInUse: isInUse)
            guard let schema = try reader.schemaNumber() else {
                return "it does not belong to a store"
            }
            if let refusal = WorldSchema.current.refusal(of: schema) { return refusal.detail }
            let problems = try reader.problems()
            return problems.isEmpty ? nil : problems.joined(separator: "; ")
        } catch {
            return "\(error)"
        }
    }

    /// A file may name storefronts that another version of this program does not know.
    private func storefronts(_ path: String) -> Finding {
        let check = "storefronts"
        do {
            let reader = try self.reader(path)
            let used = try reader.rows(
                "SELECT storefront FROM account UNION SELECT storefront FROM app UNION "
                    + "SELECT storefront FROM price_entry ORDER BY 1"
            ).map { $0.text(0) }
            let unknown = used.filter { Storefront(countryCode: $0) == nil }
            guard unknown.isEmpty else {
                return .bad(
                    check,
                    "this program does not know the storefronts \(unknown.joined(separator: ", "))",
                    "start the version that wrote them")
            }
            return .good(
                check, "\(Storefront.all.count) known, \(used.count) in use")
        } catch {
            return .bad(check, "\(error)", Self.advice)
        }
    }

    private func sessions() -> Finding {
        let names = (try? files.sessionNames()) ?? []
        let read = names.prefix(Self.sessionsReadMax)
        let broken = read.compactMap { name in
            let path = files.path(name)
            return problem(with: path, isInUse: mayBeInUse(path)).map { "\(name): \($0)" }
        }
        guard broken.isEmpty else {
            return .bad(
                "sessions", broken.prefix(3).joined(separator: "; "),
                "delete them with: bodega world delete NAME")
        }
        return .good("sessions", "\(names.count), of which \(read.count) were read through")
    }

    private func snapshots() -> Finding {
        let worlds = [.default] + ((try? files.sessionNames()) ?? []).prefix(Self.sessionsReadMax)
        var count = 0
        var broken: [String] = []
        for world in worlds {
            for name in (try? files.snapshotNames(of: world)) ?? [] {
                count += 1
                if let problem = problem(
                    with: files.snapshot(name, of: world), isInUse: false)
                {
                    broken.append("\(name) of \(world): \(problem)")
                }
            }
        }
        guard broken.isEmpty else {
            return .bad(
                "snapshots", broken.prefix(3).joined(separator: "; "),
                "delete them with: bodega world delete-snapshot WORLD SNAPSHOT")
        }
        return .good("snapshots", "\(count), all whole" + unexamined())
    }

    /// A note that some sessions were left out; empty when none was.
    func unexamined() -> String {
        let count = (try? files.sessionNames())?.count ?? 0
        return count <= Self.sessionsReadMax
            ? "" : "; those of \(count - Self.sessionsReadMax) more sessions were not examined"
    }
}
