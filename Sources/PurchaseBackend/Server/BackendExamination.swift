import Foundation
import StoreDatabase
package import StoreModel

/// Whether a backend's database is whole. Only reads, even while its backend runs.
package struct BackendExamination: Sendable {
    /// The parts of a backend's directory from its first start on.
    package static let parts = [OperatorToken.fileName, "backend.sqlite"]
    /// A shorter text is not an operator token.
    package static let tokenBytesMin = OperatorToken.lettersMin

    package let path: String
    private let isInUse: Bool

    /// `isInUse` means that a backend runs there.
    package init(directory: String, isInUse: Bool) {
        path = PurchaseBackendServer.databasePath(in: directory)
        self.isInUse = isInUse
    }

    package var isPresent: Bool { FileManager.default.fileExists(atPath: path) }

    /// The number of the schema that this program writes.
    package static var schemaNumber: Int { BackendSchema.current.number }

    /// What is wrong with the file; nil when it is whole.
    package func problem() -> String? {
        do {
            // A log beside the file is part of it, whether a backend runs or a crash left it.
            let hasLog = FileManager.default.fileExists(atPath: path + "-wal")
            let reader = try DatabaseReader(path: path, isInUse: isInUse || hasLog)
            guard let schema = try reader.schemaNumber() else {
                return "it does not belong to a backend"
            }
            if let refusal = BackendSchema.current.refusal(of: schema) { return refusal.detail }
            let problems = try reader.problems()
            return problems.isEmpty ? nil : problems.joined(separator: "; ")
        } catch {
            return "\(error)"
        }
    }

    /// When the database changed last; nil when it is missing.
    package func changed() -> Timestamp? {
        let dates = [path, path + "-wal"].compactMap {
            try? FileManager.default.attributesOfItem(atPath: $0)[.modificationDate] as? Date
        }
        return dates.max().map { Timestamp(milliseconds: Int64($0.timeIntervalSince1970 * 1_000)) }
    }
}
