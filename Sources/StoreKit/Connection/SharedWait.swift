import Dispatch
import Foundation
import StoreCaller
import StoreWire
import Synchronization

/// Has many devices of a process wait for news in few requests: a thousand tests side by side have more
/// devices than a store lets wait one by one.
///
/// Devices that begin to wait at about the same time share a request. News of one ends it, and the
/// others wait on in the next. A request takes over the devices of smaller ones, which the store then
/// answers, so that few requests wait however they began. A request whose devices have all stopped
/// waiting ends with its time.
final class SharedWait: Sendable {
    enum Outcome: Sendable {
        /// The device asks for its updates now.
        case ready
        /// This store, of an earlier version, lets no devices wait together.
        case alone
        case failed(CallerError)
        case refused(CallerResponse)
    }

    /// A device that waits. `then` is called at most once, on any thread, and must not block; it may
    /// also be called after the cancellation.
    struct Waiting: Sendable {
        let device: NewsWaitBody.Device
        let cancellation: CallCancellation
        let then: @Sendable (Outcome) -> Void
    }

    private struct Store {
        var joining: [Waiting] = []
        var requests: [Int: [Waiting]] = [:]
    }

    private struct State {
        var stores: [String: Store] = [:]
        var next = 0

        /// Removes a request that is over, and gives its devices; nil when another has taken them.
        mutating func take(_ number: Int, of store: String) -> [Waiting]? {
            let waiting = stores[store]?.requests.removeValue(forKey: number)
            if let there = stores[store], there.requests.isEmpty, there.joining.isEmpty {
                stores[store] = nil
            }
            return waiting
        }
    }

    /// News of one has the others sent again, so a request does not take as many as a store allows.
    static let devicesMax = 16
    private static let gatheringMilliseconds = 2

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "StoreKit.waits")
    private let loop: CallerLoop

    init(loop: CallerLoop) {
        self.loop = loop
    }

    /// Has a device wait at the store with this address.
    func join(_ waiting: [Waiting], at store: String) {
        guard !waiting.isEmpty else { return }
        let isFirst = state.withLock { state in
            defer { state.stores[store, default: Store()].joining += waiting }
            return state.stores[store]?.joining.isEmpty ?? true
        }
        guard isFirst else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.gatheringMilliseconds)) {
            self.sendJoining(at: store)
        }
    }

    private func sendJoining(at store: String) {
        let requests = state.withLock { state in
            var there = state.stores.removeValue(forKey: store) ?? Store()
            var batch = there.joining.filter { !$0.cancellation.isCancelled }
            there.joining = []
            while let smallest = there.requests.min(by: { $0.value.count < $1.value.count }),
                smallest.value.count <= batch.count,
                smallest.value.count + batch.count <= Self.devicesMax
            {
                there.requests[smallest.key] = nil
                batch += smallest.value.filter { !$0.cancellation.isCancelled }
            }
            var requests: [(number: Int, waiting: [Waiting])] = []
            while !batch.isEmpty {
                state.next += 1
                let part = Array(batch.prefix(Self.devicesMax))
                batch.removeFirst(part.count)
                there.requests[state.next] = part
                requests.append((state.next, part))
            }
            if !there.requests.isEmpty { state.stores[store] = there }
            return requests
        }
        for request in requests { send(request.number, request.waiting, to: store) }
    }

    private func send(_ number: Int, _ waiting: [Waiting], to store: String) {
        let seconds = StoreConnection.updatesWaitSecondsMax
        let body = NewsWaitBody(devices: waiting.map(\.device), wait: Int64(seconds))
        let bytes: [UInt8]
        do {
            bytes = try WireJSON.encode(body)
        } catch {
            preconditionFailure("names and numbers cannot be written as JSON: \(error)")
        }
        let request = CallerRequest(
            method: "POST", url: "\(store)/device/v1/waits",
            headers: [("Content-Type", "application/json")], body: bytes,
            timeoutMilliseconds: (seconds + 10) * 1_000)
        loop.send(request) { self.answered(number, $0, by: store) }
    }

    private func answered(
        _ number: Int, _ result: Result<CallerResponse, CallerError>, by store: String
    ) {
        let waiting = state.withLock { $0.take(number, of: store) }
        // Another request has taken its devices over.
        guard let waiting else { return }
        func tell(_ outcome: Outcome) { for one in waiting { one.then(outcome) } }
        switch result {
        case .failure(let error): tell(.failed(error))
        case .success(let response) where response.status == 200:
            guard let answer = try? WireJSON.decode(NewsWaitAnswerBody.self, from: response.body)
            else { return tell(.alone) }
            // At the end of the time, each asks as it would alone.
            if answer.ready.isEmpty { return tell(.ready) }
            let ready = Set(answer.ready)
            join(
                waiting.enumerated().filter { !ready.contains($0.offset) }.map(\.element),
                at: store)
            for (place, one) in waiting.enumerated() where ready.contains(place) {
                one.then(.ready)
            }
        case .success(let response) where [404, 405, 422].contains(response.status): tell(.alone)
        case .success(let response): tell(.refused(response))
        }
    }
}

extension StoreConfiguration {
    /// The store's own address, and the name of the world in which the test session is; nil outside of
    /// test sessions.
    var session: (store: String, world: String)? {
        let parts = url.split(separator: "/", omittingEmptySubsequences: false)
        guard environment != nil, parts.count > 5, parts[parts.count - 3] == "t" else { return nil }
        return (parts.dropLast(3).joined(separator: "/"), String(parts[parts.count - 2]))
    }
}
