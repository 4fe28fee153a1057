import Foundation
import StoreModel

/// Why access to on-demand resources could not begin.
enum ResourceTrouble: Error, Hashable {
    /// The app's version has no such tags.
    case unknownTags([String])
    /// More bytes in use at once than the limit.
    case tooMuchInUse(bytes: Int64, limit: Int64)
    /// Something is not on the device, and was only looked for.
    case missing
    case cancelled
    /// There is no store, or its settings cannot be used.
    case unavailable(String)
    case unreachable(String)
    case failed(DownloadTrouble)

    init(_ trouble: DownloadTrouble, of tag: ResourceTag) {
        self =
            switch trouble.kind {
            case .versionGone: .unknownTags([tag.text])
            case .lost, .absent: .unreachable(trouble.sentence)
            case .stopped: .cancelled
            case .refused, .disk: .failed(trouble)
            }
    }

    /// The error that an app gets.
    var error: any Error {
        switch self {
        case .unknownTags(let tags):
            CocoaError(
                .bundleOnDemandResourceInvalidTag,
                "This version of the app has no resources with the "
                    + (tags.count == 1 ? "tag " : "tags ")
                    + tags.prefix(5).map(\.debugDescription).joined(separator: ", ")
                    + (tags.count > 5 ? " and \(tags.count - 5) more." : "."))
        case .tooMuchInUse(let bytes, let limit):
            CocoaError(
                .bundleOnDemandResourceExceededMaximumSize,
                "The app would use \(bytes) bytes of on-demand resources at once; the limit is "
                    + "\(limit).")
        case .missing: CocoaError(.fileNoSuchFile, "The resources are not on the device.")
        case .cancelled: CocoaError(.userCancelled, "The request was cancelled.")
        case .unavailable(let sentence): CocoaError(.featureUnsupported, sentence)
        case .unreachable(let sentence):
            URLError(.cannotConnectToHost, userInfo: [NSLocalizedDescriptionKey: sentence])
        case .failed(let trouble): Self.error(of: trouble)
        }
    }

    private static func error(of trouble: DownloadTrouble) -> any Error {
        guard case .disk(let number) = trouble.kind else {
            return URLError(
                .badServerResponse, userInfo: [NSLocalizedDescriptionKey: trouble.sentence])
        }
        let isFull = number == ENOSPC || number == EDQUOT
        return CocoaError(
            isFull ? .bundleOnDemandResourceOutOfSpace : .fileWriteUnknown,
            userInfo: [
                NSLocalizedDescriptionKey: trouble.sentence,
                NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int(number)),
            ])
    }
}

extension CocoaError {
    fileprivate init(_ code: Code, _ sentence: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: sentence])
    }
}
