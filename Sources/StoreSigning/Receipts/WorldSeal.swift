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
    private static let saltBytes = 16
    private static let byteCount = saltBytes + 32

    /// The label and the names, with a zero byte behind each; no world's name holds one.
    private let names: [UInt8]

    init(worldID: String, environment: StoreEnvironment, isTest: Bool) {
        names = [Self.label, environment.rawValue, isTest ? "test" : "lasting", worldID]
            .flatMap { Array($0.utf8) + [0] }
    }

    /// The seal; its salt follows from the receipt's other attributes.
    func bytes(seed: [UInt8]) -> [UInt8] {
        let salt = Array(sha256(seed + [0]).prefix(Self.saltBytes))
        return salt + hash(salt: salt)
    }

    func fits(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == Self.byteCount else { return false }
        let salt = Array(bytes.prefix(Self.saltBytes))
        return isEqualInConstantTime(hash(salt: salt), Array(bytes.dropFirst(Self.saltBytes)))
    }

    private func hash(salt: [UInt8]) -> [UInt8] {
        sha256(names + salt)
    }

    /// What filler and salt are made from.
    static func seed(from attributes: [UInt8]) -> [UInt8] { sha256(attributes) }

    /// Attribute 6: 64 bytes that look random and mean nothing.
    static func filler(seed: [UInt8]) -> [UInt8] { sha256(seed + [1]) + sha256(seed + [2]) }
}
