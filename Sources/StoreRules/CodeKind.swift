/// A kind of file that a machine runs or loads; content must not contain any.
///
/// Recognised by the first bytes or by the name. Neither finds code inside an archive or in the
/// app's own format: the developer is responsible for how an app uses its data.
package enum CodeKind: String, Hashable, Sendable {
    case executable
    case library
    case script
    case bytecode
    case program
    case installer

    package var noun: String {
        switch self {
        case .executable: "an executable"
        case .library: "a library"
        case .script: "a script"
        case .bytecode: "compiled code"
        case .program: "part of a program or plug-in"
        case .installer: "an installer"
        }
    }

    /// The number of leading bytes that are checked.
    package static let headBytes = 8

    /// By a file's first `headBytes` bytes, or fewer if it is shorter; nil for data.
    package init?(head: some Collection<UInt8>) {
        let head = Array(head.prefix(Self.headBytes))
        if let known = Self.beginnings.first(where: { head.starts(with: $0.bytes) }) {
            self = known.kind
        } else if Self.isPython(head) {
            self = .bytecode
        } else {
            return nil
        }
    }

    /// By a path's last name, and by the folders above it; nil for data.
    package init?(path: String) {
        let names = path.lowercased().split(separator: "/")
        let folders = names.dropLast().lazy.compactMap { Self.ending(of: $0) }
        if folders.contains(where: { Self.folderEndings.contains($0) }) {
            self = .program
            return
        }
        guard let name = names.last, let ending = Self.ending(of: name) else { return nil }
        if let kind = Self.endings[String(ending)] {
            self = kind
        } else if Self.folderEndings.contains(ending) {
            self = .program
        } else if Self.isVersionedLibrary(name) {
            self = .library
        } else {
            return nil
        }
    }

    /// `so` of `a.so`; nil for a name whose only full stop is its first character.
    private static func ending(of name: Substring) -> Substring? {
        guard let mark = name.lastIndex(of: "."), mark > name.startIndex else { return nil }
        return name[name.index(after: mark)...]
    }

    /// `libz.so.1.2`.
    private static func isVersionedLibrary(_ name: Substring) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard let mark = parts.dropFirst().firstIndex(of: "so") else { return false }
        return parts[(mark + 1)...].allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
    }

    /// Two bytes that count the versions of the compiler, then CR LF (CPython, `importlib`):
    /// 3,000 to 4,095 since Python 3, 62,000 to 62,463 before.
    private static func isPython(_ head: [UInt8]) -> Bool {
        guard head.count >= 4, head[2] == 0x0D, head[3] == 0x0A else { return false }
        let number = Int(head[1]) << 8 | Int(head[0])
        return (3_000...4_095).contains(number) || (62_000...62_463).contains(number)
    }
}

// The tables; `docs/content.md` lists them for readers.
extension CodeKind {
    /// How files of code begin. `MZ` and `#!` are short, so a text that begins with them is also
    /// refused.
    package static let beginnings: [(bytes: [UInt8], kind: CodeKind)] = [
        ([0x7F, 0x45, 0x4C, 0x46], .executable),  // ELF
        ([0xFE, 0xED, 0xFA, 0xCE], .executable),  // Mach-O, 32 bits
        ([0xFE, 0xED, 0xFA, 0xCF], .executable),  // Mach-O, 64 bits
        ([0xCE, 0xFA, 0xED, 0xFE], .executable),  // the same in the other order
        ([0xCF, 0xFA, 0xED, 0xFE], .executable),
        ([0xCA, 0xFE, 0xBA, 0xBE], .executable),  // Mach-O for several machines; a class of Java
        ([0xCA, 0xFE, 0xBA, 0xBF], .executable),
        ([0xBE, 0xBA, 0xFE, 0xCA], .executable),
        ([0xBF, 0xBA, 0xFE, 0xCA], .executable),
        (Array("MZ".utf8), .executable),  // DOS and Windows
        (Array("ZM".utf8), .executable),
        (Array("#!".utf8), .script),
        (Array("!<arch>\n".utf8), .library),  // ar, also of Debian's packages
        (Array("!<thin>\n".utf8), .library),
        ([0x00, 0x61, 0x73, 0x6D], .bytecode),  // WebAssembly
        (Array("dex\n".utf8), .bytecode),  // Android
        (Array("dey\n".utf8), .bytecode),
        (Array("cdex".utf8), .bytecode),
        ([0x42, 0x43, 0xC0, 0xDE], .bytecode),  // LLVM
        ([0xDE, 0xC0, 0x17, 0x0B], .bytecode),
        ([0x1B, 0x4C, 0x75, 0x61], .bytecode),  // Lua
        ([0x1B, 0x4C, 0x4A], .bytecode),  // LuaJIT
        (Array("YARB".utf8), .bytecode),  // Ruby
        ([0xED, 0xAB, 0xEE, 0xDB], .installer),  // RPM
    ]

    /// Endings of file names, in lowercase.
    package static let endings: [String: CodeKind] = [
        "exe": .executable, "com": .executable, "scr": .executable, "sys": .executable,
        "elf": .executable, "efi": .executable, "appimage": .executable,
        "so": .library, "dylib": .library, "dll": .library, "a": .library, "o": .library,
        "tbd": .library, "node": .library, "ocx": .library,
        "sh": .script, "bash": .script, "zsh": .script, "fish": .script, "csh": .script,
        "ksh": .script, "command": .script, "bat": .script, "cmd": .script, "ps1": .script,
        "psm1": .script, "vbs": .script, "wsf": .script, "hta": .script, "py": .script,
        "pyw": .script, "rb": .script, "pl": .script, "pm": .script, "php": .script,
        "lua": .script, "tcl": .script, "js": .script, "mjs": .script, "cjs": .script,
        "jsx": .script, "applescript": .script, "scpt": .script,
        "pyc": .bytecode, "pyo": .bytecode, "luac": .bytecode, "class": .bytecode,
        "dex": .bytecode, "wasm": .bytecode, "bc": .bytecode, "swf": .bytecode,
        "jar": .program, "apk": .program, "ipa": .program, "whl": .program,
        "msi": .installer, "pkg": .installer, "mpkg": .installer, "deb": .installer,
        "rpm": .installer,
    ]

    /// Endings of folders that are programs or parts of them; files must not have them either.
    package static let folderEndings: Set<Substring> = [
        "app", "framework", "xcframework", "bundle", "plugin", "kext", "xpc", "appex", "scptd",
        "prefpane",
    ]
}
