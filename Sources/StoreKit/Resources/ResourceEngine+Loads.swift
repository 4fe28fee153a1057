import StoreCaller
import StoreModel
import Synchronization

// The downloads of tags: a few at a time, those of the highest loading priority first.
extension ResourceEngine {
    /// Starts as many downloads as may run.
    func giveTurns(_ parts: Parts) {
        while let turn = state.withLock({ $0.takeTurn() }) {
            loads.async { self.run(turn.place, turn.load, turn.cancellation, parts) }
        }
    }

    func pause(_ access: ResourceAccess, isPaused: Bool) {
        guard case .success(let parts) = parts else { return }
        state.withLock { $0.pause(access, isPaused: isPaused) }
        giveTurns(parts)
    }

    private func run(
        _ place: ResourcePlace, _ load: ResourceState.Load, _ cancellation: CallCancellation,
        _ parts: Parts
    ) {
        let source = TaggedContent(
            place, isInitial: load.isInitial, kept: parts.kept, connection: parts.connection,
            askForRoom: { [weak self] in
                // What comes unasked is no reason to bother the app.
                let isAsked = self?.waiting(for: place).isEmpty == false
                if isAsked { parts.tellLowSpace() }
            })
        let loader = DownloadLoader(
            source, version: parts.appVersion, parts: parts.loader, cancellation: cancellation
        ) { [weak self] report in
            guard case .arrived(let bytes, let manifest) = report else { return }
            for access in self?.waiting(for: place) ?? [] {
                access.show(place.tag, arrived: bytes, of: manifest.byteCount)
            }
        }
        do throws(DownloadTrouble) {
            try loader.load()
            arrived(place, source.takeFolder(), parts)
        } catch {
            failed(place, error)
        }
        giveTurns(parts)
    }

    private func waiting(for place: ResourcePlace) -> [ResourceAccess] {
        state.withLock { $0.loads[place]?.waiting.values.map { $0 } ?? [] }
    }

    /// Nil stands for a folder that was purged before it could be held.
    private func arrived(_ place: ResourcePlace, _ folder: DownloadFolder?, _ parts: Parts) {
        let (unasked, begun) = state.withLock { state -> ([UnaskedEnd], [Completion]) in
            guard let folder else {
                state.stopped(place)
                return ([], [])
            }
            guard let load = state.ended(place) else { return ([], []) }
            // Another access may have found the whole folder first, and holds it.
            if !load.waiting.isEmpty, state.assets[place] == nil {
                parts.kept.noteUse(of: folder)
                state.assets[place] = ResourceState.Asset(
                    folder: folder, byteCount: parts.kept.byteCount(of: folder))
            }
            var begun: [Completion] = []
            for access in load.waiting.values {
                state.hold(place, for: access)
                if state.isComplete(access) { begun += begin(access, &state) }
            }
            return (load.unasked, begun)
        }
        tell(begun)
        for end in unasked { end.ended(isComplete: true) }
    }

    private func failed(_ place: ResourcePlace, _ trouble: DownloadTrouble) {
        let load = state.withLock { state -> ResourceState.Load? in
            guard trouble.kind == .stopped else { return state.ended(place) }
            state.stopped(place)
            return nil
        }
        for access in load?.waiting.values.map({ $0 }) ?? [] {
            end(access, with: ResourceTrouble(trouble, of: place.tag))
        }
        for end in load?.unasked ?? [] { end.ended(isComplete: false) }
    }
}
