import Foundation
import StoreModel
import StoreVerification

/// The root certificates of stores' signed data, which a device pins when it registers in a world:
/// who answers at the same address later cannot replace them.
struct RootPins: Sendable {
    /// The most worlds per device. A further one is refused: forgetting a root would let another one
    /// take its place.
    private static let worldsMax = 1_000

    private struct Pin: Codable {
        let worldId: String
        /// DER.
        let root: Data
    }

    let home: HomeFolder

    /// The root of a world; nil when none was met.
    func root(of worldId: String) throws -> [UInt8]? {
        try pins().first { $0.worldId == worldId }.map { Array($0.root) }
    }

    /// The same, to verify something with it; the first time for a world, it says so. A test made its
    /// world itself, and a thousand tests would say it a thousand times.
    func rootToTrust(of worldId: String) throws -> [UInt8]? {
        guard let pin = try pins().first(where: { $0.worldId == worldId }) else { return nil }
        if !DurableFile.isPassing(home.rootsToldFile) { tell(pin) }
        return Array(pin.root)
    }

    /// Says that a root is trusted, unless that was said before.
    ///
    /// A line is added to a file, in one step: the process may end at any moment meanwhile.
    private func tell(_ pin: Pin) {
        let name = hexadecimal(sha256(Array(pin.root)))
        let line = Array("\(pin.worldId) \(name)\n".utf8)
        let wasTold = try? home.locked(by: "roots-lock") {
            if try DurableFile.read(home.rootsToldFile)?.contains(line) == true { return true }
            try DurableFile.add(line, to: home.rootsToldFile)
            return false
        }
        if wasTold == true { return }
        Diagnostic.say(
            "what this store signs is verified up to the root that it named first, of SHA-256 "
                + "\(name). Set STOREKIT_ROOTS to a file of roots to trust no other.")
    }

    /// Pins a world's root, unless one is pinned.
    func pin(_ root: Data, of worldId: String) throws {
        guard try !pins().contains(where: { $0.worldId == worldId }) else { return }
        try home.locked(by: "roots-lock") {
            let known = try pins()
            guard !known.contains(where: { $0.worldId == worldId }) else { return }
            guard known.count < Self.worldsMax else {
                return Diagnostic.sayOnce(
                    "this device has met \(known.count) worlds, so nothing that another one signs "
                        + "is verified; remove \(home.rootsFile), or set STOREKIT_ROOTS.")
            }
            try home.save(known + [Pin(worldId: worldId, root: root)], to: home.rootsFile)
        }
    }

    private func pins() throws -> [Pin] {
        try home.load([Pin].self, from: home.rootsFile) ?? []
    }
}

/// The certificates of a PEM file, in DER.
enum PEMCertificates {
    /// Why a file of roots cannot be used, in a sentence.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    private static let begin = "-----BEGIN CERTIFICATE-----"
    private static let end = "-----END CERTIFICATE-----"

    static func read(_ path: String) throws -> [[UInt8]] {
        guard let bytes = try DurableFile.read(path) else {
            throw Problem(description: "\(path) does not exist")
        }
        var found: [[UInt8]] = []
        let parts = String(decoding: bytes, as: UTF8.self).components(separatedBy: begin)
        for part in parts.dropFirst() {
            let text = part.components(separatedBy: end)
            let letters = text[0].filter { !$0.isWhitespace }
            guard text.count > 1, let der = Data(base64Encoded: letters),
                (try? Certificate(Array(der))) != nil
            else {
                throw Problem(
                    description: "\(path): certificate \(found.count + 1) cannot be read")
            }
            found.append(Array(der))
        }
        guard !found.isEmpty else {
            throw Problem(description: "\(path) holds no certificate in PEM")
        }
        return found
    }
}
