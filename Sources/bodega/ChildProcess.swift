import Glibc

/// A program that this process started, in a process group of its own.
struct ChildProcess {
    enum Event: Equatable {
        case stopped
        /// Its exit code, or 128 and the number of the signal that ended it.
        case ended(Int32)
    }

    let id: pid_t

    /// `descriptors` are those that it has besides or in place of this process's own 0, 1 and 2, by
    /// their number there. Throws the reason why it cannot be started.
    init(
        _ path: String, _ words: [String], environment: [String: String],
        descriptors: [Int32: Int32] = [:]
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, own) in descriptors {
            posix_spawn_file_actions_adddup2(&actions, own, number)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var held = Signals.set([])
        posix_spawnattr_setsigmask(&attributes, &held)
        var usual = Signals.set(Signals.all + [SIGCHLD, SIGPIPE, SIGTTOU, SIGXFSZ])
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        posix_spawnattr_setflags(&attributes, Int16(flags))
        let typed = words.map { strdup($0) }
        let variables = environment.map { strdup("\($0.key)=\($0.value)") }
        defer { for text in typed + variables { free(text) } }
        var id: pid_t = 0
        let error = posix_spawn(&id, path, &actions, &attributes, typed + [nil], variables + [nil])
        guard error == 0 else {
            throw Failure("\(path) cannot be started: \(String(cString: strerror(error)))")
        }
        self.id = id
    }

    /// What happened to it since the last look; nil when nothing did.
    func event() -> Event? {
        var status: Int32 = 0
        guard waitpid(id, &status, WNOHANG | WUNTRACED) == id else { return nil }
        switch status & 0x7F {
        case 0: return .ended((status >> 8) & 0xFF)
        case 0x7F: return .stopped
        case let signal: return .ended(128 + signal)
        }
    }

    /// Sends a signal to all in its group.
    func signal(_ number: Int32) { kill(-id, number) }

    /// Asks it to end and waits for that; kills it when it takes too long.
    func end(secondsMax: Int) {
        signal(SIGTERM)
        for _ in 0..<secondsMax * 100 {
            if case .ended = event() { return }
            usleep(10_000)
        }
        signal(SIGKILL)
        var status: Int32 = 0
        waitpid(id, &status, 0)
    }
}
