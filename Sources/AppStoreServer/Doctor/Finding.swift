/// The result of one check of an installation.
package struct Finding: Codable, Hashable, Sendable {
    package enum State: String, Codable, Sendable {
        case good
        /// Works, but not for long or not as it should.
        case warning
        case bad
    }

    package let check: String
    package let state: State
    package let finding: String
    /// What to do; absent when there is nothing to do.
    package let advice: String?

    package init(_ check: String, _ state: State, _ finding: String, advice: String? = nil) {
        self.check = check
        self.state = state
        self.finding = finding
        self.advice = advice
    }

    static func good(_ check: String, _ finding: String) -> Finding {
        Finding(check, .good, finding)
    }

    static func bad(_ check: String, _ finding: String, _ advice: String) -> Finding {
        Finding(check, .bad, finding, advice: advice)
    }

    static func warning(_ check: String, _ finding: String, _ advice: String) -> Finding {
        Finding(check, .warning, finding, advice: advice)
    }
}
