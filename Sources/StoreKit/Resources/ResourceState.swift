import StoreCaller
import StoreModel

/// What requests use, what they wait for, and the downloads that they share. The engine keeps it
/// under its lock; nothing here waits or calls out.
struct ResourceState {
    /// A tag's resources that requests use.
    struct Asset {
        let folder: DownloadFolder
        let byteCount: Int64
        fileprivate var holders: Set<ObjectIdentifier> = []

        init(folder: DownloadFolder, byteCount: Int64) {
            self.folder = folder
            self.byteCount = byteCount
        }
    }

    /// A tag's download.
    struct Load {
        let isInitial: Bool
        fileprivate var byteCount: Int64 = 0
        fileprivate(set) var waiting: [ObjectIdentifier: ResourceAccess] = [:]
        /// Those that fetch it though no request waits for it.
        var unasked: [ResourceEngine.UnaskedEnd] = []
        /// Set while it runs.
        fileprivate var cancellation: CallCancellation?
    }

    /// An access on its way, or in use.
    private struct Access {
        var held: Set<ResourcePlace> = []
        var missing: Set<ResourcePlace> = []
        var isInUse = false
        var isPaused = false
        /// Whether it only looks at what is there.
        var isLooking: Bool
        var completions: [ResourceEngine.Completion] = []
    }

    /// How many downloads run at a time.
    private static let runsMax = 2

    var assets: [ResourcePlace: Asset] = [:]
    var loads: [ResourcePlace: Load] = [:]
    /// Those that wait for their turn, in the order in which they were asked for.
    private var line: [ResourcePlace] = []
    private var accesses: [ObjectIdentifier: Access] = [:]
    /// The worlds whose tags that come unasked are being fetched, or were.
    var installing: Set<String> = []
    /// Why nothing may be fetched, for good; nil when it may.
    private(set) var ending: String?

    // MARK: - Accesses

    /// Notes that an access is on its way; false when it is in use, and nothing is to be done.
    mutating func enter(
        _ access: ResourceAccess, isLooking: Bool, _ completion: @escaping ResourceEngine.Completion
    ) -> Bool {
        let id = ObjectIdentifier(access)
        var known = accesses[id] ?? Access(isLooking: isLooking)
        guard !known.isInUse else { return false }
        known.completions.append(completion)
        known.isLooking = known.isLooking && isLooking
        accesses[id] = known
        return true
    }

    func isOnItsWay(_ access: ResourceAccess) -> Bool {
        accesses[ObjectIdentifier(access)].map { !$0.isInUse } ?? false
    }

    /// Whether nothing is missing.
    func isComplete(_ access: ResourceAccess) -> Bool {
        accesses[ObjectIdentifier(access)]?.missing.isEmpty ?? false
    }

    func folders(of access: ResourceAccess) -> [(tag: ResourceTag, folder: DownloadFolder)] {
        let held = accesses[ObjectIdentifier(access)]?.held ?? []
        return held.compactMap { place in assets[place].map { (place.tag, $0.folder) } }
    }

    /// The access is in use; gives those that are to be told.
    mutating func begin(_ access: ResourceAccess) -> [ResourceEngine.Completion] {
        let id = ObjectIdentifier(access)
        defer {
            accesses[id]?.isInUse = true
            accesses[id]?.completions = []
        }
        return accesses[id]?.completions ?? []
    }

    mutating func hold(_ place: ResourcePlace, for access: ResourceAccess) {
        let id = ObjectIdentifier(access)
        assets[place]?.holders.insert(id)
        accesses[id]?.held.insert(place)
        accesses[id]?.missing.remove(place)
    }

    /// Releases what an access holds; gives the folders that nobody holds any longer.
    @discardableResult mutating func letGo(_ access: ResourceAccess) -> [DownloadFolder] {
        let id = ObjectIdentifier(access)
        var left: [DownloadFolder] = []
        for place in accesses[id]?.held ?? [] {
            assets[place]?.holders.remove(id)
            guard let asset = assets[place], asset.holders.isEmpty else { continue }
            left.append(asset.folder)
            assets[place] = nil
        }
        accesses[id]?.held = []
        return left
    }

    /// Ends an access; gives the folders that nobody holds any longer, and those that wait for it.
    mutating func leave(
        _ access: ResourceAccess
    ) -> (left: [DownloadFolder], completions: [ResourceEngine.Completion]) {
        let left = letGo(access)
        let id = ObjectIdentifier(access)
        guard let known = accesses.removeValue(forKey: id) else { return (left, []) }
        for place in known.missing {
            loads[place]?.waiting[id] = nil
            settle(place)
        }
        return (left, known.completions)
    }

