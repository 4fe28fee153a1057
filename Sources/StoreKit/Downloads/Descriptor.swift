import Glibc

/// An open file or folder. Everything below a folder is opened component by component, and symbolic
/// links are never followed, so nothing outside can be reached.
final class Descriptor: Sendable {
    let number: Int32
    /// For messages.
    let path: String

    /// A trusted folder, by its path.
    init(folder path: String) throws(DownloadTrouble) {
        number = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        self.path = path
        guard number >= 0 else { throw .disk("open", path) }
    }

    private init(number: Int32, path: String) {
        self.number = number
        self.path = path
    }

    deinit {
        if number >= 0 { close(number) }
    }

    /// A folder in this one, created if missing.
    func folder(_ name: String) throws(DownloadTrouble) -> Descriptor {
        guard mkdirat(number, name, 0o700) == 0 || errno == EEXIST else {
            throw .disk("make", "\(path)/\(name)")
        }
        return try existingFolder(name)
    }

    func existingFolder(_ name: String) throws(DownloadTrouble) -> Descriptor {
        try opened(name, O_RDONLY | O_DIRECTORY)
    }

    /// A regular file in this folder, created if missing.
    func file(_ name: String) throws(DownloadTrouble) -> Descriptor {
        let file = try opened(name, O_RDWR | O_CREAT | O_NONBLOCK)
        guard try file.status().isFile else {
            throw DownloadTrouble(.disk(EINVAL), "\(file.path) is not a regular file.")
        }
        return file
    }

    private func opened(_ name: String, _ flags: Int32) throws(DownloadTrouble) -> Descriptor {
        let place = "\(path)/\(name)"
        let found = openat(number, name, flags | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard found >= 0 else { throw .disk("open", place) }
        return Descriptor(number: found, path: place)
    }

    struct Status {
        let isFile: Bool
        let isFolder: Bool
        let byteCount: Int64
        let inode: UInt64
    }

    func status() throws(DownloadTrouble) -> Status {
        var info = stat()
        guard fstat(number, &info) == 0 else { throw .disk("inspect", path) }
        return Status(info)
    }

    /// The status of an entry in this folder; nil when there is none.
    func status(of name: String) throws(DownloadTrouble) -> Status? {
        var info = stat()
        if fstatat(number, name, &info, AT_SYMLINK_NOFOLLOW) == 0 { return Status(info) }
        if errno == ENOENT { return nil }
        throw .disk("inspect", "\(path)/\(name)")
    }

    /// The names in this folder, unordered.
    func names() throws(DownloadTrouble) -> [String] {
        let again = openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard again >= 0, let stream = fdopendir(again) else {
            let trouble = DownloadTrouble.disk("list", path)
            if again >= 0 { close(again) }
            throw trouble
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Removes an entry with everything below it; a link is removed itself, not its target.
    func remove(_ name: String) throws(DownloadTrouble) {
        guard let status = try status(of: name) else { return }
        if status.isFolder {
            let folder = try existingFolder(name)
            for inner in try folder.names() { try folder.remove(inner) }
        }
        guard unlinkat(number, name, status.isFolder ? AT_REMOVEDIR : 0) == 0 || errno == ENOENT
        else { throw .disk("remove", "\(path)/\(name)") }
    }

    func sync() throws(DownloadTrouble) {
        guard fsync(number) == 0 else { throw .disk("sync", path) }
    }
}

extension Descriptor.Status {
    fileprivate init(_ info: stat) {
        let kind = info.st_mode & S_IFMT
        isFile = kind == S_IFREG
        isFolder = kind == S_IFDIR
        byteCount = Int64(info.st_size)
        inode = UInt64(info.st_ino)
    }
}
