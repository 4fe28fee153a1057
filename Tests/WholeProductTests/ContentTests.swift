import CrashPoints
import Foundation
import StoreCaller
import StoreWire
import TestSupport
import Testing

/// Content of a product with whole processes: uploaded from a folder, fetched in ranges, killed at
/// each step on its way.
@Suite(.ownThreads) struct ContentTests {
    private static let app = ["--bundle-id", Lab.bundleID]

    /// A folder whose second file is sent in several parts.
    private static let large = (0..<9_000_000).map { (number: Int) -> UInt8 in
        UInt8(truncatingIfNeeded: number &* 31 &+ (number >> 9))
    }

    private func folder(in lab: Lab) throws -> String {
        let path = lab.folder + "/Levels"
        try FileManager.default.createDirectory(
            atPath: path + "/maps", withIntermediateDirectories: true)
        try Data("{}".utf8).write(to: URL(fileURLWithPath: path + "/index.json"))
        try Data(Self.large).write(to: URL(fileURLWithPath: path + "/maps/1.bin"))
        return path
    }

    private func upload(_ lab: Lab, _ path: String, code: Int32 = 0) throws -> String {
        try lab.bodega(["content", "upload", Lab.turbo, path] + Self.app, code: code)
    }

    private func fetch(
        _ url: String, _ token: String, range: String? = nil
    ) throws -> CallerResponse {
        var headers: [(name: String, value: String)] = [("Authorization", "Bearer \(token)")]
        if let range { headers.append(("Range", range)) }
        return try Caller().send(
            CallerRequest(method: "GET", url: url, headers: headers, body: nil))
    }

    /// Buys over raw requests and fetches everything; the bytes of each file by its path.
    private func download(_ lab: Lab) throws -> [String: [UInt8]] {
        let token = try lab.signedInDevice()
        let base = lab.storeURL + "/sandbox/device/v1"
        let attempt = AttemptRequestBody(
            attemptId: UUID().uuidString, productId: Lab.turbo, quantity: 1,
            applicationUsername: nil)
        let bought = try Lab.call(
            "POST", base + "/attempts", token: token, body: try WireJSON.encode(attempt))
        let transaction = try #require(
            try WireJSON.decode(AttemptAnswerBody.self, from: bought.body).transaction)
        let place = "\(base)/transactions/\(transaction.transactionId)/content"
        let manifest = try WireJSON.decode(
            ContentManifestBody.self, from: try fetch(place, token).body)
        #expect(manifest.contentLength == transaction.downloads?.first?.contentLength)
        var files: [String: [UInt8]] = [:]
        for file in manifest.files {
            var bytes: [UInt8] = []
            while bytes.count < Int(file.size) {
                let answer = try fetch(
                    "\(place)/\(manifest.contentVersion)/\(file.sha256)", token,
                    range: "bytes=\(bytes.count)-\(bytes.count + 3_999_999)")
                try #require(answer.status == 206)
                bytes += answer.body
            }
            files[file.path] = bytes
        }
        return files
    }

    private func check(_ lab: Lab) throws {
        #expect(
            try download(lab) == ["index.json": Array("{}".utf8), "maps/1.bin": Self.large])
        let doctor = try lab.doctor()
        #expect(doctor.contains("2 files, 8 megabytes, all present"), "\(doctor)")
        let content = lab.storeData + "/content"
        #expect(try FileManager.default.contentsOfDirectory(atPath: content + "/incoming") == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: content).count == 3)
    }

    @Test func `a content folder is uploaded, listed, fetched and removed`() throws {
        let lab = try Lab.open()
        let path = try folder(in: lab)
        let text = try upload(lab, path)
        #expect(text == "\(Lab.turbo) 1.0: 2 files, 9000002 bytes\n")
        #expect(try upload(lab, path) == text, "the same again")
        try check(lab)
        let list = try lab.bodega(["content", "list"] + Self.app)
        #expect(list.contains("1.0"))
        let json = try lab.bodega(["content", "list", "--json"] + Self.app)
        #expect(json.contains(#""isCurrent":true"#))
        // Another version under the same name is another name's.
        try Data("[]".utf8).write(to: URL(fileURLWithPath: path + "/index.json"))
        #expect(try upload(lab, path, code: 1).contains("use another version"))
        try lab.bodega(
            ["content", "upload", Lab.turbo, path, "--content-version", "1.1"] + Self.app)
        let removed = try lab.bodega(
            ["content", "remove", Lab.turbo, "--content-version", "1.1"] + Self.app)
        #expect(removed == "removed 1.1; purchases now deliver 1.0\n")
        #expect(
            try lab.bodega(["content", "remove", Lab.turbo] + Self.app)
                == "removed 1.0, 1.1; no content is left\n")
    }

    @Test func `forbidden content is refused by name before anything is sent`() throws {
        let lab = try Lab.open()
        let path = try folder(in: lab)
        let odd = path + "/maps/odd"
        func refused(_ make: () throws -> Void) throws -> String {
            try make()
            defer { unlink(odd) }
            return try upload(lab, path, code: 1)
        }
        let code = try refused { try Data("#!/bin/sh\n".utf8).write(to: URL(fileURLWithPath: odd)) }
        #expect(code.contains("\"maps/odd\" is a script"), "\(code)")
        let link = try refused { symlink("/etc/passwd", odd) }
        #expect(link.contains("\"maps/odd\" is a symbolic link"), "\(link)")
        let pipe = try refused { mkfifo(odd, 0o600) }
        #expect(pipe.contains("\"maps/odd\" is not an ordinary file"), "\(pipe)")
        let mark = try refused {
            try Data("x".utf8).write(to: URL(fileURLWithPath: odd))
            chmod(odd, 0o755)
        }
        #expect(mark.contains("marked as an executable"), "\(mark)")
        #expect(try upload(lab, lab.folder + "/none", code: 1).contains("cannot read the folder"))
        let empty = lab.folder + "/empty"
        try FileManager.default.createDirectory(
            atPath: empty + "/within", withIntermediateDirectories: true)
        #expect(try upload(lab, empty, code: 1).contains("no files"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: lab.storeData + "/content")
                == ["incoming"])
    }

    @Test(arguments: [
        CrashPoint.storeContentReceived, .storeContentComplete, .storeContentCommitted,
    ])
    func `a store killed during a content upload has the version or not, and resumes`(
        point: CrashPoint
    ) throws {
        let lab = try Lab.open()
        let path = try folder(in: lab)
        lab.store?.terminate()
        try lab.store?.wait()
        try lab.startStore(environment: ["BODEGA_CRASH_POINT": point.rawValue])
        _ = try upload(lab, path, code: 1)
        #expect(try lab.store?.wait() == 128 + SIGKILL, "the point was not reached")
        try lab.startStore()
        let versions = try lab.count("SELECT count(*) FROM content_version", in: lab.storeFile)
        #expect(versions == (point == .storeContentCommitted ? 1 : 0))
        #expect(try lab.doctor().contains("This installation is sound."))
        _ = try upload(lab, path)
        #expect(try lab.count("SELECT count(*) FROM content_version", in: lab.storeFile) == 1)
        try check(lab)
    }
}
