import StoreHTTP

extension StoreDocument {
    static let content = [contentPaths, uploadPaths, deviceContentPaths].joined(separator: ",\n")

    private static let contentPaths = #"""
            "/control/v1/apps/{app}/content": {
              "parameters": [{"$ref": "#/components/parameters/app"}],
        \#(get(
            "listContent", in: "content",
            "The content of an app's products, by product, the newest version first",
            gives: "The versions.", as: "ContentVersions", unknown: refusal(404, as: "AppUnknown")))
            },
            "/control/v1/apps/{app}/products/{product}/content": {
              "parameters": [
                {"$ref": "#/components/parameters/app"}, {"$ref": "#/components/parameters/product"}
              ],
              "delete": {
                "operationId": "removeAllContent",
                "tags": ["content"],
                "summary": "Remove all content of a product",
                "description": "\#(goneLater)",
                "security": [{"controlToken": []}],
                "responses": {
        \#(answer(200, "Removed, now or before.", "RemovedContent")),
        \#(refusal(401, as: "ControlTokenWrong")),
        \#(refusal(404, noContent, as: "ProductUnknown")),
        \#(withoutBody)
                }
              }
            },
            "/control/v1/apps/{app}/products/{product}/content/{version}": {
              "parameters": [
                {"$ref": "#/components/parameters/app"}, {"$ref": "#/components/parameters/product"},
                {"$ref": "#/components/parameters/contentVersion"}
              ],
              "delete": {
                "operationId": "removeContent",
                "tags": ["content"],
                "summary": "Remove a version of a product's content",
                "description": "\#(goneLater)",
                "security": [{"controlToken": []}],
                "responses": {
        \#(answer(200, "Removed, now or before.", "RemovedContent")),
        \#(refusal(401, as: "ControlTokenWrong")),
        \#(refusal(404, noContent, as: "ProductUnknown")),
        \#(withoutBody)
                }
              }
            }
        """#

    private static let goneLater =
        "Purchases bring it no more. Who has begun to fetch it may go on for a day of real time."

    private static let noContent =
        "`appUnknown`, `productUnknown`, `contentUnknown`: the app, its product or such content is "
        + "not there. `worldUnknown`, `notFound`: nothing is at this path."

    private static let uploadPaths = #"""
            "/control/v1/apps/{app}/products/{product}/content-uploads": {
              "parameters": [
                {"$ref": "#/components/parameters/app"}, {"$ref": "#/components/parameters/product"}
              ],
              "post": {
                "operationId": "beginContent",
                "tags": ["content"],
                "summary": "Begin a new version of a product's content, or go on with one",
                "description": "Answers which bytes the store does not have. The same files under the same version are the same upload. It is kept for a day after this was asked last.",
                "security": [{"controlToken": []}],
                "requestBody": {
                  "required": true,
                  "x-bodyBytesMax": \#(Limits.contentManifestBytesMax),
                  "content": {
                    "application/json": {
                      "schema": {"$ref": "#/components/schemas/BeginContent"},
                      "example": {
                        "contentVersion": "1.0",
                        "files": [
                          {
                            "path": "levels/1.json",
                            "sha256": "\#(digestExample)",
                            "size": 0
                          }
                        ]
                      }
                    }
                  }
                },
                "responses": {
        \#(answer(200, "What is to be sent.", "ContentUpload")),
        \#(refusal(401, as: "ControlTokenWrong")),
        \#(refusal(404, as: "ProductUnknown")),
        \#(refusal(409, "`contentVersionExists`: with other files. `tooManyContentVersions`: \(Limits.contentVersionsMax) of a product. `tooManyUploads`: \(Limits.contentUploadsMax) are on their way.")),
        \#(refusal(422, "`badContent`: something of it cannot be content; the message names it.")),
        \#(withBody)
                }
              }
            },
            "/control/v1/apps/{app}/products/{product}/content-uploads/{upload}/files/{sha256}": {
              "parameters": [
                {"$ref": "#/components/parameters/app"}, {"$ref": "#/components/parameters/product"},
                {"$ref": "#/components/parameters/upload"}, {"$ref": "#/components/parameters/sha256"},
                {
                  "name": "offset",
                  "in": "query",
                  "required": true,
                  "description": "Where the part begins; no further than what was received.",
                  "schema": {"type": "integer", "format": "int64", "minimum": 0, "maximum": \#(Int64.max)},
                  "example": 0
                }
              ],
              "put": {
                "operationId": "sendContent",
                "tags": ["content"],
                "summary": "Send a part of a file",
                "description": "What was received before is passed over, so a part may be sent again. With the last one, the whole is checked.",
                "security": [{"controlToken": []}],
                "requestBody": {
                  "description": "Bytes of the file; none asks how many were received.",
                  "x-bodyBytesMax": \#(Limits.contentPartBytesMax),
                  "content": {"application/octet-stream": {}}
                },
                "responses": {
        \#(answer(200, "How much was received.", "ContentPart")),
        \#(refusal(401, as: "ControlTokenWrong")),
        \#(refusal(404, "`appUnknown`, `productUnknown`, `uploadUnknown`, `fileUnknown`: the app, its product, the upload or its file is not there. `worldUnknown`, `notFound`: nothing is at this path.", as: "ProductUnknown")),
        \#(refusal(409, "`partOutOfOrder`: it begins behind what was received.")),
        \#(refusal(422, "`badContent`: it is code, or not what its SHA-256 says; what was received is dropped. `badField`: it goes beyond the file's size.")),
        \#(refusal(400, "`badQuery`: offset is missing or no number. `badRequest`: the request is malformed.")),
        \#(commonAnswers(unavailable: "ContentUnavailable"))
                }
              }
            },
            "/control/v1/apps/{app}/products/{product}/content-uploads/{upload}/commit": {
              "parameters": [
                {"$ref": "#/components/parameters/app"}, {"$ref": "#/components/parameters/product"},
                {"$ref": "#/components/parameters/upload"}
              ],
              "post": {
                "operationId": "commitContent",
                "tags": ["content"],
                "summary": "Make an upload the newest version of the product's content",
                "description": "The same answer when it is asked again.",
                "security": [{"controlToken": []}],
                "responses": {
        \#(answer(200, "Purchases bring it now.", "ContentVersionInfo")),
        \#(refusal(401, as: "ControlTokenWrong")),
        \#(refusal(404, "`appUnknown`, `productUnknown`, `uploadUnknown`: the app, its product or the upload is not there. `worldUnknown`, `notFound`: nothing is at this path.", as: "ProductUnknown")),
        \#(refusal(409, "`contentIncomplete`: not all was sent. `contentVersionExists`: another upload was committed under this version. `tooManyContentVersions`: \(Limits.contentVersionsMax) of a product.")),
        \#(withoutBody)
                }
              }
            }
        """#

    private static let deviceContentPaths = #"""
            "/{environment}/device/v1/transactions/{id}/content": {
              "parameters": [
                {"$ref": "#/components/parameters/environment"},
                {"$ref": "#/components/parameters/transactionId"},
                {
                  "name": "version",
                  "in": "query",
                  "description": "A version that the device has begun; the newest when absent.",
                  "schema": {"$ref": "#/components/schemas/ContentVersion"},
                  "example": "1.0"
                }
              ],
              "get": {
                "operationId": "getContent",
                "tags": ["device"],
                "summary": "The files of the content of an unfinished transaction",
                "security": [{"deviceToken": []}],
                "responses": {
        \#(answer(200, "The files, by path.", "ContentManifest")),
        \#(refusal(401, as: "NotSignedIn")),
        \#(refusal(404, noDownload)),
        \#(refusal(409, over)),
        \#(withoutBody)
                }
              }
            },
            "/{environment}/device/v1/transactions/{id}/content/{version}/{sha256}": {
              "parameters": [
                {"$ref": "#/components/parameters/environment"},
                {"$ref": "#/components/parameters/transactionId"},
                {"$ref": "#/components/parameters/contentVersion"},
                {"$ref": "#/components/parameters/sha256"},
                {
                  "name": "Range",
                  "in": "header",
                  "description": "One range of bytes (RFC 9110, section 14); anything else asks for the whole. `If-Range` with the entity tag is taken, too.",
                  "schema": {"type": "string"},
                  "example": "bytes=0-1048575"
                }
              ],
              "get": {
                "operationId": "getContentFile",
                "tags": ["device"],
                "summary": "A file of the content, or a range of it",
                "security": [{"deviceToken": []}],
                "responses": {
                  "200": {
                    "description": "The whole file.",
                    "headers": {"ETag": {"$ref": "#/components/headers/ETag"}},
                    "content": {"application/octet-stream": {}}
                  },
                  "206": {
                    "description": "The range that was asked for, as `Content-Range` says.",
                    "headers": {
                      "ETag": {"$ref": "#/components/headers/ETag"},
                      "Content-Range": {"$ref": "#/components/headers/Content-Range"}
                    },
                    "content": {"application/octet-stream": {}}
                  },
        \#(refusal(401, as: "NotSignedIn")),
        \#(refusal(404, noDownload)),
        \#(refusal(409, over)),
                  "416": {
                    "description": "`rangeBehindEnd`: the range begins behind the file's end.",
                    "headers": {"Content-Range": {"$ref": "#/components/headers/Content-Range"}},
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Error"}}
                    }
                  },
        \#(refusal(400, as: "BadRequest")),
        \#(commonAnswers(unavailable: "ContentUnavailable"))
                }
              }
            }
        """#

    private static let noDownload =
        "`transactionUnknown`: the account has none of that number in this app. `contentUnknown`: it "
        + "brings no such content. `worldUnknown`, `notFound`: nothing is at this path."

    private static let over =
        "`transactionFinished`, `transactionRevoked`: it is finished or was taken back, and its "
        + "downloads are gone with that."

    private static let digestExample =
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
}
