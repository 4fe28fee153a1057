import Glibc

/// Waits for the signals that ask a server to stop.
enum Signals {
    /// Ask a server to stop.
    static let usual = [SIGTERM, SIGINT]
    /// All that ask a process to end; one that leaves nothing behind holds them.
    static let all = usual + [SIGHUP, SIGQUIT]

    /// Keeps signals from ending the process; called before any thread starts.
    static func hold(_ signals: [Int32] = usual) {
        var set = Self.set(signals)
        pthread_sigmask(SIG_BLOCK, &set, nil)
        // A client that went away only means an unwritten answer.
        signal(SIGPIPE, SIG_IGN)
        // A file that may not grow means a failed write, as on a full disk.
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Returns when one of them arrives.
    static func wait(_ signals: [Int32] = usual) {
        var set = Self.set(signals)
        var number: Int32 = 0
        sigwait(&set, &number)
    }

    /// The next of some held signals; nil when none arrives in time.
    static func next(_ signals: [Int32], milliseconds: Int) -> Int32? {
        var set = Self.set(signals)
        var time = timespec(
            tv_sec: milliseconds / 1_000, tv_nsec: milliseconds % 1_000 * 1_000_000)
        let number = sigtimedwait(&set, nil, &time)
        return number > 0 ? number : nil
    }

    static func set(_ signals: [Int32]) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        return set
    }
}
