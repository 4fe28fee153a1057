import Glibc

/// How many files this process may have open.
enum OpenFiles {
    /// Takes what the system allows: each test session holds a few, and systems give 1,024 at
    /// first.
    static func raiseLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
