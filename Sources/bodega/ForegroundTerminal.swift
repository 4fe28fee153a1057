import Glibc

/// The terminal that a command gets from this process, as shells hand it to a job.
struct ForegroundTerminal {
    /// Nil when standard input is no terminal.
    init?() {
        guard isatty(0) == 1 else { return nil }
    }

    /// Lets a process group read from it, and get its Ctrl-C, if this process had it.
    func give(to group: pid_t) {
        guard tcgetpgrp(0) == getpgrp() else { return }
        tcsetpgrp(0, group)
        // It may have stopped because it read too early.
        kill(-group, SIGCONT)
    }

    /// Takes it back; SIGTTOU is held.
    func take(from group: pid_t) {
        guard tcgetpgrp(0) == group else { return }
        tcsetpgrp(0, getpgrp())
    }
}
