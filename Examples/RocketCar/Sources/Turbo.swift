import Foundation
import StoreKit

/// A feature that is in the app and must be unlocked.
enum Turbo: String {
    /// The receipt on this device contains it.
    case byReceipt = "receipt"
    /// There is no receipt to read, but it was unlocked here before.
    case byDefaults = "defaults"
    case locked

    static func state(_ garage: Garage) -> Turbo {
        if let receipt = AppReceipt.own(of: garage) {
            return receipt.holds(product: Garage.turbo) ? .byReceipt : .locked
        }
        return UserDefaults.standard.bool(forKey: key(garage)) ? .byDefaults : .locked
    }

    static func remember(_ garage: Garage) {
        UserDefaults.standard.set(true, forKey: key(garage))
        UserDefaults.standard.synchronize()
    }

    /// Locks it again; false when it was not unlocked here.
    static func forget(_ garage: Garage) -> Bool {
        let wasUnlocked = UserDefaults.standard.bool(forKey: key(garage))
        UserDefaults.standard.removeObject(forKey: key(garage))
        UserDefaults.standard.synchronize()
        return wasUnlocked
    }

    /// One player's installation does not unlock another's on the same machine.
    private static func key(_ garage: Garage) -> String {
        "turbo unlocked in \(garage.home.path)"
    }
}
