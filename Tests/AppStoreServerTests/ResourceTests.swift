import Foundation
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer
@testable import StoreHTTP

/// On-demand resources: added by tag and app version, fetched by devices without an account.
struct ResourceTests {
    /// A store whose app gets resources, in short words.
    private struct Fixture {
        let content: ContentFixture
        var store: TestStore { content.store }

        init() async throws {
            content = try await ContentFixture()
        }

        func place(_ tag: String, _ version: String) -> String {
            "/control/v1/apps/\(TestStore.bundleID)/resources/\(version)/\(tag)"
        }

        func begin(
            _ tag: String, _ files: [String: String], version: String = "1.0",
            kind: ResourceKind = .onDemand
        ) async throws -> HTTPResponse {
            let body = BeginResourceBody(kind: kind, files: ContentFixture.body(files).files)
            return try await store.control("POST", place(tag, version) + "/uploads", body: body)
        }

        /// Sends what is missing and commits.
        @discardableResult
        func add(
            _ tag: String, _ files: [String: String], version: String = "1.0",
            kind: ResourceKind = .onDemand
        ) async throws -> TaggedResourceBody {
            let begun = try await begin(tag, files, version: version, kind: kind)
            try #require(begun.status == 200, "\(String(decoding: begun.body, as: UTF8.self))")
            let upload = try WireJSON.decode(ContentUploadBody.self, from: begun.body)
            let place = place(tag, version) + "/uploads/\(upload.uploadId)"
            let texts = files.values.reduce(into: [:]) { $0[ContentFixture.digest($1)] = $1 }
            for missing in upload.missing {
                let answer = await store.send(
                    "PUT", "\(place)/files/\(missing.sha256)?offset=0",
                    token: TestStore.controlToken,
                    body: Array(try #require(texts[missing.sha256]).utf8))
                try #require(answer.status == 200)
            }
            let answer = try await store.control("POST", place + "/commit")
            try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
            return try WireJSON.decode(TaggedResourceBody.self, from: answer.body)
        }

        func remove(_ tag: String, version: String = "1.0") async throws -> HTTPResponse {
            try await store.control("DELETE", place(tag, version))
        }

        func device(_ path: String, _ token: String) async -> HTTPResponse {
            await store.send("GET", "/sandbox/device/v1/resources\(path)", token: token)
        }

        func tags(_ version: String, _ token: String) async throws -> [String] {
            let answer = await device("?version=\(version)", token)
            try #require(answer.status == 200)
            return try WireJSON.decode(ResourceListBody.self, from: answer.body).tags.map {
                "\($0.tag) \($0.kind.rawValue) \($0.contentLength)"
            }
        }
    }

    @Test func `a device without an account lists and fetches the tags of its app version`()
        async throws
    {
        let shop = try await Fixture()
        let token = try await shop.store.register()
        let body = try await shop.add("moon track", ["a/moon.txt": "craters", "b": "dust"])
        #expect(body.tag == "moon track" && body.appVersion == "1.0" && body.fileCount == 2)
        #expect(body.contentLength == 11 && body.kind == .onDemand)
        try await shop.add("garage", ["g": "tools"], kind: .initial)
        try await shop.add("alps", ["x": "snow"], kind: .prefetch)
        #expect(
            try await shop.tags("1.0", token) == [
                "moon track onDemand 11", "garage initial 5", "alps prefetch 4",
            ])
        let answer = await shop.device("/moon track?version=1.0", token)
        let manifest = try WireJSON.decode(ContentManifestBody.self, from: answer.body)
        #expect(manifest.contentIdentifier == "moon track" && manifest.contentVersion == "1.0")
        #expect(manifest.files.map(\.path) == ["a/moon.txt", "b"] && manifest.contentLength == 11)
        let digest = ContentFixture.digest("craters")
        let file = await shop.device("/moon track/1.0/\(digest)", token)
        #expect(file.status == 200)
        #expect(try ContentFixture.text(file) == "craters")
        let part = await shop.store.send(
            "GET", "/sandbox/device/v1/resources/moon track/1.0/\(digest)", token: token,
            headers: [("Range", "bytes=2-4")])
        #expect(part.status == 206)
        #expect(try ContentFixture.text(part) == "ate")
    }

    @Test func `each app version keeps its own resources`() async throws {
        let shop = try await Fixture()
        let token = try await shop.store.register()
        try await shop.add("moon", ["m": "old"])
        try await shop.add("moon", ["m": "newer"], version: "1.1")
        try await shop.add("mars", ["m": "red"], version: "1.1")
        #expect(try await shop.tags("1.0", token) == ["moon onDemand 3"])
        #expect(try await shop.tags("1.1", token) == ["moon onDemand 5", "mars onDemand 3"])
        #expect(try await shop.tags("2.0", token) == [])
        let other = await shop.device("/moon/1.0/\(ContentFixture.digest("newer"))", token)
        #expect(errorCode(other) == "resourceUnknown")
        #expect(try await shop.remove("moon", version: "1.1").status == 200)
        #expect(try await shop.tags("1.0", token) == ["moon onDemand 3"])
    }

    @Test func `an upload is found below its own app version only`() async throws {
        let fixture = try await Fixture()
        let begun = try await fixture.begin("moon", ["a.txt": "a"])
        let upload = try WireJSON.decode(ContentUploadBody.self, from: begun.body).uploadId
        for version in ["2.0", "1.0"] {
            let place = fixture.place("moon", version) + "/uploads/\(upload)/commit"
            let answer = try await fixture.store.control("POST", place)
            #expect(answer.status == (version == "1.0" ? 409 : 404))
        }
    }

