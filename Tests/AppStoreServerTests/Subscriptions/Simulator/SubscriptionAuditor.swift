import Foundation
import StoreModel
import TestSupport
import Testing

@testable import AppStoreServer

/// The judges in `Tests/Auditor`, which share no line with the product.
enum SubscriptionAuditor {
    private static let programs = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Auditor").standardized.path

    /// What it finds wrong with the folders of stores that are closed; empty when all is well.
    static func findings(in folders: [String]) throws -> [String] {
        let keys = TemporaryFolder()
        let root = keys.path + "/root.pem"
        let texts = try StoreEnvironment.allCases.map { environment in
            let der = try SharedKeys.store().rootCertificate(environment, isTest: false)
            let text = Data(der).base64EncodedString(options: [.lineLength64Characters])
            return "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n"
        }
        try Data(texts.joined().utf8).write(to: URL(fileURLWithPath: root))
        return try findings(of: "subscriptions.py", ["--root", root] + folders)
    }

    /// What is wrong with the notifications of such a folder. Of the signatures one in twenty is
    /// verified, which takes plain Python most of the time.
    static func noticeFindings(in folder: String) throws -> [String] {
        try findings(of: "notifications.py", ["--all-kept", "--verify-each", "20", folder])
    }

    private static func findings(of program: String, _ arguments: [String]) throws -> [String] {
        let scratch = TemporaryFolder()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["\(programs)/\(program)"] + arguments
        let (output, errors) = (Pipe(), scratch.path + "/errors")
        try Data().write(to: URL(fileURLWithPath: errors))
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errors))
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let said = String(decoding: data, as: UTF8.self)
        switch process.terminationStatus {
        case 0:
            FileHandle.standardError.write(Data(("auditor: " + said).utf8))
            return []
        case 1 where !said.isEmpty: return said.split(separator: "\n").map(String.init)
        default: return ["cannot-audit: " + (try String(contentsOfFile: errors, encoding: .utf8))]
        }
    }
}
