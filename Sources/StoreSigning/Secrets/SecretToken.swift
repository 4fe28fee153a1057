import Foundation

/// 32 bytes nobody can guess, in the alphabet of addresses and without padding: 43 characters.
package func secretToken(_ bytes: [UInt8] = randomBytes(32)) -> String {
    Data(bytes).base64EncodedString()
        .replacingOccurrences(of: "+", with: "-")
        .replacingOccurrences(of: "/", with: "_")
        .replacingOccurrences(of: "=", with: "")
}
