import Foundation
import StoreModel

extension WallClock {
    /// The machine's clock.
    static let system = WallClock {
        Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
    }
}
