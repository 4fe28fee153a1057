import CMalloc
import Glibc
import StoreModel

/// The limit of files that this process may have open.
enum OpenFiles {
    /// Raises it to what the system allows: each test session holds a few, and the usual limit is
    /// 1,024.
    static func raiseLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}

/// How much freed memory this process keeps.
///
/// By default glibc returns the end of a thread's heap to the system whenever more than 128 kB of
/// it are free, and requests it again for the next request. Under load this took a sixth of a
/// store's processor time, most of it to notify the other processors.
enum Heap {
    /// For servers, before their first thread. A setting that fails is ignored.
    static func settle() {
        // Blocks of this size return to the system when they are freed: scrypt's 16 MB would stay
        // in the heap of every thread that ever checked a password.
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
