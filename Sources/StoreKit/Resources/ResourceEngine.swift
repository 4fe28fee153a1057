import Dispatch
import Foundation
import StoreModel
import Synchronization

/// Keeps on-demand resources on the device while requests use them, and has missing ones fetched.
///
/// Requests for the same tag share its download and its folder. Lists of tags are fetched one after
/// another, on a queue that waits for the store.
final class ResourceEngine: Sendable {
    /// What the engine works with.
    struct Parts: Sendable {
        let loader: DownloadLoader.Parts
        let limits: ResourceLimits
        let kept: ResourceShelf
        /// Tells the app that space is short, and returns when it has been told.
        let tellLowSpace: @Sendable () -> Void

        var connection: StoreConnection { loader.connection }
        var appVersion: String { connection.configuration.appVersion }

        func place(_ tag: ResourceTag, _ worldId: String) -> ResourcePlace {
            ResourcePlace(worldId: worldId, appVersion: appVersion, tag: tag)
        }
    }

    typealias Completion = @Sendable (ResourceTrouble?) -> Void

    let parts: Result<Parts, ResourceTrouble>
    let state = Mutex(ResourceState())
    let lists = DispatchQueue(label: "StoreKit.resources.lists")
    let loads = DispatchQueue(label: "StoreKit.resources.loads", attributes: .concurrent)
    private let callbacks = DispatchQueue(label: "StoreKit.resources")

    init(parts: Result<Parts, ResourceTrouble>) {
        self.parts = parts
    }

    // MARK: - What requests call

    /// Has the buttons of an access's progress obeyed; called once, before anything else is.
    func follow(_ access: ResourceAccess) {
        access.heed(
            cancel: { [weak self] in self?.end($0) },
            pause: { [weak self] in self?.pause($0, isPaused: $1) })
    }

    /// Begins an access; `completion` is called once, on a queue that is not the main one.
    ///
    /// With `isLooking` no tag is fetched for it; it ends with `missing` if one is not there.
    func begin(
        _ access: ResourceAccess, isLooking: Bool = false, _ completion: @escaping Completion
    ) {
        let parts: Parts
        switch self.parts {
        case .success(let known): parts = known
        case .failure(let trouble): return callbacks.async { completion(trouble) }
        }
        guard state.withLock({ $0.enter(access, isLooking: isLooking, completion) }) else {
            return callbacks.async { completion(nil) }
        }
        if access.progress.isCancelled { return end(access) }
        if hold(access, in: parts.connection.session?.worldId, parts) { return }
        lists.async { self.prepare(access, parts) }
    }

    /// Calls back as `begin` does, for a request that may not begin.
    func refuse(_ then: @escaping @Sendable () -> Void) { callbacks.async(execute: then) }

    /// Ends an access, in use or on its way. What it used may be purged when this returns.
    func end(_ access: ResourceAccess) { end(access, with: .cancelled) }

    /// Ends an access that is on its way; one in use stays, since its user was told.
    func cancel(_ access: ResourceAccess) { end(access, with: .cancelled, isInUseToo: false) }

    /// Ends an access; one on its way learns of the trouble.
    func end(
        _ access: ResourceAccess, with trouble: ResourceTrouble, isInUseToo: Bool = true
    ) {
        guard case .success(let parts) = parts else { return }
        let completions = state.withLock { state in
            guard isInUseToo || state.isOnItsWay(access) else { return [Completion]() }
            let (left, completions) = state.leave(access)
            for folder in left { parts.kept.noteUse(of: folder) }
            return completions
        }
        callbacks.async { for completion in completions { completion(trouble) } }
    }

    func priority(of tag: ResourceTag) -> Double {
        (try? parts.get())?.kept.priority(of: tag) ?? 0
    }

    func setPriority(_ priority: Double, of tags: Set<ResourceTag>) {
        do {
            let kept = try parts.get().kept
            guard state.withLock({ $0.ending == nil }) else { return }
            try kept.setPriority(priority, of: tags)
        } catch let trouble as DownloadTrouble {
            Diagnostic.sayOnce(trouble.sentence)
        } catch {
            // Without a store nothing is purged.
        }
    }

    // MARK: - What is there

