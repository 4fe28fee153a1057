import StoreModel
import StoreVerification

/// Binds a receipt's signed payload to one world, environment and kind of world.
///
/// Without signed attributes, nothing in PKCS#7 binds the signer's certificate, and all leaves of
/// an environment share their key. So attribute 7, of unknown meaning and random-looking in Apple's
/// receipts, holds 16 bytes of salt and a SHA-256 over a label, the salt and the names of all
/// three. A substituted leaf then does not match the signed payload.
struct WorldSeal: Hashable, Sendable {
    /// Identifies the hashed contents and the version of their layout.
    private static let label = "Bodega receipt world seal, version 1"
    private static let deviceLabel = "Bodega transaction receipt device, version 1"
    private static let deviceBytes = 20
    private static let saltBytes = 16
    private static let byteCount = saltBytes + 32

    /// The names, each followed by a zero byte, which no name contains.
    private let names: [UInt8]
    /// The start of the hashed bytes, before the salt.
    private let sealed: [UInt8]
    let worldID: String
    let environment: StoreEnvironment
    let isTest: Bool

    init(worldID: String, environment: StoreEnvironment, isTest: Bool) {
        self.worldID = worldID
        self.environment = environment
        self.isTest = isTest
        names = [environment.rawValue, isTest ? "test" : "lasting", worldID]
            .flatMap { Array($0.utf8) + [0] }
        sealed = Array(Self.label.utf8) + [0] + names
    }

    /// The seal; its salt is derived from the receipt's other attributes.
    func bytes(seed: [UInt8]) -> [UInt8] {
        let salt = Array(sha256(seed + [0]).prefix(Self.saltBytes))
        return salt + sha256(sealed + salt)
    }

    func fits(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == Self.byteCount else { return false }
        let hash = sha256(sealed + bytes.prefix(Self.saltBytes))
        return isEqualInConstantTime(hash, Array(bytes.dropFirst(Self.saltBytes)))
    }

    /// A transaction receipt's identifier of the device: 40 digits like Apple's device identifiers,
    /// derived from the device's vendor identifier and everything that a seal names.
    ///
    /// The signature of such a receipt does not cover its certificate either, and the format has no
    /// spare field. This identifier differs from world to world for the same device, so it shows
    /// for which world a receipt was signed.
    func deviceIdentifier(vendorIdentifier: String) -> String {
        let named = Array(Self.deviceLabel.utf8) + [0] + names + Array(vendorIdentifier.utf8)
        return hexadecimal(sha256(named).prefix(Self.deviceBytes))
    }

    /// The seed of filler and salt.
    static func seed(from attributes: [UInt8]) -> [UInt8] { sha256(attributes) }

    /// Attribute 6: 64 bytes that look random and mean nothing.
    static func filler(seed: [UInt8]) -> [UInt8] { sha256(seed + [1]) + sha256(seed + [2]) }
}
