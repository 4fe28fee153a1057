import COpenSSL
import StoreVerification

/// SHA-1 of guid, opaque value and the DER of the bundle identifier: attribute 5 of a receipt.
///
/// Apple, "Validating receipts on the device": the bundle identifier includes its tag and length.
package func receiptDeviceHash(guid: [UInt8], opaqueValue: [UInt8], bundleID: String) -> [UInt8] {
    sha1(guid + opaqueValue + DERWriter.utf8String(bundleID))
}

/// Unpredictable bytes.
package func randomBytes(_ count: Int) -> [UInt8] {
    guard count > 0 else { return [] }
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        let done = unsafe RAND_bytes(buffer.baseAddress, Int32(count))
        precondition(done == 1, "the system gives no random bytes; nothing can be signed safely")
        filled = count
    }
}

/// Whether two byte strings are equal, in a time that does not reveal where they differ.
package func isEqualInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return unsafe CRYPTO_memcmp(left, right, left.count) == 0
}

/// 32 unpredictable bytes in base64url without padding: 43 characters.
package func secretToken(_ bytes: [UInt8] = randomBytes(32)) -> String {
    StrictBase64.urlText(bytes)
}
