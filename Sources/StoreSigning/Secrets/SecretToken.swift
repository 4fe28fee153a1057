/// 32 bytes nobody can guess, in the alphabet of addresses and without padding: 43 characters.
package func secretToken(_ bytes: [UInt8] = randomBytes(32)) -> String {
    StrictBase64.urlText(bytes)
}
