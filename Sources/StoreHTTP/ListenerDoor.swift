/// One of a listener's ports, as libmicrohttpd's callbacks know it.
final class ListenerDoor: Sendable {
    let core: ListenerCore
    /// Each port has its own: clients that fill one must not wear out the patience with those of the
    /// other.
    let watch: ConnectionWatch
    let connectionsMax: Int
    let isEncrypted: Bool

    init(core: ListenerCore, connectionsMax: Int, isEncrypted: Bool) {
        self.core = core
        self.connectionsMax = connectionsMax
        self.isEncrypted = isEncrypted
        watch = ConnectionWatch(core.configuration, connectionsMax: connectionsMax)
    }
}
