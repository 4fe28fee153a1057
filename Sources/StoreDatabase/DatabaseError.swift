/// What storage could not do.
@usableFromInline package struct DatabaseError: Error, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// A row breaks a rule of the schema; a fault of ours.
        case constraint
        /// The disk is full; nothing was changed and later writes may work.
        case diskFull
        /// Reading or writing failed.
        case inputOutput
        /// The file is no database, or a damaged one.
        case notADatabase
        /// The schema is older than the migrations of this program.
        case olderSchema
        /// The schema comes from a newer version of this program.
        case newerSchema
        /// The door is closed, or its queue is full.
        case unavailable
        /// Anything else; the detail says what.
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
