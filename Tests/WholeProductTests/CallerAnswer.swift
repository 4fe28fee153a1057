import StoreCaller
import StoreWire

/// An answer of the store, as a test looks at it.
struct CallerAnswer {
    let status: Int
    let bytes: [UInt8]
    let retryAfter: String?

    init(_ response: CallerResponse) {
        status = response.status
        bytes = response.body
        retryAfter = response.headers["retry-after"]
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether it says that there is no room on the disk, and when to come back.
    var isRefusedForRoom: Bool {
        guard status == 503, retryAfter != nil,
            let code = try? WireJSON.decode(ErrorBody.self, from: bytes).error.code
        else { return false }
        return ["diskFull", "storage"].contains(code)
    }
}
