package import StoreModel
import StoreSigning

/// Examines whether an installation is sound. Only reads, even while its store runs.
package struct Examination: Sendable {
    /// Sessions whose files are read through; the others are counted.
    static let sessionsReadMax = 100

    let directory: String
    package let installation: Installation

    var isInUse: Bool { installation.isInUse }
    var wall: WallClock { installation.wall }

    package init(directory: String, wall: WallClock) {
        self.directory = directory
        installation = Installation(
            directory: directory, server: "store", work: "sell", wall: wall)
    }

    var files: WorldFiles { WorldFiles(directory: directory + "/worlds") }

    /// The findings that need no running store, in the order in which to fix things.
    package func findings() -> [Finding] {
        let start =
            "start a store once, with: bodega serve --data \(directory); or name another with "
            + "--data"
        if let absent = installation.absence(of: Self.parts, advice: start) {
            return [absent, clock(), installation.libraries()]
        }
        let own = installation.dataDirectory()
        // A directory that cannot be read allows no further findings.
        if own.state == .bad { return [own, clock(), installation.libraries()] }
        return [
            own, installation.lock(), installation.disk(), openFiles(), clock(),
            installation.libraries(),
            installation.token("control token", bytesMin: ControlToken.bytesMin), keys(), roots(),
        ] + [tls()].compactMap { $0 } + databases()
    }

    /// The parts of a store's directory from its first start on.
    private static let parts = ["keys", "worlds", "control-token"]

    private func clock() -> Finding {
        installation.clock(changed: files.look(at: files.path(.default))?.changedAt)
    }

    /// The files that the running store may have open, or that one started by this user may.
    private func openFiles() -> Finding {
        let limit = installation.openFilesMax() ?? FileBudget.limit(settable: true)
        let budget = FileBudget(limit: limit)
        let check = "open files"
        let advice =
            "start the store with a higher limit: ulimit -Hn \(FileBudget.limitFull), or "
            + "LimitNOFILE=\(FileBudget.limitFull) of its service"
        guard limit >= FileBudget.limitMin else {
            return .bad(check, "only \(limit) may be open", advice)
        }
        let finding =
            "\(limit) may be open: at most \(budget.connections) connections and "
            + "\(budget.sessions) test sessions at once"
        return budget.isFull ? .good(check, finding) : .warning(check, finding, advice)
    }

    func openToOthers(_ path: String) -> Finding? { installation.openToOthers(path) }

    private func keys() -> Finding {
        let problems = KeyStore.problems(in: directory + "/keys")
        guard !problems.isEmpty else {
            return .good("keys", "complete, readable, and each belongs to its certificate")
        }
        let advice = problems.map { $0.advice ?? adviceOnKeys }
        return .bad(
            "keys", problems.map(\.detail).joined(separator: " "),
            advice.enumerated().filter { !advice[..<$0.offset].contains($0.element) }
                .map(\.element).joined(separator: " "))
    }

    /// New keys are made only where no data are signed by old ones.
    private var adviceOnKeys: String {
        files.exists(files.path(.default))
            ? "Put \(directory)/keys back from a backup; a store never makes new keys over old "
                + "data, because every receipt would become worthless."
            : "Start the store: it makes new keys, because no data are signed by old ones."
    }
}
