import Foundation
import Glibc

/// A purchase that a person began on the store's page of the app.
///
/// It waits in the home folder, a file each, until an app with an observer takes it: the one that
/// runs, or the one that is launched next.
package struct PurchaseIntent: Codable, Hashable, Sendable {
    /// As many may wait on one device.
    package static let waitingMax = 100

    package let productIdentifier: String
    /// They are taken in this order: milliseconds since 1970.
    package let madeAtMilliseconds: Int64

    /// Why it could not be left, in a sentence.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    package init(productIdentifier: String, madeAtMilliseconds: Int64) {
        self.productIdentifier = productIdentifier
        self.madeAtMilliseconds = madeAtMilliseconds
    }

    /// Leaves it in a home folder, which is made when there is none.
    package func leave(home path: String) throws(Problem) {
        do {
            let home = try HomeFolder(path: path)
            let waiting = try FileManager.default.contentsOfDirectory(atPath: home.intentsFolder)
            guard waiting.count < Self.waitingMax else {
                throw Problem(
                    description: "\(Self.waitingMax) purchases wait on this device already.")
            }
            try home.save(self, to: "\(home.intentsFolder)/intent-\(UUID().uuidString).json")
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(description: "\(error)")
        }
    }

    /// Takes what waits, oldest first; each is given to one process only.
    static func take(from home: HomeFolder) -> [PurchaseIntent] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: home.intentsFolder)
        let paths = (names ?? []).filter { $0.hasSuffix(".json") }
            .map { "\(home.intentsFolder)/\($0)" }
        let taken = paths.compactMap { path -> PurchaseIntent? in
            guard let intent = try? home.load(PurchaseIntent.self, from: path) else { return nil }
            // Whoever removes the file has it. A crash from here on loses a wish, no money.
            return unlink(path) == 0 ? intent : nil
        }
        return taken.sorted { $0.madeAtMilliseconds < $1.madeAtMilliseconds }
    }
}
