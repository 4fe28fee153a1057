import CMalloc
import Glibc
import StoreModel

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

/// What this process keeps of the memory that it has freed.
///
/// Left to itself, glibc gives the end of a thread's heap back to the system whenever more than
/// 128 kB of it are free, and asks for it again with the next request: of a store's processor time
/// under load this was a sixth, most of it to tell the other processors.
enum Heap {
    /// For servers, before their first thread. What cannot be set stays as it is.
    static func settle() {
        // Blocks of this size go back to the system when they are freed: scrypt's 16 MB would stay
        // in the heap of every thread that ever looked at a password.
        mallopt(M_MMAP_THRESHOLD, 1 << 20)
        mallopt(M_TRIM_THRESHOLD, 4 << 20)
        mallopt(M_TOP_PAD, 1 << 20)
    }
}

extension WallClock {
    /// The machine's clock.
    static let system = WallClock {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Timestamp(
            milliseconds: Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000)
    }
}
