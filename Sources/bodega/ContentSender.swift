import AppStoreServer
import Foundation
import StoreWire

/// Sends a package of content: its description, the bytes that the store does not have, the end.
///
/// Each step may be repeated, so an interrupted upload continues where it stopped.
struct ContentSender {
    /// How often a part is sent while the store is busy with the same bytes.
    private static let triesMax = 30

    let client: ControlClient
    let folder: ContentFolder
    /// The path of uploads for the owner of the content.
    let uploads: String

    /// Returns the answer to the last step; `body` begins the upload.
    func send(_ body: some Encodable) throws -> [UInt8] {
        let begun = try WireJSON.decode(
            ContentUploadBody.self, from: try client.send("POST", uploads, body))
        let upload = "\(uploads)/\(ServerClient.escaped(begun.uploadId))"
        let files = Dictionary(
            folder.files.map { ($0.sha256, $0) }, uniquingKeysWith: { first, _ in first })
        for missing in begun.missing {
            guard let file = files[missing.sha256] else {
                throw Failure("the store asks for bytes that the folder does not contain")
            }
            try send(file, from: missing.received, to: upload, partMax: begun.partBytesMax)
        }
        return try client.send("POST", upload + "/commit")
    }

    private func send(
        _ file: ContentFileBody, from start: Int64, to upload: String, partMax: Int64
    ) throws {
        var received = start
        repeat {
            let part = try folder.bytes(of: file, at: received, count: Int(partMax))
            let path = "\(upload)/files/\(file.sha256)?offset=\(received)"
            let answer = try WireJSON.decode(
                ContentPartBody.self, from: try sendPatiently(path, part))
            guard answer.received > received || answer.received == file.size else {
                throw Failure("\(file.path) changed while it was sent; run the command again")
            }
            received = answer.received
        } while received < file.size
    }

    /// The store checks the whole with its last part; another request meanwhile is told to come
    /// back.
    private func sendPatiently(_ path: String, _ part: [UInt8]) throws -> [UInt8] {
        for _ in 1..<Self.triesMax {
            do {
                return try client.send("PUT", path, bytes: part)
            } catch let failure as Failure where failure.mayPass {
                Thread.sleep(forTimeInterval: 1)
            }
        }
        return try client.send("PUT", path, bytes: part)
    }
}
