import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum ResourceEndpoints: StoreEndpoints {
    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/apps/:app/resources", "listResources",
            "The on-demand resources of an app's versions, in the order in which they were added",
            answers: ["The tags."],
            .now { try ResourceService.list($0, app: $0["app"]) }
        ),
        Endpoint(
            "DELETE", "/apps/:app/resources/:appVersion/:tag", "removeResource",
            "Remove a tag's resources from a version of the app",
            about: """
                A device that has begun to fetch them may continue for a day of real time; one \
                that has them keeps them until it needs the space.
                """,
            answers: ["Removed, now or before."],
            refuses: [404: unknown],
            .later {
                try await ResourceService.remove(
                    $0, ContentPlace($0.path), appVersion: $0["appVersion"])
            }
        ),
        Endpoint(
            "POST", "/apps/:app/resources/:appVersion/:tag/uploads", "beginResource",
            "Begin the resources of a tag in a version of the app, or resume them",
            about: """
                Lists the bytes that the store lacks. The same files of the same kind are the same \
                upload. It is kept for a day after the last such request.
                """,
            body: RequestBody(
                .json(BeginResourceBody.self),
                example: [
                    "kind": "onDemand",
                    "files": [
                        [
                            "path": "tracks/1.json",
                            "sha256": """
                            e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
                            """, "size": 0,
                        ]
                    ],
                ], bytesMax: Limits.contentManifestBytesMax),
            answers: [Answer(200, "The bytes to send.", .json(ContentUploadBody.self))],
            refuses: [
                404: "`appUnknown`: no catalogue of that app has been imported.",
                409: """
                `resourceExists`: the tag has other files or another kind in this version. \
                `tooManyTags`: a version has \(Limits.tagsMax), or all versions together \
                \(Limits.resourcesMax). `tooManyUploads`: \(Limits.contentUploadsMax) are on \
                their way.
                """,
                422: """
                `badContent`: the tag, the version or a part of the package cannot be used; the \
                message names it. `badField`: `kind` is not one of the three.
                """,
            ],
            .raw { call, responder in
                ContentUpload.begin(call.request, ContentPlace(call.path), call.context, responder)
            }
        ),
        Endpoint(
            "PUT", "/apps/:app/resources/:appVersion/:tag/uploads/:upload/files/:sha256",
            "sendResource", "Send a part of a file of resources",
            about: """
                Bytes received before are skipped, so a part may be sent again. The last part has \
                the whole file checked.
                """,
            takes: [ContentEndpoints.partOffset], body: ContentEndpoints.partBody,
            answers: [Answer(200, "The number of received bytes.", .json(ContentPartBody.self))],
            refuses: [
                404: """
                `appUnknown`, `resourceUnknown`, `uploadUnknown`, `fileUnknown`: the app, such a \
                tag, the upload or its file does not exist.
                """, 409: ContentEndpoints.partOutOfOrder, 422: ContentEndpoints.badPart,
                400: ContentEndpoints.badOffset, 503: ContentEndpoints.bytesBusy,
            ],
            .raw { call, responder in
                ContentUpload.take(
                    call.request, ContentPlace(call.path), upload: call["upload"],
                    digest: call["sha256"], call.context, responder)
            }
        ),
        Endpoint(
            "POST", "/apps/:app/resources/:appVersion/:tag/uploads/:upload/commit",
            "commitResource", "Make an upload the resources of its tag",
            about: "A repeated request gets the same answer.",
            answers: [
                Answer(200, "Devices get it from now on.", .json(TaggedResourceBody.self))
            ],
            refuses: [
                404: """
                `appUnknown`, `resourceUnknown`, `uploadUnknown`: the app, such a tag or the \
                upload does not exist.
                """,
                409: """
                `contentIncomplete`: some files were not sent completely. `resourceExists`: \
                another upload was committed for this tag. `tooManyTags`: a version has \
                \(Limits.tagsMax), or all versions together \(Limits.resourcesMax).
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
            "GET", "/device/v1/resources", "listDeviceResources",
            "The tags of a version of the app, in the order in which they were added",
            about: "Nobody needs to be signed in.", takes: [version],
            answers: ["The tags; none when the version has none."], refuses: [400: noVersion],
            .now { try ResourceService.tags($0) }
        ),
        Endpoint(
            "GET", "/device/v1/resources/:tag", "getResource",
            "The files of a tag in a version of the app", takes: [version],
            answers: ["The files, by path."], refuses: [404: gone, 400: noVersion],
            .now { try ResourceService.manifest($0, tag: $0["tag"]) }
        ),
        Endpoint(
            "GET", "/device/v1/resources/:tag/:appVersion/:sha256", "getResourceFile",
            "A file of a tag's resources, or a range of it",
            takes: [ContentEndpoints.range], answers: ContentEndpoints.fileAnswers,
            refuses: [
                404: gone, 416: ContentEndpoints.rangeBehindEnd, 503: ContentEndpoints.bytesBusy,
            ],
            .raw { call, responder in
                ResourceService.file(
                    call.request, tag: call["tag"], appVersion: call["appVersion"],
                    digest: call["sha256"], call.context, responder)
            }
        ),
    ]

    private static let unknown: RefusalText =
        "`appUnknown`, `resourceUnknown`: the app or such a tag of the version does not exist."

    private static let gone: RefusalText =
        "`resourceUnknown`: this version of the app has no such tag, or not with that file."

    private static let noVersion = RefusalText.whole(
        "`badQuery`: version is missing or too long. `badRequest`: the request is malformed.")

    private static let version = Parameter(
        .query, "version", "The app's version.", schema: "AppVersion", example: "1.0",
        isRequired: true)

    static let parameters = [
        Parameter(
            .path, "appVersion", "The app's version.", schema: "AppVersion", example: "1.0"),
        Parameter(.path, "tag", schema: "ResourceTag", example: "moontrack"),
    ]

    static let scalars: [Scalar] = [
        .cases(
            of: ResourceKind.self, as: "ResourceKind",
            """
            Devices get `initial` tags with the app, `prefetch` ones after it, and `onDemand` ones \
            when the app asks.
            """)
    ]

    static let schemas: KeyValuePairs<String, JSONValue> = [
        "AppVersion": [
            "type": "string", "pattern": "^[!-~]+$",
            "maxLength": .integer(ContentPackage.appVersionBytesMax),
        ],
        "ResourceTag": [
            "type": "string",
            "description": """
            Without separators and invisible characters, and no blank at either end.
            """, "pattern": #"^[^\u0000-\u001f\u007f/\\,]+$"#, "minLength": 1,
            "maxLength": .integer(ResourceTag.bytesMax),
        ],
    ]
}

extension BeginResourceBody: Described {
    package static let notes: Notes = [
        "": ["description": "At most \(ContentPackage.bytesMax) bytes together."],
        "files": ["minItems": 1, "maxItems": .integer(ContentPackage.filesMax)],
    ]
}

extension TaggedResourceBody: Described {
    package static let notes: Notes = [
        "tag": .component("ResourceTag"), "appVersion": .component("AppVersion"),
        "fileCount": ["minimum": 1], "contentLength": ["minimum": 0],
    ]
}

extension RemovedResourceBody: Described {
    package static let notes: Notes = [
        "tag": .component("ResourceTag"), "appVersion": .component("AppVersion"),
    ]
}

extension ResourceListBody.Tag: Described {
    package static var schemaName: String? { "ResourceInfo" }
    package static let notes: Notes = [
        "tag": .component("ResourceTag"), "contentLength": ["minimum": 0],
    ]
}
