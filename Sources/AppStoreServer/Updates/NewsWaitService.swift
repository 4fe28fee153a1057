import Dispatch
import StoreHTTP
import StoreModel
import StoreService
import StoreWire
import Synchronization

/// Lets the devices of many worlds wait for news in one request.
enum NewsWaitService {
    /// `POST /device/v1/waits`
    static func wait(_ request: HTTPRequest, _ store: StoreHandler, _ responder: Responder) throws {
        let body = try request.decoded(NewsWaitBody.self)
        guard (1...Limits.devicesPerWaitMax).contains(body.devices.count) else {
            throw Refusal(
                422, "badField",
                "devices must name 1 to \(Limits.devicesPerWaitMax) devices, not "
                    + "\(body.devices.count).")
        }
        guard body.wait >= 0, body.devices.allSatisfy({ $0.after >= 0 }) else {
            throw Refusal(422, "badField", "wait and after must be 0 or more.")
        }
        let worlds = try body.devices.map { device in
            _ = try checkedUUID(device.id, "id")
            guard let name = WorldName(device.world) else {
                throw Refusal(
                    422, "badField", "\"\(device.world.prefix(64))\" cannot be a world's name.")
            }
            return name
        }
        guard let turn = store.parts.newsWaits.acquire() else { throw Refusal.busy }
        // Worlds at rest may have to be opened, and strangers may ask: neither the listener's threads
        // nor those of purchases do it.
        queue.async {
            defer { turn.release() }
            guard !responder.isAnswered else { return }
            let wait = NewsWait(responder, in: store)
            for (place, device) in body.devices.enumerated() {
                wait.add(place, device) {
                    try store.scene(of: device, in: worlds[place], request)
                }
            }
            wait.begin(
                seconds: min(body.wait, Limits.pollSecondsMax),
                in: store.parts.polls.acquire(inAnnex: request.peer.isEncrypted))
        }
    }

    /// Looks for news of many devices, a request at a time.
    private static let queue = DispatchQueue(label: "store.news-waits")
}

/// One such request, answered once: by the first news, by time, or at once.
private final class NewsWait: Sendable {
    private struct State {
        /// With their worlds: those that are in use stay open.
        var waiting: [(ticket: UpdateHub.Ticket, world: World)] = []
        var ready: Set<Int> = []
        var pass: Gate.Pass?
        var hasBegun = false
        var isOver = false
    }

    private let state = Mutex(State())
    private let responder: Responder
    private let store: StoreHandler

    init(_ responder: Responder, in store: StoreHandler) {
        self.responder = responder
        self.store = store
    }

    /// Adds a device. One that may not wait is ready: it learns why when it asks by itself. One that
    /// has its share of polls, or whose account has, learns its news when the request ends.
    func add(_ place: Int, _ device: NewsWaitBody.Device, in scene: () throws -> Scene) {
        do {
            let scene = try scene()
            let (session, account) = try scene.signedIn(byToken: device.token)
            let poll = UpdatePoll(
                account: account.id, session: session, after: EventNumber(device.after),
                choice: device.signed ? .withSignedChanges : .usual, scene: scene)
            // Wait first, then look: an event in between ends the wait.
            let ticket = scene.world.updates.join(
                account.id, device: session.device, topic: poll.topic, waitID: device.id
            ) { self.heard(place) }
            if let ticket { state.withLock { $0.waiting.append((ticket, scene.world)) } }
            try poll.remember()
            let isSignedOut = (try? scene.signedIn(byToken: device.token)) == nil
            if try isSignedOut || poll.hasNews() { heard(place) }
        } catch {
            heard(place)
        }
    }

    /// Answers at once when a device is ready, when the time is 0, and when none waits or no place is
    /// free; strangers take none.
    func begin(seconds: Int64, in pass: Gate.Pass?) {
        let (isReady, canWait) = state.withLock { state in
            state.hasBegun = true
            state.pass = pass
            return (!state.ready.isEmpty, !state.waiting.isEmpty && pass != nil)
        }
        if isReady || seconds == 0 { return end() }
        guard canWait else { return end(with: Refusal.busy.response) }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Int(seconds))) {
            [weak self] in self?.end()
        }
    }

    private func heard(_ place: Int) {
        let isNow = state.withLock { state in
            state.ready.insert(place)
            return state.hasBegun
        }
        if isNow { end() }
    }

    /// Answers with the devices that are ready, unless another answer is given.
    private func end(with refusal: HTTPResponse? = nil) {
        let (waiting, pass, ready) = state.withLock { state in
            defer {
                state.waiting = []
                state.pass = nil
                state.isOver = true
            }
            return (state.waiting, state.pass, state.isOver ? nil : state.ready.sorted())
        }
        for one in waiting { one.ticket.leave() }
        pass?.release()
        guard let ready else { return }
        store.answer(responder) {
            try refusal ?? .json(encoding: NewsWaitAnswerBody(ready: ready))
        }
    }
}
