package import StoreModel

/// `POST /device/v1/waits` at the store's root: waits, up to some seconds, until one of many devices
/// has news, each as with `/device/v1/updates`.
package struct NewsWaitBody: Codable, Hashable, Sendable {
    package struct Device: Codable, Hashable, Sendable {
        /// A UUID that the device's process chose for this wait. When another request names it, the
        /// wait leaves its earlier request, which ends.
        package let id: String
        /// The name of its world.
        package let world: String
        package let environment: StoreEnvironment
        package let token: String
        /// The cursor of its last answer.
        package let after: Int64
        /// Whether it also hears of what only changes signed data.
        package let signed: Bool

        package init(
            id: String, world: String, environment: StoreEnvironment, token: String, after: Int64,
            signed: Bool
        ) {
            self.id = id
            self.world = world
            self.environment = environment
            self.token = token
            self.after = after
            self.signed = signed
        }
    }

    package let devices: [Device]
    package let wait: Int64

    package init(devices: [Device], wait: Int64) {
        self.devices = devices
        self.wait = wait
    }
}

package struct NewsWaitAnswerBody: Codable, Hashable, Sendable {
    /// The places in `devices` of those that ask for their updates now: they have news, or the store
    /// has to tell them why they cannot wait. None when the wait ended.
    package let ready: [Int]

    package init(ready: [Int]) {
        self.ready = ready
    }
}
