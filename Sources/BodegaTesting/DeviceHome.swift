import Foundation
import StoreKit

/// Where the devices of a world have their homes.
package enum DeviceHome {
    private static let removalTriesMax = 50

    package static func folder(ofWorld name: String, in store: BodegaStore) -> String {
        let devices = store.folder + "/devices"
        StoreContext.syncNothing(below: devices)
        return "\(devices)/\(name)"
    }

    /// Removes a folder into which something may still be written that was under way.
    package static func remove(_ folder: String) {
        for _ in 0..<removalTriesMax where FileManager.default.fileExists(atPath: folder) {
            do {
                try FileManager.default.removeItem(atPath: folder)
            } catch {
                Thread.sleep(forTimeInterval: 0.02)
            }
        }
    }
}
