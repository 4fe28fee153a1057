package import StoreWire

// What StoreKitTest does with a device.
extension StoreContext {
    /// Why a test's device cannot do it, in a sentence.
    package struct TestTrouble: Error {
        package let sentence: String
    }

    /// From now on, nothing below a folder is synced, so that it need not survive a power failure: the
    /// homes of devices that end with this process.
    package static func syncNothing(below folder: String) {
        DurableFile.syncNothing(below: folder)
    }

    /// This installation's identifier.
    package func deviceGuid() throws(TestTrouble) -> String {
        let connection = try testConnection()
        do {
            return try connection.guid()
        } catch {
            throw TestTrouble(sentence: "\(error)")
        }
    }

    /// Takes a session that the store's owner opened for this device: its account is signed in, and
    /// the one before is not.
    package func adopt(_ session: DeviceSessionBody) throws(TestTrouble) {
        let connection = try testConnection()
        do throws(StoreFailure) {
            try connection.adopt(session)
        } catch {
            throw TestTrouble(sentence: error.sentence)
        }
    }

    /// Changes what a test simulates here.
    package func simulate(_ change: @Sendable (inout Simulation.Settings) -> Void) {
        if case .success(let parts) = engine.parts { parts.connection.simulation.change(change) }
    }

    /// A transaction that the store's owner bought for the account; sequences hear of it, too. Nil when
    /// the store does not list it now.
    package func bought(_ id: UInt64) async -> Transaction? {
        await signedPurchases.bought(id)?.unsafePayloadValue
    }

    /// The next reader asks the store: the owner changed something.
    package func expectNews() {
        engine.feed?.changedByQueue()
    }

    private func testConnection() throws(TestTrouble) -> StoreConnection {
        do throws(FailureReason) {
            return try engine.usable.get().connection
        } catch {
            throw TestTrouble(sentence: error.sentence)
        }
    }
}
