import Foundation
import StoreWire

/// The files of a package, as the store lists them and as they can safely be written.
struct DownloadManifest: Hashable, Sendable {
    /// How the files lie on disk.
    enum Layout: Hashable, Sendable {
        /// Apple's for content: a folder with `ContentInfo.plist` and `Contents`, which holds the
        /// files. A package uploaded in that form already has it.
        case package
        /// As they were uploaded.
        case plain
    }

    static let informationName = "ContentInfo.plist"
    static let contentsName = "Contents"
    static let filesMax = 10_000
    /// The total size of all files in bytes.
    static let bytesMax: Int64 = 2 << 30
    static let pathBytesMax = 1_024
    static let nameBytesMax = 255
    static let foldersMax = 40

    struct File: Hashable, Sendable {
        /// The path relative to the package's folder on disk.
        let place: String
        let byteCount: Int64
        /// 64 lowercase hexadecimal digits.
        let digest: String
    }

    let version: String
    let byteCount: Int64
    let files: [File]
    /// The `ContentInfo.plist` to write; nil when the package has one.
    let information: [UInt8]?
    private let layout: Layout

    var placesOfFiles: Set<String> { Set(files.map(\.place)) }

    /// All folders that lead to a file.
    var placesOfFolders: Set<String> {
        files.reduce(into: layout == .package ? [Self.contentsName] : []) { folders, file in
            folders.formUnion(Self.folders(of: file.place))
        }
    }

    /// Refuses a list that leads out of the folder, contradicts itself or is too large: nothing
    /// that a store says is trusted.
    ///
    /// - Parameter isVersion: Whether its version can be used.
    init(
        _ body: ContentManifestBody, of identifier: String, _ layout: Layout = .package,
        where isVersion: (String) -> Bool = Self.isVersion
    ) throws(DownloadTrouble) {
        guard body.contentIdentifier == identifier else {
            throw Self.bad("it belongs to something else")
        }
        guard isVersion(body.contentVersion) else { throw Self.bad("its version is not valid") }
        guard body.files.count <= Self.filesMax else {
            throw Self.bad("it has more than \(Self.filesMax) files")
        }
        let isPackage = layout == .package && Self.isPackage(body.files.map(\.path))
        let staysAsIs = isPackage || layout == .plain
        var sum: Int64 = 0
        files = try body.files.map { (file) throws(DownloadTrouble) -> File in
            try Self.check(file)
            sum += file.size
            guard sum <= Self.bytesMax else { throw Self.bad("it is larger than 2 GiB") }
            return File(
                place: staysAsIs ? file.path : "\(Self.contentsName)/\(file.path)",
                byteCount: file.size, digest: file.sha256)
        }
        guard sum == body.contentLength else {
            throw Self.bad("its files are \(sum) bytes, not \(body.contentLength)")
        }
        self.layout = layout
        version = body.contentVersion
        byteCount = sum
        information =
            staysAsIs
            ? nil : try Self.information(of: body.contentIdentifier, body.contentVersion)
        let places = placesOfFiles
        guard places.count == files.count, places.isDisjoint(with: placesOfFolders) else {
            throw Self.bad("it names a file twice")
        }
    }

    /// Whether files are laid out like Apple's packages.
    private static func isPackage(_ paths: [String]) -> Bool {
        paths.contains(informationName)
            && paths.allSatisfy { $0 == informationName || $0.hasPrefix(contentsName + "/") }
    }

    private static func check(_ file: ContentFileBody) throws(DownloadTrouble) {
        let names = file.path.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
        let isSafe =
            file.path.utf8.count <= pathBytesMax && names.count <= foldersMax
            && file.path.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
            && names.allSatisfy { name in
                !name.isEmpty && name.count <= nameBytesMax && !name.elementsEqual(".".utf8)
                    && !name.elementsEqual("..".utf8)
            }
        guard isSafe else {
            throw bad("it has a file called \(file.path.prefix(100).debugDescription)")
        }
        guard (0...bytesMax).contains(file.size) else { throw bad("a file has no valid size") }
        guard file.sha256.utf8.count == 64, file.sha256.utf8.allSatisfy(isHexadecimal) else {
            throw bad("a file has no valid SHA-256")
        }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }

    static func isVersion(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
    }

    /// `a/b/c` yields `a` and `a/b`.
    private static func folders(of place: String) -> [String] {
        place.indices.filter { place[$0] == "/" }.map { String(place[..<$0]) }
    }

    private static func information(
        of identifier: String, _ version: String
    ) throws(DownloadTrouble) -> [UInt8] {
        do {
            return Array(
                try PropertyListSerialization.data(
                    fromPropertyList: [
                        "IAPProductIdentifier": identifier, "ContentVersion": version,
                    ], format: .xml, options: 0))
        } catch {
            throw bad("its \(informationName) cannot be written: \(error)")
        }
    }

    private static func bad(_ reason: String) -> DownloadTrouble {
        DownloadTrouble(.refused, "The store's list of the content cannot be used: \(reason).")
    }
}
