import Foundation

/// Looks for the `bodega` program.
package struct ProgramSearch {
    let variables: [String: String]
    /// The test program's path.
    let own: String

    static var usual: ProgramSearch {
        ProgramSearch(
            variables: ProcessInfo.processInfo.environment,
            own: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
                ?? CommandLine.arguments.first ?? "")
    }

    /// The program's path, or a sentence with every place that was looked at.
    func found() throws(BodegaError) -> String {
        if let named = value("BODEGA_PROGRAM") {
            guard FileManager.default.isExecutableFile(atPath: named) else {
                throw BodegaError(
                    "programMissing",
                    "BODEGA_PROGRAM is \"\(named)\", where there is no program to run.")
            }
            return named
        }
        let places = places
        if let place = places.first(where: FileManager.default.isExecutableFile) { return place }
        throw BodegaError(
            "programMissing",
            "There is no bodega program: set BODEGA_PROGRAM to its path, build it beside the tests, "
                + "or put its folder on PATH. Looked for \(places.joined(separator: ", ")).")
    }

    /// Beside the test program, in the other configuration of its build folder, on the path.
    private var places: [String] {
        let folder = URL(fileURLWithPath: own).deletingLastPathComponent()
        let build = folder.deletingLastPathComponent()
        let near = [
            folder.appending(path: "bodega"), build.appending(path: "debug/bodega"),
            build.appending(path: "release/bodega"),
        ].map(\.path)
        let path = (value("PATH") ?? "").split(separator: ":").map { "\($0)/bodega" }
        return (near + path).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// A variable of this process; nil when it is empty.
    package static func value(_ name: String) -> String? { usual.value(name) }

    private func value(_ name: String) -> String? {
        variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
