import Foundation
import StoreDigest
import StoreModel
import StoreWire

/// What the fake store keeps for the product `Shop.turbo`, and how it lies about that.
struct FakeContent: Sendable {
    enum Lie: Sendable {
        /// Other bytes, so many times.
        case otherBytes(times: Int)
        /// One byte less or more than was asked for.
        case less, more
        /// A `Content-Range` of something else.
        case otherRange
    }

    /// By path; none when the product brings nothing.
    var files: [String: [UInt8]] = [:]
    var version = "1.0"
    /// Earlier versions that are still kept.
    var kept: [String: [String: [UInt8]]] = [:]
    /// What is listed instead of the truth.
    var list: ContentManifestBody?
    var lie: Lie?
    /// So many bytes are given at most; a part that would be more than that waits. Nil for all.
    var bytesMax: Int?
    var bytesGiven = 0
    /// The parts that were given: the first digits of a file's digest, and the range.
    var partsGiven: [String] = []

    static func digest(_ bytes: [UInt8]) -> String {
        let digest = RunningDigest()
        digest.add(bytes[...])
        return hexadecimal(digest.finish())
    }

    func offer(of product: String) -> [DownloadBody]? {
        guard product == Shop.turbo, !files.isEmpty else { return nil }
        return [
            DownloadBody(
                contentIdentifier: product, contentVersion: version,
                contentLength: Int64(files.values.reduce(0) { $0 + $1.count }))
        ]
    }

    func files(of version: String) -> [String: [UInt8]]? {
        version == self.version ? files : kept[version]
    }

    func manifest(_ version: String) -> ContentManifestBody? {
        if let list { return list }
        guard let files = files(of: version), !files.isEmpty else { return nil }
        return ContentManifestBody(
            contentIdentifier: Shop.turbo, contentVersion: version,
            contentLength: Int64(files.values.reduce(0) { $0 + $1.count }),
            files: files.sorted { $0.key < $1.key }.map {
                ContentFileBody(
                    path: $0.key, size: Int64($0.value.count), sha256: Self.digest($0.value))
            })
    }
}

extension FakeStore {
    /// What faults and the log call a request.
    static func kind(_ parts: [String]) -> String {
        if parts.dropLast(2).last == "content" || parts.dropLast(3).last == "resources" {
            return "part"
        }
        return parts.dropLast().last == "resources" ? "resource" : parts.last ?? ""
    }

    /// Waits until the part may be given, for a minute at most.
    func awaitPart(_ request: RawRequest) {
        let count = Self.bounds(request.range ?? "").map { $0.upperBound - $0.lowerBound + 1 } ?? 0
        for _ in 0..<6_000 {
            let isOpen = state.withLock { state in
                state.content.bytesMax.map { state.content.bytesGiven + count <= $0 } ?? true
            }
            if isOpen { return }
            Thread.sleep(forTimeInterval: 0.01)
        }
    }

    private static func bounds(_ range: String) -> ClosedRange<Int>? {
        let ends = range.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) }
        return ends.count == 2 && ends[0] <= ends[1] ? ends[0]...ends[1] : nil
    }

    /// The list of files, or a part of one; nil when the path names something else.
    static func content(
        _ request: RawRequest, _ parts: [String], _ state: inout State
    ) -> Reply? {
        guard let place = parts.firstIndex(of: "transactions"), place + 2 < parts.count,
            parts[place + 2] == "content"
        else { return nil }
        guard state.account != nil else {
            return Reply(status: 401, body: error("notSignedIn", "Nobody is signed in."))
        }
        guard !state.finished.contains(parts[place + 1]) else {
            return Reply(status: 409, body: error("transactionFinished", "It is finished."))
        }
        if parts.count == place + 3 {
            let asked = request.path.split(separator: "=").dropFirst().first.map(String.init)
            return state.content.manifest(asked ?? state.content.version).map { reply($0) }
                ?? Reply(status: 404, body: error("contentUnknown", "There is no such content."))
        }
        let files = state.content.files(of: parts[place + 3]) ?? [:]
        let file = files.values.first { FakeContent.digest($0) == parts[place + 4] }
        guard let file, let range = request.range else {
            return Reply(status: 404, body: error("contentUnknown", "There is no such file."))
        }
        state.content.partsGiven.append("\(parts[place + 4].prefix(8)) \(range)")
        return part(of: file, range, &state)
    }

    static func part(
        of file: [UInt8], _ range: String, _ state: inout State
    ) -> Reply {
        guard let bounds = bounds(range), bounds.upperBound < file.count else {
            return Reply(status: 416, body: error("rangeBehindEnd", "Behind the end."))
        }
        state.content.bytesGiven += bounds.count
        var bytes = Array(file[bounds])
        var told = "bytes \(bounds.lowerBound)-\(bounds.upperBound)/\(file.count)"
        switch state.content.lie {
        case .otherBytes(let times) where times > 0:
            bytes = bytes.map { ~$0 }
            state.content.lie = .otherBytes(times: times - 1)
        case .less: bytes.removeLast()
        case .more: bytes.append(0)
        case .otherRange: told = "bytes 0-0/1"
        case .otherBytes, nil: break
        }
        return Reply(status: 206, body: bytes, headers: "Content-Range: \(told)\r\n")
    }
}
