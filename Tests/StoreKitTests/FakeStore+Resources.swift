import Foundation
import StoreModel
import StoreWire

/// The on-demand resources that the fake store keeps, by version of the app and tag.
struct FakeResources: Sendable {
    struct Tag: Sendable {
        var kind = ResourceKind.onDemand
        var files: [String: [UInt8]]

        var byteCount: Int64 { Int64(files.values.reduce(0) { $0 + $1.count }) }
    }

    /// In order.
    var tags: [String: [(tag: String, content: Tag)]] = [:]

    mutating func add(
        _ tag: String, _ files: [String: [UInt8]], kind: ResourceKind = .onDemand,
        version: String = "1.0"
    ) {
        tags[version, default: []].append((tag, Tag(kind: kind, files: files)))
    }

    mutating func remove(_ tag: String, version: String = "1.0") {
        tags[version]?.removeAll { $0.tag == tag }
    }

    func find(_ tag: String, _ version: String) -> Tag? {
        tags[version]?.first { $0.tag == tag }?.content
    }
}

extension FakeStore {
    /// The list of tags, the files of one, or a part of a file; nil when the path is another.
    static func resources(
        _ request: RawRequest, _ parts: [String], _ state: inout State
    ) -> Reply? {
        guard let place = parts.firstIndex(of: "resources") else { return nil }
        let unknown = Reply(status: 404, body: error("resourceUnknown", "There is no such tag."))
        let version = request.path.split(separator: "=").dropFirst().first.map(String.init) ?? ""
        switch parts.count - place {
        case 1:
            return reply(
                ResourceListBody(
                    tags: (state.resources.tags[version] ?? []).map {
                        ResourceListBody.Tag(
                            tag: $0.tag, kind: $0.content.kind,
                            contentLength: $0.content.byteCount)
                    }))
        case 2:
            guard let tag = state.resources.find(parts[place + 1], version) else { return unknown }
            return reply(
                ContentManifestBody(
                    contentIdentifier: parts[place + 1], contentVersion: version,
                    contentLength: tag.byteCount,
                    files: tag.files.sorted { $0.key < $1.key }.map {
                        ContentFileBody(
                            path: $0.key, size: Int64($0.value.count),
                            sha256: FakeContent.digest($0.value))
                    }))
        default:
            let files = state.resources.find(parts[place + 1], parts[place + 2])?.files.values
            let file = files?.first { FakeContent.digest($0) == parts[place + 3] }
            guard let file, let range = request.range else { return unknown }
            state.content.partsGiven.append("\(parts[place + 1]) \(range)")
            return part(of: file, range, &state)
        }
    }
}
