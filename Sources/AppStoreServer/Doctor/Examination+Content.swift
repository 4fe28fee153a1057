import StoreDatabase
import StoreModel

// The bytes of content and resources: whether all that worlds need exist, in the right size. Their
// digests were checked when they were uploaded.
extension Examination {
    func content() -> Finding {
        let check = "content"
        let worlds = [.default] + ((try? files.sessionNames()) ?? []).prefix(Self.sessionsReadMax)
        var digests: Set<String> = []
        var byteCount: Int64 = 0
        var problems: [String] = []
        for world in worlds {
            do {
                for file in try contentFiles(of: world) where digests.insert(file.digest).inserted {
                    byteCount += file.byteCount
                    if let problem = problem(with: file) {
                        problems.append("\(file.owner) of \(world): \(problem)")
                    }
                }
            } catch {
                return .bad(
                    check, "cannot tell what \(world) needs: \(error)",
                    "follow the advice of the findings above")
            }
        }
        guard problems.isEmpty else {
            return .bad(
                check,
                problems.prefix(3).joined(separator: "; ")
                    + (problems.count > 3 ? "; and \(problems.count - 3) more" : ""),
                "put \(directory)/content back from a backup, or upload the same folder again "
                    + "under the same version")
        }
        return .good(
            check,
            "\(digests.count) files, \(byteCount >> 20) megabytes, all present" + unexamined())
    }

    private struct NamedContent {
        let digest: String
        let byteCount: Int64
        /// Product or tag, version and path.
        let owner: String
    }

    private func problem(with file: NamedContent) -> String? {
        let found = ContentStore.byteCount(at: "\(directory)/content/\(file.digest)")
        if found == file.byteCount { return nil }
        return found.map { "\($0) of \(file.byteCount) bytes are present" } ?? "is missing"
    }

    /// The files that purchases and requests for resources may bring.
    private func contentFiles(of world: WorldName) throws -> [NamedContent] {
        let path = files.path(world)
        let reader = try self.reader(path)
        return try reader.rows(
            """
            SELECT digest, content_file.byte_count, owner || ' ' || version || ' ' || path
            FROM content_file
            JOIN content_version ON content_version.number = content_file.version_number
            WHERE removed_real_ms IS NULL ORDER BY version_number, path
            """
        ).map {
            NamedContent(digest: $0.text(0), byteCount: $0.integer(1), owner: $0.text(2))
        }
    }
}
