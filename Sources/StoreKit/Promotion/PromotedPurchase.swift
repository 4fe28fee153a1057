import Foundation
import Glibc

/// A purchase that a customer began on the app's store page.
///
/// It waits in the home folder, one file each, until an app with an observer takes it: the running
/// app, or the next one launched.
package struct PromotedPurchase: Codable, Hashable, Sendable {
    /// The maximum number waiting on one device.
    package static let waitingMax = 100

    package let productIdentifier: String
    /// The order in which they are taken: milliseconds since 1970.
    package let madeAtMilliseconds: Int64

    /// Why it could not be saved, in a sentence.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    package init(productIdentifier: String, madeAtMilliseconds: Int64) {
        self.productIdentifier = productIdentifier
        self.madeAtMilliseconds = madeAtMilliseconds
    }

    /// Saves it in a home folder, which is created if missing.
    package func leave(home path: String) throws(Problem) {
        do {
            let home = try HomeFolder(path: path)
            let waiting = try FileManager.default.contentsOfDirectory(atPath: home.intentsFolder)
            guard waiting.count < Self.waitingMax else {
                throw Problem(
                    description: "\(Self.waitingMax) purchases are already waiting on this device.")
            }
            try home.save(self, to: "\(home.intentsFolder)/intent-\(UUID().uuidString).json")
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(description: "\(error)")
        }
    }

    /// Takes the waiting purchases, oldest first; each goes to one process only.
    static func take(from home: HomeFolder) -> [PromotedPurchase] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: home.intentsFolder)
        let paths = (names ?? []).filter { $0.hasSuffix(".json") }
            .map { "\(home.intentsFolder)/\($0)" }
        let taken = paths.compactMap { path -> PromotedPurchase? in
            guard let intent = try? home.load(PromotedPurchase.self, from: path) else { return nil }
            // The process that removes the file owns it. A crash after this loses a request, not
            // money.
            return unlink(path) == 0 ? intent : nil
        }
        return taken.sorted { $0.madeAtMilliseconds < $1.madeAtMilliseconds }
    }
}
