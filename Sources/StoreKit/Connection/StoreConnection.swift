import Foundation
import StoreCaller
import StoreModel
import StoreWire
import Synchronization

/// The store's `/device/v1`, as one installation of an app calls it. Calls block.
///
/// The device is registered when it is first needed, and again when its token is no longer accepted
/// or the app's version has changed.
final class StoreConnection: Sendable {
    /// A receipt of 10,000 unfinished purchases takes about 5.6 MB.
    static let answerBytesMax = 16 << 20
    static let updatesWaitSecondsMax = 25
    static let millisecondsMax = 15_000

    let configuration: StoreConfiguration
    let home: HomeFolder
    let caller: Caller
    /// The ways in which a test has this device differ.
    let simulation = Simulation()
    /// Ends every call for good.
    let ending = CallCancellation()
    private let state = Mutex(State())

    private struct State {
        var session: DeviceRecord.Session?
        /// Whether this process has reported its app's version. It does so once: two versions that
        /// share a folder would otherwise invalidate each other's token endlessly.
        var hasToldVersion = false
        var hear: [@Sendable (Customer?, String) -> Void] = []
    }

    init(configuration: StoreConfiguration, home: HomeFolder, caller: Caller = Caller()) {
        self.configuration = configuration
        self.home = home
        self.caller = caller
        let session = try? home.deviceSession()
        state.withLock { $0.session = session?.scope == configuration.scope ? session : nil }
    }

    /// The store's registration of this device; nil before it is registered.
    var session: DeviceRecord.Session? { state.withLock { $0.session } }

    /// The account that is signed in.
    var account: String? { session?.account }

    /// The account that is signed in, and its world.
    var customer: Customer? { session?.customer }

    /// Adds a listener for every new session that changes the world, the account or the storefront.
    /// It gets the customer, if one is signed in, and the world's id.
    func hearOfSessions(_ hear: @escaping @Sendable (Customer?, String) -> Void) {
        state.withLock { $0.hear.append(hear) }
    }

    /// This installation's identifier.
    func guid() throws -> String {
        if let record = try home.load(DeviceRecord.self, from: home.deviceFile) {
            return record.guid
        }
        return try home.locked { try recordInLock().guid }
    }

    /// Sends a request with the device's token and reads the answer.
    func call<Answer: Decodable>(
        _: Answer.Type, _ method: String, _ path: String, body: (some Encodable)? = Nothing?.none,
        as customer: Customer? = nil, onDevice guid: String? = nil,
        millisecondsMax: Int = millisecondsMax, cancellation: CallCancellation? = nil
    ) throws(StoreFailure) -> Answer {
        let response = try exchange(
            method, path, body: try encoded(body), as: customer, onDevice: guid,
            millisecondsMax: millisecondsMax, cancellation: cancellation)
        return try decoded(Answer.self, response)
    }

    /// Sends a request with the device's token; an answer other than 200 or 206 is a failure.
    ///
    /// With a customer, the request goes out with one of that customer's tokens or not at all;
    /// likewise for a device. A world accepts only its own tokens, so this also holds when the
    /// address leads to a different store.
    func exchange(
        _ method: String, _ path: String, body: [UInt8]? = nil,
        headers: [(name: String, value: String)] = [], as customer: Customer? = nil,
        onDevice guid: String? = nil, millisecondsMax: Int = millisecondsMax,
        answerBytesMax: Int = answerBytesMax, cancellation: CallCancellation? = nil
    ) throws(StoreFailure) -> CallerResponse {
        func send(token: String) throws(StoreFailure) -> CallerResponse {
            try self.send(
                method, path, body, headers: headers, token: token, millisecondsMax,
                answerBytesMax: answerBytesMax, cancellation)
        }
        let token = try token(as: customer, onDevice: guid)
        var response = try send(token: token)
        if response.status == 401 {
            // A token that is known, of a device without an account, is not renewed.
            if Self.saysSignedOut(response) { throw signedOut(by: token) }
            _ = try renewToken(insteadOf: token)
            let renewed = try self.token(as: customer, onDevice: guid)
            response = try send(token: renewed)
            guard response.status != 401 else { throw signedOut(by: renewed) }
            return try checked(response, to: renewed)
        }
        return try checked(response, to: token)
    }

