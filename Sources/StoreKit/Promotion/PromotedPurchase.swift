import Foundation
import Glibc

/// A purchase that a customer began on the app's store page.
///
/// It waits in the home folder, one file each, until an app takes it that listens for such purchases:
/// the running app, or the next one launched.
package struct PromotedPurchase: Codable, Hashable, Sendable {
    /// The maximum number waiting on one device.
    package static let waitingMax = 100

    package let productIdentifier: String
    /// The order in which they are taken: milliseconds since 1970.
    package let madeAtMilliseconds: Int64
    /// The win-back offer that the customer chose there; nil without one.
    package let winBackOfferIdentifier: String?

    /// Why it could not be saved, in a sentence.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    package init(
        productIdentifier: String, madeAtMilliseconds: Int64, winBackOfferIdentifier: String? = nil
    ) {
        self.productIdentifier = productIdentifier
        self.madeAtMilliseconds = madeAtMilliseconds
        self.winBackOfferIdentifier = winBackOfferIdentifier
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

    /// Takes waiting purchases, oldest first; each goes to one process only.
    static func take(
        from home: HomeFolder, atMost countMax: Int = waitingMax,
        where isWanted: (PromotedPurchase) -> Bool = { _ in true }
    ) -> [PromotedPurchase] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: home.intentsFolder)
        let waiting = (names ?? []).filter { $0.hasSuffix(".json") }
            .compactMap { name -> (path: String, intent: PromotedPurchase)? in
                let path = "\(home.intentsFolder)/\(name)"
                let intent = try? home.load(PromotedPurchase.self, from: path)
                return intent.map { (path, $0) }
            }
            .sorted { $0.intent.madeAtMilliseconds < $1.intent.madeAtMilliseconds }
        var taken: [PromotedPurchase] = []
        for (path, intent) in waiting where taken.count < countMax && isWanted(intent) {
            // The process that removes the file owns it. A crash after this loses a request, not money.
            if unlink(path) == 0 { taken.append(intent) }
        }
        return taken
    }
}
