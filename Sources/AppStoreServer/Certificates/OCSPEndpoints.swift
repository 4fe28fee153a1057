import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreSigning
import StoreVerification
import StoreWire

/// The responder that tells which of a world's certificates are good. Source: RFC 6960, appendix A.
enum OCSPEndpoints: StoreEndpoints {
    static let path = "/ocsp"
    private static let media = "application/ocsp-response"

    static let environment: [Endpoint<Scene>] = [
        Endpoint(
            "POST", path, "askCertificateStatus",
            "OCSP: whether certificates of the world's signed data are good",
            about: """
                An answer is good for 15 minutes. It is `malformedRequest` to what is not a request, and \
                `unauthorized` about certificates of other issuers.
                """,
            body: RequestBody(
                .bytes("application/ocsp-request"), bytesMax: OCSPResponder.requestBytesMax),
            answers: [Answer(200, "An OCSPResponse in DER.", .bytes(media))],
            .now(answer)
        ),
        Endpoint(
            "GET", path + "/:request", "askCertificateStatusByGet",
            "The same, with the request in the path",
            takes: [
                Parameter(
                    .path, "request",
                    "The request in base64, percent-encoded or with `/` and `+` as they are.",
                    schema: ["type": "string"])
            ],
            answers: [Answer(200, "An OCSPResponse in DER.", .bytes(media))],
            .now(answerByGet)
        ),
    ]

    /// How many parts of a path are read as such; nil unless it asks the responder, when the rest is
    /// base64, in which a `/` separates nothing.
    static func pathPartsMax(_ place: RoutePlace, of partCount: Int) -> Int? {
        guard case .environment = place.table, place.segments.first == String(path.dropFirst()),
            place.segments.count > 1
        else { return nil }
        return partCount - place.segments.count + 2
    }

    private static func answer(_ call: StoreCall) throws -> HTTPResponse {
        try answer(call, to: call.request.body)
    }

    private static func answerByGet(_ call: StoreCall) throws -> HTTPResponse {
        guard let request = base64Bytes(call["request"]) else {
            return response(OCSPResponder.malformedRequest)
        }
        return try answer(call, to: request)
    }

    private static func answer(_ call: StoreCall, to request: [UInt8]) throws -> HTTPResponse {
        let environment = try call.context.placed()
        let world = call.world
        let responder = try call.parts.keys.ocspResponder(environment, isTest: world.isSession)
        return response(
            try world.database.read { scope in
                try responder.answer(to: request, at: world.time.real()) { role, serial in
                    try scope.dataCertificate(serial: serial, as: role, in: environment)?.status
                        ?? .unknown
                }
            })
    }

    /// Not to be kept by anyone between: a revocation shows at once to whoever asks.
    private static func response(_ der: [UInt8]) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: HTTPHeaders([("Content-Type", media), ("Cache-Control", "no-store")]),
            body: der)
    }
}
