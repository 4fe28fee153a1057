import Foundation
import StoreWire
import TestSupport
import Testing

/// `bodega certificate`, and the address in certificates, with a store and its responder.
@Suite(.ownThreads) struct CertificateCommandTests {
    /// What openssl says of the certificate in use.
    private func status(_ lab: Lab, _ options: [String] = []) throws -> String {
        for role in ["leaf", "intermediate"] {
            let pem = try lab.bodega(["certificate", "show", role] + options)
            try pem.write(toFile: "\(lab.folder)/\(role).pem", atomically: true, encoding: .utf8)
        }
        let address = try openssl(
            ["x509", "-in", "\(lab.folder)/leaf.pem", "-noout", "-ocsp_uri"], in: lab)
        return try openssl(
            [
                "ocsp", "-url", address.trimmingCharacters(in: .newlines),
                "-issuer", "\(lab.folder)/intermediate.pem", "-cert", "\(lab.folder)/leaf.pem",
                "-CAfile", lab.storeData + "/keys/signed-data-root-sandbox.pem",
                "-verify_other", "\(lab.folder)/intermediate.pem",
            ], in: lab)
    }

    private func stop(_ lab: Lab) throws {
        lab.store?.terminate()
        #expect(try lab.store?.wait() == 0)
    }

    private func openssl(_ arguments: [String], in lab: Lab) throws -> String {
        let program = try Program("/usr/bin/openssl", arguments, logs: lab.folder + "/logs")
        let code = try program.wait()
        #expect(code == 0, "\(program.output)\(program.errors)")
        return program.output + program.errors
    }

    @Test func `an owner rotates, ends and revokes certificates by commands`() throws {
        let lab = try Lab()
        try lab.startStore()
        #expect(try lab.bodega(["certificate", "list"]).contains("nothing was signed yet"))
        #expect(try lab.bodega(["certificate", "rotate", "leaf"]).contains("valid until 2099"))
        #expect(try lab.bodega(["certificate", "rotate", "intermediate"]).contains("intermediate"))
        #expect(try status(lab).contains("leaf.pem: good"))
        let revoked = try lab.bodega(
            ["certificate", "revoke", "leaf", "--reason", "keyCompromise"])
        #expect(revoked.contains("keyCompromise"))
        let text = try status(lab)
        #expect(text.contains("leaf.pem: revoked") && text.contains("keyCompromise"), "\(text)")
        #expect(
            try lab.doctor().contains(
                "bodega certificate rotate leaf --environment sandbox"))
        // A revocation outlives the store.
        try stop(lab)
        try lab.startStore()
        #expect(try status(lab).contains("leaf.pem: revoked"))
        _ = try lab.bodega(["certificate", "rotate", "leaf"])
        #expect(try status(lab).contains("leaf.pem: good"))
        _ = try lab.bodega(["certificate", "expire", "leaf"])
        // It is valid to the end of the present second.
        #expect(eventually { (try? lab.doctor().contains("is expired")) == true })
        _ = try lab.bodega(["certificate", "rotate", "leaf"])
        #expect(try lab.doctor().contains("for signed data, all valid"))
        let list = try lab.bodega(["certificate", "list"])
        #expect(list.contains("replaced, revoked") && list.contains("in use"))
    }

    @Test func `certificates name the address that verifiers reach the store at`() throws {
        let lab = try Lab()
        lab.storeOptions = ["--ocsp-url", "http://store.example:8080/bodega"]
        try lab.startStore()
        _ = try lab.bodega(["world", "make", "one"])
        for (options, address) in [
            ([], "http://store.example:8080/bodega/sandbox/ocsp"),
            (
                ["--environment", "production", "--world", "one"],
                "http://store.example:8080/bodega/t/one/production/ocsp"
            ),
        ] {
            _ = try lab.bodega(["certificate", "rotate", "leaf"] + options)
            #expect(try lab.bodega(["certificate", "list"] + options).contains(address))
        }
        // Data signed at another address get other certificates.
        try stop(lab)
        lab.storeOptions = []
        try lab.startStore()
        #expect(
            try lab.doctor().contains(
                "the next data signed get others, for \(lab.storeURL)"))
        _ = try lab.bodega(["certificate", "rotate", "leaf"])
        #expect(try lab.bodega(["certificate", "list"]).contains("\(lab.storeURL)/sandbox/ocsp"))
        #expect(try lab.doctor().contains("for signed data, all valid") == true)
    }
}
