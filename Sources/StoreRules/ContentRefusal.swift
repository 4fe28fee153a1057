/// Why a package of content is refused.
package enum ContentRefusal: Error, Hashable, Sendable {
    case badVersion(String)
    case badAppVersion(String)
    /// A tag, and its problem.
    case badTag(String, String)
    case empty
    case tooManyFiles
    case tooLarge
    /// A path, and its problem.
    case badPath(String, String)
    case badSize(String)
    case badDigest(String)
    case code(String, CodeKind)
    case twice(String, String)
    /// The bytes that were sent do not match their digest.
    case otherBytes(String)
}

extension ContentRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .badVersion(let text):
            "\"\(ContentNames.shown(text))\" is not a version; write it like 1.0, with at most "
                + "\(ContentPackage.versionBytesMax) digits and full stops."
        case .badAppVersion(let text):
            "\"\(ContentNames.shown(text))\" is not an app's version; write 1 to "
                + "\(ContentPackage.appVersionBytesMax) ASCII characters without blanks."
        case .badTag(let text, let problem):
            "The tag \"\(ContentNames.shown(text))\" \(problem)."
        case .empty: "The package has no files."
        case .tooManyFiles: "The package has more than \(ContentPackage.filesMax) files."
        case .tooLarge: "The package has more than \(ContentPackage.bytesMax) bytes (2 GiB)."
        case .badPath(let path, let problem): "\"\(ContentNames.shown(path))\" \(problem)."
        case .badSize(let path): "The size of \"\(ContentNames.shown(path))\" is below 0."
        case .badDigest(let path):
            "\"\(ContentNames.shown(path))\" does not have a SHA-256 of 64 lowercase hexadecimal "
                + "digits, or has another size than a file with the same bytes."
        case .code(let path, let kind):
            "\"\(ContentNames.shown(path))\" is \(kind.noun); content is data only."
        case .otherBytes(let path):
            "The bytes sent for \"\(ContentNames.shown(path))\" do not match its SHA-256; they "
                + "were discarded, send them again."
        case .twice(let one, let other):
            "\"\(ContentNames.shown(one))\" and \"\(ContentNames.shown(other))\" are the same name "
                + "where case is ignored."
        }
    }
}
