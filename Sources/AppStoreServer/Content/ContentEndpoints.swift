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
                Purchases bring it no more. Who has begun to fetch it may go on for a day of \
                real time.
                """,
            answers: ["Removed, now or before."],
            refuses: [
                404: """
                `appUnknown`, `productUnknown`, `contentUnknown`: the app, its product or \
                such content is not there.
                """
            ],
            .later { try await ContentService.remove($0, ContentPlace($0.path), version: nil) }
        ),
        Endpoint(
            "DELETE", "/apps/:app/products/:product/content/:version", "removeContent",
            "Remove a version of a product's content",
            about: """
                Purchases bring it no more. Who has begun to fetch it may go on for a day of \
                real time.
                """,
            answers: ["Removed, now or before."],
            refuses: [
                404: """
                `appUnknown`, `productUnknown`, `contentUnknown`: the app, its product or \
                such content is not there.
                """
            ],
            .later {
                try await ContentService.remove($0, ContentPlace($0.path), version: $0["version"])
            }
        ),
        Endpoint(
            "POST", "/apps/:app/products/:product/content-uploads", "beginContent",
            "Begin a new version of a product's content, or go on with one",
            about: """
                Answers which bytes the store does not have. The same files under the same \
                version are the same upload. It is kept for a day after this was asked last.
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
            answers: [Answer(200, "What is to be sent.", .json(ContentUploadBody.self))],
            refuses: [
                409: """
                `contentVersionExists`: with other files. `tooManyContentVersions`: \
                \(Limits.contentVersionsMax) of a product. `tooManyUploads`: \
                \(Limits.contentUploadsMax) are on their way.
                """, 422: "`badContent`: something of it cannot be content; the message names it.",
            ],
            .raw { call, responder in
                ContentUpload.begin(call.request, ContentPlace(call.path), call.context, responder)
            }
        ),
        Endpoint(
            "PUT", "/apps/:app/products/:product/content-uploads/:upload/files/:sha256",
            "sendContent", "Send a part of a file",
            about: """
                What was received before is passed over, so a part may be sent again. With the \
                last one, the whole is checked.
                """,
            takes: [
                Parameter(
                    .query, "offset", "Where the part begins; no further than what was received.",
                    schema: [
                        "type": "integer", "format": "int64", "minimum": 0,
                        "maximum": .integer(Int64.max),
                    ], example: 0, isRequired: true)
            ],
            body: RequestBody(
                .bytes("application/octet-stream"),
                description: "Bytes of the file; none asks how many were received.",
                bytesMax: Limits.contentPartBytesMax, isRequired: false),
            answers: [Answer(200, "How much was received.", .json(ContentPartBody.self))],
            refuses: [
                404: """
                `appUnknown`, `productUnknown`, `uploadUnknown`, `fileUnknown`: the app, \
                its product, the upload or its file is not there.
                """, 409: "`partOutOfOrder`: it begins behind what was received.",
                422: """
                `badContent`: it is code, or not what its SHA-256 says; what was received \
                is dropped. `badField`: it goes beyond the file's size.
                """,
                400: .whole(
                    """
                    `badQuery`: offset is missing or no number. `badRequest`: the request is \
                    malformed.
                    """),
                503: """
                `contentBusy`: another request is sending these bytes. `contentMissing`: \
                the store has lost them.
                """,
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
            about: "The same answer when it is asked again.",
            answers: [Answer(200, "Purchases bring it now.", .json(ContentVersionBody.self))],
            refuses: [
                404: """
                `appUnknown`, `productUnknown`, `uploadUnknown`: the app, its product or \
                the upload is not there.
                """,
                409: """
                `contentIncomplete`: not all was sent. `contentVersionExists`: another \
                upload was committed under this version. `tooManyContentVersions`: \
                \(Limits.contentVersionsMax) of a product.
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
                `contentUnknown`: it brings no such content.
                """,
                409: """
                `transactionFinished`, `transactionRevoked`: it is finished or was taken \
                back, and its downloads are gone with that.
                """,
            ],
            .raw { call, responder in
                ContentService.manifest(call.request, call["id"], call.context, responder)
            }
        ),
        Endpoint(
            "GET", "/device/v1/transactions/:id/content/:version/:sha256", "getContentFile",
            "A file of the content, or a range of it",
            takes: [
                Parameter(
                    .header, "Range",
                    """
                    One range of bytes (RFC 9110, section 14); anything else asks for the \
                    whole. `If-Range` with the entity tag is taken, too.
                    """, schema: ["type": "string"], example: "bytes=0-1048575")
            ],
            answers: [
                Answer(
                    200, "The whole file.", .bytes("application/octet-stream"),
                    headers: [
                        "ETag": [
                            "required": true, "description": "The SHA-256 in quotation marks.",
                            "schema": ["type": "string", "pattern": #"^"[0-9a-f]{64}"$"#],
                        ]
                    ]),
                Answer(
                    206, "The range that was asked for, as `Content-Range` says.",
                    .bytes("application/octet-stream"),
                    headers: [
                        "ETag": [
                            "required": true, "description": "The SHA-256 in quotation marks.",
                            "schema": ["type": "string", "pattern": #"^"[0-9a-f]{64}"$"#],
                        ],
                        "Content-Range": [
                            "required": true,
                            "schema": [
                                "type": "string", "pattern": #"^bytes ([0-9]+-[0-9]+|\*)/[0-9]+$"#,
                            ],
                        ],
                    ]),
            ],
            refuses: [
                404: """
                `transactionUnknown`: the account has none with that number in this app. \
                `contentUnknown`: it brings no such content.
                """,
                409: """
                `transactionFinished`, `transactionRevoked`: it is finished or was taken \
                back, and its downloads are gone with that.
                """,
                416: .whole(
                    "`rangeBehindEnd`: the range begins behind the file's end.",
                    headers: [
                        "Content-Range": [
                            "required": true,
                            "schema": [
                                "type": "string", "pattern": #"^bytes ([0-9]+-[0-9]+|\*)/[0-9]+$"#,
                            ],
                        ]
                    ]),
                503: """
                `contentBusy`: another request is sending these bytes. `contentMissing`: \
                the store has lost them.
                """,
            ],
            .raw { call, responder in
                ContentService.file(
                    call.request, call["id"], version: call["version"], digest: call["sha256"],
                    call.context,
                    responder)
            }
        ),
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
            "description": "How many bytes are there; the next part begins here.", "minimum": 0,
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
        "isCurrent": "Whether purchases bring this one.",
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
        "contentIdentifier": "The product's identifier.",
        "contentVersion": .component("ContentVersion"),
        "contentLength": ["minimum": 0],
    ]
}
