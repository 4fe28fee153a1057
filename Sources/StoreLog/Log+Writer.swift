import Glibc

extension Log {
    /// A log whose lines go through a writer, with the time in milliseconds since 1970 last.
    package init(to writer: LineWriter) {
        self.init(dropped: { writer.dropped }, write: { writer.write(Self.stamped($0)) })
    }

    private static func stamped(_ line: String) -> String {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        let milliseconds = Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000
        var stamped = line
        stamped.removeLast()
        stamped += ",\"at\":"
        stamped += String(milliseconds)
        stamped += "}"
        return stamped
    }
}
