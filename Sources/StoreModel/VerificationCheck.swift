/// A check of something that a store signed. A receipt or signed data pass theirs one after the
/// other; the first that fails refuses them.
package enum VerificationCheck: String, Codable, CaseIterable, Hashable, Sendable {
    /// Its parts can be told apart: a container, a property list or a JWS.
    case form
    /// It has as many certificates as it should.
    case certificates
    /// A root of this store is above the certificates.
    case root
    /// The certificates lead to that root, and may sign such data.
    case chain
    /// The signed contents can be read.
    case contents
    /// The certificates were valid when it was signed.
    case dates
    /// It names the leaf as its signer.
    case signer
    /// The signature matches the digest of the signed contents.
    case signature
    /// It names the world and the environment that the leaf was made for.
    case seal
    /// Where it says something twice, both agree.
    case repetitions
    /// Everything outside the signature is as the store writes it.
    case unsigned
    /// It was signed for the world that is asked.
    case world
    /// None of its certificates was revoked.
    case revocation
}
