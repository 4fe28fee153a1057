import CrashPoints
import Foundation
import StoreCaller
import StoreDigest
import StoreModel
import StoreWire

/// What a download fetches, and where to.
protocol DownloadSource: Sendable {
    /// The customer who may fetch it; nil when everybody may.
    var customer: Customer? { get }
    /// Whether others may hold the folder to read it, once it is whole.
    var isShared: Bool { get }
    /// Whether the newest version will do when the one that was begun is gone.
    var takesNewest: Bool { get }
    /// The path of its list below `/device/v1`; its files are at `PATH/VERSION/DIGEST`.
    func path() throws(StoreFailure) -> String
    func folder(in home: HomeFolder) throws(DownloadTrouble) -> DownloadFolder
    /// The list, if it can be used.
    func manifest(_ body: ContentManifestBody) throws(DownloadTrouble) -> DownloadManifest
    /// Throws when there is no room for what is still missing.
    func makeRoom(
        for manifest: DownloadManifest, arrived: Int64, in folder: DownloadFolder
    ) throws(DownloadTrouble)
    /// Everything is in place; the folder's lock is held until this returns.
    func complete(_ folder: DownloadFolder)
}

/// One run of a download: fetches what is missing, until the content is complete or the run cannot
/// continue.
///
/// Everything that has arrived stays on disk, and the next run continues from there. Only files
/// with the right SHA-256 count, so nothing else needs to be recorded. Blocks its thread.
final class DownloadLoader {
    /// What all runs share.
    struct Parts: Sendable {
        let connection: StoreConnection
        let home: HomeFolder
        let retries: Retries
        let network: NetworkRule
        /// Signs a customer in again when that needs no sheet.
        let signInAgain: @Sendable (Customer) -> Void
        /// A monotonic clock.
        let uptimeMilliseconds: @Sendable () -> Int64
    }

    /// What a run reports before its end.
    enum Report: Sendable {
        case held
        case arrived(bytes: Int64, DownloadManifest)
    }

    /// The limit on consecutive failed requests to the store.
    static let triesMax = 10
    /// How often a customer is signed in again for one request.
    static let signInsMax = 3
    /// How often a file is fetched when its bytes do not match the list.
    static let roundsMax = 2
    private static let lockMilliseconds = 300
    private static let networkMilliseconds = 500

    private let parts: Parts
    private let source: any DownloadSource
    private let version: String?
    private let cancellation: CallCancellation
    private let report: (Report) -> Void

    private var partSize = PartSize()
    private var arrived: Int64 = 0
    private var networkSeenAt: Int64?

    init(
        _ source: any DownloadSource, version: String?, parts: Parts,
        cancellation: CallCancellation, report: @escaping (Report) -> Void
    ) {
        self.parts = parts
        self.source = source
        self.version = version
        self.cancellation = cancellation
        self.report = report
    }

    func run() -> DownloadOutcome {
        do throws(DownloadTrouble) {
            try load()
            return .finished
        } catch {
            return DownloadOutcome(error)
        }
    }

    /// Fetches everything, or throws the reason why the run cannot continue.
    func load() throws(DownloadTrouble) {
        let folder = try lockedFolder()
        if try folder.isWhole() { return source.complete(folder) }
        try awaitNetwork()
        let manifest = try manifest()
        try folder.prune(to: manifest)
        for file in manifest.files {
            arrived += min(try folder.byteCount(of: file.place), file.byteCount)
        }
        report(.arrived(bytes: arrived, manifest))
        try source.makeRoom(for: manifest, arrived: arrived, in: folder)
        for file in manifest.files { try bring(file, of: manifest, into: folder) }
        try check()
        try folder.complete(manifest)
        CrashPoint.deviceDownloadComplete.reach()
        source.complete(folder)
    }

    /// The folder, once no other process or earlier run is working in it.
    private func lockedFolder() throws(DownloadTrouble) -> DownloadFolder {
        while true {
            try check()
            let folder = try source.folder(in: parts.home)
            if try folder.takeLock() { return folder }
            if source.isShared, try folder.isWhole() { return folder }
            report(.held)
            try wait(milliseconds: Self.lockMilliseconds)
        }
    }

    /// The list of the version that was begun, or else of the newest.
    private func manifest() throws(DownloadTrouble) -> DownloadManifest {
        let body: ContentManifestBody
        do throws(DownloadTrouble) {
            body = try manifest(of: version)
        } catch {
            guard error.kind == .versionGone, version != nil, source.takesNewest else {
                throw error
            }
            body = try manifest(of: nil)
        }
        return try source.manifest(body)
    }

