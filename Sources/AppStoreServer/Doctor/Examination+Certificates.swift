import Foundation
import StoreDatabase
import StoreModel
import StoreSigning
import StoreVerification
import StoreWire

// The certificates under which worlds sign data: whether verifiers accept them.
extension Examination {
    func certificates() -> Finding {
        let check = "certificates"
        let worlds = [.default] + ((try? files.sessionNames()) ?? []).prefix(Self.sessionsReadMax)
        var count = 0
        var refused: [(what: String, advice: String)] = []
        var elsewhere: Set<String> = []
        do {
            for world in worlds {
                for one in try certificatesInUse(of: world) {
                    count += 1
                    if let problem = try problem(with: one) {
                        refused.append(self.refused(one, of: world, problem))
                    }
                    if let address = ocspAddress, !one.responder.hasPrefix(address + "/") {
                        elsewhere.insert(address)
                    }
                }
            }
        } catch {
            return .warning(check, "cannot be read: \(error)", "follow the advice above")
        }
        if !refused.isEmpty {
            return .warning(
                check,
                refused.prefix(3).map(\.what).joined(separator: "; ")
                    + (refused.count > 3 ? "; and \(refused.count - 3) more" : "")
                    + ": verifiers that work online refuse what is signed",
                refused.prefix(3).map(\.advice).joined(separator: "; "))
        }
        let change = elsewhere.first.map { "; the next data signed get others, for \($0)" } ?? ""
        return .good(check, "\(count) for signed data, all valid" + change + unexamined())
    }

    private struct UsedCertificate {
        let environment: String
        let role: String
        let der: [UInt8]
        let isRevoked: Bool
        let responder: String
    }

    /// The newest ones stand for those of other addresses.
    private func certificatesInUse(of world: WorldName) throws -> [UsedCertificate] {
        let path = files.path(world)
        let reader = try self.reader(path)
        // An older file gets certificates when it is opened and signs data.
        guard try reader.schemaNumber() ?? 0 >= 114 else { return [] }
        return try reader.rows(
            """
            SELECT environment, role, der, revoked_real_ms IS NOT NULL, responder
            FROM data_certificate WHERE number IN (
                SELECT max(number) FROM data_certificate WHERE replaced_real_ms IS NULL
                GROUP BY environment, role)
            ORDER BY environment, role
            """
        ).map {
            UsedCertificate(
                environment: $0.text(0), role: $0.text(1), der: $0.blob(2),
                isRevoked: $0.integer(3) != 0, responder: $0.text(4))
        }
    }

    private func problem(with one: UsedCertificate) throws -> String? {
        if one.isRevoked { return "revoked" }
        return try Certificate(one.der).isValid(at: wall.now()) ? nil : "expired"
    }

    private func refused(
        _ one: UsedCertificate, of world: WorldName, _ problem: String
    ) -> (what: String, advice: String) {
        let session = world.isDefault ? "" : " --world \(world)"
        return (
            "the \(one.role) of \(one.environment) of \(world) is \(problem)",
            "run: bodega certificate rotate \(one.role) --environment \(one.environment)\(session)"
        )
    }

    /// Where the running store has verifiers ask; nil when none runs.
    private var ocspAddress: String? {
        guard isInUse,
            let bytes = FileManager.default.contents(atPath: directory + "/server.json")
        else { return nil }
        return (try? WireJSON.decode(ServerFileBody.self, from: Array(bytes)))?.ocspUrl
    }
}
