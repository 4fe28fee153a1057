import StoreKit

// For benchmarks and for the tests of this module.
extension SKTestSession {
    /// Ends the session, and returns when nothing of it is left.
    package func end() async {
        StoreContext.restoreProcess(insteadOf: world.context)
        world.end()
        await world.ended()
    }

    /// The same device in another process of the app, as far as memory goes. It must be ended first.
    package func secondProcess() -> StoreContext { world.makeContext() }
}