    /// Begins an access when all its tags are on the device; true also when it has ended meanwhile.
    private func hold(_ access: ResourceAccess, in worldId: String?, _ parts: Parts) -> Bool {
        let (isHeld, begun) = state.withLock { state -> (Bool, [Completion]) in
            guard state.isOnItsWay(access) else { return (true, []) }
            guard let worldId, access.tags.count == access.texts.count else { return (false, []) }
            for tag in access.tags where !hold(parts.place(tag, worldId), access, parts, &state) {
                state.letGo(access)
                return (false, [])
            }
            return (true, begin(access, &state))
        }
        tell(begun)
        return isHeld
    }

    /// Adds a holder to a tag's resources when they are on the device.
    private func hold(
        _ place: ResourcePlace, _ access: ResourceAccess, _ parts: Parts,
        _ state: inout ResourceState
    ) -> Bool {
        if state.assets[place] == nil {
            guard let folder = (try? parts.kept.hold(place)) ?? nil else { return false }
            parts.kept.noteUse(of: folder)
            state.assets[place] = ResourceState.Asset(
                folder: folder, byteCount: parts.kept.byteCount(of: folder))
        }
        state.hold(place, for: access)
        return true
    }

    /// All tags of an access are held: it is in use, and its bundle shows them. Gives those that
    /// are to be told.
    func begin(_ access: ResourceAccess, _ state: inout ResourceState) -> [Completion] {
        for (tag, folder) in state.folders(of: access) {
            OpenedResources.open(folder.contentPath, of: tag.text, inBundleAt: access.bundlePath)
        }
        access.showBegun()
        return state.begin(access)
    }

    /// Not while the state is locked: whoever is told may be the last to hold a request, whose end
    /// locks the state.
    func tell(_ begun: [Completion]) {
        guard !begun.isEmpty else { return }
        callbacks.async { for completion in begun { completion(nil) } }
    }

    // MARK: - What is missing

    /// Finds out which tags there are, and has the missing ones fetched.
    private func prepare(_ access: ResourceAccess, _ parts: Parts) {
        do throws(ResourceTrouble) {
            guard state.withLock({ $0.isOnItsWay(access) }) else { return }
            let (manifest, worldId) = try listed(access, parts)
            install(manifest, worldId, parts)
            if hold(access, in: worldId, parts) { return }
            if let completions = leaveIfLooking(access, worldId, parts) {
                return callbacks.async { for completion in completions { completion(.missing) } }
            }
            let unknown = access.texts.filter { manifest.tags[$0] == nil }
            guard unknown.isEmpty else { throw .unknownTags(unknown.sorted()) }
            try fetch(access, manifest, worldId, parts)
        } catch {
            end(access, with: error)
        }
    }

    /// Ends an access that only looks, unless everything is there or comes with the app; nil when
    /// it goes on.
    private func leaveIfLooking(
        _ access: ResourceAccess, _ worldId: String, _ parts: Parts
    ) -> [Completion]? {
        state.withLock { state in
            let isComing =
                access.tags.count == access.texts.count
                && access.tags.allSatisfy { tag in
                    let place = parts.place(tag, worldId)
                    return state.isInstalling(place) || hold(place, access, parts, &state)
                }
            return isComing ? nil : state.leaveIfLooking(access)
        }
    }

    /// The tags of this version of the app, from the last list if it has all that are wanted.
    private func listed(
        _ access: ResourceAccess, _ parts: Parts
    ) throws(ResourceTrouble) -> (ResourceManifest, worldId: String) {
        let version = parts.appVersion
        if let worldId = parts.connection.session?.worldId,
            let kept = parts.kept.manifest(worldId, version),
            access.texts.allSatisfy({ kept.tags[$0] != nil })
        {
            return (kept, worldId)
        }
        var tries = 0
        while true {
            do throws(StoreFailure) {
                let body = try parts.connection.resources(ofVersion: version)
                guard let worldId = parts.connection.session?.worldId else {
                    throw StoreFailure(.lost, "The store did not register this device.")
                }
                let kept = parts.kept.manifest(worldId, version)
                let manifest = ResourceManifest(body, after: kept)
                save(manifest, worldId, parts)
                return (manifest, worldId)
            } catch {
                tries += 1
                guard error.kind == .lost, tries < Retries.impatientTriesMax,
                    state.withLock({ $0.isOnItsWay(access) })
                else { throw .unreachable(error.sentence) }
                let delay = parts.loader.retries.delayMilliseconds(afterTries: tries)
                Thread.sleep(forTimeInterval: Double(delay) / 1_000)
            }
        }
    }

