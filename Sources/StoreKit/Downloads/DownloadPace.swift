import Foundation

/// How fast a download has been since it last continued.
struct DownloadPace: Hashable, Sendable {
    let beganAt: Int64
    let bytesThen: Int64
    private(set) var latestAt: Int64
    private(set) var bytesNow: Int64

    init(at milliseconds: Int64, bytes: Int64) {
        beganAt = milliseconds
        latestAt = milliseconds
        bytesThen = bytes
        bytesNow = bytes
    }

    mutating func reach(_ bytes: Int64, at milliseconds: Int64) {
        latestAt = milliseconds
        bytesNow = bytes
    }

    /// Seconds until all bytes have arrived, at the rate so far; `SKDownloadTimeRemainingUnknown`
    /// before there is one.
    func timeRemaining(until length: Int64) -> TimeInterval {
        let elapsed = latestAt - beganAt
        let gained = bytesNow - bytesThen
        guard elapsed > 0, gained > 0 else { return SKDownloadTimeRemainingUnknown }
        return Double(max(0, length - bytesNow)) * Double(elapsed) / Double(gained) / 1_000
    }
}
