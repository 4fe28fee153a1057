import Glibc

// Shared by the targets; compiled into each of them.

/// Copies an input, so that reading beyond its end is detected.
func bytes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
    Array(UnsafeBufferPointer(start: start, count: count))
}

/// Ends the run, with the input kept by libFuzzer, when a promise does not hold.
func hold(_ promise: Bool, _ sentence: String) {
    if !promise { preconditionFailure("broken promise: \(sentence)") }
}

/// The file at a path in the folder that `scripts/fuzz` sets in BODEGA_FUZZ_FOLDER.
func file(_ path: String) -> [UInt8] {
    guard let folder = getenv("BODEGA_FUZZ_FOLDER").map({ String(cString: $0) }),
        let stream = fopen(folder + "/" + path, "rb")
    else { preconditionFailure("cannot read \(path): start this with scripts/fuzz") }
    defer { fclose(stream) }
    var whole: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = fread(&piece, 1, piece.count, stream)
        guard count > 0 else { return whole }
        whole += piece[..<count]
    }
}