    @Test func `the same files again are the same resources, and others are refused`() async throws
    {
        let shop = try await Fixture()
        let first = try await shop.add("moon", ["m": "dust"])
        #expect(try await shop.add("moon", ["m": "dust"]) == first)
        let other = try await shop.begin("moon", ["m": "stone"])
        #expect(other.status == 409 && errorCode(other) == "resourceExists")
        let kind = try await shop.begin("moon", ["m": "dust"], kind: .initial)
        #expect(errorCode(kind) == "resourceExists")
        #expect(try await shop.remove("moon").status == 200)
        try await shop.add("moon", ["m": "stone"])
    }

    @Test func `a removed tag leaves the list at once and its bytes after a day`() async throws {
        let shop = try await Fixture()
        let token = try await shop.store.register()
        try await shop.add("moon", ["m": "dust"])
        let removed = try await shop.remove("moon")
        #expect(try await shop.remove("moon").body == removed.body, "the same again")
        #expect(try await shop.tags("1.0", token) == [])
        let path = "/moon/1.0/\(ContentFixture.digest("dust"))"
        #expect(await shop.device(path, token).status == 200, "a device may be fetching it")
        shop.store.move(byMilliseconds: ContentFixture.day)
        #expect(errorCode(await shop.device(path, token)) == "resourceUnknown")
        try shop.content.registry.sweepContent()
        #expect(try shop.content.kept() == [])
    }

    @Test func `a product of the same name has nothing to do with a tag`() async throws {
        let shop = try await Fixture()
        let token = try await shop.store.signIn()
        try await shop.add(Samples.turbo, ["m": "dust"])
        #expect(try await shop.content.versions() == [])
        #expect(try await shop.store.buy(Samples.turbo, token: token).downloads == nil)
        try await shop.content.upload(["engine": "oil"])
        #expect(try await shop.tags("1.0", token) == ["\(Samples.turbo) onDemand 4"])
        #expect(try await shop.content.remove().status == 200)
        #expect(try await shop.tags("1.0", token) == ["\(Samples.turbo) onDemand 4"])
    }

    @Test(arguments: [
        ("a,b", "contains a slash, a backslash or a comma"),
        ("a\\b", "contains a slash, a backslash or a comma"), (" a", "begins or ends with a blank"),
        ("..", "is . or .."), ("a\u{7}", "contains a control character"),
        ("a\u{202E}", "one that is invisible"), (String(repeating: "a", count: 129), "128 bytes"),
    ])
    func `a text that is not a tag is refused with the reason`(
        tag: String, reason: String
    ) async throws {
        let shop = try await Fixture()
        let answer = try await shop.begin(tag, ["a": "x"])
        #expect(answer.status == 422 && errorCode(answer) == "badContent")
        #expect(String(decoding: answer.body, as: UTF8.self).contains(reason))
        let token = try await shop.store.register()
        #expect(try await shop.tags("1.0", token) == [])
    }

    @Test func `a slash divides a path and is never a part of a tag`() async throws {
        let shop = try await Fixture()
        let answer = try await shop.begin("a/b", ["a": "x"])
        #expect(answer.status >= 400)
    }

    @Test func `resources with programs are refused by name and by bytes`() async throws {
        let shop = try await Fixture()
        let named = try await shop.begin("moon", ["lib/track.so": "x"])
        #expect(named.status == 422 && errorCode(named) == "badContent")
        let begun = try await shop.begin("moon", ["track": "#!/bin/sh"])
        let upload = try WireJSON.decode(ContentUploadBody.self, from: begun.body)
        let sent = await shop.store.send(
            "PUT",
            shop.place("moon", "1.0") + "/uploads/\(upload.uploadId)/files/"
                + "\(upload.missing[0].sha256)?offset=0", token: TestStore.controlToken,
            body: Array("#!/bin/sh".utf8))
        #expect(errorCode(sent) == "badContent")
    }

    @Test func `a version of an app takes no more tags than its limit`() async throws {
        let shop = try await Fixture()
        try await shop.add("tag 0", ["m": "dust"])
        // What uploads would make, in one statement each.
        _ = try shop.content.registry.defaultWorld.database.write { scope in
            for number in 1..<Int64(Limits.tagsMax) {
                try scope.execute(
                    """
                    INSERT INTO content_version (number, app_id, owner, version, upload_id,
                        file_count, byte_count, added_ms, resource_kind)
                    SELECT 1000 + ?1, app_id, 'tag ' || ?1, version, upload_id || ?1, file_count,
                        byte_count, added_ms, resource_kind
                    FROM content_version WHERE owner = 'tag 0'
                    """, [number])
            }
        }
        let answer = try await shop.begin("one more", ["m": "dust"])
        #expect(answer.status == 409 && errorCode(answer) == "tooManyTags")
        #expect(try await shop.begin("tag 7", ["m": "dust"]).status == 409, "another upload's")
        #expect(try await shop.begin("one more", ["m": "dust"], version: "1.1").status == 200)
    }

    @Test func `a device asks with its token and names a version`() async throws {
        let shop = try await Fixture()
        try await shop.add("moon", ["m": "dust"])
        #expect(await shop.device("?version=1.0", "nonsense").status == 401)
        let token = try await shop.store.register()
        #expect(errorCode(await shop.device("", token)) == "badQuery")
        #expect(errorCode(await shop.device("/moon", token)) == "badQuery")
        #expect(errorCode(await shop.device("/mars?version=1.0", token)) == "resourceUnknown")
        #expect(errorCode(await shop.device("/..?version=1.0", token)) == "resourceUnknown")
    }
}
