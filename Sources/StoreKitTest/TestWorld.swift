import BodegaTesting
import Foundation
import StoreKit
import StoreModel
import StoreWire
import Synchronization

/// The world of a session, its buyer, and the device that StoreKit is on.
final class TestWorld: Sendable {
    private struct State {
        /// The buyer; `clearTransactions()` brings another one.
        var account = ""
        var settings = SessionSettings()
        var isOver = false
    }

    /// As long as Xcode's, by the calendar.
    private static let graceDays = 16

    let file: ConfigurationFile
    let context: StoreContext
    let bundleID: String
    private let appVersion: String
    /// What the environment of an app on the device would say.
    private let variables: [String: String]
    private let store: BodegaStore
    private let name: String
    private let door: ControlDoor
    private let state = Mutex(State())
    private let isEnded: AsyncStream<Never>
    private let whenEnded: AsyncStream<Never>.Continuation
    /// Held while settings are changed at the store, so that the last change is the one that stands.
    private let changing = Mutex(())

    // MARK: - Beginning and end

    /// Makes the world; waits for the store.
    ///
    /// - Parameter environment: The name in what is signed.
    init(_ file: ConfigurationFile, environment: SandboxName) throws(SKTestError) {
        self.file = file
        (isEnded, whenEnded) = AsyncStream.makeStream()
        bundleID =
            ProgramSearch.value("STOREKIT_BUNDLE_ID") ?? Bundle.main.bundleIdentifier
            ?? "com.example.app"
        appVersion = ProgramSearch.value("STOREKIT_APP_VERSION") ?? "1.0"
        do throws(BodegaError) {
            store = try BodegaStore.ofSessions()
            let world = try store.door(at: "/control/v1").askNow(
                WorldBody.self, "POST", "/worlds",
                MakeWorldBody(name: nil, sandboxName: environment))
            name = world.name
            store.note(session: name, isThere: true)
            door = store.door(at: world.path + "/control/v1")
            variables = [
                "STOREKIT_URL": store.url.absoluteString + world.path + "/sandbox",
                "STOREKIT_BUNDLE_ID": bundleID, "STOREKIT_APP_VERSION": appVersion,
                "STOREKIT_SHEET": "approve",
                "STOREKIT_HOME": DeviceHome.folder(ofWorld: world.name, in: store),
            ]
            context = Self.makeContext(variables)
        } catch {
            throw SKTestError(.serviceUnavailable, error.description)
        }
        do throws(SKTestError) {
            try fill()
        } catch {
            end()
            throw error
        }
    }

    /// StoreKit on the session's device.
    func makeContext() -> StoreContext { Self.makeContext(variables) }

    private static func makeContext(_ variables: [String: String]) -> StoreContext {
        StoreContext(
            variables: variables,
            ending: "This test session has ended, so nothing can be bought in it.")
    }

    /// The catalogue, the settings and the buyer.
    private func fill() throws(SKTestError) {
        do throws(BodegaError) {
            try door.sendNow("PUT", "\(app)/catalog", bytes: file.bytes)
        } catch {
            throw SKTestError(
                error.isRefusal ? .invalidURL : .serviceUnavailable,
                "\(file.url.path): \(error.description)")
        }
        let settings = file.settings
        state.withLock { $0.settings = settings }
        try send("PUT", "/clock/pace", PacesBody(production: nil, sandbox: settings.timeRate.pace))
        if settings.hasGracePeriod { try sendGracePeriod(of: settings) }
        try bringBuyer()
        simulate(settings)
    }

    /// Another buyer takes the place of the present one, whose account is deleted.
    func replaceBuyer() throws(SKTestError) {
        try changing.withLock { _ throws(SKTestError) in
            let before = account
            try bringBuyer()
            try send(
                "POST", "/accounts/delete",
                DeleteAccountBody(name: before, requestId: UUID().uuidString))
        }
    }

    /// Makes a new buyer and signs the device in as them.
    private func bringBuyer() throws(SKTestError) {
        let settings = state.withLock { $0.settings }
        let account = "buyer-\(UUID().uuidString.lowercased())@example.com"
        _ = try ask(
            AccountBody.self, "POST", "/accounts",
            MakeAccountBody(
                environment: .sandbox, name: account, password: nil,
                storefront: settings.storefront, needsApproval: settings.asksToBuy))
        if settings.interruptsPurchases || settings.failsRenewals {
            try sendAccountSettings(settings, of: account)
        }
        let session = try ask(
            DeviceSessionBody.self, "POST", "/devices",
            MakeDeviceBody(
                guid: try deviceGuid(), account: account, bundleId: bundleID,
                appVersion: appVersion))
        try onDevice { () throws(StoreContext.TestTrouble) in try context.adopt(session) }
        state.withLock { $0.account = account }
    }

    func deviceGuid() throws(SKTestError) -> String {
        try onDevice { () throws(StoreContext.TestTrouble) in try context.deviceGuid() }
    }

    private func onDevice<Answer>(
        _ body: () throws(StoreContext.TestTrouble) -> Answer
    ) throws(SKTestError) -> Answer {
        do throws(StoreContext.TestTrouble) {
            return try body()
        } catch {
            throw SKTestError(.serviceUnavailable, error.sentence)
        }
    }

