import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum ContentEndpoints: StoreEndpoints {
    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/apps/:app/content", "listContent",
            "The content of an app's products, by product, the newest version first",
            answers: ["The versions."],
            .now { try ContentService.list($0, app: $0["app"]) }
        ),
        Endpoint(
            "DELETE", "/apps/:app/products/:product/content", "removeAllContent",
            "Remove all content of a product",
            about: """
                Purchases no longer bring it. A device that has begun to fetch it may continue for \
                a day of real time.
                """,
            answers: ["Removed, now or before."],
            refuses: [
                404: """
                `appUnknown`, `productUnknown`, `contentUnknown`: the app, its product or such \
                content does not exist.
                """
            ],
            .later { try await ContentService.remove($0, ContentPlace($0.path), version: nil) }
        ),
        Endpoint(
            "DELETE", "/apps/:app/products/:product/content/:version", "removeContent",
            "Remove a version of a product's content",
            about: """
                Purchases no longer bring it. A device that has begun to fetch it may continue for \
                a day of real time.
                """,
            answers: ["Removed, now or before."],
            refuses: [
                404: """
                `appUnknown`, `productUnknown`, `contentUnknown`: the app, its product or such \
                content does not exist.
                """
            ],
            .later {
                try await ContentService.remove($0, ContentPlace($0.path), version: $0["version"])
            }
        ),
        Endpoint(
            "POST", "/apps/:app/products/:product/content-uploads", "beginContent",
            "Begin a new version of a product's content, or resume one",
            about: """
                Lists the bytes that the store lacks. The same files under the same version are \
                the same upload. It is kept for a day after the last such request.
                """,
            body: RequestBody(
                .json(BeginContentBody.self),
                example: [
                    "contentVersion": "1.0",
                    "files": [
                        [
                            "path": "levels/1.json",
                            "sha256": """
                            e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
                            """, "size": 0,
                        ]
                    ],
                ], bytesMax: Limits.contentManifestBytesMax),
            answers: [Answer(200, "The bytes to send.", .json(ContentUploadBody.self))],
            refuses: [
                409: """
                `contentVersionExists`: the version has other files. `tooManyContentVersions`: the \
                product has \(Limits.contentVersionsMax). `tooManyUploads`: \
                \(Limits.contentUploadsMax) are on their way.
                """, 422: "`badContent`: a part of it cannot be content; the message names it.",
            ],
            .raw { call, responder in
                ContentUpload.begin(call.request, ContentPlace(call.path), call.context, responder)
            }
        ),
        Endpoint(
            "PUT", "/apps/:app/products/:product/content-uploads/:upload/files/:sha256",
            "sendContent", "Send a part of a file",
            about: """
                Bytes received before are skipped, so a part may be sent again. The last part has \
                the whole file checked.
                """,
            takes: [partOffset], body: partBody,
            answers: [Answer(200, "The number of received bytes.", .json(ContentPartBody.self))],
            refuses: [
                404: """
                `appUnknown`, `productUnknown`, `uploadUnknown`, `fileUnknown`: the app, its \
                product, the upload or its file does not exist.
                """, 409: partOutOfOrder, 422: badPart, 400: badOffset, 503: bytesBusy,
            ],
            .raw { call, responder in
                ContentUpload.take(
                    call.request, ContentPlace(call.path), upload: call["upload"],
                    digest: call["sha256"], call.context,
                    responder)
            }
        ),
        Endpoint(
            "POST", "/apps/:app/products/:product/content-uploads/:upload/commit", "commitContent",
            "Make an upload the newest version of the product's content",
            about: "A repeated request gets the same answer.",
            answers: [
                Answer(200, "Purchases bring it from now on.", .json(ContentVersionBody.self))
            ],
            refuses: [
                404: """
                `appUnknown`, `productUnknown`, `uploadUnknown`: the app, its product or the \
                upload does not exist.
                """,
                409: """
                `contentIncomplete`: some files were not sent completely. `contentVersionExists`: \
                another upload was committed under this version. `tooManyContentVersions`: the \
                product has \(Limits.contentVersionsMax).
                """,
            ],
            .raw { call, responder in
                ContentUpload.commit(
                    call.request, ContentPlace(call.path), upload: call["upload"], call.context,
                    responder)
            }
        ),
    ]

    static let environment: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/device/v1/transactions/:id/content", "getContent",
            "The files of the content of an unfinished transaction",
            takes: [
                Parameter(
                    .query, "version",
                    "A version that the device has begun; the newest when absent.",
                    schema: "ContentVersion", example: "1.0")
            ],
            answers: [Answer(200, "The files, by path.", .json(ContentManifestBody.self))],
            refuses: [
                404: """
                `transactionUnknown`: the account has none with that number in this app. \
                `contentUnknown`: the transaction does not bring such content.
                """,
                409: """
                `transactionFinished`, `transactionRevoked`: the transaction is finished or was \
                taken back, so its downloads have ended.
                """,
            ],
            .raw { call, responder in
                ContentService.manifest(call.request, call["id"], call.context, responder)
            }
        ),
        Endpoint(
            "GET", "/device/v1/transactions/:id/content/:version/:sha256", "getContentFile",
            "A file of the content, or a range of it",
            takes: [range], answers: fileAnswers,
            refuses: [
                404: """
                `transactionUnknown`: the account has none with that number in this app. \
                `contentUnknown`: the transaction does not bring such content.
                """,
                409: """
                `transactionFinished`, `transactionRevoked`: the transaction is finished or was \
                taken back, so its downloads have ended.
                """, 416: rangeBehindEnd, 503: bytesBusy,
            ],
            .raw { call, responder in
                ContentService.file(
                    call.request, call["id"], version: call["version"], digest: call["sha256"],
                    call.context,
                    responder)
            }
        ),
    ]

    // MARK: - What uploads and files of products and of tags have in common

    static let partOffset = Parameter(
        .query, "offset", "The place where the part begins; at most the number of received bytes.",
        schema: [
            "type": "integer", "format": "int64", "minimum": 0, "maximum": .integer(Int64.max),
        ], example: 0, isRequired: true)

    static let partBody = RequestBody(
        .bytes("application/octet-stream"),
        description: "Bytes of the file; an empty body asks how many were received.",
        bytesMax: Limits.contentPartBytesMax, isRequired: false)

    static let partOutOfOrder: RefusalText =
        "`partOutOfOrder`: it begins after the received bytes."

    static let badPart: RefusalText = """
        `badContent`: the file is code, or does not match its SHA-256; the received bytes \
        are dropped. `badField`: the part goes beyond the file's size.
        """

    static let badOffset = RefusalText.whole(
        """
        `badQuery`: offset is missing or not a number. `badRequest`: the request is malformed.
        """)

    static let bytesBusy: RefusalText = """
        `contentBusy`: another request is sending these bytes. `contentMissing`: the store has \
        lost them.
        """

    static let range = Parameter(
        .header, "Range",
        """
        One range of bytes (RFC 9110, section 14); any other value gets the whole. `If-Range` \
        with the entity tag is taken, too.
        """, schema: ["type": "string"], example: "bytes=0-1048575")

    static let fileAnswers = [
        Answer(
            200, "The whole file.", .bytes("application/octet-stream"), headers: ["ETag": entityTag]
        ),
        Answer(
            206, "The range that was asked for, as `Content-Range` says.",
            .bytes("application/octet-stream"),
            headers: ["ETag": entityTag, "Content-Range": contentRange]),
    ]

    static let rangeBehindEnd = RefusalText.whole(
        "`rangeBehindEnd`: the range begins after the file's end.",
        headers: ["Content-Range": contentRange])

    private static let entityTag: JSONValue = [
        "required": true, "description": "The SHA-256 in quotation marks.",
        "schema": ["type": "string", "pattern": #"^"[0-9a-f]{64}"$"#],
    ]

    private static let contentRange: JSONValue = [
        "required": true,
        "schema": ["type": "string", "pattern": #"^bytes ([0-9]+-[0-9]+|\*)/[0-9]+$"#],
    ]

    static let schemas: KeyValuePairs<String, JSONValue> = [
        "ContentUploadID": ["type": "string", "pattern": "^[0-9a-f]{32}$"],
        "SHA256": ["type": "string", "pattern": "^[0-9a-f]{64}$"],
        "ContentVersion": [
            "type": "string", "pattern": #"^[0-9]+(\.[0-9]+)*$"#,
            "maxLength": .integer(ContentPackage.versionBytesMax),
        ],
    ]
}

extension ContentFileBody: Described {
    package static let notes: Notes = [
        "path": [
            "description": "Relative, its parts separated by slashes.", "minLength": 1,
            "maxLength": .integer(ContentPackage.pathBytesMax),
        ],
        "size": ["minimum": 0, "maximum": .integer(ContentPackage.bytesMax)],
        "sha256": .component("SHA256"),
    ]
}

extension BeginContentBody: Described {
    package static let notes: Notes = [
        "": ["description": "At most \(ContentPackage.bytesMax) bytes together."],
        "contentVersion": .component("ContentVersion"),
        "files": ["minItems": 1, "maxItems": .integer(ContentPackage.filesMax)],
    ]
}

extension ContentPartBody: Described {
    package static let notes: Notes = [
        "sha256": .component("SHA256"),
        "size": ["minimum": 0],
        "received": [
            "description": "How many bytes the store has; the next part begins here.", "minimum": 0,
        ],
    ]
}

extension ContentUploadBody: Described {
    package static let notes: Notes = [
        "uploadId": .component("ContentUploadID"),
        "partBytesMax": ["minimum": 1],
        "missing": ["items": .component("ContentPart")],
    ]
}

extension ContentVersionBody: Described {
    package static var schemaName: String? { "ContentVersionInfo" }
    package static let notes: Notes = [
        "contentVersion": .component("ContentVersion"),
        "isCurrent": "Whether purchases bring this version.",
        "fileCount": ["minimum": 1],
        "contentLength": ["minimum": 0],
    ]
}

extension RemovedContentBody: Described {
    package static let notes: Notes = [
        "removed": ["items": .component("ContentVersion")],
        "currentVersion": .component("ContentVersion"),
    ]
}

extension DownloadBody: Described {
    package static let notes: Notes = [
        "contentIdentifier": "The product's identifier.",
        "contentVersion": .component("ContentVersion"),
        "contentLength": ["minimum": 0],
    ]
}

extension ContentManifestBody: Described {
    package static let notes: Notes = [
        "contentIdentifier": "The product's identifier, or the tag.",
        "contentVersion": "The version of the content, or of the app whose resources these are.",
        "contentLength": ["minimum": 0],
    ]
}
