import Foundation

/// A second descriptor of a file that this process has open: what a forked child has until it
/// reaches its exec.
public final class ForkedDescriptor {
    private let number: Int32

    /// Nil when the file is not open.
    public init?(of path: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let found = names.first { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/fd/\(name)")
            return target == path
        }
        guard let open = found.flatMap({ Int32($0) }) else { return nil }
        number = fcntl(open, F_DUPFD_CLOEXEC, 0)
    }

    deinit { close(number) }
}
