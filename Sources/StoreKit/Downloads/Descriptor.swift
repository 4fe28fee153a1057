import Glibc

/// An open file or folder. Whatever stands below a folder is opened part by part, and a symbolic
/// link is never followed, so that nothing outside is reached.
final class Descriptor {
    let number: Int32
    /// For messages.
    let path: String

    /// A folder that is trusted, by its path.
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

    /// A folder in this one; made when it is not there.
    func folder(_ name: String) throws(DownloadTrouble) -> Descriptor {
        guard mkdirat(number, name, 0o700) == 0 || errno == EEXIST else {
            throw .disk("make", "\(path)/\(name)")
        }
        return try existingFolder(name)
    }

    func existingFolder(_ name: String) throws(DownloadTrouble) -> Descriptor {
        try opened(name, O_RDONLY | O_DIRECTORY)
    }

    /// An ordinary file in this folder; made when it is not there.
    func file(_ name: String) throws(DownloadTrouble) -> Descriptor {
        let file = try opened(name, O_RDWR | O_CREAT | O_NONBLOCK)
        guard try file.status().isFile else {
            throw DownloadTrouble(.disk(EINVAL), "\(file.path) is no ordinary file.")
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
        guard fstat(number, &info) == 0 else { throw .disk("look at", path) }
        return Status(info)
    }

    /// What stands under a name in this folder; nil when nothing does.
    func status(of name: String) throws(DownloadTrouble) -> Status? {
        var info = stat()
        if fstatat(number, name, &info, AT_SYMLINK_NOFOLLOW) == 0 { return Status(info) }
        if errno == ENOENT { return nil }
        throw .disk("look at", "\(path)/\(name)")
    }

    /// The names in this folder, in no order.
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

    /// Removes what stands under a name with everything below it; a link goes itself, not what it
    /// points at.
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
