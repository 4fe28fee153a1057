import StoreDatabase
import StoreModel
import StoreRules

/// The content that a purchase of a product brings now.
struct CurrentContent: Hashable, Sendable {
    let version: String
    let byteCount: Int64
}

/// The owner of content: a product, or a tag of an app's on-demand resources.
struct ContentOwner: Hashable, Sendable {
    let app: AppID
    /// The product's identifier, or the tag.
    let name: String
    let isResource: Bool

    static func product(_ product: ProductID, in app: AppID) -> ContentOwner {
        ContentOwner(app: app, name: product.rawValue, isResource: false)
    }

    static func tag(_ tag: ResourceTag, in app: AppID) -> ContentOwner {
        ContentOwner(app: app, name: tag.text, isResource: true)
    }
}

/// A version of an owner's content.
struct ContentVersion: Sendable {
    let number: Int64
    /// The product's identifier, or the tag.
    let owner: String
    /// Nil for a product's content.
    let resourceKind: ResourceKind?
    /// For resources, the app's version.
    let version: String
    /// The upload it came from.
    let upload: String
    let fileCount: Int64
    let byteCount: Int64
    let addedAt: Timestamp
    let isRemoved: Bool
}

private let versionColumns = """
    number, owner, version, upload_id, file_count, byte_count, added_ms, removed_real_ms,
    resource_kind
    """

/// The present versions of an app's products: the newest of each that is not removed.
private let currentVersions = """
    SELECT owner, version, byte_count FROM content_version AS one
    WHERE app_id = ?1 AND number = (
        SELECT max(number) FROM content_version
        WHERE app_id = one.app_id AND owner = one.owner AND resource_kind IS NULL
            AND removed_real_ms IS NULL)
    """

extension ReadScope {
    /// The present content of the app's products, without products that have none.
    borrowing func currentContent(of app: AppID) throws -> [ProductID: CurrentContent] {
        try rows(currentVersions, [app]).reduce(into: [:]) { found, row in
            found[try row["owner"]] = try CurrentContent(row)
        }
    }

    borrowing func currentContent(
        of product: ProductID, in app: AppID
    ) throws -> CurrentContent? {
        try row(
            currentVersions + " AND owner = ?2", [app, product]
        ).map { try CurrentContent($0) }
    }

    /// Every version of products' content in an app that is not removed, by product, newest first.
    borrowing func contentVersions(of app: AppID) throws -> [ContentVersion] {
        try rows(
            """
            SELECT \(versionColumns) FROM content_version
            WHERE app_id = ?1 AND resource_kind IS NULL AND removed_real_ms IS NULL
            ORDER BY owner, number DESC
            """, [app]
        ).map { try ContentVersion($0) }
    }

    /// The on-demand resources of an app, or of one version of it, in the order in which they were
    /// added.
    borrowing func resources(of app: AppID, version: String? = nil) throws -> [ContentVersion] {
        try rows(
            """
            SELECT \(versionColumns) FROM content_version
            WHERE app_id = ?1 AND resource_kind IS NOT NULL AND removed_real_ms IS NULL
                AND (version = ?2 OR ?2 IS NULL)
            ORDER BY number
            """, [app, version]
        ).map { try ContentVersion($0) }
    }

    /// The versions of an owner's content, the newest first; with those that were removed after a
    /// moment, when one is given.
    borrowing func contentVersions(
        of owner: ContentOwner, keptSince moment: Timestamp? = nil
    ) throws -> [ContentVersion] {
        try rows(
            """
            SELECT \(versionColumns) FROM content_version
            WHERE app_id = ?1 AND owner = ?2 AND CASE WHEN resource_kind IS NULL THEN 0 ELSE 1 END = ?3
                AND (removed_real_ms IS NULL OR removed_real_ms > ?4)
            ORDER BY number DESC
            """, [owner.app, owner.name, owner.isResource, moment]
        ).map { try ContentVersion($0) }
    }

    /// The files of a version, by path.
    borrowing func contentFiles(of version: ContentVersion) throws -> [ContentFile] {
        try rows(
            """
            SELECT path, byte_count, digest FROM content_file
            WHERE version_number = ?1 ORDER BY path
            """, [version.number]
        ).map { try ContentFile($0) }
    }

    /// A file of a version by its digest.
    borrowing func contentFile(_ digest: String, of version: ContentVersion) throws -> ContentFile?
    {
        try row(
            """
            SELECT path, byte_count, digest FROM content_file
            WHERE version_number = ?1 AND digest = ?2 LIMIT 1
            """, [version.number, digest]
        ).map { try ContentFile($0) }
    }

    /// The version of an upload on its way; nil when there is no such upload.
    borrowing func versionOfUpload(
        _ upload: String, of owner: ContentOwner, begunSince moment: Timestamp
    ) throws -> String? {
        try value(
            """
            SELECT version FROM content_upload
            WHERE id = ?1 AND app_id = ?2 AND owner = ?3
                AND CASE WHEN resource_kind IS NULL THEN 0 ELSE 1 END = ?4
                AND begun_real_ms > ?5
            """, [upload, owner.app, owner.name, owner.isResource, moment])
    }

