import StoreCaller
import StoreWire

// Content of products.
extension StoreConnection {
    /// The time limit for a part of at most the maximum size; the store allows no more.
    private static let partMillisecondsMax = 110_000
    /// A refusal may be longer than the requested part.
    private static let refusalBytesMax = 64 << 10

    /// The files that a transaction brings, of one version or of the newest.
    func content(
        of transactionId: String, version: String?, as customer: Customer,
        cancellation: CallCancellation
    ) throws(StoreFailure) -> ContentManifestBody {
        let query = version.map { "?version=\($0)" } ?? ""
        return try call(
            ContentManifestBody.self, "GET",
            "transactions/\(try Self.checked(transactionId))/content\(query)", as: customer,
            millisecondsMax: 60_000, cancellation: cancellation)
    }

    /// A range of a file's bytes, exactly as many as requested.
    func contentPart(
        _ range: Range<Int64>, of file: DownloadManifest.File, version: String,
        in transactionId: String, as customer: Customer, cancellation: CallCancellation
    ) throws(StoreFailure) -> [UInt8] {
        let response = try exchange(
            "GET",
            "transactions/\(try Self.checked(transactionId))/content/\(version)/\(file.digest)",
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

    /// Checks a transaction number before it becomes part of a path.
    private static func checked(_ transactionId: String) throws(StoreFailure) -> String {
        guard !transactionId.isEmpty, transactionId.allSatisfy({ $0.isASCII && $0.isNumber })
        else {
            throw StoreFailure(
                .refused(status: 404, code: "transactionUnknown"),
                "\"\(transactionId)\" is not a transaction number.")
        }
        return transactionId
    }
}