    /// Ends an access that only looks; nil when it does more by now.
    mutating func leaveIfLooking(_ access: ResourceAccess) -> [ResourceEngine.Completion]? {
        guard accesses[ObjectIdentifier(access)]?.isLooking == true else { return nil }
        return leave(access).completions
    }

    mutating func pause(_ access: ResourceAccess, isPaused: Bool) {
        let id = ObjectIdentifier(access)
        accesses[id]?.isPaused = isPaused
        for place in accesses[id]?.missing ?? [] { settle(place) }
    }

    /// The bytes in use when some more are used, with those that are being fetched to be used.
    func bytesInUse(with more: [ResourcePlace: Int64]) -> Int64 {
        var sizes = assets.mapValues(\.byteCount)
        for (place, load) in loads where !load.waiting.isEmpty { sizes[place] = load.byteCount }
        return sizes.merging(more) { $1 }.values.reduce(0, +)
    }

    // MARK: - Downloads

    /// How many downloads run.
    var runCount: Int { loads.values.count { $0.cancellation != nil } }

    /// Whether a tag comes with the app, and is on its way.
    func isInstalling(_ place: ResourcePlace) -> Bool {
        loads[place].map { $0.isInitial && !$0.unasked.isEmpty } ?? false
    }

    /// Has a tag fetched, unless it is being fetched.
    mutating func lineUp(_ place: ResourcePlace, isInitial: Bool) {
        guard loads[place] == nil else { return }
        loads[place] = Load(isInitial: isInitial)
        line.append(place)
    }

    mutating func wait(for place: ResourcePlace, byteCount: Int64, _ access: ResourceAccess) {
        let id = ObjectIdentifier(access)
        loads[place]?.byteCount = byteCount
        loads[place]?.waiting[id] = access
        accesses[id]?.missing.insert(place)
    }

    /// The download to run next, if one may: the first of those with the highest priority.
    mutating func takeTurn() -> (place: ResourcePlace, load: Load, cancellation: CallCancellation)?
    {
        guard ending == nil, runCount < Self.runsMax else { return nil }
        // What comes unasked leaves a place to requests, however long the store keeps it waiting.
        let isFree = !loads.values.contains { $0.cancellation != nil && !$0.unasked.isEmpty }
        let ready = line.filter { place in
            !isPaused(place) && (isFree || loads[place]?.waiting.isEmpty == false)
        }
        let highest = ready.map { priority(of: $0) }.max()
        guard let place = ready.first(where: { priority(of: $0) == highest }),
            let load = loads[place]
        else { return nil }
        line.removeAll { $0 == place }
        let cancellation = CallCancellation()
        loads[place]?.cancellation = cancellation
        return (place, load, cancellation)
    }

    private func priority(of place: ResourcePlace) -> Double {
        loads[place]?.waiting.values.map(\.priority).max() ?? -1
    }

    private func isPaused(_ place: ResourcePlace) -> Bool {
        guard let load = loads[place], load.unasked.isEmpty else { return false }
        return load.waiting.keys.allSatisfy { accesses[$0]?.isPaused ?? true }
    }

    /// Ends a download that nobody waits for; stops one that only paused requests wait for.
    private mutating func settle(_ place: ResourcePlace) {
        guard let load = loads[place], load.unasked.isEmpty else { return }
        if load.waiting.isEmpty, load.cancellation == nil {
            loads[place] = nil
            line.removeAll { $0 == place }
        } else if isPaused(place) {
            load.cancellation?.cancel()
        }
    }

    /// A run has ended without the resources: it continues later, if anybody wants it to.
    mutating func stopped(_ place: ResourcePlace) {
        loads[place]?.cancellation = nil
        guard let load = loads[place] else { return }
        if load.waiting.isEmpty, load.unasked.isEmpty {
            loads[place] = nil
        } else {
            line.append(place)
        }
    }

    /// Has no download begin from now on, and cancels those that run.
    mutating func end(saying sentence: String) {
        ending = sentence
        for load in loads.values { load.cancellation?.cancel() }
    }

    /// The accesses that wait for downloads.
    var waiting: [ResourceAccess] { loads.values.flatMap(\.waiting.values) }

    /// Drops the downloads that are left once nothing begins.
    mutating func abandonUnasked() -> [ResourceEngine.UnaskedEnd] {
        defer { loads = [:] }
        return loads.values.flatMap(\.unasked)
    }

    /// A run has ended for good.
    mutating func ended(_ place: ResourcePlace) -> Load? {
        loads.removeValue(forKey: place)
    }
}
