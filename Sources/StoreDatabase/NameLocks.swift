import Glibc

/// Locks on names that processes share, such as those of databases that one copies and the other may
/// replace. The kernel releases them when the process ends.
///
/// Each name is a byte of one file, so names may share a lock by chance. Locks that are taken through
/// the same value never conflict with each other.
@safe package final class NameLocks: Sendable {
    package enum Kind: Sendable {
        /// With others of this kind.
        case shared
        case exclusive
    }

    private let descriptor: Int32

    /// Makes the file when it is missing.
    package init(path: String) throws {
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw inputOutput("open", path) }
    }

    deinit { Glibc.close(descriptor) }

    /// Takes the lock of a name; false when another process has it, unless this waits for that.
    package func take(_ name: String, _ kind: Kind, waits: Bool = false) -> Bool {
        set(name, kind == .shared ? F_RDLCK : F_WRLCK, waits: waits)
    }

    package func release(_ name: String) {
        _ = set(name, F_UNLCK, waits: false)
    }

    private func set(_ name: String, _ type: Int32, waits: Bool) -> Bool {
        var range = flock()
        range.l_type = Int16(type)
        range.l_whence = Int16(SEEK_SET)
        range.l_start = Self.place(of: name)
        range.l_len = 1
        // Locks of the open file: those of the process would end with any descriptor of it.
        let command = waits ? Self.setAndWait : Self.set
        while true {
            let result = unsafe withUnsafeMutablePointer(to: &range) {
                unsafe fcntl(descriptor, command, UnsafeMutableRawPointer($0))
            }
            if result == 0 { return true }
            guard errno == EINTR else { return false }
        }
    }

    /// `F_OFD_SETLK` and `F_OFD_SETLKW`, which Glibc's module does not have.
    ///
    /// Source: fcntl(2), *Open file description locks*.
    private static let set: Int32 = 37
    private static let setAndWait: Int32 = 38

    /// FNV-1a, which is the same in every process.
    private static func place(of name: String) -> Int {
        let hash = name.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        return Int(hash & 0x3FFF_FFFF)
    }
}
