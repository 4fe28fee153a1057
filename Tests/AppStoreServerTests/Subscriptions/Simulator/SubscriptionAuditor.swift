import Foundation
import StoreModel
import TestSupport
import Testing

@testable import AppStoreServer

/// The judge of subscriptions in `Tests/Auditor`, which shares no line with the product.
enum SubscriptionAuditor {
    private static let program = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Auditor/subscriptions.py").standardized.path

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
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [program, "--root", root] + folders
        let (output, errors) = (Pipe(), keys.path + "/errors")
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