    /// Ends the world and the device, in the background. Doing it again does nothing.
    func end() {
        let isFirst = state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
        guard isFirst else { return }
        let (context, store, name, home, whenEnded) = (context, store, name, home, whenEnded)
        waiters.addOperation {
            context.end()
            DeviceHome.remove(home)
            _ = try? store.door(at: "/control/v1").sendNow("DELETE", "/worlds/\(name)")
            store.note(session: name, isThere: false)
            whenEnded.finish()
        }
    }

    /// Waits until nothing is left of it, once `end()` was called.
    func ended() async {
        for await _ in isEnded {}
    }

    /// Whether the store still has the world.
    var isAtStore: Bool {
        (try? store.door(at: "/control/v1").sendNow("GET", "/worlds/\(name)")) != nil
    }

    /// Where the device keeps what it must not forget.
    var home: String { DeviceHome.folder(ofWorld: name, in: store) }

    // MARK: - Asking the store

    /// The buyer's name.
    var account: String { state.withLock { $0.account } }

    var settings: SessionSettings { state.withLock { $0.settings } }

    /// The path of the app.
    var app: String { "/apps/\(ControlDoor.escaped(bundleID))" }

    func checkRunning() throws(SKTestError) {
        guard state.withLock({ !$0.isOver }) else {
            throw SKTestError(.serviceUnavailable, "This test session has ended; make another one.")
        }
    }

    /// Asks on the caller's thread.
    ///
    /// - Parameter codes: What the store's refusals are to the caller; others are `invalidAction`. Without
    ///   an answer of the store it is `serviceUnavailable`.
    func ask<Answer: Decodable>(
        _ type: Answer.Type, _ method: String, _ path: String,
        _ body: (any Encodable & Sendable)? = nil, _ codes: [String: SKTestError.Code] = [:]
    ) throws(SKTestError) -> Answer {
        try asking(method, codes) { () throws(BodegaError) in
            try door.askNow(type, method, path, body)
        }
    }

    /// The same, where the answer does not matter.
    func send(
        _ method: String, _ path: String, _ body: (any Encodable & Sendable)? = nil,
        _ codes: [String: SKTestError.Code] = [:]
    ) throws(SKTestError) {
        try asking(method, codes) { () throws(BodegaError) in
            try door.sendNow(method, path, body)
        }
    }

    @discardableResult
    private func asking<Answer>(
        _ method: String, _ codes: [String: SKTestError.Code],
        _ ask: () throws(BodegaError) -> Answer
    ) throws(SKTestError) -> Answer {
        try checkRunning()
        do throws(BodegaError) {
            let answer = try ask()
            // Whoever reads next sees what was changed, even if the news of it take a moment.
            if method != "GET" { context.expectNews() }
            return answer
        } catch {
            throw Self.error(error, codes)
        }
    }

    /// The same without a thread.
    func askLater<Answer: Decodable>(
        _ type: Answer.Type, _ method: String, _ path: String,
        _ body: (any Encodable & Sendable)? = nil, _ codes: [String: SKTestError.Code] = [:]
    ) async throws(SKTestError) -> Answer {
        try checkRunning()
        do throws(BodegaError) {
            let answer = try await door.ask(type, method, path, body)
            context.expectNews()
            return answer
        } catch {
            throw Self.error(error, codes)
        }
    }

    private static func error(
        _ error: BodegaError, _ codes: [String: SKTestError.Code]
    ) -> SKTestError {
        // Its world is gone, whoever ended it.
        let isGone = error.code == "worldUnknown"
        return SKTestError(
            codes[error.code]
                ?? (error.isRefusal && !isGone ? .invalidAction : .serviceUnavailable),
            error.description)
    }

    // MARK: - Settings

    /// Changes settings at the store; they stay as they are when that fails.
    func change(_ body: (inout SessionSettings) -> Void) throws(SKTestError) {
        try changing.withLock { _ throws(SKTestError) in
            let before = settings
            var after = before
            body(&after)
            let account = account
            if after.storefront != before.storefront {
                try send(
                    "POST", "/accounts/storefront",
                    SetStorefrontBody(name: account, storefront: after.storefront))
            }
            if after.asksToBuy != before.asksToBuy
                || after.interruptsPurchases != before.interruptsPurchases
                || after.failsRenewals != before.failsRenewals
            {
                try sendAccountSettings(after, of: account)
            }
            if after.timeRate != before.timeRate {
                try send(
                    "PUT", "/clock/pace",
                    PacesBody(production: nil, sandbox: after.timeRate.pace))
            }
            if after.hasGracePeriod != before.hasGracePeriod { try sendGracePeriod(of: after) }
            simulate(after)
            let changed = after
            state.withLock { $0.settings = changed }
        }
    }

    private func sendAccountSettings(
        _ settings: SessionSettings, of account: String
    ) throws(SKTestError) {
        try send(
            "POST", "/accounts/settings",
            AccountSettingsBody(
                name: account, needsApproval: settings.asksToBuy,
                interruptsPurchases: settings.interruptsPurchases,
                failsRenewals: settings.failsRenewals))
    }

    private func sendGracePeriod(of settings: SessionSettings) throws(SKTestError) {
        try send(
            "PUT", "\(app)/grace-period",
            GracePeriodBody(days: settings.hasGracePeriod ? Self.graceDays : nil))
    }

    private func simulate(_ settings: SessionSettings) {
        context.simulate {
            $0.locale = settings.locale
            $0.failedPayments = settings.failsTransactions ? settings.failureError : nil
        }
    }
}
