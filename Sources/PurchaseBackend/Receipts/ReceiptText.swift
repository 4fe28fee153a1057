import Foundation

/// The bytes of a receipt written in base64; nil when they are not.
///
/// Line breaks and blanks are left out and the alphabet for addresses is read too, since apps
/// send both; anything else makes it invalid rather than another receipt.
func receiptBytes(_ text: String) -> [UInt8]? {
    var letters: [UInt8] = []
    letters.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
        switch byte {
        case 0x09, 0x0A, 0x0D, 0x20, 0x3D: continue
        case 0x2D: letters.append(0x2B)
        case 0x5F: letters.append(0x2F)
        default: letters.append(byte)
        }
    }
    guard !letters.isEmpty else { return nil }
    letters += [UInt8](repeating: 0x3D, count: (4 - letters.count % 4) % 4)
    return Data(base64Encoded: Data(letters)).map(Array.init)
}
