import Glibc

/// Waits for the signals that ask a server to stop.
enum Signals {
    /// Keeps SIGTERM and SIGINT from ending the process; called before any thread starts.
    static func hold() {
        var set = stopSignals
        pthread_sigmask(SIG_BLOCK, &set, nil)
        // A client that went away only means an unwritten answer.
        signal(SIGPIPE, SIG_IGN)
        // A file that may not grow means a failed write, as on a full disk.
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Returns when one of them arrives.
    static func wait() {
        var set = stopSignals
        var number: Int32 = 0
        sigwait(&set, &number)
    }

    private static var stopSignals: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTERM)
        sigaddset(&set, SIGINT)
        return set
    }
}
