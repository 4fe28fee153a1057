import Foundation
import Glibc

/// Finds files in the folders of on-demand resources, as a bundle finds its own: those that belong
/// to no language first, then those in `LANGUAGE.lproj`.
struct ResourceLookup {
    let folders: [String]
    let subdirectory: String?
    /// The language to look in; nil for those that the user prefers.
    var localization: String?

    /// The path of a file; without a name, of the first one with the extension.
    func path(_ name: String?, _ fileExtension: String?) -> String? {
        guard let name, !name.isEmpty else { return paths(fileExtension).first }
        let file = Self.file(name, fileExtension)
        guard Self.isBelow(file) else { return nil }
        return places.lazy.map { "\($0)/\(file)" }.first { access($0, F_OK) == 0 }
    }

    /// The paths of all files with an extension; of all files without one.
    func paths(_ fileExtension: String?) -> [String] {
        let ending = fileExtension.flatMap { $0.isEmpty ? nil : "." + $0 }
        return places.flatMap { place in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
            return names.filter { ending.map($0.hasSuffix) ?? true }.sorted()
                .map { "\(place)/\($0)" }
        }
    }

    private static func file(_ name: String, _ fileExtension: String?) -> String {
        guard let fileExtension, !fileExtension.isEmpty else { return name }
        return "\(name).\(fileExtension)"
    }

    /// The folders to look in, in order.
    private var places: [String] {
        let below = subdirectory.flatMap { $0.isEmpty ? nil : $0 }
        guard below.map(Self.isBelow) ?? true else { return [] }
        return folders.flatMap { folder in
            ([folder] + languages(in: folder).map { "\(folder)/\($0).lproj" })
                .map { place in below.map { "\(place)/\($0)" } ?? place }
        }
    }

    private func languages(in folder: String) -> [String] {
        if let localization { return Self.isBelow(localization) ? [localization] : [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let there = names.filter { $0.hasSuffix(".lproj") }.map { String($0.dropLast(6)) }
        return there.isEmpty ? [] : Bundle.preferredLocalizations(from: there)
    }

    /// Whether a relative path stays below its folder.
    private static func isBelow(_ path: String) -> Bool {
        !path.split(separator: "/", omittingEmptySubsequences: false).contains("..")
    }
}
