import Foundation
import Glibc
import Synchronization

/// Lines on standard error for the developer who runs the app.
enum Diagnostic {
    /// The number of sentences remembered; beyond it, each may be printed once more.
    private static let toldMax = 1_000
    private static let told = Mutex<Set<String>>([])

    static func say(_ sentence: String) {
        let line = "StoreKit: \(sentence)\n"
        // One write, so that lines of several processes do not mix.
        _ = Array(line.utf8).withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    }

    /// Prints a sentence the first time only.
    static func sayOnce(_ sentence: String) {
        let isNew = told.withLock { told in
            if told.count == toldMax { told = [] }
            return told.insert(sentence).inserted
        }
        if isNew { say(sentence) }
    }
}
