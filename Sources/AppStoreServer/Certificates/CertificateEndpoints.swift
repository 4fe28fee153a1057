import StoreModel
package import StoreService
package import StoreWire

enum CertificateEndpoints: StoreEndpoints {
    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/certificates", "listCertificates",
            "The certificates of the world's signed data, the newest first",
            about: """
                A world gets them, a leaf and an intermediate in each environment, when it first signs \
                data, and anew when the store's address changes.
                """,
            answers: ["Those in use and the latest others."],
            .now(CertificateService.list)
        ),
        Endpoint(
            "POST", "/certificates/:environment/:role/rotate", "rotateCertificate",
            "Use another certificate from now on",
            about: """
                A leaf gets a new key, an intermediate keeps its own. The earlier certificate stays as \
                good as it was: what was signed under it goes on verifying.
                """,
            answers: ["The one in use now."],
            .slow { try CertificateService.replace($0, by: .anew) }
        ),
        Endpoint(
            "POST", "/certificates/:environment/:role/expire", "expireCertificate",
            "Use a certificate that ends now, over the same key",
            about: """
                Data go on being signed under it, until it is rotated. A verifier that works online \
                refuses them; one that works offline, those signed later than now by the world's clock.
                """,
            answers: ["The one in use now."],
            .slow { try CertificateService.replace($0, by: .expired) }
        ),
        Endpoint(
            "POST", "/certificates/:environment/:role/revoke", "revokeCertificate",
            "Revoke a certificate for good",
            about: """
                The one in use stays in use until it is rotated. Verifiers that work online refuse \
                what was and is signed under it; those that work offline never notice.
                """,
            body: RequestBody(example: ["reason": "keyCompromise"], isRequired: false),
            answers: ["Revoked, now or before."],
            refuses: [404: "`certificateUnknown`: this role has no certificate of that number."],
            .slow(CertificateService.revoke)
        ),
    ]

    static let parameters = [
        Parameter(
            .path, "role", "A leaf signs data, an intermediate certifies leaves.",
            schema: "CertificateRole", example: "leaf")
    ]

    static let scalars: [Scalar] = [
        .cases(of: DataCertificateRole.self, as: "CertificateRole"),
        .cases(of: CertificateRevocationReason.self, as: "CertificateRevocationReason"),
    ]

    static let schemas: KeyValuePairs<String, JSONValue> = [
        "SerialNumber": [
            "type": "string", "description": "In hexadecimal.", "pattern": "^[0-9A-F]{32}$",
        ]
    ]
}

extension CertificateBody: Described {
    package static let notes: Notes = [
        "": ["description": "Its times are by the real clock."],
        "serial": .component("SerialNumber"),
        "isInUse": "Whether data are signed under it now.",
        "replacedAt": "Present once its owner put another in its place.",
        "revokedAt": "Present once it was revoked, with the reason.",
        "ocspUrl": ["description": "Where verifiers ask for its status.", "format": "uri"],
        "certificate": [
            "description": "In PEM.", "pattern": #"^-----BEGIN CERTIFICATE-----\n"#,
        ],
    ]
}

extension CertificatesBody: Described {
    package static let notes: Notes = [
        "certificates": ["maxItems": .integer(4 * Limits.certificatesKeptMax)]
    ]
}

extension RevokeCertificateBody: Described {
    package static let notes: Notes = [
        "": ["example": ["reason": "keyCompromise"]],
        "reason": "`unspecified` when absent.",
        "serial": .component("SerialNumber", "One that was replaced; when absent, the one in use."),
    ]
}