    private func manifest(of version: String?) throws(DownloadTrouble) -> ContentManifestBody {
        try patiently { () throws(StoreFailure) in
            try parts.connection.content(
                at: try source.path(), version: version, as: source.customer,
                cancellation: cancellation)
        }
    }

    /// Fetches the missing part of a file, and once more the whole file when the result does not
    /// match the list.
    private func bring(
        _ file: DownloadManifest.File, of manifest: DownloadManifest, into folder: DownloadFolder
    ) throws(DownloadTrouble) {
        let target = try folder.file(at: file.place)
        for _ in 0..<Self.roundsMax {
            let digest = RunningDigest()
            var offset = try target.addBytes(
                to: digest, bytesMax: file.byteCount,
                orStop: { () throws(DownloadTrouble) in try check() })
            while offset < file.byteCount {
                let bytes = try part(of: file, from: offset, manifest)
                try target.append(bytes, at: offset)
                digest.add(bytes[...])
                offset += Int64(bytes.count)
                arrived += Int64(bytes.count)
                report(.arrived(bytes: arrived, manifest))
            }
            if hexadecimal(digest.finish()) == file.digest { return try target.sync() }
            try target.empty()
            arrived -= file.byteCount
        }
        throw DownloadTrouble(
            .refused, "The bytes of \(file.place) from the store do not match its list.")
    }

    private func part(
        of file: DownloadManifest.File, from offset: Int64, _ manifest: DownloadManifest
    ) throws(DownloadTrouble) -> [UInt8] {
        try awaitNetwork()
        return try patiently { () throws(StoreFailure) -> [UInt8] in
            let end = min(file.byteCount, offset + partSize.bytes)
            let beganAt = parts.uptimeMilliseconds()
            let bytes = try parts.connection.contentPart(
                offset..<end, of: file, version: manifest.version, at: try source.path(),
                as: source.customer, cancellation: cancellation)
            partSize.took(milliseconds: parts.uptimeMilliseconds() - beganAt)
            return bytes
        }
    }

    // MARK: - Waiting

    private func check() throws(DownloadTrouble) {
        if cancellation.isCancelled { throw .stopped }
    }

    private func wait(milliseconds: Int) throws(DownloadTrouble) {
        let end = parts.uptimeMilliseconds() + Int64(milliseconds)
        while true {
            try check()
            let rest = end - parts.uptimeMilliseconds()
            if rest <= 0 { return }
            Thread.sleep(forTimeInterval: Double(min(rest, 50)) / 1_000)
        }
    }

    /// Waits while the network is one that downloads avoid, checking it now and then.
    private func awaitNetwork() throws(DownloadTrouble) {
        let now = parts.uptimeMilliseconds()
        if let networkSeenAt, now - networkSeenAt < Int64(Self.networkMilliseconds) { return }
        while parts.network.isHeld {
            report(.held)
            try wait(milliseconds: Self.networkMilliseconds)
        }
        networkSeenAt = parts.uptimeMilliseconds()
    }

    /// Repeats a request while no answer comes, with growing waits; gives up after a limited number
    /// of consecutive failures.
    private func patiently<Answer>(
        _ ask: () throws(StoreFailure) -> Answer
    ) throws(DownloadTrouble) -> Answer {
        var tries = 0
        var signIns = 0
        while true {
            try check()
            let failure: StoreFailure
            do throws(StoreFailure) {
                return try ask()
            } catch {
                failure = error
            }
            switch failure.kind {
            // Calls are also cancelled when the device has ended, which nothing begins again.
            case .cancelled:
                throw cancellation.isCancelled
                    ? .stopped : DownloadTrouble(.lost, failure.sentence)
            case .signedOut where signIns < Self.signInsMax:
                signIns += 1
                if let customer = source.customer { parts.signInAgain(customer) }
            case .signedOut, .otherWorld: throw DownloadTrouble(.absent, failure.sentence)
            case .refused(_, code: "contentUnknown"), .refused(_, code: "resourceUnknown"):
                throw DownloadTrouble(.versionGone, failure.sentence)
            case .refused: throw DownloadTrouble(.refused, failure.sentence)
            case .lost:
                tries += 1
                partSize.failed()
                guard tries < Self.triesMax else {
                    throw DownloadTrouble(.lost, failure.sentence)
                }
                try wait(milliseconds: parts.retries.delayMilliseconds(afterTries: tries))
            }
        }
    }
}
