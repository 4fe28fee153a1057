import StoreModel

/// Binds a receipt's signed payload to one world, environment and kind of world.
///
/// Without signed attributes nothing in PKCS#7 binds the signer's certificate, and all leaves of
/// an environment share their key. So attribute 7, of unknown meaning and random-looking in
/// Apple's receipts, holds 16 bytes of salt and a SHA-256 over a label, the salt and the names of
/// all three. A leaf put in another's place then does not fit what was signed.
struct WorldSeal: Hashable, Sendable {
    /// Names what is hashed and the version of its layout.
    private static let label = "Bodega receipt world seal, version 1"
    private static let deviceLabel = "Bodega transaction receipt device, version 1"
    private static let deviceBytes = 20
    private static let saltBytes = 16
    private static let byteCount = saltBytes + 32

    /// The names, with a zero byte behind each; no world's name holds one.
    private let names: [UInt8]
    /// What a seal's hash begins with, in front of the salt.
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

    /// The seal; its salt follows from the receipt's other attributes.
    func bytes(seed: [UInt8]) -> [UInt8] {
        let salt = Array(sha256(seed + [0]).prefix(Self.saltBytes))
        return salt + sha256(sealed + salt)
    }

    func fits(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == Self.byteCount else { return false }
        let hash = sha256(sealed + bytes.prefix(Self.saltBytes))
        return isEqualInConstantTime(hash, Array(bytes.dropFirst(Self.saltBytes)))
    }

    /// What a transaction receipt calls the device: 40 digits as of Apple's device identifiers,
    /// which follow from the device's vendor identifier and all that a seal names.
    ///
    /// The signature of such a receipt leaves its certificate out, too, and the format has no
    /// field to spare. So this one, which differs for the same device from world to world, tells
    /// for which of them a receipt was signed.
    func deviceIdentifier(vendorIdentifier: String) -> String {
        let named = Array(Self.deviceLabel.utf8) + [0] + names + Array(vendorIdentifier.utf8)
        return hexadecimal(sha256(named).prefix(Self.deviceBytes))
    }

    /// What filler and salt are made from.
    static func seed(from attributes: [UInt8]) -> [UInt8] { sha256(attributes) }

    /// Attribute 6: 64 bytes that look random and mean nothing.
    static func filler(seed: [UInt8]) -> [UInt8] { sha256(seed + [1]) + sha256(seed + [2]) }
}
