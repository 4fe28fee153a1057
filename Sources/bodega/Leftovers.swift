import Foundation
import Glibc

/// Processes that were started for a temporary folder and did not end by themselves.
enum Leftovers {
    /// Stands in the environment of all of them, also of those that left their process group.
    static let variable = "BODEGA_FOLDER"
    private static let passesMax = 100

    /// Kills them, until a look at all processes finds none.
    static func kill(startedFor folder: String) {
        let mark = Array("\(variable)=\(folder)".utf8)
        for _ in 0..<passesMax {
            let found = processes(startedWith: mark)
            guard !found.isEmpty else { return }
            for process in found { Glibc.kill(process, SIGKILL) }
            usleep(10_000)
        }
    }

    private static func processes(startedWith mark: [UInt8]) -> [pid_t] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.filter { process in
            // Readable for processes of the same user alone.
            guard let file = FileHandle(forReadingAtPath: "/proc/\(process)/environ"),
                let bytes = try? file.readToEnd()
            else { return false }
            return Array(bytes).split(separator: 0).contains { $0.elementsEqual(mark) }
        }
    }
}
