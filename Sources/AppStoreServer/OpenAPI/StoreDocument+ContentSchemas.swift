import StoreHTTP
import StoreRules

// What the operations on content name.
extension StoreDocument {
    static let contentHeaders = #"""
              "ETag": {
                "required": true,
                "description": "The SHA-256 in quotation marks.",
                "schema": {"type": "string", "pattern": "^\"[0-9a-f]{64}\"$"}
              },
              "Content-Range": {
                "required": true,
                "schema": {"type": "string", "pattern": "^bytes ([0-9]+-[0-9]+|\\*)/[0-9]+$"}
              }
        """#

    static let contentParameters = #"""
              "transactionId": {
                "name": "id",
                "in": "path",
                "required": true,
                "schema": {"$ref": "#/components/schemas/TransactionID"},
                "example": "2000000000000000"
              },
              "contentVersion": {
                "name": "version",
                "in": "path",
                "required": true,
                "schema": {"$ref": "#/components/schemas/ContentVersion"},
                "example": "1.0"
              },
              "upload": {
                "name": "upload",
                "in": "path",
                "required": true,
                "schema": {"$ref": "#/components/schemas/ContentUploadID"},
                "example": "00112233445566778899aabbccddeeff"
              },
              "sha256": {
                "name": "sha256",
                "in": "path",
                "required": true,
                "schema": {"$ref": "#/components/schemas/SHA256"},
                "example": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
              }
        """#

    static let contentResponses = laterResponse(
        "ContentUnavailable",
        "`contentBusy`: another request is sending these bytes. `contentMissing`: the store has lost them. `busy`: too much at once. `storage`, `diskFull`: nothing was changed. `stopping`: not taken any more. `notAnswered`: what was asked may have happened."
    )

    static let contentSchemas = #"""
              "ContentUploadID": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
              "SHA256": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
              "ContentVersion": {
                "type": "string",
                "pattern": "^[0-9]+(\\.[0-9]+)*$",
                "maxLength": \#(ContentPackage.versionBytesMax)
              },
              "ContentFile": {
                "type": "object",
                "required": ["path", "size", "sha256"],
                "properties": {
                  "path": {
                    "type": "string",
                    "description": "Relative, its parts separated by slashes.",
                    "minLength": 1,
                    "maxLength": \#(ContentPackage.pathBytesMax)
                  },
                  "size": {
                    "type": "integer",
                    "format": "int64",
                    "minimum": 0,
                    "maximum": \#(ContentPackage.bytesMax)
                  },
                  "sha256": {"$ref": "#/components/schemas/SHA256"}
                }
              },
              "BeginContent": {
                "type": "object",
                "description": "At most \#(ContentPackage.bytesMax) bytes together.",
                "required": ["contentVersion", "files"],
                "properties": {
                  "contentVersion": {"$ref": "#/components/schemas/ContentVersion"},
                  "files": {
                    "type": "array",
                    "minItems": 1,
                    "maxItems": \#(ContentPackage.filesMax),
                    "items": {"$ref": "#/components/schemas/ContentFile"}
                  }
                }
              },
              "ContentPart": {
                "type": "object",
                "required": ["sha256", "size", "received"],
                "properties": {
                  "sha256": {"$ref": "#/components/schemas/SHA256"},
                  "size": {"type": "integer", "format": "int64", "minimum": 0},
                  "received": {
                    "type": "integer",
                    "format": "int64",
                    "description": "How many bytes are there; the next part begins here.",
                    "minimum": 0
                  }
                }
              },
              "ContentUpload": {
                "type": "object",
                "required": ["uploadId", "partBytesMax", "missing"],
                "properties": {
                  "uploadId": {"$ref": "#/components/schemas/ContentUploadID"},
                  "partBytesMax": {"type": "integer", "format": "int64", "minimum": 1},
                  "missing": {
                    "type": "array",
                    "items": {"$ref": "#/components/schemas/ContentPart"}
                  }
                }
              },
              "ContentVersionInfo": {
                "type": "object",
                "required": [
                  "productId", "contentVersion", "isCurrent", "fileCount", "contentLength", "addedAt"
                ],
                "properties": {
                  "productId": {"type": "string"},
                  "contentVersion": {"$ref": "#/components/schemas/ContentVersion"},
                  "isCurrent": {
                    "type": "boolean",
                    "description": "Whether purchases bring this one."
                  },
                  "fileCount": {"type": "integer", "format": "int64", "minimum": 1},
                  "contentLength": {"type": "integer", "format": "int64", "minimum": 0},
                  "addedAt": {"$ref": "#/components/schemas/Timestamp"}
                }
              },
              "ContentVersions": {
                "type": "object",
                "required": ["versions"],
                "properties": {
                  "versions": {
                    "type": "array",
                    "items": {"$ref": "#/components/schemas/ContentVersionInfo"}
                  }
                }
              },
              "RemovedContent": {
                "type": "object",
                "required": ["productId", "removed"],
                "properties": {
                  "productId": {"type": "string"},
                  "removed": {
                    "type": "array",
                    "items": {"$ref": "#/components/schemas/ContentVersion"}
                  },
                  "currentVersion": {"$ref": "#/components/schemas/ContentVersion"}
                }
              },
              "Download": {
                "type": "object",
                "required": ["contentIdentifier", "contentVersion", "contentLength"],
                "properties": {
                  "contentIdentifier": {"type": "string", "description": "The product's identifier."},
                  "contentVersion": {"$ref": "#/components/schemas/ContentVersion"},
                  "contentLength": {"type": "integer", "format": "int64", "minimum": 0}
                }
              },
              "ContentManifest": {
                "type": "object",
                "required": ["contentIdentifier", "contentVersion", "contentLength", "files"],
                "properties": {
                  "contentIdentifier": {"type": "string", "description": "The product's identifier."},
                  "contentVersion": {"$ref": "#/components/schemas/ContentVersion"},
                  "contentLength": {"type": "integer", "format": "int64", "minimum": 0},
                  "files": {
                    "type": "array",
                    "items": {"$ref": "#/components/schemas/ContentFile"}
                  }
                }
              }
        """#
}
