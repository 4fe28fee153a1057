/// Why a package of content is not taken.
package enum ContentRefusal: Error, Hashable, Sendable {
    case badVersion(String)
    case empty
    case tooManyFiles
    case tooLarge
    /// A path, and what is wrong with it.
    case badPath(String, String)
    case badSize(String)
    case badDigest(String)
    case code(String, CodeKind)
    case twice(String, String)
    /// What was sent is not what its digest says.
    case otherBytes(String)
}

extension ContentRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .badVersion(let text):
            "\"\(ContentNames.shown(text))\" is no version; write it like 1.0, with at most "
                + "\(ContentPackage.versionBytesMax) digits and full stops."
        case .empty: "The package has no files."
        case .tooManyFiles: "The package has more than \(ContentPackage.filesMax) files."
        case .tooLarge: "The package has more than \(ContentPackage.bytesMax) bytes (2 GiB)."
        case .badPath(let path, let problem): "\"\(ContentNames.shown(path))\" \(problem)."
        case .badSize(let path): "The size of \"\(ContentNames.shown(path))\" is below 0."
        case .badDigest(let path):
            "\"\(ContentNames.shown(path))\" has no SHA-256 of 64 small hexadecimal digits, or "
                + "another size than a file of the same bytes."
        case .code(let path, let kind):
            "\"\(ContentNames.shown(path))\" is \(kind.noun); content is data only."
        case .otherBytes(let path):
            "What was sent of \"\(ContentNames.shown(path))\" is not what its SHA-256 says; it was "
                + "dropped, send it again."
        case .twice(let one, let other):
            "\"\(ContentNames.shown(one))\" and \"\(ContentNames.shown(other))\" are one name where "
                + "small letters and capitals are the same."
        }
    }
}