    private func save(_ manifest: ResourceManifest, _ worldId: String, _ parts: Parts) {
        do {
            try parts.kept.save(manifest, worldId, parts.appVersion)
        } catch {
            Diagnostic.sayOnce(error.sentence)
        }
    }

    /// Has the tags that come with the app and those that come after it fetched, once for each
    /// version of it; what is lost is tried again at the next launch. Requests that want one of
    /// them wait for it, others do not.
    private func install(_ manifest: ResourceManifest, _ worldId: String, _ parts: Parts) {
        guard !manifest.isInstalled || !manifest.isPrefetched,
            state.withLock({ $0.ending == nil && $0.installing.insert(worldId).inserted })
        else { return }
        if !manifest.isInstalled {
            fetchUnasked(manifest.initial, isInitial: true, worldId, parts) {
                $0.isInstalled = true
            }
        }
        if !manifest.isPrefetched {
            fetchUnasked(manifest.prefetched, isInitial: false, worldId, parts) {
                $0.isPrefetched = true
            }
        }
    }

    private func note(
        _ worldId: String, _ parts: Parts, _ change: @Sendable (inout ResourceManifest) -> Void
    ) {
        guard var manifest = parts.kept.manifest(worldId, parts.appVersion) else { return }
        change(&manifest)
        save(manifest, worldId, parts)
    }

    /// The end of downloads that no request asked for.
    final class UnaskedEnd: Sendable {
        let group = DispatchGroup()
        private let failures = Mutex(0)

        var isComplete: Bool { failures.withLock { $0 == 0 } }

        func ended(isComplete: Bool) {
            if !isComplete { failures.withLock { $0 += 1 } }
            group.leave()
        }
    }

    /// Notes the change when all of them have come.
    private func fetchUnasked(
        _ texts: [String], isInitial: Bool, _ worldId: String, _ parts: Parts,
        _ change: @escaping @Sendable (inout ResourceManifest) -> Void
    ) {
        let end = UnaskedEnd()
        state.withLock { state in
            for tag in texts.compactMap(ResourceTag.init) {
                let place = parts.place(tag, worldId)
                guard state.assets[place] == nil else { continue }
                end.group.enter()
                state.lineUp(place, isInitial: isInitial)
                state.loads[place]?.unasked.append(end)
            }
        }
        end.group.notify(queue: lists) { [weak self] in
            if end.isComplete { self?.note(worldId, parts, change) }
        }
        giveTurns(parts)
    }

    /// Has what an access misses fetched; what is there is held meanwhile.
    private func fetch(
        _ access: ResourceAccess, _ manifest: ResourceManifest, _ worldId: String, _ parts: Parts
    ) throws(ResourceTrouble) {
        if let sentence = state.withLock({ $0.ending }) { throw .unavailable(sentence) }
        let sizes = access.tags.reduce(into: [:]) { sizes, tag in
            sizes[parts.place(tag, worldId)] = manifest.tags[tag.text] ?? 0
        }
        let (excess, begun) = state.withLock { state -> (Int64?, [Completion]) in
            guard state.isOnItsWay(access) else { return (nil, []) }
            let bytes = state.bytesInUse(with: sizes)
            guard bytes <= parts.limits.useBytes else { return (bytes, []) }
            for (place, byteCount) in sizes {
                let isHere = hold(place, access, parts, &state)
                access.show(place.tag, arrived: isHere ? byteCount : 0, of: byteCount)
                guard !isHere else { continue }
                state.lineUp(place, isInitial: manifest.initial.contains(place.tag.text))
                state.wait(for: place, byteCount: byteCount, access)
            }
            return (nil, state.isComplete(access) ? begin(access, &state) : [])
        }
        tell(begun)
        if let excess { throw .tooMuchInUse(bytes: excess, limit: parts.limits.useBytes) }
        giveTurns(parts)
    }
}
