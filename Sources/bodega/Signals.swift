import Glibc

/// Waits for the signals that ask a server to stop.
enum Signals {
    /// Keeps SIGTERM and SIGINT from ending the process; before any thread is started.
    static func hold() {
        var set = stopSignals
        pthread_sigmask(SIG_BLOCK, &set, nil)
        // A client that went away is an answer that was not written, nothing more.
        signal(SIGPIPE, SIG_IGN)
        // A file that may not grow is a write that failed, as on a full disk.
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
