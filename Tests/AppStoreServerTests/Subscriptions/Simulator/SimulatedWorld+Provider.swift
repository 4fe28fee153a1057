import StoreModel
import Testing

@testable import AppStoreServer

// The payment provider of a world, and the real time, by which it is asked again.
extension SimulatedWorld {
    /// Cards that were declined are tried again by then.
    private static let stepMilliseconds: Int64 = 7_200_000

    mutating func beginStep() {
        store.move(byMilliseconds: Self.stepMilliseconds)
        provider?.isSilent = silences.below(4) == 0
    }

    /// Something that somebody is to buy when the provider answers again; nil mostly.
    mutating func awaited() -> String? {
        let products = buyers.flatMap { $0.left.map(\.product) }
        return silences.below(2) == 0 ? products.randomOne(&silences) : nil
    }

    /// Has the provider answer again, of this store or of one that was opened meanwhile.
    mutating func endSilence() async throws {
        let closes = silences.below(2) == 0
        guard let provider, provider.isSilent else { return }
        if closes { try await reopen() }
        provider.isSilent = false
        try await settle()
    }

    /// Waits until nothing is to be asked of the provider, and nothing is due.
    func settle() async throws {
        let (store, now) = (store, now)
        guard provider != nil else { return }
        try await store.until {
            try store.registry.defaultWorld.database.read { scope in
                try scope.openPaymentCount() == 0 && scope.dueCount(until: now) == 0
            }
        }
    }

    mutating func reopen() async throws {
        let real = store.registry.defaultWorld.time.real()
        await closeStore()
        store = try TestStore(folder: folder, at: real, provider: provider?.connect())
        letTimePass()
    }

    mutating func closeStore() async {
        waiting?.cancel()
        await waiting?.value
        store.registry.close()
    }

    /// The real time stands still, but for what is to be asked of the provider again and is not
    /// before a later time. So each request has its tries whatever others have.
    mutating func letTimePass() {
        guard let provider else { return }
        let store = store
        waiting = Task {
            var isOpen = true
            while !Task.isCancelled {
                try? await Task.sleep(for: .milliseconds(2))
                if provider.leftUnanswered() { isOpen = true }
                guard isOpen, !provider.isSilent else { continue }
                isOpen = (try? store.passUntilNextTry()) ?? true
            }
        }
    }
}

extension TestStore {
    /// Lets the real time pass until the provider is to be asked again, unless something is to be
    /// asked now; false when nothing ever is.
    fileprivate func passUntilNextTry() throws -> Bool {
        let world = registry.defaultWorld
        let next = try world.database.read { try $0.nextProviderTask(except: []) }
        guard let next else { return false }
        let pause = next.milliseconds - world.time.real().milliseconds
        if pause > 0 {
            move(byMilliseconds: pause)
            world.payments?.wake()
        }
        return true
    }
}
