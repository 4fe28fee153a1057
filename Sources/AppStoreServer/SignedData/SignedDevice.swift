import Foundation
import StoreModel
import StoreSigning
import StoreVerification
import StoreWire

/// The device for which data are signed, and which recognises them as its own.
///
/// Source: Apple, *Transaction.deviceVerification*: SHA-384 over the nonce and the identifier of the
/// device, both in lowercase.
struct SignedDevice: Hashable, Sendable {
    /// Its UUID.
    let guid: String

    /// Writes both members, with a new nonce.
    func write(to json: inout JSONWriter) {
        let nonce = makeUUID().lowercased()
        let digest = sha384(Array((nonce + guid.lowercased()).utf8))
        json.member("deviceVerification", plain: Data(digest).base64EncodedString())
        json.member("deviceVerificationNonce", plain: nonce)
    }
}
