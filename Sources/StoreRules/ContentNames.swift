/// The names of a package's files: names that every device's file system can keep apart.
package enum ContentNames {
    /// The problem with a path, as the end of a sentence that begins with it; nil for a valid one.
    package static func problem(of path: String) -> String? {
        if path.isEmpty { return "is empty" }
        if path.hasPrefix("/") { return "is absolute" }
        if path.utf8.count > ContentPackage.pathBytesMax {
            return "has more than \(ContentPackage.pathBytesMax) bytes"
        }
        if path.unicodeScalars.contains(where: isHidden) { return "contains a control character" }
        if path.utf8.contains(UInt8(ascii: "\\")) { return "contains a backslash" }
        let names = path.utf8.split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        if names.count > ContentPackage.depthMax {
            return "is more than \(ContentPackage.depthMax) folders deep"
        }
        for name in names {
            if name.isEmpty { return "has an empty part" }
            if name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) {
                return "has a part that is . or .."
            }
            if name.count > ContentPackage.nameBytesMax {
                return "has a part of more than \(ContentPackage.nameBytesMax) bytes"
            }
        }
        return nil
    }

    /// Throws when two paths, or the folders above them, have the same name on a file system that
    /// ignores case, or when one is a file and a folder.
    static func check(_ paths: [String]) throws(ContentRefusal) {
        var folders: [String: String] = [:]
        var files: [String: String] = [:]
        for path in paths {
            if let other = files.updateValue(path, forKey: folded(path)) {
                throw .twice(other, path)
            }
            for folder in self.folders(of: path) {
                let other = folders.updateValue(folder, forKey: folded(folder))
                // Equal strings may differ in their bytes.
                guard other.map({ $0.utf8.elementsEqual(folder.utf8) }) ?? true else {
                    throw .twice(other ?? folder, folder)
                }
            }
        }
        for (name, folder) in folders.sorted(by: { $0.key < $1.key }) {
            if let file = files[name] { throw .twice(file, folder) }
        }
    }

    /// `a/b/c` has `a` and `a/b`.
    private static func folders(of path: String) -> [String] {
        path.indices.filter { path[$0] == "/" }.map { String(path[..<$0]) }
    }

    /// One form for all spellings; converted through uppercase, so that ß and ss are equal. Strings
    /// compare by canonical equivalence, so é is one letter however it is composed.
    private static func folded(_ path: String) -> String { path.uppercased().lowercased() }

    /// Control characters, line ends, and characters that reverse the direction of text.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
        default:
            (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        }
    }

    /// A name for a message: characters that control a terminal are escaped, and long names are
    /// cut.
    package static func shown(_ path: String) -> String {
        let whole = path.unicodeScalars.reduce(into: "") { text, scalar in
            text += isHidden(scalar) ? scalar.escaped(asASCII: true) : String(scalar)
        }
        return whole.count > 200 ? whole.prefix(200) + "…" : whole
    }
}
