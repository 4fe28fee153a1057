import StoreDatabase

extension WorldSchema {
    /// Content of products: versions and their files, and uploads on their way. The bytes are not
    /// in here: `ContentStore` has them by their digests.
    static let content = Migration(
        number: 8,
        statements: [
            // Removed content can be fetched for a while by devices that have begun it, by the real
            // clock.
            """
            CREATE TABLE content_version (
                number BIGINT PRIMARY KEY,
                app_id BIGINT NOT NULL REFERENCES app (id),
                product_id TEXT NOT NULL,
                version TEXT NOT NULL,
                upload_id TEXT NOT NULL,
                file_count BIGINT NOT NULL,
                byte_count BIGINT NOT NULL,
                added_ms BIGINT NOT NULL,
                removed_real_ms BIGINT
            )
            """,
            "CREATE INDEX content_version_by_product ON content_version (app_id, product_id, number)",
            """
            CREATE TABLE content_file (
                version_number BIGINT NOT NULL REFERENCES content_version (number),
                path TEXT NOT NULL,
                byte_count BIGINT NOT NULL,
                digest TEXT NOT NULL,
                PRIMARY KEY (version_number, path)
            )
            """,
            "CREATE INDEX content_file_by_digest ON content_file (version_number, digest)",
            """
            CREATE TABLE content_upload (
                id TEXT PRIMARY KEY,
                app_id BIGINT NOT NULL REFERENCES app (id),
                product_id TEXT NOT NULL,
                version TEXT NOT NULL,
                begun_real_ms BIGINT NOT NULL
            )
            """,
            """
            CREATE TABLE content_upload_file (
                upload_id TEXT NOT NULL REFERENCES content_upload (id),
                path TEXT NOT NULL,
                byte_count BIGINT NOT NULL,
                digest TEXT NOT NULL,
                PRIMARY KEY (upload_id, path)
            )
            """,
            "CREATE INDEX content_upload_file_by_digest ON content_upload_file (upload_id, digest)",
        ])

    /// The digests that a world's file needs, newer than a moment of the real clock where they are
    /// removed or on their way.
    static func contentDigests(keptSince moment: Int64) -> String {
        """
        SELECT digest FROM content_file
        JOIN content_version ON content_version.number = content_file.version_number
        WHERE removed_real_ms IS NULL OR removed_real_ms > \(moment)
        UNION
        SELECT digest FROM content_upload_file
        JOIN content_upload ON content_upload.id = content_upload_file.upload_id
        WHERE begun_real_ms > \(moment)
        """
    }
}
