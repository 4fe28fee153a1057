/// How many bytes to request at once: few on a slow line, so that progress shows and no answer hits
/// a time limit; many on a fast one.
struct PartSize: Hashable, Sendable {
    static let bytesMin: Int64 = 64 << 10
    static let bytesMax: Int64 = 4 << 20
    private static let quickMilliseconds: Int64 = 250
    private static let slowMilliseconds: Int64 = 1_000

    private(set) var bytes: Int64 = 256 << 10

    /// A part of this size arrived in that time.
    mutating func took(milliseconds: Int64) {
        if milliseconds < Self.quickMilliseconds { bytes = min(bytes * 2, Self.bytesMax) }
        if milliseconds > Self.slowMilliseconds { bytes = max(bytes / 2, Self.bytesMin) }
    }

    /// A part of this size did not arrive.
    mutating func failed() {
        bytes = max(bytes / 2, Self.bytesMin)
    }
}