    /// The files of an upload by path; those with one digest when it is given.
    borrowing func uploadFiles(of upload: String, digest: String? = nil) throws -> [ContentFile] {
        try rows(
            """
            SELECT path, byte_count, digest FROM content_upload_file
            WHERE upload_id = ?1 AND (digest = ?2 OR ?2 IS NULL) ORDER BY path
            """, [upload, digest]
        ).map { try ContentFile($0) }
    }

    borrowing func uploadCount() throws -> Int64 {
        try value("SELECT count(*) FROM content_upload") ?? 0
    }
}

extension WriteScope {
    /// Stores an upload, or resumes one; `kind` is of resources only.
    borrowing func saveUpload(
        _ id: String, of package: ContentPackage, for owner: ContentOwner, kind: ResourceKind?,
        realNow: Timestamp
    ) throws {
        let isNew =
            try execute(
                "UPDATE content_upload SET begun_real_ms = ?2 WHERE id = ?1", [id, realNow]) == 0
        guard isNew else { return }
        try insert(
            into: "content_upload",
            [
                "id": id, "app_id": owner.app, "owner": owner.name, "version": package.version,
                "begun_real_ms": realNow, "resource_kind": kind,
            ])
        for file in package.files {
            try insert(
                into: "content_upload_file",
                [
                    "upload_id": id, "path": file.path, "byte_count": file.byteCount,
                    "digest": file.digest,
                ])
        }
    }

    /// Makes an upload the newest version of its owner.
    borrowing func addContentVersion(fromUpload upload: String, now: Timestamp) throws {
        let number = try next("content_version")
        try execute(
            """
            INSERT INTO content_version (number, app_id, owner, version, upload_id, resource_kind,
                file_count, byte_count, added_ms)
            SELECT ?1, app_id, owner, version, id, resource_kind,
                (SELECT count(*) FROM content_upload_file WHERE upload_id = ?2),
                (SELECT sum(byte_count) FROM content_upload_file WHERE upload_id = ?2), ?3
            FROM content_upload WHERE id = ?2
            """, [number, upload, now])
        try execute(
            """
            INSERT INTO content_file (version_number, path, byte_count, digest)
            SELECT ?1, path, byte_count, digest FROM content_upload_file WHERE upload_id = ?2
            """, [number, upload])
        try deleteUpload(upload)
    }

    borrowing func deleteUpload(_ upload: String) throws {
        try execute("DELETE FROM content_upload_file WHERE upload_id = ?1", [upload])
        try execute("DELETE FROM content_upload WHERE id = ?1", [upload])
    }

    /// Takes content out of what devices may begin to fetch; those that have begun may continue
    /// for a while.
    borrowing func removeContent(_ version: ContentVersion, realNow: Timestamp) throws {
        try execute(
            """
            UPDATE content_version SET removed_real_ms = ?2
            WHERE number = ?1 AND removed_real_ms IS NULL
            """, [version.number, realNow])
    }

    /// Deletes uploads abandoned and content removed before a moment.
    borrowing func deleteOldContent(before moment: Timestamp) throws {
        let uploads: [String] = try values(
            "SELECT id FROM content_upload WHERE begun_real_ms <= ?1", [moment])
        for upload in uploads { try deleteUpload(upload) }
        let versions: [Int64] = try values(
            "SELECT number FROM content_version WHERE removed_real_ms <= ?1", [moment])
        for version in versions { try deleteVersion(version) }
    }

    /// Deletes all content of a product that is deleted itself.
    borrowing func deleteContent(of product: ProductID, in app: AppID) throws {
        let versions: [Int64] = try values(
            """
            SELECT number FROM content_version
            WHERE app_id = ?1 AND owner = ?2 AND resource_kind IS NULL
            """, [app, product])
        for version in versions { try deleteVersion(version) }
        let uploads: [String] = try values(
            """
            SELECT id FROM content_upload
            WHERE app_id = ?1 AND owner = ?2 AND resource_kind IS NULL
            """, [app, product])
        for upload in uploads { try deleteUpload(upload) }
    }

    private borrowing func deleteVersion(_ number: Int64) throws {
        try execute("DELETE FROM content_file WHERE version_number = ?1", [number])
        try execute("DELETE FROM content_version WHERE number = ?1", [number])
    }
}

extension ContentVersion {
    /// From `versionColumns`.
    fileprivate init(_ row: Row) throws {
        self.init(
            number: try row["number"], owner: try row["owner"],
            resourceKind: try row["resource_kind"], version: try row["version"],
            upload: try row["upload_id"], fileCount: try row["file_count"],
            byteCount: try row["byte_count"],
            addedAt: try row["added_ms"],
            isRemoved: try row["removed_real_ms"] as Timestamp? != nil)
    }
}

extension ContentFile {
    /// From path, bytes and digest.
    fileprivate init(_ row: Row) throws {
        self.init(
            path: try row["path"], byteCount: try row["byte_count"], digest: try row["digest"])
    }
}

extension CurrentContent {
    fileprivate init(_ row: Row) throws {
        self.init(version: try row["version"], byteCount: try row["byte_count"])
    }
}