    /// Signs in, in one world only when one is named. A wrong name or password is `refused` with
    /// status 401.
    func signIn(
        _ account: StoreConfiguration.Account, in worldId: String? = nil,
        from place: SignInBody.Place = .sheet
    ) throws(StoreFailure) {
        let body = SignInBody(account: account.name, password: account.password, from: place)
        let token = try token()
        try checkWorld(worldId)
        // Within the lock, so that processes that start together sign in once, not once each.
        try inLock { () throws(StoreFailure) in
            // In the device's settings, a customer wants to know whether the password is right.
            if takeStoredSignIn(), self.account == account.name, place == .sheet { return }
            let bytes = try encoded(body)
            var response = try send(
                "POST", "sign-in", bytes, token: session?.deviceToken ?? token,
                Self.millisecondsMax, nil)
            if Self.code(response) == "tokenUnknown" {
                let renewed = try renewTokenInLock(insteadOf: session?.deviceToken ?? token)
                try checkWorld(worldId)
                if self.account == account.name, place == .sheet { return }
                response = try send(
                    "POST", "sign-in", bytes, token: renewed, Self.millisecondsMax, nil)
            }
            try keep(try decoded(DeviceSessionBody.self, try checked(response)))
        }
    }

    /// Takes over a sign-in that another thread or process has stored since; true when there was
    /// one.
    @discardableResult func takeStoredSignIn() -> Bool {
        guard let stored = try? home.deviceSession(), stored.scope == configuration.scope,
            stored.account != nil, isOurs(stored), stored.deviceToken != session?.deviceToken
        else { return account != nil }
        take(stored)
        return true
    }

    /// Takes a session that the store's owner opened for this device.
    func adopt(_ session: DeviceSessionBody) throws(StoreFailure) {
        try inLock { () throws(StoreFailure) in try keep(session) }
        state.withLock { $0.hasToldVersion = true }
    }

    /// Signs out for good: no account is signed in again without asking.
    ///
    /// If the store cannot be reached, nothing changes.
    func signOut() throws(StoreFailure) {
        try inLock { () throws(StoreFailure) in
            guard let stored = try storedSession() else { return }
            take(stored)
            var response = try send(
                "POST", "sign-out", nil, token: stored.deviceToken, Self.millisecondsMax, nil)
            if Self.code(response) == "tokenUnknown" {
                let renewed = try renewTokenInLock(insteadOf: stored.deviceToken)
                response = try send(
                    "POST", "sign-out", nil, token: renewed, Self.millisecondsMax, nil)
            }
            try keep(
                try decoded(DeviceSessionBody.self, try checked(response)), forgetsPerson: true)
        }
    }

    /// Notes that a customer now buys in another storefront. Gives the new session, or nil when the
    /// move was known or the customer is not signed in; and whether the move is saved.
    func move(
        _ customer: Customer, toStorefront countryCode: String
    ) -> (session: DeviceRecord.Session?, isSaved: Bool) {
        guard let storefront = StoreModel.Storefront(countryCode: countryCode) else {
            return (nil, true)
        }
        var isSaved = true
        do {
            try home.locked {
                var record = try recordInLock()
                guard let session = record.session, session.scope == configuration.scope,
                    session.customer == customer, session.countryCode != countryCode
                else { return }
                record.session = session.moved(to: StorefrontBody(storefront))
                try home.save(record, to: home.deviceFile)
            }
        } catch {
            isSaved = false
            Diagnostic.sayOnce("\(error)")
        }
        return state.withLock { state in
            guard let session = state.session, session.customer == customer,
                session.countryCode != countryCode
            else { return (nil, isSaved) }
            let moved = session.moved(to: StorefrontBody(storefront))
            state.session = moved
            return (moved, isSaved)
        }
    }

    // MARK: - The device's token

    private func token() throws(StoreFailure) -> String {
        if let session, isOurs(session) { return session.deviceToken }
        return try renewToken(insteadOf: session?.deviceToken)
    }

    /// Registers once more when the root of a world's signed data was never met, as by a device that
    /// an earlier version registered. What fails here shows when data are verified.
    func meetRoot(of worldId: String) {
        guard let session, session.worldId == worldId,
            (try? RootPins(home: home).root(of: worldId)) == nil
        else { return }
        do throws(StoreFailure) {
            _ = try renewToken(insteadOf: session.deviceToken)
        } catch {
            Diagnostic.sayOnce(error.sentence)
        }
    }

    /// The token of a customer, or of any customer when none is named.
    func token(
        as customer: Customer?, onDevice guid: String?
    ) throws(StoreFailure) -> String {
        let token = try token()
        guard let customer else { return token }
        guard let session else { throw Self.nobody }
        guard session.worldId == customer.worldId else { throw Self.otherWorld }
        guard guid == nil || session.guid == guid else { throw Self.otherDevice }
        guard session.account == customer.account else {
            throw StoreFailure(.signedOut, "\(customer.account) is not signed in to the store.")
        }
        return session.deviceToken
    }

    private func checkWorld(_ worldId: String?) throws(StoreFailure) {
        guard let worldId, session?.worldId != worldId else { return }
        throw Self.otherWorld
    }

