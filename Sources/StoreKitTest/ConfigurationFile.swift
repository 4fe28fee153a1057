import Foundation

/// A StoreKit configuration file, as Xcode writes it.
struct ConfigurationFile: Sendable {
    static let ending = "storekit"

    let url: URL
    let bytes: [UInt8]
    let settings: SessionSettings

    /// Reads the file at an address.
    init(at url: URL) throws(SKTestError) {
        guard url.isFileURL, url.pathExtension == Self.ending else {
            throw SKTestError(
                .invalidURL,
                "\(url.absoluteString) is not the address of a file whose name ends in "
                    + ".\(Self.ending).")
        }
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw SKTestError(.fileNotFound, "There is no file \(url.path).")
        }
        do {
            let data = try Data(contentsOf: url)
            settings = try SessionSettings(file: data)
            bytes = Array(data)
        } catch {
            throw SKTestError(.invalidURL, "\(url.path) cannot be read: \(error)")
        }
        self.url = url
    }

    /// Looks for a file by its name, with or without its ending, in the resources beside the test
    /// program and in the program's folder.
    static func address(of name: String) throws(SKTestError) -> URL {
        let file = name.hasSuffix(".\(ending)") ? name : "\(name).\(ending)"
        guard !name.isEmpty, !name.contains("/") else {
            throw SKTestError(
                .invalidURL,
                "\"\(name)\" is not the name of a file; SKTestSession(contentsOf:) takes addresses."
            )
        }
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        // XCTest's tests may run in another program, which gets the path of theirs.
        let arguments = CommandLine.arguments.filter { $0.hasSuffix(".xctest") }
        let folders = ([program] + arguments.map { URL(fileURLWithPath: $0) })
            .map { $0.deletingLastPathComponent() }
        var looked: [URL] = []
        for folder in folders where !looked.contains(folder) { looked.append(folder) }
        let resources = looked.flatMap { folder in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            return names.filter { $0.hasSuffix(".resources") || $0.hasSuffix(".bundle") }.sorted()
                .map { folder.appending(path: $0) }
        }
        let places = resources.flatMap { [$0, $0.appending(path: "Contents/Resources")] } + looked
        let found = places.map { $0.appending(path: file) }
            .filter { FileManager.default.fileExists(atPath: $0.path) }
        guard let first = found.first else {
            throw SKTestError(
                .fileNotFound,
                "There is no \(file) in the resources beside the tests; add it to the target's "
                    + "resources. Looked in \(places.map(\.path).joined(separator: ", ")).")
        }
        for other in found.dropFirst() {
            guard FileManager.default.contentsEqual(atPath: first.path, andPath: other.path) else {
                throw SKTestError(
                    .fileNotFound,
                    "There are two files of that name, \(first.path) and \(other.path); use "
                        + "SKTestSession(contentsOf:).")
            }
        }
        return first
    }
}
