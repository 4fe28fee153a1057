/// How much room on-demand resources may take on a device.
struct ResourceLimits: Hashable, Sendable {
    /// Apple's limit on resources in use before iOS 18.
    static let standard = ResourceLimits(spaceBytes: 4 << 30, useBytes: 2 << 30)

    /// Bytes of all resources on the device; what is not in use is purged beyond.
    let spaceBytes: Int64
    /// Bytes of the resources that one app uses at once.
    let useBytes: Int64

    /// Reads `STOREKIT_RESOURCE_SPACE` and `STOREKIT_RESOURCE_USE`.
    static func read(
        _ value: (String) -> String?
    ) throws(StoreConfiguration.Problem) -> ResourceLimits {
        ResourceLimits(
            spaceBytes: try bytes("STOREKIT_RESOURCE_SPACE", value) ?? standard.spaceBytes,
            useBytes: try bytes("STOREKIT_RESOURCE_USE", value) ?? standard.useBytes)
    }

    private static func bytes(
        _ name: String, _ value: (String) -> String?
    ) throws(StoreConfiguration.Problem) -> Int64? {
        guard let text = value(name) else { return nil }
        guard let bytes = Int64(text), bytes > 0 else {
            throw StoreConfiguration.Problem(
                sentence: "\(name) is \"\(text)\"; it must be a number of bytes from 1 up.")
        }
        return bytes
    }
}
