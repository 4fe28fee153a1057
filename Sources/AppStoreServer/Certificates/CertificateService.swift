import StoreDatabase
import StoreLog
import StoreModel
import StoreService
import StoreSigning
import StoreVerification
import StoreWire

/// Lists, replaces and revokes the certificates of a world's signed data.
enum CertificateService {
    static func list(_ call: StoreCall) throws -> CertificatesBody {
        let found = try call.world.database.read { try $0.dataCertificates() }
        return CertificatesBody(certificates: try found.map { try body($0, in: call) })
    }

    static func replace(
        _ call: StoreCall, by successor: WorldCertificates.Successor
    ) throws -> CertificateBody {
        let (environment, role) = try place(call)
        let made = try call.world.certificates.replace(role, environment, by: successor)
        note(call, .certificateReplaced, made)
        return try body(made, in: call)
    }

    static func revoke(
        _ call: StoreCall, _ body: RevokeCertificateBody?
    ) throws -> CertificateBody {
        let (environment, role) = try place(call)
        let revoked = try call.world.certificates.revoke(
            role, environment, serial: body?.serial, for: body?.reason ?? .unspecified)
        guard let revoked else {
            throw Refusal(
                404, "certificateUnknown",
                "No \(role.rawValue) of \(environment.rawValue) has that serial number.")
        }
        note(call, .certificateRevoked, revoked)
        return try self.body(revoked, in: call)
    }

    private static func place(
        _ call: StoreCall
    ) throws -> (StoreEnvironment, DataCertificateRole) {
        guard let environment = StoreEnvironment(rawValue: call["environment"]),
            let role = DataCertificateRole(rawValue: call["role"])
        else { throw Refusal.notFound }
        return (environment, role)
    }

    private static func note(_ call: StoreCall, _ event: StoreEvent, _ one: DataCertificate) {
        call.log.event(
            event, ("environment", .text(one.environment.rawValue)),
            ("role", .text(one.role.rawValue)), ("serial", .text(one.serial)))
    }

    private static func body(
        _ one: DataCertificate, in call: StoreCall
    ) throws -> CertificateBody {
        let certificates = call.world.certificates
        return CertificateBody(
            environment: one.environment, role: one.role, serial: one.serial,
            isInUse: one.replacedAt == nil
                && one.responder == certificates.responder(one.environment),
            madeAt: one.madeAt, notAfter: try Certificate(one.der).notAfter,
            replacedAt: one.replacedAt, revokedAt: one.revokedAt, reason: one.revocationReason,
            ocspUrl: one.responder, certificate: certificatePEM(one.der))
    }
}
