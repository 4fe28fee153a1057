import Foundation
import Glibc
import StoreDigest
import StoreModel
import StoreRules
package import StoreWire

/// A folder on its owner's machine that is to become a package of content.
///
/// Checks everything before anything is sent; the store checks again.
package struct ContentFolder: Sendable {
    private static let readBytes = 1 << 20

    package let path: String
    /// The package's files, for the body that begins an upload.
    package let files: [ContentFileBody]

    /// Reads and hashes every file below `path` for a product's content; throws a sentence that
    /// names a forbidden item.
    package init(path: String, version: String) throws {
        try self.init(path: path) { try ContentPackage(version: version, files: $0) }
    }

    /// The same for the resources of a tag in a version of the app.
    package init(path: String, tag: String, appVersion: String) throws {
        if let problem = ResourceTag.problem(of: tag) { throw ContentRefusal.badTag(tag, problem) }
        try self.init(path: path) { try ContentPackage(appVersion: appVersion, files: $0) }
    }

    private init(path: String, _ package: ([ContentFile]) throws -> ContentPackage) throws {
        let root = path.hasSuffix("/") && path != "/" ? String(path.dropLast()) : path
        var files: [ContentFile] = []
        try Self.collect(in: root, below: "", &files)
        self.path = root
        self.files = try package(files).files.map(ContentFileBody.init)
    }

    /// Some bytes of a file of the package; fewer than requested at its end.
    package func bytes(of file: ContentFileBody, at offset: Int64, count: Int) throws -> [UInt8] {
        let place = "\(path)/\(file.path)"
        let descriptor = try Self.openFile(place)
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: count)
        let read = pread(descriptor, &buffer, count, off_t(offset))
        guard read >= 0 else { throw Unusable("cannot read \(place)") }
        return Array(buffer[..<read])
    }

    private static func collect(
        in root: String, below folder: String, _ files: inout [ContentFile]
    ) throws {
        let place = folder.isEmpty ? root : "\(root)/\(folder)"
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: place) else {
            throw Unusable("cannot read the folder \(ContentNames.shown(place))")
        }
        for name in names.sorted() {
            let path = folder.isEmpty ? name : "\(folder)/\(name)"
            var info = stat()
            guard lstat("\(root)/\(path)", &info) == 0 else {
                throw Unusable("cannot examine \(ContentNames.shown(path)); is its name UTF-8?")
            }
            if let problem = ContentNames.problem(of: path) {
                throw ContentRefusal.badPath(path, problem)
            }
            switch info.st_mode & S_IFMT {
            case S_IFDIR: try collect(in: root, below: path, &files)
            case S_IFREG: try files.append(file(path, in: root, info))
            case S_IFLNK: throw Unusable.kind(path, "a symbolic link")
            default: throw Unusable.kind(path, "not an ordinary file")
            }
            guard files.count <= ContentPackage.filesMax else { throw ContentRefusal.tooManyFiles }
        }
    }

    private static func file(
        _ path: String, in root: String, _ info: stat
    ) throws -> ContentFile {
        if let kind = CodeKind(path: path) { throw ContentRefusal.code(path, kind) }
        guard info.st_mode & 0o111 == 0 else {
            throw Unusable(
                "\"\(ContentNames.shown(path))\" is marked as an executable; if it is data, run: "
                    + "chmod a-x")
        }
        guard Int64(info.st_size) <= ContentPackage.bytesMax else { throw ContentRefusal.tooLarge }
        let descriptor = try openFile("\(root)/\(path)")
        defer { close(descriptor) }
        let digest = RunningDigest()
        var buffer = [UInt8](repeating: 0, count: readBytes)
        var position: Int64 = 0
        while case let count = pread(descriptor, &buffer, buffer.count, off_t(position)), count != 0
        {
            guard count > 0 else { throw Unusable("cannot read \(ContentNames.shown(path))") }
            if position == 0, let kind = CodeKind(head: buffer[..<count]) {
                throw ContentRefusal.code(path, kind)
            }
            digest.add(buffer[..<count])
            position += Int64(count)
        }
        return ContentFile(
            path: path, byteCount: position, digest: hexadecimal(digest.finish()))
    }

    private static func openFile(_ path: String) throws -> Int32 {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw Unusable("cannot read \(ContentNames.shown(path))") }
        return descriptor
    }

    /// The reason why something in the folder cannot be sent.
    package struct Unusable: Error, CustomStringConvertible {
        package let description: String

        init(_ description: String) {
            self.description = description
        }

        static func kind(_ path: String, _ noun: String) -> Unusable {
            Unusable(
                "\"\(ContentNames.shown(path))\" is \(noun); a package holds only files and folders"
            )
        }
    }
}
