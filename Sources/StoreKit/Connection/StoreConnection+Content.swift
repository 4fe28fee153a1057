import StoreCaller
import StoreWire

// Content of products.
extension StoreConnection {
    /// A part of a file, at most so large, must come in this time; the store gives it no more.
    private static let partMillisecondsMax = 110_000
    /// A refusal may be longer than the part that was asked for.
    private static let refusalBytesMax = 64 << 10

    /// Which files a transaction brings: of a version, or of the newest one.
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

    /// Some bytes of a file, just as many as were asked for.
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
                .lost, "The store gave other bytes than were asked for.", isAnswer: true)
        }
        return response.body
    }

    /// A transaction's number is part of a path.
    private static func checked(_ transactionId: String) throws(StoreFailure) -> String {
        guard !transactionId.isEmpty, transactionId.allSatisfy({ $0.isASCII && $0.isNumber })
        else {
            throw StoreFailure(
                .refused(status: 404, code: "transactionUnknown"),
                "\"\(transactionId)\" is no transaction's number.")
        }
        return transactionId
    }
}
