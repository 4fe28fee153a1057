import Foundation
import Glibc
import Synchronization

/// Lines on standard error for whoever runs the app.
enum Message {
    private static let told = Mutex<Set<String>>([])

    static func say(_ sentence: String) {
        let line = "StoreKit: \(sentence)\n"
        // One write, so that lines of several processes do not mix.
        _ = Array(line.utf8).withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    }

    /// Says a sentence the first time only.
    static func sayOnce(_ sentence: String) {
        if told.withLock({ $0.insert(sentence).inserted }) { say(sentence) }
    }
}
