import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreWire

/// Reports an account's transactions to its devices.
enum UpdatesService {
    /// `GET /device/v1/transactions`
    static func unfinished(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.answer(responder) {
            let (session, account) = try scene.signedIn(request)
            let body = try scene.world.database.read { scope in
                UnfinishedBody(
                    transactions: try scope.unfinished(
                        of: account.id, in: session.app, on: session.device
                    ).map { TransactionBody($0) },
                    cursor: try scope.lastEventNumber().rawValue,
                    receiptRevision: try scope.receiptRevision(of: account.id, in: session.app),
                    priceConsents: try scope.pendingPriceConsents(
                        of: account.id, in: session.app
                    ).map { DevicePriceConsentBody($0) },
                    storefront: try scope.storefront(of: account.id)?.countryCode)
            }
            return .json(try WireJSON.encode(body))
        }
    }

    /// `GET /device/v1/updates?after=N&wait=S`
    static func updates(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.attempt(responder) {
            let (session, account) = try scene.signedIn(request)
            let after = EventNumber(try request.queryNumber("after") ?? 0)
            let wait = min(try request.queryNumber("wait") ?? 0, Limits.pollSecondsMax)
            let wantsSigned = try request.queryFlag(SignedPurchaseBody.queryName)
            let poll = UpdatePoll(
                account: account.id, session: session, after: after,
                choice: wantsSigned ? .withSignedChanges : .usual, scene: scene)
            try poll.remember()
            if wait == 0 { return responder.send(try poll.answer()) }
            // Wait first, then look: an event in between ends the wait.
            let waits = scene.world.updates.wait(
                for: account.id, device: session.device,
                topic: poll.topic, seconds: wait,
                overTLS: request.peer.isEncrypted
            ) {
                scene.answer(responder) {
                    // The account may have been signed out meanwhile.
                    _ = try scene.signedIn(request)
                    return try poll.answer()
                }
            }
            guard waits else {
                // News that is there needs no place.
                guard try poll.hasNews() else { throw Refusal.busy }
                return responder.send(try poll.answer())
            }
            let isSignedOut = (try? scene.signedIn(request)) == nil
            if try isSignedOut || poll.hasNews() { scene.world.updates.wake(account.id) }
        }
    }
}

/// One device's question for news.
struct UpdatePoll: Sendable {
    let account: AccountID
    let session: DeviceSession
    let after: EventNumber
    let choice: DeviceEvents
    let scene: Scene

    /// What it waits for.
    var topic: UpdateHub.Topic { choice == .withSignedChanges ? .signedData : .events }

    /// Notes the device's position; nobody waits for that.
    func remember() throws {
        let reader = "device:\(session.device)"
        let (known, last) = try scene.world.database.read { scope in
            (try scope.cursor(of: reader), try scope.lastEventNumber())
        }
        guard after > known ?? EventNumber(0), after <= last else { return }
        let now = scene.world.time.now()
        let after = after
        scene.world.database.write(
            { try $0.saveCursor(after, of: reader, now: now) }, then: { _ in })
    }

    func hasNews() throws -> Bool {
        try !scene.world.database.read { scope in
            try news(after: after, countMax: 1, scope).isEmpty
        }
    }

    private func news(
        after position: EventNumber, countMax: Int, _ scope: borrowing ReadScope
    ) throws -> [UpdateBody] {
        let own = try scope.events(
            choice, of: account, in: session.app, on: session.device, after: position,
            countMax: countMax
        ).map { UpdateBody($0) }
        guard choice == .withSignedChanges else { return own }
        let family = try scope.sharedStatusEvents(
            of: account, in: session.app, after: position, countMax: countMax
        ).map { UpdateBody(ofSharedStatus: $0) }
        if family.isEmpty { return own }
        return Array((own + family).sorted { $0.number < $1.number }.prefix(countMax))
    }

    func answer() throws -> HTTPResponse {
        let body = try scene.world.database.read { scope in
            let last = try scope.lastEventNumber()
            // A cursor from the future comes from a world that was set back: start over.
            let news = try news(
                after: min(after, last), countMax: Limits.eventsPerAnswerMax, scope)
            return UpdatesBody(
                events: news,
                cursor: news.count == Limits.eventsPerAnswerMax
                    ? news.last?.number ?? last.rawValue : last.rawValue,
                receiptRevision: try scope.receiptRevision(of: account, in: session.app))
        }
        return .json(try WireJSON.encode(body))
    }
}

extension UpdateBody {
    init(_ event: Event) {
        guard let kind = event.kind.update else {
            preconditionFailure("devices do not get events of the kind \(event.kind)")
        }
        self.init(
            number: event.number.rawValue, kind: kind,
            // A deleted transaction no longer belongs to the account.
            transaction: event.kind == .deleted
                ? nil : event.transaction.map { TransactionBody($0) },
            // The present state alone counts.
            subject: kind == .signedChanged ? nil : event.subject,
            priceConsent: event.priceConsent.map { DevicePriceConsentBody($0) })
    }

    /// What a family member learns of an event of the one who shares a subscription.
    init(ofSharedStatus number: EventNumber) {
        self.init(
            number: number.rawValue, kind: .signedChanged, transaction: nil, subject: nil,
            priceConsent: nil)
    }
}
