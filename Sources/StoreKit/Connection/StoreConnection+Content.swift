import Foundation
import StoreCaller
import StoreWire

// Content of products, and on-demand resources.
extension StoreConnection {
    /// The time limit for a part of at most the maximum size; the store allows no more.
    private static let partMillisecondsMax = 110_000
    /// A refusal may be longer than the requested part.
    private static let refusalBytesMax = 64 << 10

    /// The tags of a version of the app.
    func resources(
        ofVersion version: String, cancellation: CallCancellation? = nil
    ) throws(StoreFailure) -> ResourceListBody {
        try call(
            ResourceListBody.self, "GET", "resources?version=\(Self.escaped(version))",
            cancellation: cancellation)
    }

    /// The list of files at a path, of one version or of the newest.
    func content(
        at path: String, version: String?, as customer: Customer?,
        cancellation: CallCancellation
    ) throws(StoreFailure) -> ContentManifestBody {
        let query = version.map { "?version=\(Self.escaped($0))" } ?? ""
        return try call(
            ContentManifestBody.self, "GET", path + query, as: customer, millisecondsMax: 60_000,
            cancellation: cancellation)
    }

    /// A range of a file's bytes, exactly as many as requested.
    func contentPart(
        _ range: Range<Int64>, of file: DownloadManifest.File, version: String,
        at path: String, as customer: Customer?, cancellation: CallCancellation
    ) throws(StoreFailure) -> [UInt8] {
        let response = try exchange(
            "GET", "\(path)/\(Self.escaped(version))/\(file.digest)",
            headers: [("Range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)")],
            as: customer, millisecondsMax: Self.partMillisecondsMax,
            answerBytesMax: max(range.count, Self.refusalBytesMax),
            cancellation: cancellation)
        let isPart =
            response.status == 206
            && response.headers["content-range"]
                == "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.byteCount)"
        let isWhole = response.status == 200 && range == 0..<file.byteCount
        guard isPart || isWhole, response.body.count == range.count else {
            throw StoreFailure(
                .lost, "The store returned different bytes from those requested.", isAnswer: true)
        }
        return response.body
    }

    /// A text as a part of a path.
    static func escaped(_ text: String) -> String {
        let plain = CharacterSet(
            charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? text
    }
}
