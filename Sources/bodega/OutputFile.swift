import Foundation
import Glibc

/// A file that a command writes for the person who runs it.
///
/// A file is replaced as a whole or not at all. Whatever else has the path, such as a pipe or the
/// command's own output, is written into.
struct OutputFile {
    let path: String
    private let place: Place

    private enum Place {
        case file(String, mode: mode_t?)
        case stream
        case ownOutput
    }

    init(_ path: String) {
        self.path = path
        var (status, own) = (stat(), stat())
        if stat(path, &status) != 0 {
            // Links in a circle are opened, which says so.
            place = Self.end(ofLinks: path).map { .file($0, mode: nil) } ?? .stream
        } else if fstat(STDOUT_FILENO, &own) == 0, own.st_dev == status.st_dev,
            own.st_ino == status.st_ino
        {
            place = .ownOutput
        } else if status.st_mode & S_IFMT == S_IFREG, let target = Self.target(of: path) {
            place = .file(target, mode: status.st_mode & 0o777)
        } else {
            place = .stream
        }
    }

    /// Whether it is replaced as a whole, so that what it is can be said afterwards.
    var isFile: Bool { if case .file = place { true } else { false } }

    /// Writes it. A private one can be read by its owner alone, at any moment.
    func write(_ bytes: [UInt8], isPrivate: Bool = false) throws {
        switch place {
        case .file(let target, let mode):
            let made = "\(folder(of: target))/.bodega-\(UInt64.random(in: 0...UInt64.max))"
            let file = try opened(made, O_CREAT | O_EXCL, mode: isPrivate ? 0o600 : 0o666)
            do {
                defer { close(file) }
                if let mode, !isPrivate { fchmod(file, mode) }
                try write(bytes, into: file)
                guard fsync(file) == 0, rename(made, target) == 0 else { throw failure() }
            } catch {
                unlink(made)
                throw error
            }
        case .stream:
            let file = try opened(path, 0)
            defer { close(file) }
            try write(bytes, into: file)
        case .ownOutput: try write(bytes, into: STDOUT_FILENO)
        }
    }

    /// Throws unless it could be written now.
    func check() throws {
        let isWritable =
            switch place {
            case .file(let target, _): access(folder(of: target), W_OK | X_OK) == 0
            case .stream: access(path, W_OK) == 0
            case .ownOutput: true
            }
        guard isWritable else { throw failure() }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue
        {
            throw failure(EISDIR)
        }
    }

    private func opened(_ path: String, _ flags: Int32, mode: mode_t = 0) throws -> Int32 {
        let file = open(path, O_WRONLY | O_CLOEXEC | flags, mode)
        guard file >= 0 else { throw failure() }
        return file
    }

    private func write(_ bytes: [UInt8], into file: Int32) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count < 0, errno != EINTR {
                throw failure()
            }
        }
    }

    private func failure(_ number: Int32 = errno) -> Failure {
        Failure("cannot write \(path): \(String(cString: strerror(number)))")
    }

    private func folder(of path: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().path
    }

    /// The file, perhaps to be made, to which a path leads over its links; nil for links in a circle.
    private static func end(ofLinks path: String) -> String? {
        var end = path
        for _ in 0...linksMax {
            var status = stat()
            guard lstat(end, &status) == 0, status.st_mode & S_IFMT == S_IFLNK,
                let next = try? FileManager.default.destinationOfSymbolicLink(atPath: end)
            else { return end }
            // A relative destination begins in the link's own folder.
            let folder = URL(fileURLWithPath: end).deletingLastPathComponent().path
            end = next.hasPrefix("/") ? next : "\(folder)/\(next)"
        }
        return nil
    }

    /// As many as Linux follows.
    private static let linksMax = 40

    /// Where links lead to.
    private static func target(of path: String) -> String? {
        guard let text = realpath(path, nil) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }
}
