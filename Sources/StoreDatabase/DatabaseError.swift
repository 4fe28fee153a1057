/// Why storage failed.
@usableFromInline package struct DatabaseError: Error, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// A row violates the schema: a bug of ours.
        case constraint
        /// The disk is full; nothing was changed and later writes may work.
        case diskFull
        /// Reading or writing failed.
        case inputOutput
        /// The file is not a database, or is damaged.
        case notADatabase
        /// The schema is older than the migrations of this program.
        case olderSchema
        /// The schema comes from a newer version of this program.
        case newerSchema
        /// The door is closed, or its queue is full.
        case unavailable
        /// Anything else; see the detail.
        case other
    }

    package let code: Code
    package let detail: String

    package init(code: Code, detail: String) {
        self.code = code
        self.detail = detail
    }

    @usableFromInline package var description: String { "database: \(code.rawValue): \(detail)" }
}