    /// The store keys attempts by device: under a new guid, an old attempt would be bought again.
    private static let otherDevice = StoreFailure(
        .otherWorld, "This device lost its identifier, so the store sees a new device.")

    private static let otherWorld = StoreFailure(
        .otherWorld, "The store at this address is not the same one as before.")

    /// Takes the token that another process has stored meanwhile, or else registers again.
    private func renewToken(insteadOf stale: String?) throws(StoreFailure) -> String {
        try inLock { () throws(StoreFailure) in try renewTokenInLock(insteadOf: stale) }
    }

    private func renewTokenInLock(insteadOf stale: String?) throws(StoreFailure) -> String {
        let stored = try storedSession()
        if let stored, stored.deviceToken != stale, isOurs(stored) {
            take(stored)
            return stored.deviceToken
        }
        return try register(oldToken: stored?.deviceToken)
    }

    private func storedSession() throws(StoreFailure) -> DeviceRecord.Session? {
        do {
            return try home.deviceSession().flatMap {
                $0.scope == configuration.scope ? $0 : nil
            }
        } catch {
            throw StoreFailure(.lost, "\(error)")
        }
    }

    /// Switches to a session, and tells the listeners when it has another customer or world.
    private func take(_ session: DeviceRecord.Session) {
        let hear = state.withLock { state in
            let before = state.session
            state.session = session
            let isNew =
                before?.worldId != session.worldId
                || before?.storefrontIdentifier != session.storefrontIdentifier
                || session.account != nil && before?.account != session.account
                || before?.account != nil && session.isLeft
            return isNew ? state.hear : []
        }
        for hear in hear { hear(session.customer, session.worldId) }
    }

    private func isOurs(_ session: DeviceRecord.Session) -> Bool {
        session.appVersion == configuration.appVersion || state.withLock { $0.hasToldVersion }
    }

    private func register(oldToken: String?) throws(StoreFailure) -> String {
        let guid: String
        do {
            guid = try recordInLock().guid
        } catch {
            throw StoreFailure(.lost, "\(error)")
        }
        let body = RegisterDeviceBody(
            guid: guid, bundleId: configuration.bundleIdentifier,
            appVersion: configuration.appVersion)
        var response = try send(
            "POST", "register", try encoded(body), token: oldToken, Self.millisecondsMax, nil)
        if response.status == 401, oldToken != nil {
            response = try send(
                "POST", "register", try encoded(body), token: nil, Self.millisecondsMax, nil)
        }
        let answer = try decoded(DeviceSessionBody.self, try checked(response))
        try keep(answer)
        state.withLock { $0.hasToldVersion = true }
        return answer.deviceToken
    }

    private func keep(
        _ answer: DeviceSessionBody, forgetsPerson: Bool = false
    ) throws(StoreFailure) {
        let session: DeviceRecord.Session
        do {
            var record = try recordInLock()
            let before = record.session.flatMap {
                $0.scope == configuration.scope && $0.worldId == answer.worldId ? $0 : nil
            }
            session = DeviceRecord.Session(
                answer, guid: record.guid, scope: configuration.scope,
                appVersion: configuration.appVersion,
                accountBefore: forgetsPerson ? nil : before?.account ?? before?.accountBefore,
                hasLeft: forgetsPerson || before?.isLeft == true)
            record.session = session
            if let root = answer.signedDataRoot.flatMap({ Data(base64Encoded: $0) }) {
                try RootPins(home: home).pin(root, of: answer.worldId)
            }
            try home.save(record, to: home.deviceFile)
        } catch {
            throw StoreFailure(.lost, "\(error)")
        }
        take(session)
    }

    /// The device's record, created if there is none. Call with the folder locked.
    private func recordInLock() throws -> DeviceRecord {
        if let record = try home.load(DeviceRecord.self, from: home.deviceFile) { return record }
        let record = DeviceRecord(guid: UUID().uuidString, session: nil)
        try home.save(record, to: home.deviceFile)
        return record
    }

    private static let nobody = StoreFailure(.signedOut, "Nobody is signed in to the store.")

    /// Notes that the store knows no account for a token. If the token is no longer the newest, an
    /// account may have signed in since it was sent, and stays signed in.
    func signedOut(by token: String) -> StoreFailure {
        state.withLock { state in
            guard let session = state.session, session.deviceToken == token else { return }
            state.session = session.signedOut
        }
        return Self.nobody
    }

    private func inLock<Answer>(
        _ body: () throws(StoreFailure) -> Answer
    ) throws(StoreFailure) -> Answer {
        do {
            return try home.locked(body)
        } catch let failure as StoreFailure {
            throw failure
        } catch {
            throw StoreFailure(.lost, "\(error)")
        }
    }
}
